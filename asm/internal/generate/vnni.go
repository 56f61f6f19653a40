package main

import "fmt"

// Inner products of int8 by instructions for four of them. The instructions of amd64 take one
// operand without a sign. They get y + 128, and 128 times the sum of x is taken off.

// vnni are the kernels of both widths.
func (v width) vnni() map[string]body {
	return map[string]body{
		"DotInt8":     pairOf("MOVL AX", v.dotVNNI),
		"DotInt8Rows": batch(0, "MOVL AX", v.dotVNNI),
	}
}

var neonDot = map[string]body{
	"DotInt8":     pairNEON("MOVW R12", dotSDOT),
	"DotInt8Rows": batchNEON(0, "MOVW.P R12", dotSDOT),
}

// dotVNNI leaves the sum in AX. Registers 0 and 1 have sums of (y + 128) x, registers 2
// and 3 sums of x.
func (v width) dotVNNI(w *writer) {
	bytes := 4 * v.lanes
	move, xor := "VMOVDQU", "VPXOR"
	if v.register == 'Z' {
		move, xor = "VMOVDQU64", "VPXORQ"
	}
	add := func(k int, x, y int) {
		w.op("%s %s, %s, %[3]s", xor, v.reg(15), v.reg(y))
		v.dot4(w, x, y, k)
		v.dot4(w, x, 14, 2+k)
	}
	group := func(k, offset int) {
		w.op("%s %d(%s), %s", move, offset, regX, v.reg(4+2*k))
		w.op("%s %d(%s), %s", move, offset, regY, v.reg(5+2*k))
		add(k, 4+2*k, 5+2*k)
	}
	for k := range 4 {
		w.op("VPXOR X%d, X%[1]d, X%[1]d", k)
	}
	for k, constant := range []string{"vectorBytes<>+0(SB)", "vectorBytes<>+8(SB)"} {
		w.op("VPBROADCASTQ %s, %s", constant, v.reg(14+k))
	}
	w.op("SUBQ $%d, %s", 2*bytes, regN)
	w.op("JLT rest")
	w.op("loop:")
	group(0, 0)
	group(1, bytes)
	w.op("ADDQ $%d, %s", 2*bytes, regX)
	w.op("ADDQ $%d, %s", 2*bytes, regY)
	w.op("SUBQ $%d, %s", 2*bytes, regN)
	w.op("JGE loop")
	w.op("rest:")
	w.op("ADDQ $%d, %s", bytes, regN)
	w.op("JLT last")
	group(0, 0)
	w.op("ADDQ $%d, %s", bytes, regX)
	w.op("ADDQ $%d, %s", bytes, regY)
	w.op("SUBQ $%d, %s", bytes, regN)
	w.op("last:")
	w.op("ADDQ $%d, %s", bytes, regN)
	if v.register == 'Z' {
		w.op("JEQ tree")
		w.op("MOVQ $-1, AX")
		w.op("BZHIQ %s, AX, AX", regN)
		w.op("KMOVQ AX, K1")
		w.op("VMOVDQU8.Z (%s), K1, Z4", regX)
		w.op("VMOVDQU8.Z (%s), K1, Z5", regY)
		add(0, 4, 5)
		w.op("tree:")
	} else {
		w.op("SUBQ $16, %s", regN)
		w.op("JLT few")
		w.op("VMOVDQU (%s), X4", regX)
		w.op("VMOVDQU (%s), X5", regY)
		add(0, 4, 5)
		w.op("ADDQ $16, %s", regX)
		w.op("ADDQ $16, %s", regY)
		w.op("SUBQ $16, %s", regN)
		w.op("few:")
		w.op("ADDQ $16, %s", regN)
	}
	w.op("VPADDD %s, %s, %[2]s", v.reg(1), v.reg(0))
	w.op("VPADDD %s, %s, %[2]s", v.reg(3), v.reg(2))
	w.op("VPSLLD $7, %s, %[1]s", v.reg(2))
	w.op("VPSUBD %s, %s, %[2]s", v.reg(2), v.reg(0))
	v.sum32(w)
	if v.register == 'Y' {
		ones(w, product)
	}
}

// dot4 adds to each element of k four products of x and y, of which x has signs and y none. Go's
// assembler knows the instruction of AVX-512 alone.
func (v width) dot4(w *writer, x, y, k int) {
	if v.register == 'Z' {
		w.op("VPDPBUSD Z%d, Z%d, Z%d", x, y, k)
		return
	}
	bytes := []int{0xc4, 0x42 | (1-k/8)<<7 | (1-x/8)<<5, (15-y)<<3 | 5, 0x50, 0xc0 | k%8<<3 | x%8}
	line := ""
	for _, b := range bytes {
		line += fmt.Sprintf("BYTE $%#02x; ", b)
	}
	w.op("%s// VPDPBUSD Y%d, Y%d, Y%d", line, x, y, k)
}

// dotSDOT leaves the sum in R12.
func dotSDOT(w *writer) {
	group := func(k int) {
		w.op("FMOVQ.P 16(R1), F%d", 16+2*k)
		w.op("FMOVQ.P 16(R2), F%d", 17+2*k)
		w.op("SDOT(%d, %d, %d)", 17+2*k, 16+2*k, k)
	}
	for k := range 4 {
		w.op("VEOR V%d.B16, V%[1]d.B16, V%[1]d.B16", k)
	}
	w.op("SUBS $64, R3")
	w.op("BLT rest")
	w.op("loop:")
	for k := range 4 {
		group(k)
	}
	w.op("SUBS $64, R3")
	w.op("BGE loop")
	w.op("rest:")
	w.op("ADD $64, R3")
	w.op("some:")
	w.op("SUBS $16, R3")
	w.op("BLT last")
	group(0)
	w.op("B some")
	w.op("last:")
	w.op("ADD $16, R3")
	lastInt8NEON(w, product)
}
