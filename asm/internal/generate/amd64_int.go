package main

// int8 sums up products of int8, or squared differences, to AX. Pairs of 16 bits give sums of 32
// bits: two products are 2^15 at most, which fits.
func (v width) int8(w *writer, t term) {
	bytes := 2 * v.lanes // int8 that one register takes as 16 bits
	group := func(j, offset int, masked string) {
		x, y := v.reg(4+2*(j%2)), v.reg(5+2*(j%2))
		suffix, mask := "", ""
		if masked != "" {
			suffix, mask = ".Z", masked+", "
		}
		w.op("VPMOVSXBW%s %d(%s), %s%s", suffix, offset, regX, mask, x)
		w.op("VPMOVSXBW%s %d(%s), %s%s", suffix, offset, regY, mask, y)
		if t == distance {
			w.op("VPSUBW %s, %s, %[2]s", y, x)
			y = x
		}
		w.op("VPMADDWD %s, %s, %[2]s", y, x)
		w.op("VPADDD %s, %s, %[2]s", x, v.reg(j))
	}
	clear := map[byte]string{'Y': "VPXOR", 'Z': "VPXORQ"}[v.register]
	for j := range 4 {
		w.op("%s %s, %[2]s, %[2]s", clear, v.reg(j))
	}
	w.op("SUBQ $%d, %s", 4*bytes, regN)
	w.op("JLT rest")
	w.op("loop:")
	for j := range 4 {
		group(j, j*bytes, "")
	}
	w.op("ADDQ $%d, %s", 4*bytes, regX)
	w.op("ADDQ $%d, %s", 4*bytes, regY)
	w.op("SUBQ $%d, %s", 4*bytes, regN)
	w.op("JGE loop")
	w.op("rest:")
	w.op("ADDQ $%d, %s", 4*bytes, regN)
	w.op("few:")
	w.op("SUBQ $%d, %s", bytes, regN)
	w.op("JLT last")
	group(0, 0, "")
	w.op("ADDQ $%d, %s", bytes, regX)
	w.op("ADDQ $%d, %s", bytes, regY)
	w.op("JMP few")
	w.op("last:")
	w.op("ADDQ $%d, %s", bytes, regN)
	if v.register == 'Z' {
		w.op("JEQ tree")
		w.op("MOVL $-1, AX")
		w.op("BZHIL %s, AX, AX", regN)
		w.op("KMOVD AX, K1")
		group(0, 0, "K1")
		w.op("tree:")
	}
	w.op("VPADDD %s, %s, %[2]s", v.reg(1), v.reg(0))
	w.op("VPADDD %s, %s, %[2]s", v.reg(3), v.reg(2))
	w.op("VPADDD %s, %s, %[2]s", v.reg(2), v.reg(0))
	v.sum32(w)
	if v.register == 'Y' {
		ones(w, t)
	}
}

// sum32 adds the elements of register 0 to AX.
func (v width) sum32(w *writer) {
	if v.register == 'Z' {
		w.op("VEXTRACTI64X4 $1, Z0, Y1")
		w.op("VPADDD Y1, Y0, Y0")
	}
	w.op("VEXTRACTI128 $1, Y0, X1")
	w.op("VPADDD X1, X0, X0")
	w.op("VPSHUFD $0x4e, X0, X1")
	w.op("VPADDD X1, X0, X0")
	w.op("VPSHUFD $0xb1, X0, X1")
	w.op("VPADDD X1, X0, X0")
	w.op("VMOVD X0, AX")
}

// ones adds the terms of the last elements to AX, one after the other.
func ones(w *writer, t term) {
	w.op("TESTQ %s, %[1]s", regN)
	w.op("JEQ sum")
	w.op("one:")
	w.op("MOVBLSX (%s), R8", regX)
	w.op("MOVBLSX (%s), R9", regY)
	if t == distance {
		w.op("SUBL R9, R8")
		w.op("IMULL R8, R8")
	} else {
		w.op("IMULL R9, R8")
	}
	w.op("ADDL R8, AX")
	w.op("INCQ %s", regX)
	w.op("INCQ %s", regY)
	w.op("DECQ %s", regN)
	w.op("JNE one")
	w.op("sum:")
}

