//go:build cgo

// Package cpeer holds the loops that lanes is compared with, in plain C. They are compiled with
// gcc -O3 -march=native, without and with -ffast-math (which lets gcc reorder the sum and use
// gathers).
package cpeer

/*
#cgo CFLAGS: -O3 -march=native
#include <stdint.h>

#define DEFINE(NAME, FAST, IDX, VAL, X) \
FAST void dot_##NAME(double *out, int64_t n, const int64_t *ptr, const IDX *idx, const VAL *val, const double *w) { \
	for (int64_t i = 0; i < n; i++) { \
		double s = 0; \
		for (int64_t e = ptr[i]; e < ptr[i+1]; e++) s += (X) * w[idx[e]]; \
		out[i] = s; \
	} \
} \
FAST void add_##NAME(double *w, int64_t n, const int64_t *ptr, const IDX *idx, const VAL *val, const double *c) { \
	for (int64_t i = 0; i < n; i++) { \
		double ci = c[i]; \
		for (int64_t e = ptr[i]; e < ptr[i+1]; e++) w[idx[e]] += ci * (X); \
	} \
}
#define FASTMATH __attribute__((optimize("fast-math")))
#define BOTH(NAME, IDX, VAL, X) DEFINE(NAME, , IDX, VAL, X) DEFINE(NAME##_fast, FASTMATH, IDX, VAL, X)
BOTH(i32f64, uint32_t, double, val[e])
BOTH(i32f32, uint32_t, float, (double)val[e])
BOTH(i32ones, uint32_t, double, 1.0)
BOTH(i16f64, uint16_t, double, val[e])
BOTH(i16f32, uint16_t, float, (double)val[e])
BOTH(i16ones, uint16_t, double, 1.0)

typedef void (*kernel)(double *, int64_t, const int64_t *, const void *, const void *, const double *);
static kernel dots[2][6] = {
	{(kernel)dot_i32f64, (kernel)dot_i32f32, (kernel)dot_i32ones, (kernel)dot_i16f64, (kernel)dot_i16f32, (kernel)dot_i16ones},
	{(kernel)dot_i32f64_fast, (kernel)dot_i32f32_fast, (kernel)dot_i32ones_fast, (kernel)dot_i16f64_fast, (kernel)dot_i16f32_fast, (kernel)dot_i16ones_fast},
};
static kernel adds[6] = {(kernel)add_i32f64, (kernel)add_i32f32, (kernel)add_i32ones, (kernel)add_i16f64, (kernel)add_i16f32, (kernel)add_i16ones};

static void call(kernel k, double *out, int64_t n, const int64_t *ptr, const void *idx, const void *val, const double *in) {
	k(out, n, ptr, idx, val, in);
}
static void run_dot(int fast, int layout, double *out, int64_t n, const int64_t *ptr, const void *idx, const void *val, const double *w) {
	call(dots[fast][layout], out, n, ptr, idx, val, w);
}
static void run_add(int layout, double *w, int64_t n, const int64_t *ptr, const void *idx, const void *val, const double *c) {
	call(adds[layout], w, n, ptr, idx, val, c);
}
*/
import "C"

import (
	"unsafe"

	"github.com/lanes-go/lanes/asm/rows"
)

// Available tells that this build has the C loops.
const Available = true

// Dot computes out = X w with gcc's loop for the layout of m; fast allows
// -ffast-math.
func Dot(out []float64, ptr []int64, m *rows.Matrix, w []float64, fast bool) {
	var f C.int
	if fast {
		f = 1
	}
	idx, val := arrays(m)
	C.run_dot(f, C.int(m.Layout), double(out), C.int64_t(len(out)), pointers(ptr), idx, val, double(w))
}

// Add computes w += X'c with gcc's loop for the layout of m.
func Add(w []float64, ptr []int64, m *rows.Matrix, c []float64) {
	idx, val := arrays(m)
	C.run_add(C.int(m.Layout), double(w), C.int64_t(len(c)), pointers(ptr), idx, val, double(c))
}

func arrays(m *rows.Matrix) (idx, val unsafe.Pointer) {
	if m.Idx16 != nil {
		idx = unsafe.Pointer(unsafe.SliceData(m.Idx16))
	} else {
		idx = unsafe.Pointer(unsafe.SliceData(m.Idx32))
	}
	if m.Val64 != nil {
		val = unsafe.Pointer(unsafe.SliceData(m.Val64))
	} else {
		val = unsafe.Pointer(unsafe.SliceData(m.Val32))
	}
	return idx, val
}

func double(x []float64) *C.double  { return (*C.double)(unsafe.SliceData(x)) }
func pointers(x []int64) *C.int64_t { return (*C.int64_t)(unsafe.SliceData(x)) }
