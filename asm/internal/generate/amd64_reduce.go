package main

// vectorOf is a kernel of one vector; store names the instruction that stores the result, and its
// register.
func vectorOf(store string, reduce func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVQ x_base+0(FP), %s", regX)
		w.op("MOVQ x_len+8(FP), %s", regN)
		reduce(w)
		w.op("VZEROUPPER")
		w.op("%s, ret+24(FP)", store)
		w.op("RET")
	}
}

// extreme leaves the least or the largest element in X0, or 0 for none. Registers 0 to 3 have the
// extreme elements so far, 4 says where a number is NaN, and 5 has the bits that one of the numbers
// has, or that all have: the sign of a result that is 0.
func (v width) extreme(w *writer, most bool) {
	better, gather := "VMINPS", "VORPS"
	if most {
		better, gather = "VMAXPS", "VANDPS"
	}
	disordered := func(a, b int) { // marks where one of two numbers is NaN
		if v.register == 'Z' {
			w.op("VCMPPS $3, %s, %s, K3", v.reg(a), v.reg(b))
			w.op("KORW K3, K2, K2")
		} else {
			w.op("VCMPPS $3, %s, %s, Y13", v.reg(a), v.reg(b))
			w.op("VORPS Y13, Y4, Y4")
		}
	}
	w.op("VXORPS X0, X0, X0")
	if v.register == 'Z' {
		w.op("KXORW K2, K2, K2")
	} else {
		w.op("VXORPS X4, X4, X4")
	}
	// The last elements come first: a whole register, some elements of which come once more.
	w.op("CMPQ %s, $%d", regN, v.lanes)
	w.op("JGE whole")
	w.op("TESTQ %s, %[1]s", regN)
	w.op("JEQ end")
	w.op("VBROADCASTSS (%s), %s", regX, v.reg(0))
	v.mask(w, "few")
	if v.register == 'Z' {
		w.op("VMOVUPS (%s), K1, Z0", regX)
	} else {
		w.op("VMASKMOVPS (%s), Y14, Y1", regX)
		w.op("VBLENDVPS Y14, Y1, Y0, Y0")
	}
	w.op("fewWhole:")
	w.op("XORL %s, %[1]s", regN)
	w.op("JMP begin")
	w.op("whole:")
	w.op("VMOVUPS -%d(%s)(%s*4), %s", 4*v.lanes, regX, regN, v.reg(0))
	w.op("begin:")
	for j := 1; j < 6; j++ {
		if j != 4 {
			w.op("VMOVAPS %s, %s", v.reg(0), v.reg(j))
		}
	}
	disordered(0, 0)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JLT last")
	w.op("loop:")
	for j := range 4 {
		w.op("VMOVUPS %d(%s), %s", 4*v.lanes*j, regX, v.reg(8+j))
	}
	for j := range 4 {
		w.op("%s %s, %s, %[3]s", better, v.reg(8+j), v.reg(j))
	}
	disordered(8, 9)
	disordered(10, 11)
	for _, to := range []struct{ from, to int }{{9, 8}, {11, 10}, {10, 8}, {8, 5}} {
		w.op("%s %s, %s, %[3]s", gather, v.reg(to.from), v.reg(to.to))
	}
	w.op("ADDQ $%d, %s", 16*v.lanes, regX)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JGE loop")
	w.op("last:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	w.op("few:")
	w.op("SUBQ $%d, %s", v.lanes, regN)
	w.op("JLT reduce")
	w.op("VMOVUPS (%s), %s", regX, v.reg(8))
	w.op("%s %s, %s, %[3]s", better, v.reg(8), v.reg(0))
	disordered(8, 8)
	w.op("%s %s, %s, %[3]s", gather, v.reg(8), v.reg(5))
	w.op("ADDQ $%d, %s", 4*v.lanes, regX)
	w.op("JMP few")
	w.op("reduce:")
	if v.register == 'Z' {
		w.op("KMOVW K2, AX")
		w.op("VPMOVD2M Z5, K1")
		w.op("KMOVW K1, R8")
	} else {
		w.op("VMOVMSKPS Y4, AX")
		w.op("VMOVMSKPS Y5, R8")
	}
	w.op("%s %s, %s, %[3]s", better, v.reg(1), v.reg(0))
	w.op("%s %s, %s, %[3]s", better, v.reg(3), v.reg(2))
	w.op("%s %s, %s, %[3]s", better, v.reg(2), v.reg(0))
	if v.register == 'Z' {
		w.op("VEXTRACTF64X4 $1, Z0, Y1")
		w.op("%s Y1, Y0, Y0", better)
	}
	w.op("VEXTRACTF128 $1, Y0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVHLPS X0, X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVSHDUP X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("TESTL AX, AX")
	w.op("JNE nan")
	w.op("VXORPS X1, X1, X1")
	w.op("VUCOMISS X1, X0")
	w.op("JNE end")
	w.op("VMOVAPS X1, X0")
	if most {
		w.op("CMPL R8, $%d", 1<<v.lanes-1)
		w.op("JNE end")
	} else {
		w.op("TESTL R8, R8")
		w.op("JEQ end")
	}
	w.op("MOVL $0x80000000, AX")
	w.op("VMOVD AX, X0")
	w.op("JMP end")
	w.op("nan:")
	w.op("VPCMPEQD X0, X0, X0")
	w.op("end:")
}

// firstOf is the kernel First: AX is the place of an element that is v or NaN.
func (v width) firstOf(w *writer) {
	// marked jumps to a label where a comparison finds an element.
	marked := func(label string) {
		if v.register == 'Z' {
			w.op("KMOVW K2, AX")
		} else {
			w.op("VMOVMSKPS Y1, AX")
		}
		w.op("TESTL AX, AX")
		w.op("JNE %s", label)
	}
	compare := func(offset, to int) {
		if v.register == 'Z' {
			w.op("VCMPPS $8, %d(%s), Z0, K%d", offset, regX, 1+to)
		} else {
			w.op("VCMPPS $8, %d(%s), Y0, Y%d", offset, regX, to)
		}
	}
	w.op("MOVQ x_base+0(FP), %s", regX)
	w.op("MOVQ x_len+8(FP), %s", regN)
	w.op("VBROADCASTSS v+24(FP), %s", v.reg(0))
	w.op("MOVQ %s, DI", regX)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JLT last")
	w.op("loop:")
	for j := range 4 {
		compare(4*v.lanes*j, 1+j)
	}
	for _, pair := range [][2]int{{2, 1}, {4, 3}, {3, 1}} {
		if v.register == 'Z' {
			w.op("KORW K%d, K%d, K%[2]d", 1+pair[0], 1+pair[1])
		} else {
			w.op("VORPS Y%d, Y%d, Y%[2]d", pair[0], pair[1])
		}
	}
	marked("last")
	w.op("ADDQ $%d, %s", 16*v.lanes, regX)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JGE loop")
	w.op("last:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	w.op("few:")
	w.op("SUBQ $%d, %s", v.lanes, regN)
	w.op("JLT part")
	compare(0, 1)
	marked("found")
	w.op("ADDQ $%d, %s", 4*v.lanes, regX)
	w.op("JMP few")
	w.op("part:")
	w.op("ADDQ $%d, %s", v.lanes, regN)
	v.mask(w, "part")
	if v.register == 'Z' {
		w.op("VCMPPS $8, (%s), Z0, K1, K2", regX)
	} else {
		w.op("VMASKMOVPS (%s), Y14, Y1", regX)
		w.op("VCMPPS $8, Y1, Y0, Y1")
		w.op("VANDPS Y14, Y1, Y1")
	}
	marked("found")
	w.op("partWhole:")
	w.op("MOVQ x_len+8(FP), AX")
	w.op("JMP end")
	w.op("found:")
	w.op("TZCNTL AX, AX")
	w.op("SUBQ DI, %s", regX)
	w.op("SHRQ $2, %s", regX)
	w.op("ADDQ %s, AX", regX)
	w.op("end:")
	w.op("VZEROUPPER")
	w.op("MOVQ AX, ret+32(FP)")
	w.op("RET")
}
