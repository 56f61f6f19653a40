package main

// In a sum on arm64 R1 and R2 walk through the operands, and R3 counts elements.
var neon = map[string]body{
	"Dot":                 pairNEON("FMOVS F0", func(w *writer) { sumNEON(w, product) }),
	"SquaredDistance":     pairNEON("FMOVS F0", func(w *writer) { sumNEON(w, distance) }),
	"DotRows":             batchNEON(2, "FMOVS.P F0", func(w *writer) { sumNEON(w, product) }),
	"SquaredDistanceRows": batchNEON(2, "FMOVS.P F0", func(w *writer) { sumNEON(w, distance) }),
	"Sum":                 vectorNEON("FMOVS F0", func(w *writer) { sumNEON(w, alone) }),
	"SquaredNorm":         vectorNEON("FMOVS F0", func(w *writer) { sumNEON(w, square) }),
	"Min":                 vectorNEON("FMOVS F0", func(w *writer) { extremeNEON(w, "FMIN4"); w.op("end:") }),
	"Max":                 vectorNEON("FMOVS F0", func(w *writer) { extremeNEON(w, "FMAX4"); w.op("end:") }),
	"ArgMin":              vectorNEON("MOVD R1", func(w *writer) { argNEON(w, "FMIN4") }),
	"ArgMax":              vectorNEON("MOVD R1", func(w *writer) { argNEON(w, "FMAX4") }),
	"Cosine":              pairNEON("FMOVS F0", cosineNEON),
	"CosineRows":          batchNEON(2, "FMOVS.P F0", cosineNEON),

	"DotInt8":                 pairNEON("MOVW R12", func(w *writer) { int8NEON(w, product) }),
	"SquaredDistanceInt8":     pairNEON("MOVW R12", func(w *writer) { int8NEON(w, distance) }),
	"DotInt8Rows":             batchNEON(0, "MOVW.P R12", func(w *writer) { int8NEON(w, product) }),
	"SquaredDistanceInt8Rows": batchNEON(0, "MOVW.P R12", func(w *writer) { int8NEON(w, distance) }),

	"SparseAxpy32U32": sparseNEON,
	"SparseAxpy32U16": sparseNEON,

	"Hamming":     pairNEON("MOVW R12", func(w *writer) { bitsNEON(w, false) }),
	"HammingRows": batchNEON(3, "MOVW.P R12", func(w *writer) { bitsNEON(w, false) }),
	"Jaccard":     pairNEON("FMOVS F0", func(w *writer) { bitsNEON(w, true) }),
	"JaccardRows": batchNEON(3, "FMOVS.P F0", func(w *writer) { bitsNEON(w, true) }),
}

// pairNEON is pair for arm64; result names the instruction that stores the sum, and its register.
func pairNEON(result string, sum func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVD x_base+0(FP), R1")
		w.op("MOVD x_len+8(FP), R3")
		w.op("MOVD y_base+24(FP), R2")
		sum(w)
		w.op("%s, ret+48(FP)", result)
		w.op("RET")
	}
}

// batchNEON is batch for arm64: sum leaves R4 to R11 as they are.
func batchNEON(log int, store string, sum func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVD dst_base+0(FP), R4")
		w.op("MOVD dst_len+8(FP), R5")
		w.op("MOVD query_base+24(FP), R6")
		w.op("MOVD query_len+32(FP), R7")
		w.op("MOVD rows_base+48(FP), R8")
		w.op("MOVD stride+72(FP), R9")
		w.op("MOVD list_base+80(FP), R10")
		if log > 0 {
			w.op("LSL $%d, R9, R9", log)
		}
		w.op("MOVD R8, R11")
		w.op("CBZ R5, end")
		w.op("row:")
		w.op("CBZ R10, next")
		w.op("MOVWU.P 4(R10), R2")
		w.op("MADD R9, R8, R2, R2")
		w.op("B found")
		w.op("next:")
		w.op("MOVD R11, R2")
		w.op("ADD R9, R11, R11")
		w.op("found:")
		w.op("MOVD R6, R1")
		w.op("MOVD R7, R3")
		sum(w)
		w.op("%s, 4(R4)", store)
		w.op("SUBS $1, R5, R5")
		w.op("BNE row")
		w.op("end:")
		w.op("RET")
	}
}

// sumNEON sums up all lanes to F0. The last elements, fewer than four, are loaded first; they have
// zeros behind them.
func sumNEON(w *writer, t term) {
	term := func(x, y, acc int) {
		switch t {
		case alone:
			w.op("FADD4(%d, %d, %[2]d)", x, acc)
			return
		case distance:
			w.op("FSUB4(%d, %d, %[2]d)", y, x)
			y = x
		case square:
			y = x
		}
		w.op("VFMLA V%d.S4, V%d.S4, V%d.S4", x, y, acc)
	}
	for j := range 16 {
		w.op("VEOR V%d.B16, V%[1]d.B16, V%[1]d.B16", j)
	}
	w.op("SUBS $64, R3")
	w.op("BLT rest")
	w.op("loop:")
	for j := range 4 {
		w.op("VLD1.P 64(R1), [V16.S4, V17.S4, V18.S4, V19.S4]")
		if t.pair() {
			w.op("VLD1.P 64(R2), [V20.S4, V21.S4, V22.S4, V23.S4]")
		}
		for i := range 4 {
			term(16+i, 20+i, 4*j+i)
		}
	}
	w.op("SUBS $64, R3")
	w.op("BGE loop")
	w.op("rest:")
	w.op("ADDS $64, R3")
	w.op("BEQ tree")
	w.op("VEOR V24.B16, V24.B16, V24.B16")
	w.op("VEOR V25.B16, V25.B16, V25.B16")
	w.op("AND $3, R3, R12")
	w.op("SUB R12, R3, R13")
	w.op("ADD R13<<2, R1, R14")
	w.op("ADD R13<<2, R2, R15")
	w.op("CBZ R12, ready")
	w.op("CMP $2, R12")
	w.op("BLT one")
	w.op("FMOVD (R14), F24")
	w.op("FMOVD (R15), F25")
	w.op("BEQ ready")
	w.op("ADD $8, R14")
	w.op("ADD $8, R15")
	w.op("VLD1 (R14), V24.S[2]")
	w.op("VLD1 (R15), V25.S[2]")
	w.op("B ready")
	w.op("one:")
	w.op("FMOVS (R14), F24")
	w.op("FMOVS (R15), F25")
	w.op("ready:")
	for j := range 16 {
		w.op("SUBS $4, R3")
		if j < 15 {
			w.op("BLT last%d", j)
			w.op("FMOVQ.P 16(R1), F16")
			if t.pair() {
				w.op("FMOVQ.P 16(R2), F17")
			}
			term(16, 17, j)
		}
	}
	for j := 15; j >= 0; j-- {
		if j < 15 {
			w.op("last%d:", j)
		}
		term(24, 25, j)
		if j > 0 {
			w.op("B tree")
		}
	}
	w.op("tree:")
	for half := 8; half > 0; half /= 2 {
		for i := range half {
			w.op("FADD4(%d, %d, %[2]d)", i+half, i)
		}
	}
	w.op("VEXT $8, V0.B16, V0.B16, V1.B16")
	w.op("FADD4(1, 0, 0)")
	w.op("VEXT $4, V0.B16, V0.B16, V1.B16")
	w.op("FADDS F1, F0, F0")
	w.op("FMOVS ZR, F1")
	w.op("FADDS F1, F0, F0")
}
