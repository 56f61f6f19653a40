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

// extreme leaves the least or the largest element in X0, or 0 for none. Registers 0 to 7 have the
// extreme elements so far, which are wrong where one is NaN. 8 to 11 have sums of products, which are
// NaN then; multipliers are idle here, and adders are not. Where a sum is NaN or the result is 0, a
// second pass looks for NaN and for the signs of zeros.
func (v width) extreme(w *writer, most bool) {
	better, gather := "VMINPS", "VORPS"
	if most {
		better, gather = "VMAXPS", "VANDPS"
	}
	w.op("VXORPS X0, X0, X0")
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
	w.op("VMOVAPS %s, %s", v.reg(0), v.reg(8))
	w.op("VMOVAPS %s, %s", v.reg(0), v.reg(15))
	w.op("JMP lanes")
	w.op("whole:")
	w.op("VMOVUPS -%d(%s)(%s*4), %s", 4*v.lanes, regX, regN, v.reg(0))
	for _, j := range []int{1, 2, 3, 8, 15} {
		w.op("VMOVAPS %s, %s", v.reg(0), v.reg(j))
	}
	w.op("VXORPS X9, X9, X9")
	// pairs goes through registers from one to another.
	pairs := func(from, to int) {
		for j := from; j < to; j += 2 {
			w.op("VMOVUPS %d(%s), %s", 4*v.lanes*j, regX, v.reg(12))
			w.op("VMOVUPS %d(%s), %s", 4*v.lanes*(j+1), regX, v.reg(13))
			w.op("%s %s, %s, %[3]s", better, v.reg(12), v.reg(j))
			w.op("%s %s, %s, %[3]s", better, v.reg(13), v.reg(j+1))
			w.op("VFMADD231PS %s, %s, %s", v.reg(12), v.reg(13), v.reg(8+j/2))
		}
		w.op("ADDQ $%d, %s", 4*v.lanes*to, regX)
	}
	fold := func(half int) {
		for j := range half {
			w.op("%s %s, %s, %[3]s", better, v.reg(half+j), v.reg(j))
		}
		for j := range half / 2 {
			w.op("VADDPS %s, %s, %[2]s", v.reg(8+half/2+j), v.reg(8+j))
		}
	}
	w.op("SUBQ $%d, %s", 8*v.lanes, regN)
	w.op("JLT last")
	for j := 4; j < 8; j++ {
		w.op("VMOVAPS %s, %s", v.reg(0), v.reg(j))
	}
	w.op("VXORPS X10, X10, X10")
	w.op("VXORPS X11, X11, X11")
	w.op("loop:")
	pairs(0, 8)
	w.op("SUBQ $%d, %s", 8*v.lanes, regN)
	w.op("JGE loop")
	fold(4)
	w.op("last:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	w.op("JLT few")
	pairs(0, 4)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("few:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	for j := range 3 {
		w.op("SUBQ $%d, %s", v.lanes, regN)
		w.op("JLT reduce")
		w.op("VMOVUPS %d(%s), %s", 4*v.lanes*j, regX, v.reg(12))
		w.op("%s %s, %s, %[3]s", better, v.reg(12), v.reg(j))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(12), v.reg(8+j%2))
	}
	w.op("reduce:")
	fold(2)
	w.op("%s %s, %s, %[3]s", better, v.reg(1), v.reg(0))
	w.op("lanes:")
	if v.register == 'Z' {
		w.op("VCMPPS $3, Z8, Z8, K2")
		w.op("KMOVW K2, AX")
		w.op("VEXTRACTF64X4 $1, Z0, Y1")
		w.op("%s Y1, Y0, Y0", better)
	} else {
		w.op("VCMPPS $3, Y8, Y8, Y8")
		w.op("VMOVMSKPS Y8, AX")
	}
	w.op("VEXTRACTF128 $1, Y0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVHLPS X0, X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVSHDUP X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("TESTL AX, AX")
	w.op("JNE check")
	w.op("VXORPS X1, X1, X1")
	w.op("VUCOMISS X1, X0")
	w.op("JNE end")
	w.op("check:")
	// Register 2 is NaN where a number is, and 3 has the bits that one of the numbers has, or that all
	// have. Register 15 has the last elements.
	w.op("VCMPPS $3, %s, %[1]s, %s", v.reg(15), map[byte]string{'Y': "Y2", 'Z': "K2"}[v.register])
	w.op("VMOVAPS %s, %s", v.reg(15), v.reg(3))
	w.op("MOVQ x_base+0(FP), %s", regX)
	w.op("MOVQ x_len+8(FP), %s", regN)
	w.op("next:")
	w.op("SUBQ $%d, %s", v.lanes, regN)
	w.op("JLT signs")
	w.op("VMOVUPS (%s), %s", regX, v.reg(8))
	if v.register == 'Z' {
		w.op("VCMPPS $3, Z8, Z8, K3")
		w.op("KORW K3, K2, K2")
	} else {
		w.op("VCMPPS $3, Y8, Y8, Y9")
		w.op("VORPS Y9, Y2, Y2")
	}
	w.op("%s %s, %s, %[3]s", gather, v.reg(8), v.reg(3))
	w.op("ADDQ $%d, %s", 4*v.lanes, regX)
	w.op("JMP next")
	w.op("signs:")
	if v.register == 'Z' {
		w.op("KMOVW K2, AX")
		w.op("VPMOVD2M Z3, K1")
		w.op("KMOVW K1, R8")
	} else {
		w.op("VMOVMSKPS Y2, AX")
		w.op("VMOVMSKPS Y3, R8")
	}
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
		w.op("VCMPPS $8, Y1, Y0, Y1") // a zero behind the last element stands at len(x), as no element does
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
