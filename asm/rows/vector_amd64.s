//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// What vector_dot.go calls, to the kernel of a layout. Which it is the caller's compiler
// knew; the jumps are foreseen.

#define TO_LAYOUT(i32f64, i16f64, i32f32, i16f32) \
	MOVQ layout+0(FP), AX      \
	CMPQ AX, $const_sizeI32F64 \
	JNE  notI32F64             \
	JMP  i32f64(SB)            \
notI32F64:                         \
	CMPQ AX, $const_sizeI16F64 \
	JNE  notI16F64             \
	JMP  i16f64(SB)            \
notI16F64:                         \
	CMPQ AX, $const_sizeI32F32 \
	JNE  notI32F32             \
	JMP  i32f32(SB)            \
notI32F32:                         \
	JMP  i16f32(SB)

#define TO_INDEX(i32, i16) \
	CMPQ size+0(FP), $const_sizeI32 \
	JNE  narrow             \
	JMP  i32(SB)            \
narrow:                         \
	JMP  i16(SB)

// func longDot(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)
TEXT ·longDot(SB), NOSPLIT, $0-57
	TO_LAYOUT(·vectorDotI32F64AVX2, ·vectorDotI16F64AVX2, ·vectorDotI32F32AVX2, ·vectorDotI16F32AVX2)

// func longDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)
TEXT ·longDotOnes(SB), NOSPLIT, $0-49
	TO_INDEX(·vectorDotI32OnesAVX2, ·vectorDotI16OnesAVX2)
