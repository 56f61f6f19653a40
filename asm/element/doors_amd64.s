//go:build !purego

#include "textflag.h"

// The entry points that doors.go defines. Up to four elements go to the AVX2 kernel on
// either path.

#define N CX
#define DST DI
#define X SI
#define GAP R10
#define SPAN R9

#define MAP_DOOR(avx2, avx512, go) \
	CMPL ·path(SB), $1          \
	JCS  portable               \
	MOVQ n+16(FP), N            \
	CMPQ N, nx+24(FP)           \
	JNE  portable               \
	MOVQ dst+0(FP), GAP         \
	SUBQ x+8(FP), GAP           \
	JEQ  same                   \
	LEAQ 0(N*8), SPAN           \
	LEAQ -1(GAP)(SPAN*1), GAP   \
	LEAQ -1(SPAN)(SPAN*1), SPAN \
	CMPQ GAP, SPAN              \
	JCS  portable               \
same:                               \
	XORPS X0, X0                \
	MOVUPS X0, err+32(FP)       \
	CMPQ N, $4                  \
	JLS  narrow                 \
	CMPL ·path(SB), $1          \
	JEQ  narrow                 \
	JMP  avx512(SB)             \
narrow:                             \
	JMP  avx2(SB)               \
portable:                           \
	JMP  go(SB)

// func MapExp(dst, x *float64, n, nx int) (err error)
TEXT ·MapExp(SB), NOSPLIT, $0-48
	MAP_DOOR(·expAVX2, ·expAVX512, ·expDoor)

// func MapLog(dst, x *float64, n, nx int) (err error)
TEXT ·MapLog(SB), NOSPLIT, $0-48
	MAP_DOOR(·logAVX2, ·logAVX512, ·logDoor)

// func MapLog1p(dst, x *float64, n, nx int) (err error)
TEXT ·MapLog1p(SB), NOSPLIT, $0-48
	MAP_DOOR(·log1pAVX2, ·log1pAVX512, ·log1pDoor)

// func MapSigmoid(dst, x *float64, n, nx int) (err error)
TEXT ·MapSigmoid(SB), NOSPLIT, $0-48
	MAP_DOOR(·sigmoidAVX2, ·sigmoidAVX512, ·sigmoidDoor)

// func MapSoftplus(dst, x *float64, n, nx int) (err error)
TEXT ·MapSoftplus(SB), NOSPLIT, $0-48
	MAP_DOOR(·softplusAVX2, ·softplusAVX512, ·softplusDoor)

// func MapTanh(dst, x *float64, n, nx int) (err error)
TEXT ·MapTanh(SB), NOSPLIT, $0-48
	MAP_DOOR(·tanhAVX2, ·tanhAVX512, ·tanhDoor)
