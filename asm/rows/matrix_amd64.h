// Products of dense matrices, tile by tile. A tile of the result is some rows by some vectors of
// columns. It stays in registers while its terms are added one after the other, as in the
// definition. Each step needs one element of a for each row of the tile, and the tile's columns
// of one row of w.
//
// The includer has the arguments of matMul. Going through blocks of columns changes dst, w and
// cols.

#define ROWS AX    // left in a block of columns
#define AT BX      // the elements of a for one row of w
#define TERMS CX   // left in a tile
#define W DX
#define TILE DI    // the first element of the tile in the result
#define A SI
#define ROW R8     // bytes between rows of a; ROW3 is three times as many
#define ROW3 R9
#define ROW5 R10
#define ROW7 R11
#define TERM R12   // from the elements of a for one row of w to those for the next
#define NEXT_W R13 // from one row of w, and of the result, to the next
#define NEXT R14
#define OUT R15

#define BEGIN \
	MOVQ rowStep+64(FP), ROW      \
	MOVQ termStep+72(FP), TERM    \
	MOVQ nextW+56(FP), NEXT_W     \
	MOVQ next+48(FP), NEXT        \
	SHLQ $3, ROW                  \
	SHLQ $3, TERM                 \
	SHLQ $3, NEXT_W               \
	SHLQ $3, NEXT                 \
	LEAQ (ROW)(ROW*2), ROW3       \
	LEAQ (ROW)(ROW*4), ROW5       \
	LEAQ (ROW3)(ROW*4), ROW7

// Goes on to narrower if fewer columns than n remain; else to the block's first row.
#define BLOCK(n, narrower) \
	CMPQ cols+40(FP), $n          \
	JLT  narrower                 \
	MOVQ rows+24(FP), ROWS        \
	MOVQ dst+0(FP), TILE          \
	MOVQ a+8(FP), A

// The block of n columns is done.
#define BLOCK_DONE(n, again) \
	ADDQ $(8*n), dst+0(FP)        \
	ADDQ $(8*n), w+16(FP)         \
	SUBQ $n, cols+40(FP)          \
	JMP  again

// A tile, whose rows load and store advance by.
#define TILE_OF(load, add, store, loop) \
	MOVQ TILE, OUT                \
	load                          \
	MOVQ A, AT                    \
	MOVQ w+16(FP), W              \
	MOVQ inner+32(FP), TERMS      \
loop:                                 \
	add                           \
	ADDQ TERM, AT                 \
	ADDQ NEXT_W, W                \
	DECQ TERMS                    \
	JNE  loop                     \
	MOVQ TILE, OUT                \
	store                         \
	MOVQ OUT, TILE

// Tiles of eight, four, two and one rows.
#define EIGHTS(load, add, store, this, loop, fewer) \
this:                                 \
	CMPQ ROWS, $8                 \
	JLT  fewer                    \
	TILE_OF(load, add, store, loop) \
	LEAQ (A)(ROW*8), A            \
	SUBQ $8, ROWS                 \
	JMP  this

#define FOURS(load, add, store, this, loop, fewer) \
this:                                 \
	CMPQ ROWS, $4                 \
	JLT  fewer                    \
	TILE_OF(load, add, store, loop) \
	LEAQ (A)(ROW*4), A            \
	SUBQ $4, ROWS                 \
	JMP  this

#define TWOS(load, add, store, loop, fewer) \
	CMPQ ROWS, $2                 \
	JLT  fewer                    \
	TILE_OF(load, add, store, loop) \
	LEAQ (A)(ROW*2), A            \
	SUBQ $2, ROWS

#define ONES(load, add, store, this, loop, end) \
this:                                 \
	TESTQ ROWS, ROWS              \
	JEQ  end                      \
	TILE_OF(load, add, store, loop) \
end:

// One vector of columns for each row, moved by MOVE: c0 to c7 are vectors of the result, v
// is a vector of w, and t has an element of a in all lanes.

#define LOAD_ONE(MOVE, c) \
	MOVE (OUT), c                 \
	ADDQ NEXT, OUT

#define STORE_ONE(MOVE, c) \
	MOVE c, (OUT)                 \
	ADDQ NEXT, OUT

#define ADD_ONE(MOVE, SPREAD, v, t, c) \
	MOVE   (W), v                 \
	SPREAD (AT), t                \
	VFMADD231PD v, t, c

#define LOAD_FOUR(MOVE, c0, c1, c2, c3) \
	LOAD_ONE(MOVE, c0)            \
	LOAD_ONE(MOVE, c1)            \
	LOAD_ONE(MOVE, c2)            \
	LOAD_ONE(MOVE, c3)

#define STORE_FOUR(MOVE, c0, c1, c2, c3) \
	STORE_ONE(MOVE, c0)           \
	STORE_ONE(MOVE, c1)           \
	STORE_ONE(MOVE, c2)           \
	STORE_ONE(MOVE, c3)

