package kernels_test

import (
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/allocations"
	"github.com/lanes-go/lanes/internal/pathtest"
	"github.com/lanes-go/lanes/kernels"
)

// TestSparseSparseDot compares all layouts with the dense product of the vectors.
func TestSparseSparseDot(t *testing.T) {
	for path := range pathtest.Paths(t) {
		for n := range 60 {
			var idx1, idx2 []uint32
			var narrow1, narrow2 []uint16
			var val1, val2 []float64
			var small1, small2 []float32
			want, common := 0.0, 0
			for j := range uint32(4 * n) {
				in1, in2 := j*7919%5 < 2, j*104729%7 < 3
				x, y := float32(math.Sqrt(float64(j))), float32(j%11)-4
				if in1 {
					idx1, narrow1, val1, small1 = append(idx1, j), append(narrow1, uint16(j)), append(val1, float64(x)), append(small1, x)
				}
				if in2 {
					idx2, narrow2, val2, small2 = append(idx2, j), append(narrow2, uint16(j)), append(val2, float64(y)), append(small2, y)
				}
				if in1 && in2 {
					want, common = math.FMA(float64(x), float64(y), want), common+1
				}
			}
			for layout, dot := range map[string]func() (float64, error){
				"uint32, float64": func() (float64, error) { return kernels.SparseSparseDot(idx1, val1, idx2, val2) },
				"uint32, float32": func() (float64, error) { return kernels.SparseSparseDot(idx1, small1, idx2, small2) },
				"uint16, float64": func() (float64, error) { return kernels.SparseSparseDot(narrow1, val1, narrow2, val2) },
				"uint16, float32": func() (float64, error) { return kernels.SparseSparseDot(narrow1, small1, narrow2, small2) },
				"turned":          func() (float64, error) { return kernels.SparseSparseDot(idx2, val2, idx1, val1) },
			} {
				if got, err := dot(); err != nil || got != want {
					t.Fatalf("%s, %s, %d and %d entries: %v, want %v (%v)", path, layout, len(idx1), len(idx2), got, want, err)
				}
			}
			wide, err1 := kernels.CommonIndices(idx1, idx2)
			narrow, err2 := kernels.CommonIndices(narrow2, narrow1)
			if err1 != nil || err2 != nil || wide != common || narrow != common {
				t.Fatalf("%s: %d and %d in common, not %d (%v, %v)", path, wide, narrow, common, err1, err2)
			}
		}
	}
}

func TestCommonRefusesDisorder(t *testing.T) {
	good, val := []uint32{1, 5, 9, 10}, make([]float64, 4)
	for _, bad := range [][]uint32{{1, 5, 5, 10}, {9, 1, 2, 3}, {1, 2, 3, 0}} {
		_, err := kernels.SparseSparseDot(good, val, bad, val)
		if err == nil || !strings.Contains(err.Error(), "idx2 must increase strictly; at position") {
			t.Errorf("%v: %v", bad, err)
		}
		if _, err := kernels.CommonIndices(bad, good); err == nil || !strings.Contains(err.Error(), "idx1") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if n := allocations.Count(10, func() {
		_, _ = kernels.SparseSparseDot(good, val, good, val)
		_, _ = kernels.CommonIndices(good, good)
	}); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
