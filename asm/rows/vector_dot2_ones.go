package rows

import (
	"unsafe"

	"github.com/lanes-go/lanes/internal/arguments"
)

// SparseDot2Ones is SparseDot2 where every value is 1 and none is stored. It is a function of
// its own because all its arguments fit in registers. idx has n elements, w2 has n2.
func SparseDot2Ones[I index](idx *I, ws []float64, w2 *float64, n, n2 int) (sum1, sum2 float64, err error) {
	w1, n1 := unsafe.SliceData(ws), len(ws)
	index := func(e uintptr) uint64 { return uint64(*(*I)(unsafe.Add(unsafe.Pointer(idx), e*unsafe.Sizeof(*idx)))) }
	from1 := func(j uint64) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(w1), j*8)) }
	from2 := func(j uint64) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(w2), j*8)) }
	var j uint64
	var a0, b0, a1, b1, a2, b2, a3, b3, a4, b4 float64
	limit := uint64(n1)
	if n1 != n2 {
		goto refused
	}
	if uint(n-1) < 8 {
		if j = index(0); j >= limit {
			goto refused
		}
		a0, b0 = from1(j), from2(j)
		if n == 1 {
			return a0 + 0, b0 + 0, nil
		}
		if j = index(1); j >= limit {
			goto refused
		}
		a1, b1 = from1(j), from2(j)
		if n == 2 {
			return a0 + a1 + 0, b0 + b1 + 0, nil
		}
		if j = index(2); j >= limit {
			goto refused
		}
		a2, b2 = from1(j), from2(j)
		if n == 3 {
			return a0 + a2 + a1 + 0, b0 + b2 + b1 + 0, nil
		}
		if j = index(3); j >= limit {
			goto refused
		}
		a3, b3 = from1(j), from2(j)
		if n == 4 {
			return (a0 + a2) + (a1 + a3) + 0, (b0 + b2) + (b1 + b3) + 0, nil
		}
		if j = index(4); j >= limit {
			goto refused
		}
		a0, b0 = a0+from1(j), b0+from2(j)
		if n == 5 {
			goto sum
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a1, b1 = a1+from1(j), b1+from2(j)
		if n == 6 {
			goto sum
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a2, b2 = a2+from1(j), b2+from2(j)
		if n == 7 {
			goto sum
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a3, b3 = a3+from1(j), b3+from2(j)
		goto sum
	}
	if n > 8 && n <= 16 {
		if j = index(0); j >= limit {
			goto refused
		}
		a0, b0 = from1(j), from2(j)
		if j = index(8); j >= limit {
			goto refused
		}
		a0, b0 = a0+from1(j), b0+from2(j)
		if j = index(4); j >= limit {
			goto refused
		}
		a4, b4 = from1(j), from2(j)
		if n > 12 {
			if j = index(12); j >= limit {
				goto refused
			}
			a4, b4 = a4+from1(j), b4+from2(j)
		}
		a0, b0 = a0+a4, b0+b4
		if j = index(2); j >= limit {
			goto refused
		}
		a2, b2 = from1(j), from2(j)
		if n > 10 {
			if j = index(10); j >= limit {
				goto refused
			}
			a2, b2 = a2+from1(j), b2+from2(j)
		}
		if j = index(6); j >= limit {
			goto refused
		}
		a4, b4 = from1(j), from2(j)
		if n > 14 {
			if j = index(14); j >= limit {
				goto refused
			}
			a4, b4 = a4+from1(j), b4+from2(j)
		}
		a2, b2 = a2+a4, b2+b4
		if j = index(1); j >= limit {
			goto refused
		}
		a1, b1 = from1(j), from2(j)
		if n > 9 {
			if j = index(9); j >= limit {
				goto refused
			}
			a1, b1 = a1+from1(j), b1+from2(j)
		}
		if j = index(5); j >= limit {
			goto refused
		}
		a4, b4 = from1(j), from2(j)
		if n > 13 {
			if j = index(13); j >= limit {
				goto refused
			}
			a4, b4 = a4+from1(j), b4+from2(j)
		}
		a1, b1 = a1+a4, b1+b4
		if j = index(3); j >= limit {
			goto refused
		}
		a3, b3 = from1(j), from2(j)
		if n > 11 {
			if j = index(11); j >= limit {
				goto refused
			}
			a3, b3 = a3+from1(j), b3+from2(j)
		}
		if j = index(7); j >= limit {
			goto refused
		}
		a4, b4 = from1(j), from2(j)
		if n > 15 {
			if j = index(15); j >= limit {
				goto refused
			}
			a4, b4 = a4+from1(j), b4+from2(j)
		}
		a3, b3 = a3+a4, b3+b4
		goto sum
	}
	if assembled && n > few && path.Load() != 0 {
		var ok bool
		if sum1, sum2, ok = longDot2Ones(unsafe.Sizeof(*idx), unsafe.Pointer(idx), w1, w2, n, n1); !ok {
			return 0, 0, indexError("SparseDot2", true, unsafe.Slice(idx, n), n1)
		}
		return sum1, sum2, nil
	}

refused:
	return dot2OnesRefused(idx, ws, w2, n, n2)

sum:
	return (a0 + a2) + (a1 + a3) + 0, (b0 + b2) + (b1 + b3) + 0, nil
}

//go:noinline
func dot2OnesRefused[I index](idx *I, w1 []float64, w2 *float64, n, n2 int) (sum1, sum2 float64, err error) {
	if len(w1) != n2 {
		return 0, 0, arguments.Lengths("SparseDot2Ones", "w1", len(w1), "w2", n2)
	}
	at, from1, from2 := unsafe.Slice(arguments.Unseen(idx), n), unsafe.Slice(arguments.Unseen(unsafe.SliceData(w1)), n2), unsafe.Slice(arguments.Unseen(w2), n2)
	sum1, sum2, ok := kernelsOf[I, struct{}]().Dot2(at, make([]struct{}, n), from1, from2)
	if !ok {
		return 0, 0, indexError("SparseDot2", true, at, n2)
	}
	return sum1, sum2, nil
}
