package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/kernels"
)

func plainCountAbove(s []float64, t float64) int {
	n := 0
	for _, v := range s {
		if v > t {
			n++
		}
	}
	return n
}

func plainSumAbove(s []float64, t float64) (sum float64, n int) {
	for _, v := range s {
		if v > t {
			sum += v
			n++
		}
	}
	return sum, n
}

func plainAbove(dst, s []float64, t float64) int {
	n := 0
	for _, v := range s {
		if v > t {
			dst[n] = v
			n++
		}
	}
	return n
}

func plainPositions(dst []uint32, s []float64, t float64) int {
	n := 0
	for i, v := range s {
		if v > t {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

// plainSelect is quickselect with the median of three.
func plainSelect(x []float64, k int) float64 {
	low, high := 0, len(x)-1
	for low < high {
		a, b, c := x[low], x[low+(high-low)/2], x[high]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for x[i] > pivot {
				i++
			}
			for x[j] < pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return x[k-1]
		}
	}
	return x[low]
}

func thresholdTables() {
	k, g := &asm.Active().Element.Threshold, asm.Generic.Element.Threshold
	table := contest.NewTable(os.Stdout, "Elements above a threshold, normal scores, half of them", "an element", "lanes", "plain Go", "portable twin")
	for _, n := range []int{100, 1024, 32768} {
		x, dst, places := randomVector(n), make([]float64, n), make([]uint32, n)
		row := func(name string, lanes, plain, twin func()) {
			table.Row(fmt.Sprintf("%s, %d elements", name, n), n, contest.Run(
				contest.Contender{Name: "lanes", Run: lanes},
				contest.Contender{Name: "plain Go", Run: plain},
				contest.Contender{Name: "portable twin", Run: twin},
			))
		}
		var count int
		row("count", func() { count = k.Count(x, 0) }, func() { count = plainCountAbove(x, 0) }, func() { count = g.Count(x, 0) })
		row("sum", func() { sink, count = k.Sum(x, 0) }, func() { sink, count = plainSumAbove(x, 0) }, func() { sink, count = g.Sum(x, 0) })
		row("compress", func() { count = k.Above(dst, x, 0) }, func() { count = plainAbove(dst, x, 0) }, func() { count = g.Above(dst, x, 0) })
		row("positions", func() { count = k.Positions(places, x, 0) }, func() { count = plainPositions(places, x, 0) }, func() { count = g.Positions(places, x, 0) })
		sink += float64(count)
	}
	rank := contest.NewTable(os.Stdout, "The k-th largest of normal scores, another vector each time (plain Go: quickselect on a copy)", "an element", "lanes", "plain Go", "slices.Sort")
	for _, n := range []int{20, 100, 1024, 32768, 1 << 18} {
		// So many that branches cannot be learnt by heart.
		vectors := max(2, (1<<17)/n)
		all, work := randomVector(n*vectors), make([]float64, n)
		each := func(f func(x []float64) float64) func() {
			return func() {
				for i := range vectors {
					sink += f(all[i*n : (i+1)*n])
				}
			}
		}
		for _, share := range []float64{0.05, 0.5} {
			at := max(1, int(share*float64(n)))
			rank.Row(fmt.Sprintf("%d of %d", at, n), n*vectors, contest.Run(
				contest.Contender{Name: "lanes", Run: each(func(x []float64) float64 {
					v, _ := kernels.KthLargest(x, at, work)
					return v
				})},
				contest.Contender{Name: "plain Go", Run: each(func(x []float64) float64 { copy(work, x); return plainSelect(work, at) })},
				contest.Contender{Name: "slices.Sort", Run: each(func(x []float64) float64 { copy(work, x); slices.Sort(work); return work[n-at] })},
			))
		}
	}
}

func plainSigmoidAbove(count []int, sum, c, s, center, least []float64) {
	for i, center := range center {
		count[i], sum[i] = 0, 0
		for j, v := range s {
			if d := v - center; d > least[i] {
				q := 1 / (1 + math.Exp(-d))
				count[i]++
				sum[i] += q
				c[j] += q
			}
		}
	}
}

func plainSoftplusAbove(count []int, sum, s, center, least []float64) {
	for i, center := range center {
		count[i], sum[i] = 0, 0
		for _, v := range s {
			if d := v - center; d > least[i] {
				count[i]++
				sum[i] += max(d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
			}
		}
	}
}

func plainSlopeAbove(count []int, sum, c, s, center, least []float64, scale float64) {
	for i, center := range center {
		count[i], sum[i] = 0, 0
		for j, v := range s {
			if d := v - center; d > least[i] {
				q := 1 / (1 + math.Exp(-scale*d))
				g := q * (1 - q)
				count[i]++
				sum[i] += g
				c[j] += g
			}
		}
	}
}

func plainPairs(logistic bool, c, d, part, s, center, a []float64, parameter float64) {
	n := len(s)
	for i, si := range center {
		value, slope := 0.0, 0.0
		row := part[i*n:][:n]
		for j, v := range s {
			if logistic {
				q := 1 / (1 + math.Exp(-parameter*(v-si)))
				row[j] = parameter * q * (1 - q)
				value += q
			} else {
				t := max(0, v-si+parameter)
				row[j] = 2 * t
				value += t * t
			}
			slope += row[j]
		}
		sink += value
		d[i] -= a[i] * slope
		for j, v := range row {
			c[j] += a[i] * v
		}
	}
}

func pairTables() {
	k, g := &asm.Active().Element.PairBlock, asm.Generic.Element.PairBlock
	above := contest.NewTable(os.Stdout, "Pairs above a threshold, n positives and n negatives", "a pair", "lanes", "plain Go", "portable twin")
	for _, n := range []int{20, 100} {
		for _, share := range []float64{0.05, 0.5, 0.95} {
			// The last group of positives is filled up; all of them are counted as work.
			p := (n + 7) &^ 7
			s, center, least := randomVector(n), randomVector(p), make([]float64, p)
			sorted := slices.Sorted(slices.Values(s))
			for i := range least {
				least[i] = math.Inf(1)
				if i < n {
					least[i] = sorted[int(float64(n)*(1-share))] - center[i]
				}
			}
			c, sum, count := make([]float64, n), make([]float64, p), make([]int, p)
			above.Row(fmt.Sprintf("sigmoids and gradient, %d by %d, %.0f %% above", n, n, 100*share), n*n, contest.Run(
				contest.Contender{Name: "lanes", Run: func() { k.SigmoidAbove(count, sum, c, s, center, least) }},
				contest.Contender{Name: "plain Go", Run: func() { plainSigmoidAbove(count[:n], sum, c, s, center[:n], least) }},
				contest.Contender{Name: "portable twin", Run: func() { g.SigmoidAbove(count, sum, c, s, center, least) }},
			))
			above.Row(fmt.Sprintf("sum of softplus, %d by %d, %.0f %% above", n, n, 100*share), n*n, contest.Run(
				contest.Contender{Name: "lanes", Run: func() { k.SoftplusAbove(count, sum, s, center, least) }},
				contest.Contender{Name: "plain Go", Run: func() { plainSoftplusAbove(count[:n], sum, s, center[:n], least) }},
				contest.Contender{Name: "portable twin", Run: func() { g.SoftplusAbove(count, sum, s, center, least) }},
			))
			const scale = 7
			e, o := make([]float64, n), make([]float64, p)
			odds := func() {
				for j, v := range s {
					e[j] = scale * v
				}
				for i, v := range center {
					o[i] = -scale * v
				}
				asm.Active().Element.Exp(e, e)
				asm.Active().Element.Exp(o, o)
			}
			above.Row(fmt.Sprintf("sigmoid's slopes by odds, %d by %d, %.0f %% above", n, n, 100*share), n*n, contest.Run(
				contest.Contender{Name: "lanes", Run: func() { odds(); k.SlopeOdds(count, sum, c, s, center, least, e, o) }},
				contest.Contender{Name: "plain Go", Run: func() { plainSlopeAbove(count[:n], sum, c, s, center[:n], least, scale) }},
				contest.Contender{Name: "portable twin", Run: func() { odds(); g.SlopeOdds(count, sum, c, s, center, least, e, o) }},
			))
			above.Row(fmt.Sprintf("sigmoid's slopes by pairs, %d by %d, %.0f %% above", n, n, 100*share), n*n, contest.Run(
				contest.Contender{Name: "lanes", Run: func() { k.SlopeAbove(count, sum, c, s, center, least, scale) }},
				contest.Contender{Name: "plain Go", Run: func() { plainSlopeAbove(count[:n], sum, c, s, center[:n], least, scale) }},
				contest.Contender{Name: "portable twin", Run: func() { g.SlopeAbove(count, sum, c, s, center, least, scale) }},
			))
		}
	}
	blocks := contest.NewTable(os.Stdout, "Pairwise losses and gradients, n positives and n samples", "a pair", "lanes", "plain Go", "a call a positive")
	for _, n := range []int{10, 20, 100} {
		for _, loss := range []kernels.PairLoss{kernels.PairSquaredHinge, kernels.PairLogistic} {
			s, center, a := randomVector(n), randomVector(n + 1)[:n], randomVector(n)
			c, d, part := make([]float64, n), make([]float64, n), make([]float64, n*n)
			block, err := kernels.NewPairBlock(n, n)
			if err != nil {
				panic(err)
			}
			blocks.Row(fmt.Sprintf("%v, %d by %d", loss, n, n), n*n, contest.Run(
				contest.Contender{Name: "lanes", Run: func() {
					block.Losses(loss, center, s, 1)
					block.Gradients(c, d, a)
				}},
				contest.Contender{Name: "plain Go", Run: func() { plainPairs(loss == kernels.PairLogistic, c, d, part, s, center, a, 1) }},
				contest.Contender{Name: "a call a positive", Run: func() {
					for i, si := range center {
						kernels.PairLosses(loss, part[:n], s, si, 1)
						sum, _ := kernels.PairGradients(loss, c, part[:n], a[i], 1)
						d[i] -= sum
					}
				}},
			))
		}
	}
}
