// The steps of the products with matrices on AVX2. Columns go in blocks of 32. The rest goes in a
// block of 4 to 32. Its last register is at TAIL bytes behind its first column and may overlap
// the register before: both compute the same. Fewer than 4 columns go in two and one. A block of
// dst or c is in Y0 to Y7, the value of the entry in Y15.

#define ENTRY_VALUE BROADCAST_X(Y15)
#define ROW_VALUE   BROADCAST_ROW(Y15)

// The first registers of a block, and the last one.
#define LOAD_1
#define LOAD_2 VMOVUPD (OUT), Y0
#define LOAD_3 LOAD_2 \
	VMOVUPD 32(OUT), Y1
#define LOAD_4 LOAD_3 \
	VMOVUPD 64(OUT), Y2
#define LOAD_5 LOAD_4 \
	VMOVUPD 96(OUT), Y3
#define LOAD_6 LOAD_5 \
	VMOVUPD 128(OUT), Y4
#define LOAD_7 LOAD_6 \
	VMOVUPD 160(OUT), Y5
#define LOAD_8 LOAD_7 \
	VMOVUPD 192(OUT), Y6
#define LOAD_LAST(to) VMOVUPD (OUT)(TAIL*1), to

#define STORE_1
#define STORE_2 VMOVUPD Y0, (OUT)
#define STORE_3 STORE_2 \
	VMOVUPD Y1, 32(OUT)
#define STORE_4 STORE_3 \
	VMOVUPD Y2, 64(OUT)
#define STORE_5 STORE_4 \
	VMOVUPD Y3, 96(OUT)
#define STORE_6 STORE_5 \
	VMOVUPD Y4, 128(OUT)
#define STORE_7 STORE_6 \
	VMOVUPD Y5, 160(OUT)
#define STORE_8 STORE_7 \
	VMOVUPD Y6, 192(OUT)
#define STORE_LAST(from) VMOVUPD from, (OUT)(TAIL*1)

// dst += x w[column]; J is where the row is, or the last register of it.
#define MUL_1
#define MUL_2 VFMADD231PD (J), Y15, Y0
#define MUL_3 MUL_2 \
	VFMADD231PD 32(J), Y15, Y1
#define MUL_4 MUL_3 \
	VFMADD231PD 64(J), Y15, Y2
#define MUL_5 MUL_4 \
	VFMADD231PD 96(J), Y15, Y3
#define MUL_6 MUL_5 \
	VFMADD231PD 128(J), Y15, Y4
#define MUL_7 MUL_6 \
	VFMADD231PD 160(J), Y15, Y5
#define MUL_8 MUL_7 \
	VFMADD231PD 192(J), Y15, Y6

// w[column] += x c
#define UPDATE(at, c, t) \
	VMOVUPD     at(J), t  \
	VFMADD231PD c, Y15, t \
	VMOVUPD     t, at(J)
#define ADD_1
#define ADD_2 UPDATE(0, Y0, Y8)
#define ADD_3 ADD_2 \
	UPDATE(32, Y1, Y9)
#define ADD_4 ADD_3 \
	UPDATE(64, Y2, Y10)
#define ADD_5 ADD_4 \
	UPDATE(96, Y3, Y11)
#define ADD_6 ADD_5 \
	UPDATE(128, Y4, Y8)
#define ADD_7 ADD_6 \
	UPDATE(160, Y5, Y9)
#define ADD_8 ADD_7 \
	UPDATE(192, Y6, Y10)

#define MUL_BLOCK(again, load, mul, store, last) \
	load                               \
	LOAD_LAST(last)                    \
again:                                     \
	ENTRY                              \
	ADDQ        W, J                   \
	mul                                \
	VFMADD231PD (J)(TAIL*1), Y15, last \
	NEXT(again)                        \
	store                              \
	STORE_LAST(last)

// The last register is read before the others are written, and written after them.
#define ADD_BLOCK(again, load, add, last) \
	load                                \
	LOAD_LAST(last)                     \
again:                                      \
	ENTRY                               \
	ADDQ        W, J                    \
	VMOVUPD     (J)(TAIL*1), Y12        \
	VFMADD231PD last, Y15, Y12          \
	add                                 \
	VMOVUPD     Y12, (J)(TAIL*1)        \
	NEXT(again)

// To the block of the LEFT columns, 4 to 32.
#define CHOOSE_BLOCK \
	LEAQ -32(LEFT*8), TAIL \
	CMPQ LEFT, $16 \
	JGT  above16   \
	CMPQ LEFT, $8  \
	JGT  above8    \
	CMPQ LEFT, $4  \
	JGT  block2    \
	JMP  block1    \
above8:                \
	CMPQ LEFT, $12 \
	JGT  block4    \
	JMP  block3    \
above16:               \
	CMPQ LEFT, $24 \
	JGT  above24   \
	CMPQ LEFT, $20 \
	JGT  block6    \
	JMP  block5    \
above24:               \
	CMPQ LEFT, $28 \
	JGT  block8    \
	JMP  block7
