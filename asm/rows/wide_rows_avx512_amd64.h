// The steps of the product with a matrix on AVX-512. Columns go in blocks of 64. The rest goes in
// a block of 8 to 64. Its last register is at TAIL bytes behind its first column and may overlap
// the register before: both compute the same. A block of dst is in Z0 to Z7, the value of the
// entry in Z31.

#define ENTRY_VALUE BROADCAST_X_512(Z31)
#define ROW_VALUE   BROADCAST_ROW(Z31)

// The first registers of a block; the last one is the user's business.
#define LOAD_1
#define LOAD_2 VMOVUPD (OUT), Z0
#define LOAD_3 LOAD_2 \
	VMOVUPD 64(OUT), Z1
#define LOAD_4 LOAD_3 \
	VMOVUPD 128(OUT), Z2
#define LOAD_5 LOAD_4 \
	VMOVUPD 192(OUT), Z3
#define LOAD_6 LOAD_5 \
	VMOVUPD 256(OUT), Z4
#define LOAD_7 LOAD_6 \
	VMOVUPD 320(OUT), Z5
#define LOAD_8 LOAD_7 \
	VMOVUPD 384(OUT), Z6

#define STORE_1
#define STORE_2 VMOVUPD Z0, (OUT)
#define STORE_3 STORE_2 \
	VMOVUPD Z1, 64(OUT)
#define STORE_4 STORE_3 \
	VMOVUPD Z2, 128(OUT)
#define STORE_5 STORE_4 \
	VMOVUPD Z3, 192(OUT)
#define STORE_6 STORE_5 \
	VMOVUPD Z4, 256(OUT)
#define STORE_7 STORE_6 \
	VMOVUPD Z5, 320(OUT)
#define STORE_8 STORE_7 \
	VMOVUPD Z6, 384(OUT)

// dst += x w[column]
#define MUL_1
#define MUL_2 VFMADD231PD (J), Z31, Z0
#define MUL_3 MUL_2 \
	VFMADD231PD 64(J), Z31, Z1
#define MUL_4 MUL_3 \
	VFMADD231PD 128(J), Z31, Z2
#define MUL_5 MUL_4 \
	VFMADD231PD 192(J), Z31, Z3
#define MUL_6 MUL_5 \
	VFMADD231PD 256(J), Z31, Z4
#define MUL_7 MUL_6 \
	VFMADD231PD 320(J), Z31, Z5
#define MUL_8 MUL_7 \
	VFMADD231PD 384(J), Z31, Z6

#define MUL_BLOCK(again, load, mul, store, last) \
	load                               \
	VMOVUPD     (OUT)(TAIL*1), last    \
again:                                     \
	ENTRY                              \
	ADDQ        W, J                   \
	mul                                \
	VFMADD231PD (J)(TAIL*1), Z31, last \
	NEXT(again)                        \
	store                              \
	VMOVUPD     last, (OUT)(TAIL*1)

// To the block of the LEFT columns, 8 to 64.
#define CHOOSE_BLOCK \
	LEAQ -64(LEFT*8), TAIL \
	CMPQ LEFT, $32 \
	JGT  above32   \
	CMPQ LEFT, $16 \
	JGT  above16   \
	CMPQ LEFT, $8  \
	JGT  block2    \
	JMP  block1    \
above16:               \
	CMPQ LEFT, $24 \
	JGT  block4    \
	JMP  block3    \
above32:               \
	CMPQ LEFT, $48 \
	JGT  above48   \
	CMPQ LEFT, $40 \
	JGT  block6    \
	JMP  block5    \
above48:               \
	CMPQ LEFT, $56 \
	JGT  block8    \
	JMP  block7
