package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// commonCase is two sparse vectors; some indices are common.
type commonCase[I index, V value] struct {
	idx1, idx2 []I
	val1, val2 []V
}

func newCommonCase[I index, V value](t testing.TB, n1, n2, cols int, random *rand.Rand, value func(*rand.Rand) float64) commonCase[I, V] {
	room := asmtest.Guarded[I]
	values := asmtest.Guarded[V]
	if random.IntN(2) == 0 {
		room, values = asmtest.GuardedFront[I], asmtest.GuardedFront[V]
	}
	c := commonCase[I, V]{room(t, n1), room(t, n2), values(t, n1), values(t, n2)}
	for _, idx := range [][]I{c.idx1, c.idx2} {
		rows := random.Perm(cols)[:len(idx)]
		slices.Sort(rows)
		for e, j := range rows {
			idx[e] = I(j)
		}
		if n := len(idx); n > 0 && random.IntN(3) == 0 {
			idx[n-1] = ^I(0) // the greatest index there is
		}
	}
	for _, val := range [][]V{c.val1, c.val2} {
		for e := range val {
			val[e] = V(value(random))
		}
	}
	return c
}

func checkCommon[I index, V value](t *testing.T, what string, c commonCase[I, V], dot CommonOf[I, V], count func(a, b []I) int, rising func([]I) bool) {
	t.Helper()
	values := map[I]V{}
	for e, j := range c.idx1 {
		values[j] = c.val1[e]
	}
	sum, number := 0.0, 0
	for e, j := range c.idx2 {
		if x, is := values[j]; is {
			sum = math.FMA(float64(x), float64(c.val2[e]), sum)
			number++
		}
	}
	for range 2 {
		if got := dot(c.idx1, c.val1, c.idx2, c.val2); !asmtest.Same(got, sum) {
			t.Fatalf("%s, %v and %v: %v, want %v", what, c.idx1, c.idx2, got, sum)
		}
		if got := count(c.idx1, c.idx2); got != number {
			t.Fatalf("%s, %v and %v: %d in common, not %d", what, c.idx1, c.idx2, got, number)
		}
		if !rising(c.idx1) {
			t.Fatalf("%s: %v does not rise", what, c.idx1)
		}
		c = commonCase[I, V]{c.idx2, c.idx1, c.val2, c.val1}
	}
	for e := 1; e < len(c.idx1); e++ {
		former := c.idx1[e]
		c.idx1[e] = c.idx1[e-1]
		if rising(c.idx1) {
			t.Fatalf("%s: %v rises", what, c.idx1)
		}
		if c.idx1[e] = 0; rising(c.idx1) {
			t.Fatalf("%s: %v rises", what, c.idx1)
		}
		c.idx1[e] = former
	}
}

// TestCommonByDefinition compares every path, the portable one included, with a map.
func TestCommonByDefinition(t *testing.T) {
	for _, table := range append(runnable(t), &Generic) {
		k := &table.Common
		random := rand.New(rand.NewPCG(9, 4))
		rounds := 400
		if testing.Short() {
			rounds = 100
		}
		for round := range rounds {
			n1, n2 := random.IntN(30), random.IntN(30)
			if round%5 == 0 {
				n2 = random.IntN(200)
			}
			cols := max(n1, n2) + []int{0, 1, 5, 60, 1000}[round%5]
			value := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.SomeHostile}[round%2]
			what := fmt.Sprintf("%s, round %d", table.Path, round)
			checkCommon(t, what, newCommonCase[uint32, float64](t, n1, n2, cols, random, value), k.I32F64, k.Count32, k.Rising32)
			checkCommon(t, what, newCommonCase[uint32, float32](t, n1, n2, cols, random, value), k.I32F32, k.Count32, k.Rising32)
			checkCommon(t, what, newCommonCase[uint16, float64](t, n1, n2, cols, random, value), k.I16F64, k.Count16, k.Rising16)
			checkCommon(t, what, newCommonCase[uint16, float32](t, n1, n2, cols, random, value), k.I16F32, k.Count16, k.Rising16)
		}
	}
}

// TestCommonOfFew goes through all lengths around those whose indices are all compared with
// one another, with few and with many in common.
func TestCommonOfFew(t *testing.T) {
	for _, table := range append(runnable(t), &Generic) {
		k := &table.Common
		random := rand.New(rand.NewPCG(2, 7))
		for n1 := 7; n1 < 18; n1++ {
			for n2 := 7; n2 < 18; n2++ {
				for _, cols := range []int{max(n1, n2), max(n1, n2) + 2, 40, 300} {
					what := fmt.Sprintf("%s, %d and %d of %d", table.Path, n1, n2, cols)
					checkCommon(t, what, newCommonCase[uint32, float64](t, n1, n2, cols, random, (*rand.Rand).NormFloat64), k.I32F64, k.Count32, k.Rising32)
					checkCommon(t, what, newCommonCase[uint16, float32](t, n1, n2, cols, random, (*rand.Rand).NormFloat64), k.I16F32, k.Count16, k.Rising16)
				}
			}
		}
	}
}

func BenchmarkCommon(b *testing.B) {
	for _, s := range []struct{ n1, n2, cols int }{{14, 14, 123}, {76, 76, 47236}, {76, 76, 200}, {455, 455, 1355191}, {455, 455, 2000}, {20, 2000, 50000}} {
		// Many pairs, as the jumps of a single one are soon learnt.
		random := rand.New(rand.NewPCG(1, 1))
		cases := make([]commonCase[uint32, float64], 64)
		for i := range cases {
			cases[i] = newCommonCase[uint32, float64](b, s.n1, s.n2, s.cols, random, (*rand.Rand).NormFloat64)
		}
		for _, table := range append(runnable(b), &Generic) {
			k := &table.Common
			for name, run := range map[string]func(c *commonCase[uint32, float64]){
				"Dot":    func(c *commonCase[uint32, float64]) { k.I32F64(c.idx1, c.val1, c.idx2, c.val2) },
				"Count":  func(c *commonCase[uint32, float64]) { k.Count32(c.idx1, c.idx2) },
				"Rising": func(c *commonCase[uint32, float64]) { k.Rising32(c.idx1); k.Rising32(c.idx2) },
			} {
				b.Run(fmt.Sprintf("%s/%d and %d of %d/%s", name, s.n1, s.n2, s.cols, table.Path), func(b *testing.B) {
					for i := range b.N {
						run(&cases[i%len(cases)])
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(s.n1+s.n2)), "ns/entry")
				})
			}
		}
	}
}
