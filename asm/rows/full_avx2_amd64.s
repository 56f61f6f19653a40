//go:build !purego

#include "textflag.h"

// Full rows, in assembly because Go's compiler does not vectorise. The definitions are fullDot and
// fullAdd in full.go.

// Eight ones, eight zeros: a window that begins at element 8-n masks the first n of eight lanes.
DATA rowsMask<>+0(SB)/8, $-1
DATA rowsMask<>+8(SB)/8, $-1
DATA rowsMask<>+16(SB)/8, $-1
DATA rowsMask<>+24(SB)/8, $-1
DATA rowsMask<>+32(SB)/8, $-1
DATA rowsMask<>+40(SB)/8, $-1
DATA rowsMask<>+48(SB)/8, $-1
DATA rowsMask<>+56(SB)/8, $-1
DATA rowsMask<>+64(SB)/8, $0
DATA rowsMask<>+72(SB)/8, $0
DATA rowsMask<>+80(SB)/8, $0
DATA rowsMask<>+88(SB)/8, $0
DATA rowsMask<>+96(SB)/8, $0
DATA rowsMask<>+104(SB)/8, $0
DATA rowsMask<>+112(SB)/8, $0
DATA rowsMask<>+120(SB)/8, $0
GLOBL rowsMask<>(SB), RODATA|NOPTR, $128

#define SIZE 8
#define LOAD(from, y) VMOVUPD from, y
#define LOAD_MASKED(from, mask, narrow, x, y) VMASKMOVPD from, mask, y
#define LOAD_ONE(from, x) VMOVSD from, x
#define FULL_DOT ·fullDot64AVX2
#define FULL_ADD ·fullAdd64AVX2
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
#include "full_kernels_avx2_amd64.h"
