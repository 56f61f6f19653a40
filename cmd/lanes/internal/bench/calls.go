package bench

import "github.com/lanes-go/lanes/asm/dense"

// Results go here, so that no call is left out.
//
//lint:ignore U1000 nothing reads it
var sink float64

//lint:ignore U1000 nor it
var sinkInt int

// sinkTrue is false where a call refused its operands.
var sinkTrue = true

const (
	small = 1e-9 // as a factor of what is added again and again
	half  = 0.5
)

var adam = dense.Adam{Beta1: 0.9, Rest1: 0.1, Beta2: 0.999, Rest2: 0.001, Rate: 1e-3, Epsilon: 1e-8, Lambda: 1e-4}

// vectorCall repeats calls of kernels on vectors by their signature: destinations come
// first. The loops stand here one by one, as a call of a closure in one loop for all
// would cost what the shortest kernels do.
func vectorCall(_, _ string, f any, in *operands) func(n int) {
	x, y, sign, a, b, c := in.x, in.y, in.sign, in.a, in.b, in.c
	switch f := f.(type) {
	case func(x []float64) float64:
		return func(n int) {
			for range n {
				sink = f(x)
			}
		}
	case func(idx []uint32) int:
		return func(n int) {
			for range n {
				sink = float64(f(in.idx))
			}
		}
	case func(idx []uint16) int:
		return func(n int) {
			for range n {
				sink = float64(f(in.idx16))
			}
		}
	case func(x, y []float64) float64:
		return func(n int) {
			for range n {
				sink = f(x, y)
			}
		}
	case func(dst, x []float64):
		return func(n int) {
			for range n {
				f(a, x)
			}
		}
	case func(dst, x, y []float64):
		return func(n int) {
			for range n {
				f(a, x, y)
			}
		}
	case func(a float64, x, y []float64):
		return func(n int) {
			for range n {
				f(small, x, a)
			}
		}
	case func(dst []float64, a float64, x []float64):
		return func(n int) {
			for range n {
				f(a, half, x)
			}
		}
	case func(dst []float64, a float64, x []float64, b float64, y []float64):
		return func(n int) {
			for range n {
				f(a, half, x, half, y)
			}
		}
	case func(dst, x []float64, t float64):
		return func(n int) {
			for range n {
				f(a, x, half)
			}
		}
	case func(dst, x []float64, lo, hi float64):
		return func(n int) {
			for range n {
				f(a, x, -half, half)
			}
		}
	case func(w, m, v, g []float64, p dense.Adam):
		return func(n int) {
			for range n {
				f(a, b, c, x, adam)
			}
		}
	case func(w, v, g []float64, rate, mu, lambda float64):
		return func(n int) {
			for range n {
				f(a, b, x, 1e-3, 0.9, 1e-4)
			}
		}
	case func(x []float32) float64:
		return func(n int) {
			for range n {
				sink = f(in.x32)
			}
		}
	case func(x []float32) float32:
		return func(n int) {
			for range n {
				sink = float64(f(in.x32))
			}
		}
	case func(x []float32) int:
		return func(n int) {
			for range n {
				sinkInt = f(in.x32)
			}
		}
	case func(x, y []float32) float64:
		return func(n int) {
			for range n {
				sink = f(in.x32, in.y32)
			}
		}
	case func(x, y []float32) float32:
		return func(n int) {
			for range n {
				sink = float64(f(in.x32, in.y32))
			}
		}
	case func(x, y []int8) int32:
		return func(n int) {
			for range n {
				sinkInt = int(f(in.x8, in.y8))
			}
		}
	case func(x, y []uint64) int32:
		return func(n int) {
			for range n {
				sinkInt = int(f(in.xb, in.yb))
			}
		}
	case func(x, y []uint64) float32:
		return func(n int) {
			for range n {
				sink = float64(f(in.xb, in.yb))
			}
		}
	case func(dst []float32, a float32, x []float32):
		return func(n int) {
			for range n {
				f(in.a32, half, in.x32)
			}
		}
	case func(dst, x, y []float32):
		return func(n int) {
			for range n {
				f(in.a32, in.x32, in.y32)
			}
		}
	case func(dst, x, y, z []float32):
		return func(n int) {
			for range n {
				f(in.a32, in.x32, in.y32, in.x32)
			}
		}
	case func(dst []float32, a float32, x, y []float32):
		return func(n int) {
			for range n {
				f(in.a32, half, in.x32, in.y32)
			}
		}
	case func(dst, x []float32):
		return func(n int) {
			for range n {
				f(in.a32, in.x32)
			}
		}
	case func(dst, x []float32, lo, hi float32):
		return func(n int) {
			for range n {
				f(in.a32, in.x32, -half, half)
			}
		}
	case func(dst []int8, x []float32, scale float32, zero int8):
		return func(n int) {
			for range n {
				f(in.a8, in.x32, 1./32, 3)
			}
		}
	case func(dst []float32, x []int8, scale float32, zero int8):
		return func(n int) {
			for range n {
				f(in.a32, in.x8, 1./32, 3)
			}
		}
	case func(dst []uint16, x []float32):
		return func(n int) {
			for range n {
				f(in.a16, in.x32)
			}
		}
	case func(dst []float32, x []uint16):
		return func(n int) {
			for range n {
				f(in.a32, in.idx16)
			}
		}
	case func(dst, x []float32, a float32):
		return func(n int) {
			for range n {
				f(in.a32, in.x32, half)
			}
		}
	case func(coef, z, y, weight []float64, delta float64) float64:
		return func(n int) {
			for range n {
				sink = f(a, x, sign, nil, 1)
			}
		}
	case func(z, y, weight []float64, delta float64) float64:
		return func(n int) {
			for range n {
				sink = f(x, sign, nil, 1)
			}
		}
	case func(h, t, z, y, weight []float64, delta float64):
		return func(n int) {
			for range n {
				f(a, b, x, sign, nil, 1)
			}
		}
	case func(l, s []float64, shift float64) float64:
		return func(n int) {
			for range n {
				sink = f(a, x, small)
			}
		}
	case func(l, s []float64, center, scale float64) float64:
		return func(n int) {
			for range n {
				sink = f(a, x, half, 1)
			}
		}
	case func(c, s []float64, center, least float64) (float64, int):
		return func(n int) {
			for range n {
				sink, sinkInt = f(a, x, half, -half)
			}
		}
	case func(s []float64, center, least float64) (float64, int):
		return func(n int) {
			for range n {
				sink, sinkInt = f(x, half, -half)
			}
		}
	case func(s []float64, k int) float64:
		return func(n int) {
			for range n {
				sink = f(x, 1+len(x)/2)
			}
		}
	case func(s []float64, t float64) int:
		return func(n int) {
			for range n {
				sinkInt = f(x, 0)
			}
		}
	case func(s []float64, t float64) (float64, int):
		return func(n int) {
			for range n {
				sink, sinkInt = f(x, 0)
			}
		}
	case func(dst, s []float64, t float64) int:
		return func(n int) {
			for range n {
				sinkInt = f(a, x, 0)
			}
		}
	case func(dst []uint32, s []float64, t float64) int:
		return func(n int) {
			for range n {
				sinkInt = f(in.to, x, 0)
			}
		}
	case func(x []uint32) uint32:
		return func(n int) {
			for range n {
				sinkBits = uint64(f(in.idx))
			}
		}
	case func(x []uint16) uint16:
		return func(n int) {
			for range n {
				sinkBits = uint64(f(in.idx16))
			}
		}
	}
	return nil
}
