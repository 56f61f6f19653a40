// Instructions that Go's assembler does not know, with numbers for registers, as in the other
// kernel packages: make asm writes the encodings. Float32 has four lanes.
#define FADD4(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.4s, vN.4s, vM.4s
#define FSUB4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d)) // fsub vD.4s, vN.4s, vM.4s
#define FMUL4(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d)) // fmul vD.4s, vN.4s, vM.4s
#define FDIV4(m, n, d) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d)) // fdiv vD.4s, vN.4s, vM.4s
// Int8: products and differences of 16 bits, of the first eight elements and the last eight; sums of
// pairs of 16 bits in 32; products of 16 bits in 32.
#define SMULL(m, n, d) WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d)) // smull vD.8h, vN.8b, vM.8b
#define SMULL2(m, n, d) WORD $(0x4E20C000 | (m)<<16 | (n)<<5 | (d)) // smull2 vD.8h, vN.16b, vM.16b
#define SSUBL(m, n, d) WORD $(0x0E202000 | (m)<<16 | (n)<<5 | (d)) // ssubl vD.8h, vN.8b, vM.8b
#define SSUBL2(m, n, d) WORD $(0x4E202000 | (m)<<16 | (n)<<5 | (d)) // ssubl2 vD.8h, vN.16b, vM.16b
#define SADALP(n, d) WORD $(0x4E606800 | (n)<<5 | (d)) // sadalp vD.4s, vN.8h
#define SMLAL(m, n, d) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d)) // smlal vD.4s, vN.4h, vM.4h
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d)) // smlal2 vD.4s, vN.8h, vM.8h
// Sums of pairs of counts.
#define UADDLP(n, d) WORD $(0x6E202800 | (n)<<5 | (d)) // uaddlp vD.8h, vN.16b
#define UADALP(n, d) WORD $(0x6E606800 | (n)<<5 | (d)) // uadalp vD.4s, vN.8h
