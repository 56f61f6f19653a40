//go:build cgo && sleef

// Package sleef calls SLEEF's vector functions (Debian: libsleef-dev; build tag sleef) with the
// vector width of lanes' CPU path. Without the tag its functions are nil.
package sleef

/*
#cgo CFLAGS: -O3 -march=native
#cgo LDFLAGS: -lsleef
#include <immintrin.h>
#include <stdint.h>
#include <sleef.h>

#define MAP4(NAME, F) static void NAME##4(double *dst, const double *x, int64_t n) { \
	for (int64_t i = 0; i + 4 <= n; i += 4) _mm256_storeu_pd(dst + i, F##4_u10avx2(_mm256_loadu_pd(x + i))); }
#ifdef __AVX512F__
#define MAP8(NAME, F) static void NAME##8(double *dst, const double *x, int64_t n) { \
	for (int64_t i = 0; i + 8 <= n; i += 8) _mm512_storeu_pd(dst + i, F##8_u10avx512f(_mm512_loadu_pd(x + i))); }
#else
#define MAP8(NAME, F) static void NAME##8(double *dst, const double *x, int64_t n) { NAME##4(dst, x, n); }
#endif
#define MAP(NAME, F) MAP4(NAME, F) MAP8(NAME, F)
MAP(map_exp, Sleef_expd)
MAP(map_log, Sleef_logd)
MAP(map_log1p, Sleef_log1pd)
MAP(map_tanh, Sleef_tanhd)
*/
import "C"

import (
	"strings"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

func pointer(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

var wide = strings.HasPrefix(dispatch.Current(), "avx512")

// Exp, Log, Log1p and Tanh map x to dst; the length is a multiple of eight.
var (
	Exp = func(dst, x []float64) {
		if wide {
			C.map_exp8(pointer(dst), pointer(x), C.int64_t(len(x)))
		} else {
			C.map_exp4(pointer(dst), pointer(x), C.int64_t(len(x)))
		}
	}
	Log = func(dst, x []float64) {
		if wide {
			C.map_log8(pointer(dst), pointer(x), C.int64_t(len(x)))
		} else {
			C.map_log4(pointer(dst), pointer(x), C.int64_t(len(x)))
		}
	}
	Log1p = func(dst, x []float64) {
		if wide {
			C.map_log1p8(pointer(dst), pointer(x), C.int64_t(len(x)))
		} else {
			C.map_log1p4(pointer(dst), pointer(x), C.int64_t(len(x)))
		}
	}
	Tanh = func(dst, x []float64) {
		if wide {
			C.map_tanh8(pointer(dst), pointer(x), C.int64_t(len(x)))
		} else {
			C.map_tanh4(pointer(dst), pointer(x), C.int64_t(len(x)))
		}
	}
)
