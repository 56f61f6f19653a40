//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "rows_avx2_amd64.h"
#include "vector_avx2_amd64.h"

// 32-bit column indices.
#define I32
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define DOT ·vectorDotI32F64AVX2
#include "vector_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define DOT ·vectorDotI32F32AVX2
#include "vector_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define DOT ·vectorDotI32OnesAVX2
#include "vector_kernels_avx2_amd64.h"

// 16-bit column indices.
#define I16
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define DOT ·vectorDotI16F64AVX2
#include "vector_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define DOT ·vectorDotI16F32AVX2
#include "vector_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define DOT ·vectorDotI16OnesAVX2
#include "vector_kernels_avx2_amd64.h"
