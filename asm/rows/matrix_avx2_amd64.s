//go:build !purego

#include "textflag.h"
#include "matrix_amd64.h"

// Four rows by twelve columns a tile.

#define LOAD_ROW(c0, c1, c2) \
	VMOVUPD (OUT), c0   \
	VMOVUPD 32(OUT), c1 \
	VMOVUPD 64(OUT), c2 \
	ADDQ    NEXT, OUT

#define STORE_ROW(c0, c1, c2) \
	VMOVUPD c0, (OUT)   \
	VMOVUPD c1, 32(OUT) \
	VMOVUPD c2, 64(OUT) \
	ADDQ    NEXT, OUT

// The columns of w are in Y12, Y13 and Y14.
#define LOAD_W \
	VMOVUPD (W), Y12   \
	VMOVUPD 32(W), Y13 \
	VMOVUPD 64(W), Y14

#define ADD_ROW(from, c0, c1, c2) \
	VBROADCASTSD from, Y15   \
	VFMADD231PD Y12, Y15, c0 \
	VFMADD231PD Y13, Y15, c1 \
	VFMADD231PD Y14, Y15, c2

#define LOAD_FOUR_ROWS \
	LOAD_ROW(Y0, Y1, Y2) \
	LOAD_ROW(Y3, Y4, Y5) \
	LOAD_ROW(Y6, Y7, Y8) \
	LOAD_ROW(Y9, Y10, Y11)

#define STORE_FOUR_ROWS \
	STORE_ROW(Y0, Y1, Y2) \
	STORE_ROW(Y3, Y4, Y5) \
	STORE_ROW(Y6, Y7, Y8) \
	STORE_ROW(Y9, Y10, Y11)

#define ADD_FOUR_ROWS \
	LOAD_W                             \
	ADD_ROW((AT), Y0, Y1, Y2)          \
	ADD_ROW((AT)(ROW*1), Y3, Y4, Y5)   \
	ADD_ROW((AT)(ROW*2), Y6, Y7, Y8)   \
	ADD_ROW((AT)(ROW3*1), Y9, Y10, Y11)

#define LOAD_TWO_ROWS \
	LOAD_ROW(Y0, Y1, Y2) \
	LOAD_ROW(Y3, Y4, Y5)

#define STORE_TWO_ROWS \
	STORE_ROW(Y0, Y1, Y2) \
	STORE_ROW(Y3, Y4, Y5)

#define ADD_TWO_ROWS \
	LOAD_W                           \
	ADD_ROW((AT), Y0, Y1, Y2)        \
	ADD_ROW((AT)(ROW*1), Y3, Y4, Y5)

#define ADD_ONE_ROW \
	LOAD_W                    \
	ADD_ROW((AT), Y0, Y1, Y2)

// func matMulAVX2(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)
TEXT ·matMulAVX2(SB), NOSPLIT, $0-80
	BEGIN
columns12:
	BLOCK(12, columns4)
	FOURS(LOAD_FOUR_ROWS, ADD_FOUR_ROWS, STORE_FOUR_ROWS, fours12, four12, twos12)
twos12:
	TWOS(LOAD_TWO_ROWS, ADD_TWO_ROWS, STORE_TWO_ROWS, two12, ones12)
	ONES(LOAD_ROW(Y0, Y1, Y2), ADD_ONE_ROW, STORE_ROW(Y0, Y1, Y2), ones12, one12, end12)
	BLOCK_DONE(12, columns12)
	LAST_COLUMNS

// The kernel of AVX2 for a few elements, unless the path in use is the portable one.

// func matMulFew(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)
TEXT ·matMulFew(SB), NOSPLIT, $0-80
	CMPL ·path(SB), $0
	JEQ  portable
	JMP  ·matMulAVX2(SB)
portable:
	JMP  ·matMulFewPortable(SB)
