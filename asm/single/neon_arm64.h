// Instructions that Go's assembler does not know, with numbers for registers. The
// operands stand in Go's order: FADD2(m, n, d) is Vd = Vn + Vm. The comment behind each
// one is its source, from which make asm writes what stands before it; words_test.go in
// package asm disassembles that again.
#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.2d, vN.2d, vM.2d
#define FADDP2(m, n, d) WORD $(0x6E60D400 | (m)<<16 | (n)<<5 | (d)) // faddp vD.2d, vN.2d, vM.2d
// The first two of four float32, and the last two.
#define FCVTL(n, d) WORD $(0x0E617800 | (n)<<5 | (d)) // fcvtl vD.2d, vN.2s
#define FCVTL2(n, d) WORD $(0x4E617800 | (n)<<5 | (d)) // fcvtl2 vD.2d, vN.4s
