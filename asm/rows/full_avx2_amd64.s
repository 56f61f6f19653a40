//go:build !purego

#include "textflag.h"

// Full rows, in assembly because Go's compiler does not vectorise. The definitions are fullDot,
// fullAdd and fullSquares in full.go.

#define SIZE 8
#define LOAD(from, y) VMOVUPD from, y
#define LOAD_MASKED(from, mask, narrow, x, y) VMASKMOVPD from, mask, y
#define LOAD_ONE(from, x) VMOVSD from, x
#define FULL_DOT ·fullDot64AVX2
#define FULL_ADD ·fullAdd64AVX2
#define FULL_SQUARES ·fullSquares64AVX2
#include "full_kernels_avx2_amd64.h"

#define SIZE 4
#define LOAD(from, y) VCVTPS2PD from, y
#define LOAD_MASKED(from, mask, narrow, x, y) \
	VMASKMOVPS from, narrow, x \
	VCVTPS2PD  x, y
#define LOAD_ONE(from, x) \
	VMOVSS    from, x  \
	VCVTSS2SD x, x, x
#define FULL_DOT ·fullDot32AVX2
#define FULL_ADD ·fullAdd32AVX2
#define FULL_SQUARES ·fullSquares32AVX2
#include "full_kernels_avx2_amd64.h"
