package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// byElements is the definition, element after element.
func byElements(dst, a, w []float64, rows, inner, width, rowStep, termStep int) {
	for i := range rows {
		for j := range width {
			for k := range inner {
				dst[i*width+j] = math.FMA(a[i*rowStep+k*termStep], w[k*width+j], dst[i*width+j])
			}
		}
	}
}

func addMatMul(dst, a, w []float64, inner, width int) error {
	return AddMatMul(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(w), len(dst), len(a), len(w), inner, width)
}

func addMatTransMul(w, a, c []float64, inner, width int) error {
	return AddMatTransMul(unsafe.SliceData(w), unsafe.SliceData(a), unsafe.SliceData(c), len(w), len(a), len(c), inner, width)
}

func sameMatrix(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !asmtest.Same(got[i], want[i]) {
			t.Fatalf("%s: element %d is %v, the definition has %v", what, i, got[i], want[i])
		}
	}
}

// shapes are rows, terms and columns: all small ones of tiles, and larger ones that are
// packed, in one panel and in several.
func shapes() (list [][3]int) {
	for rows := range 19 {
		for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 15, 16, 23, 24, 25, 31, 47, 49} {
			list = append(list, [3]int{rows, 1 + (rows*width)%5, width})
		}
	}
	return append(list, [3]int{17, 86, 48}, [3]int{17, 300, 33}, [3]int{29, 128, 33}, [3]int{18, 129, 100}, [3]int{300, 2, 3})
}

func TestMatMulAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for n, shape := range shapes() {
		rows, inner, width := shape[0], shape[1], shape[2]
		guard := asmtest.Guarded[float64]
		if n%2 == 0 {
			guard = asmtest.GuardedFront[float64]
		}
		dst, a, w := guard(t, rows*width), guard(t, rows*inner), guard(t, inner*width)
		for _, v := range [][]float64{dst, a, w} {
			asmtest.Fill(v, random, values[n%len(values)])
		}
		start := slices.Clone(dst)
		for _, steps := range [][2]int{{inner, 1}, {1, rows}} {
			want := slices.Clone(start)
			byElements(want, a, w, rows, inner, width, steps[0], steps[1])
			for _, table := range append(runnable(t), &Generic) {
				copy(dst, start)
				table.Wide.MatMul(dst, a, w, rows, inner, width, steps[0], steps[1])
				sameMatrix(t, fmt.Sprint(table.Path, ", rows, terms and columns ", shape, ", steps ", steps), dst, want)
			}
			before := int(path.Load())
			for i, table := range Paths {
				if i > 0 && !slices.Contains(runnable(t), table) {
					continue
				}
				Use(i)
				copy(dst, start)
				var err error
				if steps[1] == 1 {
					err = addMatMul(dst, a, w, inner, width)
				} else if rows > 0 {
					err = addMatTransMul(dst, a, w, rows, width)
				}
				if err != nil {
					t.Fatal(err)
				}
				sameMatrix(t, fmt.Sprint("door on ", table.Path, ", rows, terms and columns ", shape, ", steps ", steps), dst, want)
			}
			Use(before)
		}
	}
}

// TestMatMulOfSteps: the rows and terms of a may lie anyhow.
func TestMatMulOfSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(33, 34))
	const rows, inner, width = 13, 6, 29
	for _, steps := range [][2]int{{0, 0}, {0, 1}, {7, 100}, {20, 3}, {1, 1}, {1, 0}} {
		a, w, start := make([]float64, 1000), make([]float64, inner*width), make([]float64, rows*width)
		for _, v := range [][]float64{a, w, start} {
			asmtest.Fill(v, random, (*rand.Rand).NormFloat64)
		}
		want := slices.Clone(start)
		byElements(want, a, w, rows, inner, width, steps[0], steps[1])
		for _, table := range append(runnable(t), &Generic) {
			got := slices.Clone(start)
			table.Wide.MatMul(got, a, w, rows, inner, width, steps[0], steps[1])
			sameMatrix(t, fmt.Sprint(table.Path, ", steps ", steps), got, want)
		}
	}
}

