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

// extreme leaves the least or the largest element in X0, or 0 for none, and jumps to the label check
// where it may be wrong. Registers 0 to 4 have the extreme elements so far, which are wrong where one
// is NaN. 8 to 12 have sums of products, which are NaN then; multipliers are idle here, and adders
// are not.
func (v width) extreme(w *writer, most bool) {
	better := "VMINPS"
	if most {
		better = "VMAXPS"
	}
	// The last elements come first: a whole register, some elements of which come once more.
	w.op("CMPQ %s, $%d", regN, v.lanes)
	w.op("JGE whole")
	w.op("VXORPS X0, X0, X0")
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
	w.op("JMP lanes")
	w.op("whole:")
	w.op("VMOVUPS -%d(%s)(%s*4), %s", 4*v.lanes, regX, regN, v.reg(0))
	w.op("VMOVAPS %s, %s", v.reg(0), v.reg(8))
	// pairs goes through pairs of registers. Pair j goes to registers 1+j and 9+j. The better of two
	// elements is the second where one is NaN: a product of the first and the better is NaN then.
	pairs := func(count int, first bool) {
		for j := range count {
			one, two, of := v.reg(13), v.reg(14), v.reg(1+j)
			if first {
				two = of
			}
			w.op("VMOVUPS %d(%s), %s", 8*v.lanes*j, regX, one)
			w.op("%s %d(%s), %s, %s", better, 8*v.lanes*j+4*v.lanes, regX, one, two)
			if first {
				w.op("VMULPS %s, %s, %s", one, two, v.reg(9+j))
			} else {
				w.op("VFMADD231PS %s, %s, %s", one, two, v.reg(9+j))
				w.op("%s %s, %s, %[3]s", better, two, of)
			}
		}
		w.op("ADDQ $%d, %s", 8*v.lanes*count, regX)
	}
	fold := func(pairs ...int) {
		for k := 0; k < len(pairs); k += 2 {
			w.op("%s %s, %s, %[3]s", better, v.reg(pairs[k]), v.reg(pairs[k+1]))
			w.op("VADDPS %s, %s, %[2]s", v.reg(8+pairs[k]), v.reg(8+pairs[k+1]))
		}
	}
	w.op("SUBQ $%d, %s", 8*v.lanes, regN)
	w.op("JLT last")
	pairs(4, true)
	w.op("SUBQ $%d, %s", 8*v.lanes, regN)
	w.op("JLT folded")
	w.op("loop:")
	pairs(4, false)
	w.op("SUBQ $%d, %s", 8*v.lanes, regN)
	w.op("JGE loop")
	w.op("folded:")
	fold(3, 1, 4, 2, 2, 1, 1, 0)
	w.op("last:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	w.op("JLT few")
	pairs(2, true)
	fold(2, 1, 1, 0)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("few:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	for j := range 3 {
		w.op("SUBQ $%d, %s", v.lanes, regN)
		w.op("JLT lanes")
		w.op("VMOVUPS %d(%s), %s", 4*v.lanes*j, regX, v.reg(13))
		w.op("%s %s, %s, %[3]s", better, v.reg(13), v.reg(0))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(13), v.reg(8))
	}
	w.op("lanes:")
	if v.register == 'Z' {
		w.op("VCMPPS $3, Z8, Z8, K2")
		w.op("KMOVW K2, AX")
		w.op("VEXTRACTF64X4 $1, Z0, Y1")
		w.op("%s Y1, Y0, Y0", better)
	} else {
		w.op("VCMPPS $3, Y8, Y8, Y9")
		w.op("VMOVMSKPS Y9, AX")
	}
	w.op("VEXTRACTF128 $1, Y0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVHLPS X0, X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("VMOVSHDUP X0, X1")
	w.op("%s X1, X0, X0", better)
	w.op("TESTL AX, AX")
	w.op("JNE check")
}

// extremeOf is the kernels Min and Max. Where a sum is NaN or the result is 0, a second pass looks for
// NaN and for the signs of zeros.
func (v width) extremeOf(w *writer, most bool) {
	gather := "VORPS"
	if most {
		gather = "VANDPS"
	}
	v.extreme(w, most)
	w.op("VXORPS X1, X1, X1")
	w.op("VUCOMISS X1, X0")
	w.op("JNE end")
	w.op("check:")
	// Register 2 is NaN where a number is, and 3 has the bits that one of the numbers has, or that all
	// have.
	w.op("MOVQ x_base+0(FP), %s", regX)
	w.op("MOVQ x_len+8(FP), %s", regN)
	w.op("CMPQ %s, $%d", regN, v.lanes)
	w.op("JLT short") // register 8 has all elements
	w.op("VMOVUPS -%d(%s)(%s*4), %s", 4*v.lanes, regX, regN, v.reg(8))
	w.op("short:")
	w.op("VCMPPS $3, %s, %[1]s, %s", v.reg(8), map[byte]string{'Y': "Y2", 'Z': "K2"}[v.register])
	w.op("VMOVAPS %s, %s", v.reg(8), v.reg(3))
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

// argOf is the kernels ArgMin and ArgMax: AX is the place of the extreme element.
func (v width) argOf(w *writer, most bool) {
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
			w.op("VCMPPS $0, %d(%s), Z0, K%d", offset, regX, 1+to)
		} else {
			w.op("VCMPPS $0, %d(%s), Y0, Y%d", offset, regX, to)
		}
	}
	w.op("MOVQ $-1, AX")
	v.extreme(w, most)
	w.op("search:")
	w.op("MOVQ x_base+0(FP), %s", regX)
	w.op("MOVQ x_len+8(FP), %s", regN)
	w.op("VBROADCASTSS X0, %s", v.reg(0))
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JLT inLast")
	w.op("inLoop:")
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
	marked("inLast")
	w.op("ADDQ $%d, %s", 16*v.lanes, regX)
	w.op("SUBQ $%d, %s", 4*v.lanes, regN)
	w.op("JGE inLoop")
	w.op("inLast:")
	w.op("ADDQ $%d, %s", 4*v.lanes, regN)
	w.op("inFew:")
	w.op("SUBQ $%d, %s", v.lanes, regN)
	w.op("JLT inPart")
	compare(0, 1)
	marked("found")
	w.op("ADDQ $%d, %s", 4*v.lanes, regX)
	w.op("JMP inFew")
	w.op("inPart:")
	w.op("ADDQ $%d, %s", v.lanes, regN)
	v.mask(w, "inPart")
	if v.register == 'Z' {
		w.op("VCMPPS $0, (%s), Z0, K1, K2", regX)
		w.op("KMOVW K2, AX")
	} else {
		w.op("VMASKMOVPS (%s), Y14, Y1", regX)
		w.op("VCMPPS $0, Y1, Y0, Y1") // a zero behind the last element comes after the element
		w.op("VMOVMSKPS Y1, AX")
	}
	w.op("inPartWhole:")
	w.op("found:")
	w.op("TZCNTL AX, AX")
	w.op("SUBQ x_base+0(FP), %s", regX)
	w.op("SHRQ $2, %s", regX)
	w.op("ADDQ %s, AX", regX)
	w.op("JMP end")
	// An element may be NaN: the first of them is the place.
	w.op("check:")
	w.op("MOVQ x_base+0(FP), %s", regX)
	w.op("MOVQ x_len+8(FP), %s", regN)
	w.op("XORL AX, AX")
	w.op("next:")
	w.op("VMOVSS (%s)(AX*4), X1", regX)
	w.op("VUCOMISS X1, X1")
	w.op("JPS end")
	w.op("INCQ AX")
	w.op("CMPQ AX, %s", regN)
	w.op("JLT next")
	w.op("JMP search")
	w.op("end:")
}
