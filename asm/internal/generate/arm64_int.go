package main

// int8NEON sums up products of int8, or squared differences, to R12. A product has 16 bits.
func int8NEON(w *writer, t term) {
	group := func(first int) {
		if t == distance {
			w.op("SSUBL(17, 16, 18)")
			w.op("SSUBL2(17, 16, 19)")
			w.op("SMLAL(18, 18, %d)", first)
			w.op("SMLAL2(18, 18, %d)", first+1)
			w.op("SMLAL(19, 19, %d)", first)
			w.op("SMLAL2(19, 19, %d)", first+1)
			return
		}
		w.op("SMULL(17, 16, 18)")
		w.op("SMULL2(17, 16, 19)")
		w.op("SADALP(18, %d)", first)
		w.op("SADALP(19, %d)", first+1)
	}
	for j := range 4 {
		w.op("VEOR V%d.B16, V%[1]d.B16, V%[1]d.B16", j)
	}
	w.op("SUBS $32, R3")
	w.op("BLT rest")
	w.op("loop:")
	for j := range 2 {
		w.op("FMOVQ.P 16(R1), F16")
		w.op("FMOVQ.P 16(R2), F17")
		group(2 * j)
	}
	w.op("SUBS $32, R3")
	w.op("BGE loop")
	w.op("rest:")
	w.op("ADD $32, R3")
	w.op("few:")
	w.op("SUBS $8, R3")
	w.op("BLT last")
	w.op("FMOVD.P 8(R1), F16")
	w.op("FMOVD.P 8(R2), F17")
	group(0)
	w.op("B few")
	w.op("last:")
	w.op("ADD $8, R3")
	lastInt8NEON(w, t)
}

// lastInt8NEON adds up V0 to V3, and the terms of the last elements one after the other, to R12.
func lastInt8NEON(w *writer, t term) {
	for j := 1; j < 4; j++ {
		w.op("VADD V%d.S4, V0.S4, V0.S4", j)
	}
	w.op("VADDV V0.S4, V0")
	w.op("FMOVS F0, R12")
	w.op("CBZ R3, sum")
	w.op("one:")
	w.op("MOVB.P 1(R1), R13")
	w.op("MOVB.P 1(R2), R14")
	if t == distance {
		w.op("SUBW R14, R13, R13")
		w.op("MULW R13, R13, R13")
	} else {
		w.op("MULW R14, R13, R13")
	}
	w.op("ADDW R13, R12, R12")
	w.op("SUBS $1, R3")
	w.op("BNE one")
	w.op("sum:")
}

// bitsNEON counts the bits of x^y to R12; or it counts the bits of x&y and x|y, and leaves their
// quotient in F0.
func bitsNEON(w *writer, quotient bool) {
	count := func(acc int) {
		w.op("VCNT V18.B16, V18.B16")
		w.op("UADDLP(18, 18)")
		w.op("UADALP(18, %d)", acc)
	}
	group := func() {
		if quotient {
			w.op("VAND V17.B16, V16.B16, V18.B16")
			count(0)
			w.op("VORR V17.B16, V16.B16, V18.B16")
			count(1)
		} else {
			w.op("VEOR V17.B16, V16.B16, V18.B16")
			count(0)
		}
	}
	w.op("VEOR V0.B16, V0.B16, V0.B16")
	w.op("VEOR V1.B16, V1.B16, V1.B16")
	w.op("SUBS $2, R3")
	w.op("BLT last")
	w.op("loop:")
	w.op("FMOVQ.P 16(R1), F16")
	w.op("FMOVQ.P 16(R2), F17")
	group()
	w.op("SUBS $2, R3")
	w.op("BGE loop")
	w.op("last:")
	w.op("ADDS $2, R3")
	w.op("BEQ sum")
	w.op("FMOVD (R1), F16")
	w.op("FMOVD (R2), F17")
	group()
	w.op("sum:")
	w.op("VADDV V0.S4, V0")
	w.op("FMOVS F0, R12")
	if quotient {
		w.op("VADDV V1.S4, V1")
		w.op("FMOVS F1, R13")
		w.op("CMPW $0, R13") // 0 over 1 where there are no bits
		w.op("CINC EQ, R13, R13")
		w.op("UCVTFWD R12, F0")
		w.op("UCVTFWD R13, F1")
		w.op("FDIVD F1, F0, F0")
		w.op("FCVTDS F0, F0")
	}
}
