package vector_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels/vector"
)

// onRows is a function of a query and rows.
type onRows[D, T any] struct {
	name string
	of   func(dst []D, query, rows []T, stride int, list []uint32) error
}

// TestRowsChecked: results that lie on the list of rows, and strides whose products overflow, are errors
// for which nothing is written.
func TestRowsChecked(t *testing.T) {
	for _, f := range []onRows[float32, float32]{{"DotRows", vector.DotRows}, {"SquaredDistanceRows", vector.SquaredDistanceRows}, {"CosineRows", vector.CosineRows}} {
		rowsAreChecked(t, f, 1)
	}
	for _, f := range []onRows[int32, int8]{{"DotInt8Rows", vector.DotInt8Rows}, {"SquaredDistanceInt8Rows", vector.SquaredDistanceInt8Rows}} {
		rowsAreChecked(t, f, 1)
	}
	rowsAreChecked(t, onRows[int32, uint64]{"HammingRows", vector.HammingRows}, 1)
	rowsAreChecked(t, onRows[float32, uint64]{"JaccardRows", vector.JaccardRows}, 1)
}

func rowsAreChecked[D vector.Score, T float32 | int8 | uint64](t *testing.T, f onRows[D, T], one T) {
	t.Helper()
	calls := map[string]func(dst []D, query, rows []T, stride int, list []uint32) error{
		f.name: f.of,
		"Queries": func(dst []D, query, rows []T, stride int, list []uint32) error {
			return vector.Queries(dst, query, len(query), rows, stride, list, f.of)
		},
	}
	for name, call := range calls {
		query, rows := []T{one}, []T{one, one, one, one}
		for _, shift := range []int{0, 1, 7, 8} {
			both := make([]uint32, 16)
			for i := range both {
				both[i] = uint32(i % 4)
			}
			before := slices.Clone(both)
			list, on := both[:8], both[shift:shift+8]
			dst := unsafe.Slice((*D)(unsafe.Pointer(&on[0])), 8)
			err := call(dst, query, rows, 1, list)
			if refused := err != nil; refused != (shift < 8) || refused && !slices.Equal(both, before) || !slices.Equal(list, before[:8]) && !refused {
				t.Errorf("%s, %s: results %d numbers behind the start of the list: error %v, %v", f.name, name, shift, err, both)
			}
		}
		for _, stride := range []int{math.MaxInt/2 + 1, math.MaxInt/4 + 1, math.MaxInt, 4, 3} {
			whole := 1
			if stride == 3 {
				whole = 2
			}
			for _, count := range []int{1, 2, 3, 5} {
				dst := make([]D, count)
				for k := range dst {
					dst[k] = 77
				}
				err := call(dst, query, rows, stride, nil)
				if (err == nil) != (count <= whole) || err != nil && (slices.Index(dst, 77) != 0 || !strings.Contains(err.Error(), "stride")) {
					t.Errorf("%s, %s: %d rows at stride %d: error %v, %v", f.name, name, count, stride, err, dst)
				}
			}
			for number := range uint32(3) {
				if err := call(make([]D, 1), query, rows, stride, []uint32{number}); (err == nil) != (int(number) < whole) {
					t.Errorf("%s, %s: row %d at stride %d: error %v", f.name, name, number, stride, err)
				}
			}
		}
	}
}

// TestQueriesApart: results on the second query, on rows or on the list are errors, though the function's
// own calls would not see them.
func TestQueriesApart(t *testing.T) {
	for name, place := range map[string]func(all []float32, numbers []uint32) (dst []float32){
		"the second query": func(all []float32, _ []uint32) []float32 { return all[1:3] },
		"the rows":         func(all []float32, _ []uint32) []float32 { return all[2:4] },
		"the list": func(_ []float32, list []uint32) []float32 {
			return unsafe.Slice((*float32)(unsafe.Pointer(&list[0])), 2)
		},
	} {
		all, numbers := []float32{1, 2, 0, 10}, []uint32{0, 0}
		dst := place(all, numbers)
		if err := vector.Queries(dst, all[:2], 1, all[3:], 1, numbers[1:], vector.DotRows); err == nil || !slices.Equal(all, []float32{1, 2, 0, 10}) || numbers[0] != 0 || numbers[1] != 0 {
			t.Errorf("results on %s: error %v, %v, %v", name, err, all, numbers)
		}
	}
}