#define ADD_FOUR(MOVE, SPREAD, v, t0, t1, c0, c1, c2, c3) \
	MOVE   (W), v                 \
	SPREAD (AT), t0               \
	VFMADD231PD v, t0, c0         \
	SPREAD (AT)(ROW*1), t1        \
	VFMADD231PD v, t1, c1         \
	SPREAD (AT)(ROW*2), t0        \
	VFMADD231PD v, t0, c2         \
	SPREAD (AT)(ROW3*1), t1       \
	VFMADD231PD v, t1, c3

#define ADD_OTHER_FOUR(SPREAD, v, t0, t1, c4, c5, c6, c7) \
	SPREAD (AT)(ROW*4), t0        \
	VFMADD231PD v, t0, c4         \
	SPREAD (AT)(ROW5*1), t1       \
	VFMADD231PD v, t1, c5         \
	SPREAD (AT)(ROW3*2), t0       \
	VFMADD231PD v, t0, c6         \
	SPREAD (AT)(ROW7*1), t1       \
	VFMADD231PD v, t1, c7

#define LOAD_EIGHT(MOVE, c0, c1, c2, c3, c4, c5, c6, c7) \
	LOAD_FOUR(MOVE, c0, c1, c2, c3) \
	LOAD_FOUR(MOVE, c4, c5, c6, c7)

#define STORE_EIGHT(MOVE, c0, c1, c2, c3, c4, c5, c6, c7) \
	STORE_FOUR(MOVE, c0, c1, c2, c3) \
	STORE_FOUR(MOVE, c4, c5, c6, c7)

#define ADD_EIGHT(MOVE, SPREAD, v, t0, t1, c0, c1, c2, c3, c4, c5, c6, c7) \
	ADD_FOUR(MOVE, SPREAD, v, t0, t1, c0, c1, c2, c3) \
	ADD_OTHER_FOUR(SPREAD, v, t0, t1, c4, c5, c6, c7)

#define LOAD_TWO(MOVE, c0, c1) \
	LOAD_ONE(MOVE, c0)            \
	LOAD_ONE(MOVE, c1)

#define STORE_TWO(MOVE, c0, c1) \
	STORE_ONE(MOVE, c0)           \
	STORE_ONE(MOVE, c1)

#define ADD_TWO(MOVE, SPREAD, v, t0, t1, c0, c1) \
	MOVE   (W), v                 \
	SPREAD (AT), t0               \
	VFMADD231PD v, t0, c0         \
	SPREAD (AT)(ROW*1), t1        \
	VFMADD231PD v, t1, c1

// The rows of a block of one vector of n columns, whose labels are unique to it.
#define COLUMNS(n, MOVE, SPREAD, narrower, this, v, t0, t1, c0, c1, c2, c3, c4, c5, c6, c7, eights, eight, fours, four, twos, two, ones, one, end) \
this:                                 \
	BLOCK(n, narrower)            \
	EIGHTS(LOAD_EIGHT(MOVE, c0, c1, c2, c3, c4, c5, c6, c7), ADD_EIGHT(MOVE, SPREAD, v, t0, t1, c0, c1, c2, c3, c4, c5, c6, c7), STORE_EIGHT(MOVE, c0, c1, c2, c3, c4, c5, c6, c7), eights, eight, fours) \
	FOURS(LOAD_FOUR(MOVE, c0, c1, c2, c3), ADD_FOUR(MOVE, SPREAD, v, t0, t1, c0, c1, c2, c3), STORE_FOUR(MOVE, c0, c1, c2, c3), fours, four, twos) \
twos:                                 \
	TWOS(LOAD_TWO(MOVE, c0, c1), ADD_TWO(MOVE, SPREAD, v, t0, t1, c0, c1), STORE_TWO(MOVE, c0, c1), two, ones) \
	ONES(LOAD_ONE(MOVE, c0), ADD_ONE(MOVE, SPREAD, v, t0, c0), STORE_ONE(MOVE, c0), ones, one, end) \
	BLOCK_DONE(n, this)

// What is left of less than eight columns: four, two and one of them at a time.
#define LAST_COLUMNS \
	COLUMNS(4, VMOVUPD, VBROADCASTSD, columns2, columns4, Y8, Y9, Y10, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, eights4, eight4, fours4, four4, twos4, two4, ones4, one4, end4) \
	COLUMNS(2, VMOVUPD, VMOVDDUP, columns1, columns2, X8, X9, X10, X0, X1, X2, X3, X4, X5, X6, X7, eights2, eight2, fours2, four2, twos2, two2, ones2, one2, end2) \
	COLUMNS(1, VMOVSD, VMOVDDUP, done, columns1, X8, X9, X10, X0, X1, X2, X3, X4, X5, X6, X7, eights1, eight1, fours1, four1, twos1, two1, ones1, one1, end1) \
done:                                 \
	VZEROUPPER                    \
	RET
