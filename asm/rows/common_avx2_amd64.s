//go:build !purego

#include "textflag.h"
#include "common_avx2_amd64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// common.go. Eight indices of each vector are compared with one another; then the
// vector whose eight end first goes on, or both.

// 32-bit column indices.
#define I32
#include "indices_amd64.h"
#define COMMON_COUNT ·commonCountI32AVX2
#define RISING       ·risingI32AVX2
#include "common_indices_avx2_amd64.h"
#define F64
#define COMMON_DOT ·commonDotI32F64AVX2
#include "common_kernels_avx2_amd64.h"
#define F32
#define COMMON_DOT ·commonDotI32F32AVX2
#include "common_kernels_avx2_amd64.h"

// 16-bit column indices.
#define I16
#include "indices_amd64.h"
#define COMMON_COUNT ·commonCountI16AVX2
#define RISING       ·risingI16AVX2
#include "common_indices_avx2_amd64.h"
#define F64
#define COMMON_DOT ·commonDotI16F64AVX2
#include "common_kernels_avx2_amd64.h"
#define F32
#define COMMON_DOT ·commonDotI16F32AVX2
#include "common_kernels_avx2_amd64.h"