// TestMatMulRefuses gives the entry points one matrix of a wrong size, and sizes whose product
// overflows. It also gives results that overlap a source by any number of elements.
func TestMatMulRefuses(t *testing.T) {
	const n, inner, width = 2, 3, 4
	all := make([]float64, 100)
	for _, c := range [][5]int{
		{n*width + 1, n * inner, inner * width, inner, width}, {n*width - width, n * inner, inner * width, inner, width},
		{n * width, n*inner + 1, inner * width, inner, width}, {n * width, n*inner + inner, inner * width, inner, width},
		{n * width, n * inner, inner*width + 1, inner, width}, {n * width, n * inner, 0, inner, width},
		{0, 0, 0, 0, 0}, {0, 0, 0, math.MaxInt/2 + 1, 4}, {0, 0, 0, math.MinInt, 2}, {1, 1, 1, -1, -1},
	} {
		dst, a, w := make([]float64, c[0]), make([]float64, c[1]), make([]float64, c[2])
		if addMatMul(dst, a, w, c[3], c[4]) == nil || addMatTransMul(w, a, dst, c[3], c[4]) == nil {
			t.Errorf("elements and columns %v: no error", c)
		}
	}
	for rows := 1; rows < 5; rows++ {
		for shift := -12; shift <= 12; shift++ {
			dst, source := all[40:][:rows*2], all[40+shift:][:4]
			wanted := shift > -4 && shift < 2*rows
			other := make([]float64, 4)
			if err := addMatMul(dst, make([]float64, 2*rows), source, 2, 2); (err != nil) != wanted {
				t.Errorf("%d rows, W %d elements behind: %v", rows, shift, err)
			}
			if err := addMatTransMul(source, make([]float64, 2*rows), dst, 2, 2); (err != nil) != wanted {
				t.Errorf("%d rows, C %d elements before: %v", rows, shift, err)
			}
			if rows == 2 {
				if err := addMatMul(dst, source, other, 2, 2); (err != nil) != wanted {
					t.Errorf("A %d elements behind: %v", shift, err)
				}
				if err := addMatTransMul(dst, source, other, 2, 2); (err != nil) != wanted {
					t.Errorf("A %d elements behind the sum: %v", shift, err)
				}
			}
		}
	}
	x := []float64{2, 3}
	if addMatMul(x[:1], x[:1], x[1:], 1, 1) == nil || addMatMul(x[:1], x[1:], x[:1], 1, 1) == nil ||
		addMatTransMul(x[:1], x[:1], x[1:], 1, 1) == nil || addMatTransMul(x[:1], x[1:], x[:1], 1, 1) == nil || x[0] != 2 {
		t.Error("an element over itself")
	}
}

// TestGramAgrees compares every path with the definition, element after element, next to
// inaccessible pages. What is above the diagonal or between rows must stay.
func TestGramAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 36))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for n, shape := range [][4]int{
		{0, 0, 3, 0}, {1, 0, 1, 0}, {1, 0, 5, 2}, {3, 2, 4, 0}, {4, 0, 4, 0}, {5, 0, 12, 0}, {7, 5, 13, 1}, {8, 11, 12, 0}, {9, 12, 24, 0},
		{127, 0, 25, 0}, {128, 24, 37, 3}, {129, 0, 50, 0}, {260, 13, 47, 0}, {3, 0, 300, 0}, {131, 250, 270, 0}, {6, 257, 260, 5},
	} {
		terms, low, high, more := shape[0], shape[1], shape[2], shape[3]
		guard := asmtest.Guarded[float64]
		if n%2 == 0 {
			guard = asmtest.GuardedFront[float64]
		}
		next, stride := high+more, high+2*more
		dst, x, c := guard(t, (high-low-1)*next+high), guard(t, max(0, (terms-1)*stride+high)), guard(t, terms)
		for _, v := range [][]float64{dst, x, c} {
			asmtest.Fill(v, random, values[n%len(values)])
		}
		start, want := slices.Clone(dst), slices.Clone(dst)
		for a := low; a < high; a++ {
			for b := 0; b <= a; b++ {
				for k := range terms {
					by := c[k] * x[k*stride+a]
					want[(a-low)*next+b] = math.FMA(by, x[k*stride+b], want[(a-low)*next+b])
				}
			}
		}
		for _, table := range append(runnable(t), &Generic) {
			copy(dst, start)
			table.Wide.Gram(dst, next, x, stride, c, low, high)
			sameMatrix(t, fmt.Sprint(table.Path, ", terms, first, end and gap ", shape), dst, want)
		}
	}
}

func TestGramRefuses(t *testing.T) {
	all := make([]float64, 64)
	for _, c := range [][4]int{{4, 6, 3, 0}, {4, 6, 2, 2}, {3, 6, 3, 2}, {4, 7, 3, 2}, {0, 0, 0, -1}, {0, 0, 0, math.MaxInt}} {
		if AddGram(all[:c[0]], all[16:16+c[1]], all[32:32+c[2]], c[3]) == nil {
			t.Errorf("elements and columns %v: no error", c)
		}
	}
	for shift := range 9 {
		wanted := shift < 4
		if err := AddGram(all[8:12], all[8+shift:][:6], all[40:43], 2); (err != nil) != wanted {
			t.Errorf("X %d elements behind: %v", shift, err)
		}
		if err := AddGram(all[8:12], all[40:46], all[8+shift:][:3], 2); (err != nil) != wanted {
			t.Errorf("c %d elements behind: %v", shift, err)
		}
	}
	if err := AddGram(all[:4], nil, nil, 2); err != nil {
		t.Error(err)
	}
}
