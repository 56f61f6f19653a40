//go:build !purego

#include "textflag.h"
#include "matrix_amd64.h"

// Eight rows by 24 columns a tile.

#define LOAD_ROW(c0, c1, c2) \
	VMOVUPD (OUT), c0    \
	VMOVUPD 64(OUT), c1  \
	VMOVUPD 128(OUT), c2 \
	ADDQ    NEXT, OUT

#define STORE_ROW(c0, c1, c2) \
	VMOVUPD c0, (OUT)    \
	VMOVUPD c1, 64(OUT)  \
	VMOVUPD c2, 128(OUT) \
	ADDQ    NEXT, OUT

// The columns of w are in Z24, Z25 and Z26.
#define LOAD_W \
	VMOVUPD (W), Z24    \
	VMOVUPD 64(W), Z25  \
	VMOVUPD 128(W), Z26

#define ADD_ROW(from, t, c0, c1, c2) \
	VBROADCASTSD from, t   \
	VFMADD231PD Z24, t, c0 \
	VFMADD231PD Z25, t, c1 \
	VFMADD231PD Z26, t, c2

#define LOAD_FOUR_ROWS \
	LOAD_ROW(Z0, Z1, Z2) \
	LOAD_ROW(Z3, Z4, Z5) \
	LOAD_ROW(Z6, Z7, Z8) \
	LOAD_ROW(Z9, Z10, Z11)

#define LOAD_EIGHT_ROWS \
	LOAD_FOUR_ROWS         \
	LOAD_ROW(Z12, Z13, Z14) \
	LOAD_ROW(Z15, Z16, Z17) \
	LOAD_ROW(Z18, Z19, Z20) \
	LOAD_ROW(Z21, Z22, Z23)

#define STORE_FOUR_ROWS \
	STORE_ROW(Z0, Z1, Z2) \
	STORE_ROW(Z3, Z4, Z5) \
	STORE_ROW(Z6, Z7, Z8) \
	STORE_ROW(Z9, Z10, Z11)

#define STORE_EIGHT_ROWS \
	STORE_FOUR_ROWS         \
	STORE_ROW(Z12, Z13, Z14) \
	STORE_ROW(Z15, Z16, Z17) \
	STORE_ROW(Z18, Z19, Z20) \
	STORE_ROW(Z21, Z22, Z23)

#define ADD_FOUR_ROWS \
	LOAD_W                                  \
	ADD_ROW((AT), Z27, Z0, Z1, Z2)          \
	ADD_ROW((AT)(ROW*1), Z28, Z3, Z4, Z5)   \
	ADD_ROW((AT)(ROW*2), Z29, Z6, Z7, Z8)   \
	ADD_ROW((AT)(ROW3*1), Z30, Z9, Z10, Z11)

#define ADD_EIGHT_ROWS \
	ADD_FOUR_ROWS                              \
	ADD_ROW((AT)(ROW*4), Z27, Z12, Z13, Z14)   \
	ADD_ROW((AT)(ROW5*1), Z28, Z15, Z16, Z17)  \
	ADD_ROW((AT)(ROW3*2), Z29, Z18, Z19, Z20)  \
	ADD_ROW((AT)(ROW7*1), Z30, Z21, Z22, Z23)

#define LOAD_TWO_ROWS \
	LOAD_ROW(Z0, Z1, Z2) \
	LOAD_ROW(Z3, Z4, Z5)

#define STORE_TWO_ROWS \
	STORE_ROW(Z0, Z1, Z2) \
	STORE_ROW(Z3, Z4, Z5)

#define ADD_TWO_ROWS \
	LOAD_W                                \
	ADD_ROW((AT), Z27, Z0, Z1, Z2)        \
	ADD_ROW((AT)(ROW*1), Z28, Z3, Z4, Z5)

#define ADD_ONE_ROW \
	LOAD_W                         \
	ADD_ROW((AT), Z27, Z0, Z1, Z2)

// func matMulAVX512(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)
TEXT ·matMulAVX512(SB), NOSPLIT, $0-80
	BEGIN
columns24:
	BLOCK(24, columns8)
	EIGHTS(LOAD_EIGHT_ROWS, ADD_EIGHT_ROWS, STORE_EIGHT_ROWS, eights24, eight24, fours24)
	FOURS(LOAD_FOUR_ROWS, ADD_FOUR_ROWS, STORE_FOUR_ROWS, fours24, four24, twos24)
twos24:
	TWOS(LOAD_TWO_ROWS, ADD_TWO_ROWS, STORE_TWO_ROWS, two24, ones24)
	ONES(LOAD_ROW(Z0, Z1, Z2), ADD_ONE_ROW, STORE_ROW(Z0, Z1, Z2), ones24, one24, end24)
	BLOCK_DONE(24, columns24)
	COLUMNS(8, VMOVUPD, VBROADCASTSD, columns4, columns8, Z8, Z9, Z10, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, eights8, eight8, fours8, four8, twos8, two8, ones8, one8, end8)
	LAST_COLUMNS
