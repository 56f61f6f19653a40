//go:build cgo && sleef

// Package sleef calls SLEEF's vector functions (Debian: libsleef-dev; build tag
// sleef). Without the tag its functions are nil.
package sleef

/*
#cgo CFLAGS: -O3 -march=native
#cgo LDFLAGS: -lsleef
#include <immintrin.h>
#include <stdint.h>
#include <sleef.h>

#ifdef __AVX512F__
#define WIDTH 8
#define MAP(NAME, F) static void NAME(double *dst, const double *x, int64_t n) { \
	for (int64_t i = 0; i + WIDTH <= n; i += WIDTH) _mm512_storeu_pd(dst + i, F##8_u10avx512f(_mm512_loadu_pd(x + i))); }
#else
#define WIDTH 4
#define MAP(NAME, F) static void NAME(double *dst, const double *x, int64_t n) { \
	for (int64_t i = 0; i + WIDTH <= n; i += WIDTH) _mm256_storeu_pd(dst + i, F##4_u10avx2(_mm256_loadu_pd(x + i))); }
#endif
MAP(map_exp, Sleef_expd)
MAP(map_log, Sleef_logd)
MAP(map_log1p, Sleef_log1pd)
*/
import "C"

import "unsafe"

func pointer(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

// Exp, Log and Log1p map x to dst; the length is a multiple of eight.
var (
	Exp   = func(dst, x []float64) { C.map_exp(pointer(dst), pointer(x), C.int64_t(len(x))) }
	Log   = func(dst, x []float64) { C.map_log(pointer(dst), pointer(x), C.int64_t(len(x))) }
	Log1p = func(dst, x []float64) { C.map_log1p(pointer(dst), pointer(x), C.int64_t(len(x))) }
)
