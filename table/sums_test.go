package table

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// exactMoments are the mean and the deviation by rational numbers.
func exactMoments(values []float64) (mean, deviation float64) {
	total, n := new(big.Rat), new(big.Rat).SetInt64(int64(len(values)))
	for _, v := range values {
		total.Add(total, new(big.Rat).SetFloat64(v))
	}
	total.Quo(total, n)
	squares := new(big.Rat)
	for _, v := range values {
		d := new(big.Rat).SetFloat64(v)
		d.Sub(d, total)
		squares.Add(squares, d.Mul(d, d))
	}
	squares.Quo(squares, n)
	mean, _ = total.Float64()
	variance := new(big.Float).SetPrec(5000).SetRat(squares)
	deviation, _ = variance.Sqrt(variance).Float64()
	return mean, deviation
}

// numbersOf returns values of one of several distributions.
func numbersOf(random *rand.Rand, kind, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		switch kind {
		case 0:
			values[i] = random.NormFloat64()
		case 1:
			values[i] = float64(random.IntN(100) - 50)
		case 2:
			values[i] = 1e9 + random.Float64()
		case 3:
			for values[i] = math.NaN(); values[i]-values[i] != 0; {
				values[i] = math.Float64frombits(random.Uint64())
			}
		case 4:
			values[i] = []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64, 1e-310}[random.IntN(7)]
		case 5:
			values[i] = 0.1
		}
	}
	return values
}

func TestSumsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for trial := range repeat.Size(120, 40) {
		values := numbersOf(random, trial%6, 1+random.IntN(60))
		mean, deviation := exactMoments(values)
		for range 3 {
			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			parts := make([]sums, 1+random.IntN(4))
			for i := 0; i < len(values); {
				n := 1
				for i+n < len(values) && values[i+n] == values[i] {
					n++
				}
				parts[random.IntN(len(parts))].add(values[i], int64(n))
				i += n
			}
			for k := range parts[1:] {
				parts[0].merge(&parts[k+1])
			}
			s := &parts[0]
			m, d := s.moments()
			if m != mean || !(math.Abs(d-deviation) <= 1e-16*deviation) {
				t.Fatalf("trial %d: mean %v, deviation %v; want %v, %v", trial, m, d, mean, deviation)
			}
			if s.count != int64(len(values)) || s.least != slices.Min(values) || s.greatest != slices.Max(values) {
				t.Fatalf("trial %d: %d numbers from %v to %v", trial, s.count, s.least, s.greatest)
			}
		}
	}
	var s sums
	for range 40 {
		s.add(-3, math.MaxInt64/100)
		s.add(5, math.MaxInt64/100)
	}
	if m, d := s.moments(); m != 1 || d != 4 {
		t.Fatalf("mean %v and deviation %v of many numbers, want 1 and 4", m, d)
	}
	// The mean is a 2^-1076th above or below the middle of two float64.
	for least, want := range map[float64]float64{5e-324: 1 + 0x1p-52, -5e-324: 1} {
		var s sums
		for _, v := range []float64{2, 2 + 0x1p-51, least, 0} {
			s.add(v, 1)
		}
		if m, _ := s.moments(); m != want {
			t.Errorf("mean %v, want %v", m, want)
		}
	}
	if m, d := new(sums).moments(); m != 0 || d != 0 {
		t.Fatal("no numbers have a mean")
	}
}

// cellsOf is the definition of quantile cells: numbers by the shortest prefixes of which there
// are at most 2^16.
func cellsOf(values []float64) (map[uint64]int64, uint) {
	for level := uint(0); ; level++ {
		cells := map[uint64]int64{}
		for _, v := range values {
			cells[ordered(v)>>level]++
		}
		if len(cells) <= 1<<16 {
			return cells, level
		}
	}
}

func TestQuantilesDependOnTheSetAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for trial, n := range repeat.Size([]int{10, 3000, 70_000, 200_000}, []int{10, 3000}) {
		for kind := range 4 {
			values := numbersOf(random, kind, n)
			want, level := cellsOf(values)
			if n == 200_000 && kind != 1 && level == 0 {
				t.Fatal("the level stays 0")
			}
			parts := make([]quantiles, 3)
			random.Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
			for i, v := range values {
				parts[min(2, i*4/n)].add(v, 1)
			}
			order := random.Perm(3)
			q := &parts[order[0]]
			q.merge(&parts[order[1]])
			q.merge(&parts[order[2]])
			got := map[uint64]int64{}
			for k, key := range q.keys {
				if key != 0 {
					got[key] = q.counts[k]
				}
			}
			if q.level != level || len(got) != len(want) {
				t.Fatalf("trial %d: level %d with %d cells, want %d with %d", trial, q.level, len(got), level, len(want))
			}
			for key, count := range want {
				if got[key] != count {
					t.Fatalf("trial %d: a cell of %d numbers, want %d", trial, got[key], count)
				}
			}
		}
	}
}

func TestEdgesAreQuantiles(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for trial := range 60 {
		values := numbersOf(random, trial%3, 1+random.IntN(400))
		var q quantiles
		for _, v := range values {
			q.add(v, 1)
		}
		slices.Sort(values)
		bins := 2 + random.IntN(40)
		greatest := values[len(values)-1]
		var want []float64
		for j := 1; j < bins; j++ {
			// The least value with at least j/bins of all values up to it.
			k := (j*len(values)+bins-1)/bins - 1
			if v := values[k]; v < greatest && (len(want) == 0 || v > want[len(want)-1]) {
				want = append(want, v)
			}
		}
		if got := q.edges(bins, greatest); !slices.Equal(got, want) {
			t.Fatalf("trial %d: %d bins: edges %v, want %v", trial, bins, got, want)
		}
	}
	var q quantiles
	values := numbersOf(random, 0, 300_000)
	for _, v := range values {
		q.add(v, 1)
	}
	edges := q.edges(32, slices.Max(values))
	if len(edges) != 31 {
		t.Fatalf("%d edges", len(edges))
	}
	for j, edge := range edges {
		below := 0
		for _, v := range values {
			if v <= edge {
				below++
			}
		}
		if share := float64(below) / float64(len(values)); !(math.Abs(share-float64(j+1)/32) <= 1e-3) {
			t.Errorf("edge %d has %v of the values below it", j, share)
		}
	}
}

func BenchmarkSums(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	values := numbersOf(random, 0, 4096)
	for b.Loop() {
		var s sums
		for _, v := range values {
			s.add(v, 1)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)), "ns/value")
}

func BenchmarkQuantiles(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	values := numbersOf(random, 0, 1<<20)
	for b.Loop() {
		var q quantiles
		for _, v := range values {
			q.add(v, 1)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)), "ns/value")
}