// bitsAVX2 counts the bits of x^y to AX; or it counts the bits of x&y and x|y, and leaves their
// quotient in X0. Half a byte is counted by a table.
func bitsAVX2(w *writer, quotient bool) {
	// count adds the bits in Y4 to an accumulator.
	count := func(acc int) {
		w.op("VPAND Y13, Y4, Y5")
		w.op("VPSRLW $4, Y4, Y4")
		w.op("VPAND Y13, Y4, Y4")
		w.op("VPSHUFB Y5, Y14, Y5")
		w.op("VPSHUFB Y4, Y14, Y4")
		w.op("VPADDB Y5, Y4, Y4")
		w.op("VPSADBW Y12, Y4, Y4")
		w.op("VPADDQ Y4, Y%d, Y%[1]d", acc)
	}
	reduce := func(acc int, to string) {
		w.op("VEXTRACTI128 $1, Y%d, X4", acc)
		w.op("VPADDQ X4, X%d, X%[1]d", acc)
		w.op("VPSHUFD $0x4e, X%d, X4", acc)
		w.op("VPADDQ X4, X%d, X%[1]d", acc)
		w.op("VMOVQ X%d, %s", acc, to)
	}
	w.op("VBROADCASTI128 vectorNibbles<>+0(SB), Y14")
	w.op("VBROADCASTI128 vectorNibbles<>+16(SB), Y13")
	w.op("VPXOR Y12, Y12, Y12")
	w.op("VPXOR Y0, Y0, Y0")
	w.op("VPXOR Y1, Y1, Y1")
	w.op("SUBQ $4, %s", regN)
	w.op("JLT last")
	w.op("loop:")
	w.op("VMOVDQU (%s), Y2", regX)
	if quotient {
		w.op("VMOVDQU (%s), Y3", regY)
		w.op("VPAND Y3, Y2, Y4")
		count(0)
		w.op("VPOR Y3, Y2, Y4")
		count(1)
	} else {
		w.op("VPXOR (%s), Y2, Y4", regY)
		count(0)
	}
	w.op("ADDQ $32, %s", regX)
	w.op("ADDQ $32, %s", regY)
	w.op("SUBQ $4, %s", regN)
	w.op("JGE loop")
	w.op("last:")
	reduce(0, "AX")
	if quotient {
		reduce(1, "R8")
	}
	w.op("ADDQ $4, %s", regN)
	w.op("JEQ sum")
	w.op("one:")
	w.op("MOVQ (%s), R9", regX)
	if quotient {
		w.op("ANDQ (%s), R9", regY)
		w.op("POPCNTQ R9, R9")
		w.op("ADDQ R9, AX")
		w.op("MOVQ (%s), R9", regX)
		w.op("ORQ (%s), R9", regY)
		w.op("POPCNTQ R9, R9")
		w.op("ADDQ R9, R8")
	} else {
		w.op("XORQ (%s), R9", regY)
		w.op("POPCNTQ R9, R9")
		w.op("ADDQ R9, AX")
	}
	w.op("ADDQ $8, %s", regX)
	w.op("ADDQ $8, %s", regY)
	w.op("DECQ %s", regN)
	w.op("JNE one")
	w.op("sum:")
	if quotient {
		w.op("CMPQ R8, $1") // 0 over 1 where there are no bits
		w.op("ADCQ $0, R8")
		w.op("VXORPS X0, X0, X0")
		w.op("VCVTSI2SDQ AX, X0, X0")
		w.op("VCVTSI2SDQ R8, X0, X1")
		w.op("VDIVSD X1, X0, X0")
		w.op("VCVTSD2SS X0, X0, X0")
	}
}
