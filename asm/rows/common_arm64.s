//go:build !purego

#include "textflag.h"
#include "common_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// common.go. Four indices of each vector are compared with one another; then the vector
// whose four end first goes on, or both.

// 32-bit column indices.
#define I32
#include "indices_arm64.h"
#define COMMON_COUNT ·commonCountI32NEON
#define RISING       ·risingI32NEON
#include "common_indices_arm64.h"
#define F64
#define COMMON_DOT ·commonDotI32F64NEON
#include "common_kernels_arm64.h"
#define F32
#define COMMON_DOT ·commonDotI32F32NEON
#include "common_kernels_arm64.h"

// 16-bit column indices.
#define I16
#include "indices_arm64.h"
#define COMMON_COUNT ·commonCountI16NEON
#define RISING       ·risingI16NEON
#include "common_indices_arm64.h"
#define F64
#define COMMON_DOT ·commonDotI16F64NEON
#include "common_kernels_arm64.h"
#define F32
#define COMMON_DOT ·commonDotI16F32NEON
#include "common_kernels_arm64.h"
