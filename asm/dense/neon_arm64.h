// Instructions on two float64 lanes that Go's assembler does not know, with
// numbers for registers. The operands stand in Go's order: FSUB2(m, n, d) is
// Vd = Vn - Vm. The comment behind each one is its source, from which make asm writes
// what stands before it; words_test.go in package asm disassembles that again.
#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.2d, vN.2d, vM.2d
#define FSUB2(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d)) // fsub vD.2d, vN.2d, vM.2d
#define FMUL2(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d)) // fmul vD.2d, vN.2d, vM.2d
#define FDIV2(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d)) // fdiv vD.2d, vN.2d, vM.2d
#define FMAX2(m, n, d) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d)) // fmax vD.2d, vN.2d, vM.2d
#define FADDP2(m, n, d) WORD $(0x6E60D400 | (m)<<16 | (n)<<5 | (d)) // faddp vD.2d, vN.2d, vM.2d
#define FSQRT2(n, d) WORD $(0x6EE1F800 | (n)<<5 | (d)) // fsqrt vD.2d, vN.2d
#define FABS2(n, d) WORD $(0x4EE0F800 | (n)<<5 | (d)) // fabs vD.2d, vN.2d
// All ones where Vn > Vm, Vn >= Vm; zero elsewhere and at NaN.
#define FCMGT2(m, n, d) WORD $(0x6EE0E400 | (m)<<16 | (n)<<5 | (d)) // fcmgt vD.2d, vN.2d, vM.2d
#define FCMGE2(m, n, d) WORD $(0x6E60E400 | (m)<<16 | (n)<<5 | (d)) // fcmge vD.2d, vN.2d, vM.2d
