package main

// vectorNEON is vectorOf for arm64. R2 is R1, for code that reads the last elements of two vectors.
func vectorNEON(store string, reduce func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVD x_base+0(FP), R1")
		w.op("MOVD x_len+8(FP), R3")
		w.op("MOVD R1, R2")
		reduce(w)
		w.op("%s, ret+24(FP)", store)
		w.op("RET")
	}
}

// extremeNEON leaves the least or the largest element in F0. For none it leaves 0, and jumps to
// the label end.
func extremeNEON(w *writer, better string) {
	w.op("FMOVS ZR, F0")
	w.op("CBZ R3, end")
	w.op("VLD1R (R1), [V0.S4]")
	for j := 1; j < 4; j++ {
		w.op("VORR V0.B16, V0.B16, V%d.B16", j)
	}
	w.op("SUBS $16, R3")
	w.op("BLT last")
	w.op("loop:")
	w.op("VLD1.P 64(R1), [V16.S4, V17.S4, V18.S4, V19.S4]")
	for j := range 4 {
		w.op("%s(%d, %d, %[3]d)", better, 16+j, j)
	}
	w.op("SUBS $16, R3")
	w.op("BGE loop")
	w.op("last:")
	w.op("ADDS $16, R3")
	w.op("BEQ reduce")
	w.op("one:")
	w.op("VLD1R.P 4(R1), [V16.S4]")
	w.op("%s(16, 0, 0)", better)
	w.op("SUBS $1, R3")
	w.op("BNE one")
	w.op("reduce:")
	w.op("%s(1, 0, 0)", better)
	w.op("%s(3, 2, 2)", better)
	w.op("%s(2, 0, 0)", better)
	for _, bytes := range []int{8, 4} {
		w.op("VEXT $%d, V0.B16, V0.B16, V1.B16", bytes)
		w.op("%s(1, 0, 0)", better)
	}
}

// argNEON leaves the place of the least or the largest element in R1. Where one of four elements may
// be that element, the kernel compares the four one by one.
func argNEON(w *writer, better string) {
	extremeNEON(w, better)
	w.op("MOVD x_base+0(FP), R1")
	w.op("MOVD x_len+8(FP), R3")
	w.op("MOVD R1, R4")
	w.op("FCMPS F0, F0")
	w.op("BVS nan")
	w.op("VDUP V0.S[0], V0.S4")
	w.op("SUBS $4, R3")
	w.op("BLT found")
	w.op("search:")
	w.op("FMOVQ (R1), F1")
	w.op("FCMGT4(0, 1, 2)")
	w.op("FCMGT4(1, 0, 3)")
	w.op("VORR V2.B16, V3.B16, V2.B16")
	w.op("VADDV V2.S4, V2") // -1 for each of the four elements that differ
	w.op("FMOVS F2, R5")
	w.op("CMNW $4, R5")
	w.op("BNE found")
	w.op("ADD $16, R1")
	w.op("SUBS $4, R3")
	w.op("BGE search")
	w.op("found:")
	w.op("FMOVS.P 4(R1), F1")
	w.op("FCMPS F1, F0")
	w.op("BNE found")
	w.op("B place")
	w.op("nan:")
	w.op("FMOVS.P 4(R1), F1")
	w.op("FCMPS F1, F1")
	w.op("BVC nan")
	w.op("place:")
	w.op("SUB R4, R1, R1")
	w.op("LSR $2, R1, R1")
	w.op("SUB $1, R1")
	w.op("B done")
	w.op("end:")
	w.op("MOVD $-1, R1")
	w.op("done:")
}
