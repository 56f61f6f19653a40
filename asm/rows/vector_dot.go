package rows

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// few is how many entries SparseDot does in Go, and some of them twice as many: Go passes
// arguments in registers and assembly takes them from the stack, and with less than nine
// entries a lane has one at most.
const few = 8

// SparseDot is the entry point to VectorDot; values of type uint8 mean that all values are 1 and
// not stored. The sums a0 to a3 are the sums of lanes l and l+4.
//
// Lanes begin as +0, which affects only the sign of a zero sum: it is +0 if a lane has no entry or
// entries have no values. If all lanes have products, only underflow makes the sum -0; Dot computes
// every sum that could be such a case. Callers pass 0 as zero: a float32 conversion keeps half of
// its result register and would otherwise wait for the previous sum.
func SparseDot[I index, V value | uint8](idx *I, val *V, w *float64, n, nv, nw int, zero float64) (sum float64, err error) {
	index := func(e uintptr) uint64 { return uint64(*(*I)(unsafe.Add(unsafe.Pointer(idx), e*unsafe.Sizeof(*idx)))) }
	value := func(e uintptr) float64 { return float64(*(*V)(unsafe.Add(unsafe.Pointer(val), e*unsafe.Sizeof(*val)))) }
	from := func(j uint64) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(w), j*8)) }
	term := func(e uintptr, w float64) float64 {
		if ones := unsafe.Sizeof(*val) == 1; ones {
			return w
		}
		return float64(value(e) * w)
	}
	add := func(e uintptr, w, lane float64) float64 {
		if ones := unsafe.Sizeof(*val) == 1; ones {
			return lane + w
		}
		return math.FMA(value(e), w, lane)
	}
	var j uint64
	var a0, a1, a2, a3, a4 float64
	limit := uint64(nw)
	if unsafe.Sizeof(*val) == 1 {
		val, nv = nil, n // no register for these
	}
	if n != nv {
		goto refused
	}
	if uint(n-1) < 8 {
		if j = index(0); j >= limit {
			goto refused
		}
		a0 = term(0, from(j))
		if n == 1 {
			return zero + a0, nil
		}
		if j = index(1); j >= limit {
			goto refused
		}
		a1 = term(1, from(j))
		if n == 2 {
			return zero + a0 + a1, nil
		}
		if j = index(2); j >= limit {
			goto refused
		}
		a2 = term(2, from(j))
		if n == 3 {
			return zero + a0 + a2 + a1, nil
		}
		if j = index(3); j >= limit {
			goto refused
		}
		a3 = term(3, from(j))
		if n == 4 {
			return (zero + a0 + a2) + (a1 + a3), nil
		}
		if j = index(4); j >= limit {
			goto refused
		}
		a0 += term(4, from(j))
		if n == 5 {
			goto sum
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a1 += term(5, from(j))
		if n == 6 {
			goto sum
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a2 += term(6, from(j))
		if n == 7 {
			goto sum
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a3 += term(7, from(j))
		goto lanes
	}
	if some := unsafe.Sizeof(*val) != 4; some && n > 8 && n <= 16 {
		if j = index(0); j >= limit {
			goto refused
		}
		a0 = term(0, from(j))
		if j = index(8); j >= limit {
			goto refused
		}
		a0 = add(8, from(j), a0)
		if j = index(4); j >= limit {
			goto refused
		}
		a4 = term(4, from(j))
		if n > 12 {
			if j = index(12); j >= limit {
				goto refused
			}
			a4 = add(12, from(j), a4)
		}
		a0 += a4
		if j = index(2); j >= limit {
			goto refused
		}
		a2 = term(2, from(j))
		if n > 10 {
			if j = index(10); j >= limit {
				goto refused
			}
			a2 = add(10, from(j), a2)
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a4 = term(6, from(j))
		if n > 14 {
			if j = index(14); j >= limit {
				goto refused
			}
			a4 = add(14, from(j), a4)
		}
		a2 += a4
		if j = index(1); j >= limit {
			goto refused
		}
		a1 = term(1, from(j))
		if n > 9 {
			if j = index(9); j >= limit {
				goto refused
			}
			a1 = add(9, from(j), a1)
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a4 = term(5, from(j))
		if n > 13 {
			if j = index(13); j >= limit {
				goto refused
			}
			a4 = add(13, from(j), a4)
		}
		a1 += a4
		if j = index(3); j >= limit {
			goto refused
		}
		a3 = term(3, from(j))
		if n > 11 {
			if j = index(11); j >= limit {
				goto refused
			}
			a3 = add(11, from(j), a3)
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a4 = term(7, from(j))
		if n > 15 {
			if j = index(15); j >= limit {
				goto refused
			}
			a4 = add(15, from(j), a4)
		}
		a3 += a4
		goto lanes
	}
	if assembled && n > few && path.Load() != 0 {
		var ok bool
		if ones := unsafe.Sizeof(*val) == 1; ones {
			sum, ok = longDotOnes(unsafe.Sizeof(*idx), unsafe.Pointer(idx), w, n, nw)
		} else {
			sum, ok = longDot(unsafe.Sizeof(LayoutOf[I, V]{}), unsafe.Pointer(idx), unsafe.Pointer(val), w, n, nw)
		}
		if !ok {
			return 0, indexError(unsafe.Sizeof(*val) == 1, unsafe.Slice(idx, n), nw)
		}
		return sum, nil
	}

refused:
	return dotRefused(idx, val, w, n, nv, nw)

lanes:
	if ones := unsafe.Sizeof(*val) == 1; !ones {
		if sum = (a0 + a2) + (a1 + a3); sum == 0 && 1/sum < 0 {
			goto refused
		}
		return sum, nil
	}

sum:
	return (zero + a0 + a2) + (a1 + a3), nil
}

// dotRefused is the entry point in Go: it computes the products that SparseDot does not, or returns
// the error.
//
//go:noinline
func dotRefused[I index, V value | uint8](idx *I, val *V, w *float64, n, nv, nw int) (sum float64, err error) {
	if n != nv {
		return 0, arguments.Lengths("SparseDot", "idx", n, "val", nv)
	}
	ok, at, from := false, unsafe.Slice(arguments.NoEscape(idx), n), unsafe.Slice(arguments.NoEscape(w), nw)
	if k := behindDoors(); unsafe.Sizeof(*val) == 1 {
		sum, ok = (*(*VectorDot[I, struct{}])(k.Dot.of(unsafe.Sizeof(LayoutOf[I, struct{}]{}))))(at, make([]struct{}, n), from)
	} else {
		sum, ok = (*(*VectorDot[I, V])(k.Dot.of(unsafe.Sizeof(LayoutOf[I, V]{}))))(at, unsafe.Slice(arguments.NoEscape(val), nv), from)
	}
	if !ok {
		return 0, indexError(unsafe.Sizeof(*val) == 1, at, nw)
	}
	return sum, nil
}

// indexError is RefusedIndex for the products.
//
//go:noinline
func indexError[I index](ones bool, idx []I, n int) error {
	kernel := "SparseDot"
	if ones {
		kernel += "Ones"
	}
	return RefusedIndex(kernel, idx, n)
}

// RefusedIndex is the error of the first index not below n, which a kernel refused.
func RefusedIndex[I index](kernel string, idx []I, n int) error {
	at := slices.IndexFunc(idx, func(j I) bool { return uint64(j) >= uint64(n) })
	if at < 0 {
		return errors.New("kernels." + kernel + ": the indices changed during the call")
	}
	return &IndexError{kernel, at, int(idx[at]), n}
}
