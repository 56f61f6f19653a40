package main

import (
	"math/rand/v2"
	"os"
	"slices"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/kernels"
)

func plainMerge(idx1 []uint32, val1 []float64, idx2 []uint32, val2 []float64) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(idx1) && j < len(idx2); {
		switch {
		case idx1[i] < idx2[j]:
			i++
		case idx1[i] > idx2[j]:
			j++
		default:
			sum += val1[i] * val2[j]
			i++
			j++
		}
	}
	return sum
}

// commonTable times many pairs, as the jumps of one are soon learnt.
func commonTable() {
	table := contest.NewTable(os.Stdout, "Sparse by sparse dot, indices checked, uint32 and float64", "an entry of both", "lanes", "plain Go", "lanes, number in common")
	const pairs = 512
	for _, s := range []struct {
		name     string
		n1, n2   int
		cols     int
		frequent bool // low columns more than high ones, as words
	}{
		{"14 and 14 of 123 columns", 14, 14, 123, false},
		{"76 and 76 of 47,236 columns", 76, 76, 47236, true},
		{"455 and 455 of 1,355,191 columns", 455, 455, 1355191, true},
		{"20 and 2,000 of 50,000 columns", 20, 2000, 50000, false},
	} {
		r := rand.New(rand.NewPCG(5, uint64(s.cols)))
		draw := func(n int) []uint32 {
			seen := map[uint32]bool{}
			for len(seen) < n {
				u := r.Float64()
				if s.frequent {
					u *= u * u
				}
				seen[uint32(u*float64(s.cols))] = true
			}
			var idx []uint32
			for j := range seen {
				idx = append(idx, j)
			}
			slices.Sort(idx)
			return idx
		}
		var idx1, idx2 [pairs][]uint32
		for p := range pairs {
			idx1[p], idx2[p] = draw(s.n1), draw(s.n2)
		}
		val1, val2 := randomVector(s.n1), randomVector(s.n2)
		each := func(f func(p int)) func() {
			return func() {
				for p := range pairs {
					f(p)
				}
			}
		}
		table.Row(s.name, pairs*(s.n1+s.n2), contest.Run(
			contest.Contender{Name: "lanes", Run: each(func(p int) { sink, _ = kernels.SparseSparseDot(idx1[p], val1, idx2[p], val2) })},
			contest.Contender{Name: "plain Go", Run: each(func(p int) { sink = plainMerge(idx1[p], val1, idx2[p], val2) })},
			contest.Contender{Name: "lanes, number in common", Run: each(func(p int) { n, _ := kernels.CommonIndices(idx1[p], idx2[p]); sink = float64(n) })},
		))
	}
}
