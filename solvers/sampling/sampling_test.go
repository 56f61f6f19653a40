package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func randomWeights(r *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		if r.IntN(4) > 0 {
			w[i] = math.Exp(3 * r.NormFloat64())
		}
	}
	w[r.IntN(n)] = 1
	return w
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func TestAliasProbabilities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 1000} {
		w := randomWeights(r, n)
		a, err := NewAlias(w)
		if err != nil {
			t.Fatal(err)
		}
		total := sum(w)
		for i, p := range a.probabilities() {
			if !near(p, w[i]/total, 1e-14) || w[i] == 0 && p != 0 {
				t.Errorf("n = %d: number %d has probability %v, not %v", n, i, p, w[i]/total)
			}
		}
	}
	for _, bad := range [][]float64{nil, {0, 0}, {1, -1}, {math.NaN()}, {math.Inf(1)}, {math.MaxFloat64, math.MaxFloat64}, {math.SmallestNonzeroFloat64, 0}} {
		if _, err := NewAlias(bad); err == nil {
			t.Errorf("weights %v accepted", bad)
		}
	}
}

// frequencies draws often, and checks against the normal approximation at five
// standard deviations.
func frequencies(t *testing.T, what string, want []float64, draw func() []uint32) {
	t.Helper()
	const draws = 200000
	count := make([]float64, len(want))
	for range draws {
		for _, i := range draw() {
			count[i]++
		}
	}
	for i, p := range want {
		if deviation := math.Sqrt(p * max(1-p, 0) / draws); !near(count[i]/draws, p, 5*deviation+1e-12) {
			t.Errorf("%s: number %d in %.5f of the draws, not in %.5f", what, i, count[i]/draws, p)
		}
	}
}

func TestDraws(t *testing.T) {
	w := []float64{0.5, 0, 3, 1.5, 0, 2, 1}
	want := make([]float64, len(w))
	for i := range w {
		want[i] = w[i] / sum(w)
	}
	random := NewRandom(7)
	a, err := NewAlias(w)
	if err != nil {
		t.Fatal(err)
	}
	frequencies(t, "alias", want, func() []uint32 { return []uint32{a.Draw(random)} })
	tree := NewTree(len(w))
	for i, v := range w {
		tree.Set(uint32(i), v)
	}
	frequencies(t, "tree", want, func() []uint32 { return []uint32{tree.Draw(random)} })
}

// TestTreeIntervals: every node is the sum of its leaves, so that a draw has
// exact marginals, and numbers of weight 0 are never drawn.
func TestTreeIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 5, 64, 100} {
		tree, other := NewTree(n), NewTree(n)
		w := randomWeights(r, n)
		for range 3 * n {
			i := r.IntN(n)
			w[i] = max(0, r.NormFloat64())
			tree.Set(uint32(i), w[i])
		}
		for i, v := range w {
			tree.Set(uint32(i), v)
		}
		copy(other.Weights(), w)
		other.Build()
		if !slices.Equal(tree.sums, other.sums) {
			t.Fatal("the sums depend on the order of setting")
		}
		if !near(tree.Total(), sum(w), 1e-12*(1+sum(w))) {
			t.Errorf("total %v, not %v", tree.Total(), sum(w))
		}
		// Every node's share is the sum over its leaves, so a draw has exact marginals.
		for k := 1; k < tree.leaves; k++ {
			if tree.sums[k] != tree.sums[2*k]+tree.sums[2*k+1] {
				t.Fatalf("node %d is not the sum of its children", k)
			}
		}
		random := NewRandom(1)
		for range 2000 {
			if i := tree.Draw(random); w[i] == 0 && tree.Total() > 0 {
				t.Fatalf("drew number %d of weight 0", i)
			}
		}
	}
}

// TestBatchToy is figure 1.
func TestBatchToy(t *testing.T) {
	b, err := NewBatch(4, 2)
	if err != nil {
		t.Fatal(err)
	}
	q := []float64{0.8, 0.6, 0.4, 0.2}
	if err := b.Set(q); err != nil {
		t.Fatal(err)
	}
	want := []choice{{1, 2, 0.2}, {1, 3, 0.4}, {0, 4, 0.4}}
	if len(b.choices) != len(want) {
		t.Fatalf("%d choices: %v", len(b.choices), b.choices)
	}
	for k, c := range b.choices {
		if c.first != want[k].first || c.last != want[k].last || !near(c.r, want[k].r, 1e-15) {
			t.Errorf("choice %d is %v, not %v", k, c, want[k])
		}
	}
	random := NewRandom(5)
	frequencies(t, "toy", q, func() []uint32 { return b.Draw(random) })
}