// TestCountsOfManyWords: sums of integers hold as many of the largest terms as lanes of 16 bits would not.
func TestCountsOfManyWords(t *testing.T) {
	for _, n := range []int{8192, 8194, 70000} {
		ones, zeros := make([]uint64, n), make([]uint64, n)
		for i := range ones {
			ones[i] = math.MaxUint64
		}
		different, err := vector.Hamming(ones, zeros)
		if err != nil || different != int32(64*n) {
			t.Errorf("%d words: %v bits differ, error %v", n, different, err)
		}
		if same, err := vector.Jaccard(ones, ones); err != nil || same != 1 {
			t.Errorf("%d words: a share of %v, error %v", n, same, err)
		}
		counts, shares := make([]int32, 1), make([]float32, 1)
		if err := vector.HammingRows(counts, ones, zeros, n, nil); err != nil || counts[0] != int32(64*n) {
			t.Errorf("%d words of a row: %v bits differ, error %v", n, counts, err)
		}
		if err := vector.JaccardRows(shares, ones, ones, n, nil); err != nil || shares[0] != 1 {
			t.Errorf("%d words of a row: a share of %v, error %v", n, shares, err)
		}
		x, y := make([]int8, n), make([]int8, n)
		for i := range x {
			x[i], y[i] = -128, 127
		}
		sums := make([]int32, 1)
		if err := vector.DotInt8Rows(sums, x, x, n, nil); err != nil || sums[0] != int32(128*128*n) {
			t.Errorf("%d elements of a row: %v, error %v", n, sums, err)
		}
		for _, c := range []struct {
			of   func(x, y []int8) (int32, error)
			y    []int8
			n    int
			term int
		}{{vector.DotInt8, x, n, 128 * 128}, {vector.DotInt8, y, n, -128 * 127}, {vector.SquaredDistanceInt8, y, min(n, 33025), 255 * 255}} {
			if got, err := c.of(x[:c.n], c.y[:c.n]); err != nil || got != int32(c.term*c.n) {
				t.Errorf("%d elements: a sum of %v, not %v; error %v", c.n, got, c.term*c.n, err)
			}
		}
	}
}

// TestJaccardOfManyBits has more bits than float32 counts: the share of two counts is rounded, and no count
// is.
func TestJaccardOfManyBits(t *testing.T) {
	const n = 1<<18 + 1 // words, with 2^24 + 64 bits
	for path := range pathtest.Paths(t) {
		x, y := make([]uint64, n), make([]uint64, n)
		for i := range n - 1 {
			x[i], y[i] = math.MaxUint64, math.MaxUint64
		}
		for more := range 8 { // bits that y has and x lacks
			x[n-1], y[n-1] = 1, 1<<(more+1)-1
			want := float32(float64(1<<24+1) / float64(1<<24+more+1))
			got, err := vector.Jaccard(x, y)
			dst := make([]float32, 1)
			if err := cmp.Or(err, vector.JaccardRows(dst, x, y, n, nil)); err != nil || got != want || dst[0] != want {
				t.Fatalf("%s: %d of %d bits: %v, %v, not %v; error %v", path, 1<<24+1, 1<<24+more+1, got, dst[0], want, err)
			}
		}
	}
}

// TestMostWords: vectors whose counts may not fit in 32 bits are refused, and no shorter ones.
func TestMostWords(t *testing.T) {
	x := make([]uint64, 33_554_432) // which are read once, and never written
	if different, err := vector.Hamming(x[1:], x[1:]); err != nil || different != 0 {
		t.Errorf("%d words: %v, error %v", len(x)-1, different, err)
	}
	counts, shares := []int32{5}, []float32{5}
	_, err1 := vector.Hamming(x, x)
	_, err2 := vector.Jaccard(x, x)
	err3, err4 := vector.HammingRows(counts, x, x, 1, nil), vector.JaccardRows(shares, x, x, 1, nil)
	for _, err := range []error{err1, err2, err3, err4} {
		if err == nil || !strings.Contains(err.Error(), "there may be 33554431") {
			t.Errorf("%d words: error %v", len(x), err)
		}
	}
	if counts[0] != 5 || shares[0] != 5 {
		t.Errorf("refused calls write: %v, %v", counts, shares)
	}
}
