//lint:file-ignore U1000 the assembly of amd64 calls these functions

package dense

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// The entry points of package kernels. Unlike the kernels they check their arguments, and call the
// kernels of the active path. They are functions, not fields of a table, because a direct call is
// faster, which counts for short vectors. They take a pointer to the first element of each vector,
// and all lengths at the end, which fits more arguments into registers than slices.
//
// AdamStep and MomentumStep check nothing: for their many arguments checks in Go are as fast.
//
// These Go functions define the entry points. On amd64 they are assembly (doors_amd64.s), which
// calls these functions if the active path is the portable one or a check may have failed.

// path is the index in Paths of the kernels that the entry points call. The assembly reads it.
var path atomic.Uint32

// Use makes the entry points call the kernels of Paths[i], from their next call on.
func Use(i int) { path.Store(uint32(i)) }

// From beyond elements on, the amd64 kernels store results that are not in place past the caches.
// If one vector read and one written fill the last cache, the result would be evicted before a
// caller reads it. The assembly reads beyond.
var beyond atomic.Int64

func init() { UseCache(0) }

// UseCache tells how large the last cache of this machine is, in bytes; 0 where nobody
// knows. It changes speed, never a result.
func UseCache(bytes int) {
	if bytes <= 0 {
		bytes = 32 << 20
	}
	// The assembly aligns its stores before it looks how many elements are left.
	beyond.Store(int64(max(64, bytes/16)))
}

func active() *Kernels { return Paths[path.Load()] }

func dot(x []float64, y *float64) float64 { return active().Dot(x, unsafe.Slice(y, len(x))) }

func squaredDistance(x []float64, y *float64) float64 {
	return active().SquaredDistance(x, unsafe.Slice(y, len(x)))
}

func squaredNorm(x []float64) float64 { return active().SquaredNorm(x) }

func sum(x []float64) float64 { return active().Sum(x) }

func maxAbs(x []float64) float64 { return active().MaxAbs(x) }

func adamStep(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64) {
	active().Adam(unsafe.Slice(w, n), unsafe.Slice(m, n), unsafe.Slice(v, n), unsafe.Slice(grad, n),
		Adam{beta1, rest1, beta2, rest2, rate, epsilon, lambda})
}

func momentumStep(w, v, grad *float64, n int, rate, mu, lambda float64) {
	active().Momentum(unsafe.Slice(w, n), unsafe.Slice(v, n), unsafe.Slice(grad, n), rate, mu, lambda)
}

func axpy(a float64, x, y *float64, n, ny int) error {
	from, to := unsafe.Slice(x, n), unsafe.Slice(y, ny)
	if err := arguments.Pair("Axpy", "y", to, "x", from); err != nil {
		return err
	}
	active().Axpy(a, from, to)
	return nil
}

func scaleAdd(dst, x, y *float64, a, b float64, n, nx, ny int) error {
	to, xs, ys, err := three("ScaleAdd", dst, x, y, n, nx, ny)
	if err != nil {
		return err
	}
	active().ScaleAdd(to, a, xs, b, ys)
	return nil
}

func scale(dst, x *float64, a float64, n, nx int) error {
	to, from, err := two("Scale", dst, x, n, nx)
	if err != nil {
		return err
	}
	active().Scale(to, a, from)
	return nil
}

func addScalar(dst, x *float64, a float64, n, nx int) error {
	to, from, err := two("AddScalar", dst, x, n, nx)
	if err != nil {
		return err
	}
	active().AddScalar(to, a, from)
	return nil
}

func mul(dst, x, y *float64, n, nx, ny int) error {
	to, xs, ys, err := three("Mul", dst, x, y, n, nx, ny)
	if err != nil {
		return err
	}
	active().Mul(to, xs, ys)
	return nil
}

func softThreshold(dst, x *float64, t float64, n, nx int) error {
	to, from, err := two("SoftThreshold", dst, x, n, nx)
	if err != nil {
		return err
	}
	if !(t >= 0) {
		return fmt.Errorf("kernels.SoftThreshold: the threshold is %v; it must be 0 or more", t)
	}
	active().SoftThreshold(to, from, t)
	return nil
}

func box(dst, x *float64, lo, hi float64, n, nx int) error {
	to, from, err := two("Box", dst, x, n, nx)
	if err != nil {
		return err
	}
	if !(lo <= hi) {
		return fmt.Errorf("kernels.Box: the bounds are %v and %v; the lower may not be above the upper", lo, hi)
	}
	active().Box(to, from, lo, hi)
	return nil
}

// two makes slices of a result and a source, and checks them.
func two(kernel string, dst, x *float64, n, nx int) (to, from []float64, err error) {
	to, from = unsafe.Slice(dst, n), unsafe.Slice(x, nx)
	return to, from, arguments.Pair(kernel, "dst", to, "x", from)
}

// three makes slices of a result and two sources, and checks them.
func three(kernel string, dst, x, y *float64, n, nx, ny int) (to, xs, ys []float64, err error) {
	to, xs, ys = unsafe.Slice(dst, n), unsafe.Slice(x, nx), unsafe.Slice(y, ny)
	return to, xs, ys, errors.Join(arguments.Pair(kernel, "dst", to, "x", xs), arguments.Pair(kernel, "dst", to, "y", ys))
}
