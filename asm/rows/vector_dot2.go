package rows

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/internal/arguments"
)

// SparseDot2 is the door to Dot2, as SparseDot is that to Dot. The order of its arguments is
// that in which most of them fit in registers.
func SparseDot2[I index, V value](idxs []I, val *V, ws []float64, nv int, w2 *float64, n2 int) (sum1, sum2 float64, err error) {
	idx, w1, n, n1 := unsafe.SliceData(idxs), unsafe.SliceData(ws), len(idxs), len(ws)
	index := func(e uintptr) uint64 { return uint64(*(*I)(unsafe.Add(unsafe.Pointer(idx), e*unsafe.Sizeof(*idx)))) }
	value := func(e uintptr) float64 { return float64(*(*V)(unsafe.Add(unsafe.Pointer(val), e*unsafe.Sizeof(*val)))) }
	from1 := func(j uint64) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(w1), j*8)) }
	from2 := func(j uint64) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(w2), j*8)) }
	term := func(e uintptr, w float64) float64 {
		return float64(value(e) * w)
	}
	add := func(e uintptr, w, lane float64) float64 {
		return math.FMA(value(e), w, lane)
	}
	var j uint64
	var a0, b0, a1, b1, a2, b2, a3, b3, a4, b4 float64
	limit, some := uint64(n1), 12
	if unsafe.Sizeof(*val) == 4 {
		some = 8
	}
	if n != nv || n1 != n2 {
		goto refused
	}
	if uint(n-1) < 8 {
		if j = index(0); j >= limit {
			goto refused
		}
		a0, b0 = term(0, from1(j)), term(0, from2(j))
		if n == 1 {
			return a0 + 0, b0 + 0, nil
		}
		if j = index(1); j >= limit {
			goto refused
		}
		a1, b1 = term(1, from1(j)), term(1, from2(j))
		if n == 2 {
			return a0 + a1 + 0, b0 + b1 + 0, nil
		}
		if j = index(2); j >= limit {
			goto refused
		}
		a2, b2 = term(2, from1(j)), term(2, from2(j))
		if n == 3 {
			return a0 + a2 + a1 + 0, b0 + b2 + b1 + 0, nil
		}
		if j = index(3); j >= limit {
			goto refused
		}
		a3, b3 = term(3, from1(j)), term(3, from2(j))
		if n == 4 {
			return (a0 + a2) + (a1 + a3) + 0, (b0 + b2) + (b1 + b3) + 0, nil
		}
		if j = index(4); j >= limit {
			goto refused
		}
		a0, b0 = a0+term(4, from1(j)), b0+term(4, from2(j))
		if n == 5 {
			goto sum
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a1, b1 = a1+term(5, from1(j)), b1+term(5, from2(j))
		if n == 6 {
			goto sum
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a2, b2 = a2+term(6, from1(j)), b2+term(6, from2(j))
		if n == 7 {
			goto sum
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a3, b3 = a3+term(7, from1(j)), b3+term(7, from2(j))
		goto lanes
	}
	if n > 8 && n <= some {
		if j = index(0); j >= limit {
			goto refused
		}
		a0, b0 = term(0, from1(j)), term(0, from2(j))
		if j = index(8); j >= limit {
			goto refused
		}
		a0, b0 = add(8, from1(j), a0), add(8, from2(j), b0)
		if j = index(4); j >= limit {
			goto refused
		}
		a4, b4 = term(4, from1(j)), term(4, from2(j))
		a0, b0 = a0+a4, b0+b4
		if j = index(2); j >= limit {
			goto refused
		}
		a2, b2 = term(2, from1(j)), term(2, from2(j))
		if n > 10 {
			if j = index(10); j >= limit {
				goto refused
			}
			a2, b2 = add(10, from1(j), a2), add(10, from2(j), b2)
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a4, b4 = term(6, from1(j)), term(6, from2(j))
		a2, b2 = a2+a4, b2+b4
		if j = index(1); j >= limit {
			goto refused
		}
		a1, b1 = term(1, from1(j)), term(1, from2(j))
		if n > 9 {
			if j = index(9); j >= limit {
				goto refused
			}
			a1, b1 = add(9, from1(j), a1), add(9, from2(j), b1)
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a4, b4 = term(5, from1(j)), term(5, from2(j))
		a1, b1 = a1+a4, b1+b4
		if j = index(3); j >= limit {
			goto refused
		}
		a3, b3 = term(3, from1(j)), term(3, from2(j))
		if n > 11 {
			if j = index(11); j >= limit {
				goto refused
			}
			a3, b3 = add(11, from1(j), a3), add(11, from2(j), b3)
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a4, b4 = term(7, from1(j)), term(7, from2(j))
		a3, b3 = a3+a4, b3+b4
		goto lanes
	}
	if assembled && n > few && path.Load() != 0 {
		var ok bool
		if sum1, sum2, ok = longDot2(unsafe.Sizeof(LayoutOf[I, V]{}), unsafe.Pointer(idx), unsafe.Pointer(val), w1, w2, n, n1); !ok {
			return 0, 0, indexError("SparseDot2", false, idxs, n1)
		}
		return sum1, sum2, nil
	}

refused:
	return dot2Refused(idxs, val, ws, nv, w2, n2)

lanes:
	sum1, sum2 = (a0+a2)+(a1+a3), (b0+b2)+(b1+b3)
	if sum1 == 0 && 1/sum1 < 0 || sum2 == 0 && 1/sum2 < 0 {
		goto refused
	}
	return sum1, sum2, nil

sum:
	return (a0 + a2) + (a1 + a3) + 0, (b0 + b2) + (b1 + b3) + 0, nil
}

//go:noinline
func dot2Refused[I index, V value](idx []I, val *V, w1 []float64, nv int, w2 *float64, n2 int) (sum1, sum2 float64, err error) {
	const name = "SparseDot2"
	if len(idx) != nv {
		return 0, 0, arguments.Lengths(name, "idx", len(idx), "val", nv)
	}
	if len(w1) != n2 {
		return 0, 0, arguments.Lengths(name, "w1", len(w1), "w2", n2)
	}
	at, from1, from2 := unsafe.Slice(arguments.Unseen(unsafe.SliceData(idx)), nv), unsafe.Slice(arguments.Unseen(unsafe.SliceData(w1)), n2), unsafe.Slice(arguments.Unseen(w2), n2)
	sum1, sum2, ok := kernelsOf[I, V]().Dot2(at, unsafe.Slice(arguments.Unseen(val), nv), from1, from2)
	if !ok {
		return 0, 0, indexError(name, false, idx, n2)
	}
	return sum1, sum2, nil
}