// marginals returns the exact marginals of the sampler.
func (b *Batch) marginals() []float64 {
	q := make([]float64, len(b.order))
	for _, c := range b.choices {
		for position, number := range b.order {
			i := number.i
			switch {
			case position < c.first:
				q[i] += c.r
			case position < c.last:
				q[i] += c.r * float64(b.size-c.first) / float64(c.last-c.first)
			}
		}
	}
	return q
}

func TestBatchMarginals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := NewRandom(2)
	for trial := range 300 {
		n := 1 + r.IntN(40)
		size := 1 + r.IntN(n)
		q := randomWeights(r, n)
		if trial%3 == 0 {
			for i := range q {
				q[i] = float64(r.IntN(3)) // many equal ones
			}
		}
		if err := Cap(q, size); err != nil {
			t.Fatal(err)
		}
		if !near(sum(q), 1, 1e-12) {
			t.Fatalf("probabilities sum up to %v", sum(q))
		}
		for i := range q {
			if q[i] > 1/float64(size) {
				t.Fatalf("p[%d] = %v > 1/%d", i, q[i], size)
			}
			q[i] *= float64(size)
		}
		b, err := NewBatch(n, size)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Set(q); err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, c := range b.choices {
			if !(c.r >= 0) || c.first >= size || c.last < size {
				t.Fatalf("choice %v of sets of %d", c, size)
			}
			total += c.r
		}
		if !near(total, 1, 1e-9) {
			t.Fatalf("n = %d, size %d: r sums up to %v", n, size, total)
		}
		for i, m := range b.marginals() {
			if !near(m, q[i], 1e-9) {
				t.Fatalf("n = %d, size %d: number %d has marginal %v, not %v", n, size, i, m, q[i])
			}
		}
		for range 50 {
			set := slices.Clone(b.Draw(random))
			slices.Sort(set)
			if len(slices.Compact(set)) != size {
				t.Fatalf("a set of %d has %d different members", size, len(slices.Compact(set)))
			}
		}
	}
}

func TestBatchRefuses(t *testing.T) {
	for _, c := range [][2]int{{3, 0}, {3, 4}, {0, 0}} {
		if _, err := NewBatch(c[0], c[1]); err == nil {
			t.Errorf("sets of %d out of %d accepted", c[1], c[0])
		}
		if Cap(make([]float64, c[0]), c[1]) == nil {
			t.Errorf("Cap: sets of %d out of %d accepted", c[1], c[0])
		}
	}
	b, err := NewBatch(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range [][]float64{{1, 1}, {1, 1, 1}, {1.5, 0.5, 0}, {math.NaN(), 1, 1}, {-0.5, 1.5, 1}} {
		if b.Set(q) == nil {
			t.Errorf("marginals %v accepted", q)
		}
	}
}

func TestCap(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		size    int
		want    []float64
	}{
		{[]float64{8, 1, 1}, 2, []float64{0.5, 0.25, 0.25}},
		{[]float64{1, 1, 2}, 1, []float64{0.25, 0.25, 0.5}},
		{[]float64{100, 10, 1, 1}, 3, []float64{1. / 3, 1. / 3, 1. / 6, 1. / 6}},
		{[]float64{5, 0, 0, 0, 0}, 2, []float64{0.5, 0.125, 0.125, 0.125, 0.125}},
		{[]float64{0, 0}, 1, []float64{0.5, 0.5}},
		{[]float64{3, 0}, 2, []float64{0.5, 0.5}},
	} {
		p := slices.Clone(c.weights)
		if err := Cap(p, c.size); err != nil {
			t.Fatal(err)
		}
		for i := range p {
			if !near(p[i], c.want[i], 1e-15) {
				t.Errorf("Cap(%v, %d) = %v, not %v", c.weights, c.size, p, c.want)
				break
			}
		}
	}
}

func BenchmarkTreeDrawAndSet(b *testing.B) {
	tree := NewTree(1 << 16)
	for i := range tree.Weights() {
		tree.Weights()[i] = 1
	}
	tree.Build()
	random := NewRandom(1)
	b.ReportAllocs()
	for b.Loop() {
		i := tree.Draw(random)
		tree.Set(i, tree.Weights()[i]*0.9999)
	}
}

// TestAliasDraws: a draw is a slot, and of that the share that is its own.
func TestAliasDraws(t *testing.T) {
	t.Parallel()
	weights := []float64{0.3, 2, 0, 1, 5, 0.7, 0.1}
	a, err := NewAlias(weights)
	if err != nil {
		t.Fatal(err)
	}
	random, same := NewRandom(4), NewRandom(4)
	for range 20000 {
		slot := uint32(same.source().Below(uint64(len(weights))))
		want := a.slots[slot].other
		if same.source().Float64() < a.slots[slot].share {
			want = slot
		}
		if got := a.Draw(random); got != want {
			t.Fatalf("%d was drawn, not %d", got, want)
		}
	}
}
