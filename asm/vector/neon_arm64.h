// Instructions that Go's assembler does not know, with numbers for registers, as in the other
// kernel packages: make asm writes the encodings. Float32 has four lanes.
#define FADD4(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.4s, vN.4s, vM.4s
#define FSUB4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d)) // fsub vD.4s, vN.4s, vM.4s
#define FMUL4(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d)) // fmul vD.4s, vN.4s, vM.4s
#define FDIV4(m, n, d) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d)) // fdiv vD.4s, vN.4s, vM.4s
#define FCMGT4(m, n, d) WORD $(0x6EA0E400 | (m)<<16 | (n)<<5 | (d)) // fcmgt vD.4s, vN.4s, vM.4s
#define FCMEQ4(m, n, d) WORD $(0x4E20E400 | (m)<<16 | (n)<<5 | (d)) // fcmeq vD.4s, vN.4s, vM.4s
#define FCVTNS4(n, d) WORD $(0x4E21A800 | (n)<<5 | (d)) // fcvtns vD.4s, vN.4s
#define SCVTF4(n, d) WORD $(0x4E21D800 | (n)<<5 | (d)) // scvtf vD.4s, vN.4s
#define FMIN4(m, n, d) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d)) // fmin vD.4s, vN.4s, vM.4s
#define FMAX4(m, n, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d)) // fmax vD.4s, vN.4s, vM.4s
// Between lanes of 32 bits and elements of less, with saturation to int8.
#define FCVTL4(n, d) WORD $(0x0E217800 | (n)<<5 | (d)) // fcvtl vD.4s, vN.4h
#define FCVTN4(n, d) WORD $(0x0E216800 | (n)<<5 | (d)) // fcvtn vD.4h, vN.4s
#define UXTL4(n, d) WORD $(0x2F10A400 | (n)<<5 | (d)) // uxtl vD.4s, vN.4h
#define SXTL4(n, d) WORD $(0x0F10A400 | (n)<<5 | (d)) // sxtl vD.4s, vN.4h
#define SXTL8(n, d) WORD $(0x0F08A400 | (n)<<5 | (d)) // sxtl vD.8h, vN.8b
#define XTN4(n, d) WORD $(0x0E612800 | (n)<<5 | (d)) // xtn vD.4h, vN.4s
#define SQXTN4(n, d) WORD $(0x0E614800 | (n)<<5 | (d)) // sqxtn vD.4h, vN.4s
#define SQXTN8(n, d) WORD $(0x0E214800 | (n)<<5 | (d)) // sqxtn vD.8b, vN.8h
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
// Sums of four products of int8: of the path neon-dot alone.
#define SDOT(m, n, d) WORD $(0x4E809400 | (m)<<16 | (n)<<5 | (d)) // sdot vD.4s, vN.16b, vM.16b
