// Instructions that Go's assembler does not know, with numbers for registers, as in the other
// kernel packages: make asm writes the encodings. Float32 has four lanes.
#define FADD4(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.4s, vN.4s, vM.4s
#define FSUB4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d)) // fsub vD.4s, vN.4s, vM.4s
#define FDIV4(m, n, d) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d)) // fdiv vD.4s, vN.4s, vM.4s
