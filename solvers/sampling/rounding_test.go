package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAliasWeightZero: what rounding leaves over never falls to a number of weight 0.
func TestAliasWeightZero(t *testing.T) {
	weights := []float64{0, 2, 7, 0, 1}
	a := &Alias{slots: []slot{{0.9, 2}, {0.4, 0}, {1, 2}, {0, 3}, {0.25, 2}}}
	a.settle([]uint32{0, 1, 3}, weights)
	want := []slot{{0, 2}, {1, 0}, {1, 2}, {0, 2}, {0.25, 2}}
	if !slices.Equal(a.slots, want) {
		t.Errorf("slots %v, want %v", a.slots, want)
	}
}

// TestBatchBlocksGrow: every choice has a larger block than the one before, so that there are fewer
// choices than numbers, also if many marginals are nearly equal.
func TestBatchBlocksGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for range 3000 {
		n := 2 + r.IntN(30)
		size := 1 + r.IntN(n)
		q := make([]float64, n)
		for i := range q {
			q[i] = float64(1+r.IntN(4)) + 1e-15*float64(r.IntN(40))*float64(r.IntN(2))
		}
		if err := Cap(q, size); err != nil {
			t.Fatal(err)
		}
		for i := range q {
			q[i] *= float64(size)
		}
		b, err := NewBatch(n, size)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Set(q); err != nil {
			t.Fatal(err)
		}
		for k := 1; k < len(b.choices); k++ {
			if c, before := b.choices[k], b.choices[k-1]; c.first > before.first || c.last < before.last || c.last-c.first <= before.last-before.first {
				t.Fatalf("marginals %v: block %v after %v", q, c, before)
			}
		}
	}
}

// TestTreeWeightZero: the place that is drawn may round up to the sum itself, which is
// the end of the last weight. With weights next to the least number it often does.
func TestTreeWeightZero(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, w := range [][]float64{{tiny, 0}, {tiny, 0, 0, 0}, {0, tiny, 0}, {0, 2 * tiny, 0, 3 * tiny, 0, 0, 0}} {
		tree := NewTree(len(w))
		copy(tree.Weights(), w)
		tree.Build()
		random := NewRandom(3)
		for range 200 {
			if i := tree.Draw(random); w[i] == 0 {
				t.Fatalf("weights %v: number %d is drawn", w, i)
			}
		}
	}
}

// TestMarginsOfError: sums and marginals may miss by a billionth, not by more.
func TestMarginsOfError(t *testing.T) {
	b, err := NewBatch(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    []float64
		good bool
	}{
		{[]float64{1, 0.5, 0.5}, true}, {[]float64{1 + 5e-10, 0.5, 0.5}, true}, {[]float64{1 + 3e-9, 0.5, 0.5 - 3e-9}, false},
		{[]float64{1, 0.5, 0.5 + 1.5e-9}, true}, {[]float64{1, 0.5, 0.5 - 1.5e-9}, true},
		{[]float64{1, 0.5, 0.5 + 3e-9}, false}, {[]float64{1, 0.5, 0.5 - 3e-9}, false}, {[]float64{1, 1, 0}, true},
	} {
		if err := b.Set(c.q); (err == nil) != c.good {
			t.Errorf("marginals %v: %v", c.q, err)
		}
	}
}

// TestTreeSize: the leaves are the next power of two, as promised of its memory.
func TestTreeSize(t *testing.T) {
	for n, leaves := range map[int]int{1: 1, 2: 2, 3: 4, 4: 4, 5: 8, 64: 64, 65: 128} {
		if tree := NewTree(n); tree.leaves != leaves || len(tree.Weights()) != n {
			t.Errorf("%d weights: %d leaves, %d weights", n, tree.leaves, len(tree.Weights()))
		}
	}
}

// TestBatchDrawsTheLastChoice where rounding leaves something of the draw behind it.
func TestBatchDrawsTheLastChoice(t *testing.T) {
	b, err := NewBatch(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	b.choices = []choice{{0, 2, 0}, {1, 2, 0}} // 0 is not below 0
	if set := b.Draw(NewRandom(1)); !slices.Equal(set, []uint32{0, 1}) {
		t.Errorf("drew %v", set)
	}
}

// TestTreeWithoutWeights draws a number of the tree, whichever it is.
func TestTreeWithoutWeights(t *testing.T) {
	for n := 1; n < 20; n++ {
		if i := NewTree(n).Draw(NewRandom(1)); int(i) >= n {
			t.Errorf("drew %d of %d numbers", i, n)
		}
	}
}
