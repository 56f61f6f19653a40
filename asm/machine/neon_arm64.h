// Instructions on two float64 lanes that Go's assembler does not know, with numbers for
// registers, as in the other kernel packages: make asm writes the encodings.
#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.2d, vN.2d, vM.2d
#define FMUL2(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d)) // fmul vD.2d, vN.2d, vM.2d
#define FDIV2(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d)) // fdiv vD.2d, vN.2d, vM.2d
#define FSQRT2(n, d) WORD $(0x6EE1F800 | (n)<<5 | (d)) // fsqrt vD.2d, vN.2d
#define FADDP2(m, n, d) WORD $(0x6E60D400 | (m)<<16 | (n)<<5 | (d)) // faddp vD.2d, vN.2d, vM.2d
