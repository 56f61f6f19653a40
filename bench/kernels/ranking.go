package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

func thresholdTasks() (list []task) {
	for _, share := range []float64{0.1, 0.5} {
		// Enough vectors that branch prediction cannot learn them.
		list = append(list, task{fmt.Sprintf("KthLargest, k = %v n, another vector each time", share), longest, func(n int) []way {
			vectors := max(2, min(4096, (1<<17)/n))
			all, work := vector(n*vectors), make([]float64, n)
			k := max(1, int(share*float64(n)))
			next := 0
			each := func() []float64 {
				next = (next + 1) % vectors
				return all[next*n:][:n]
			}
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.KthLargest(each(), k, work)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { copy(work, each()); sink = plainSelect(work, k) }) }},
				{"slices.Sort", func(times int) { repeat(times, func(int) { copy(work, each()); slices.Sort(work); sink = work[n-k] }) }},
			}
		}})
	}
	return list
}

// plainSelect is quickselect with the median of three.
//
//go:noinline
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

// positives is the number of positive scores of a PairBlock.
const positives = 8

// pairs are the scores that a block of pairs compares, and what comes of them.
type pairs struct{ s, c, scratch, center, least, a, d []float64 }

// newPairs has a share of the samples above each positive.
func newPairs(n int, share float64) *pairs {
	p := &pairs{vector(n), vector(n), vector(n), vector(positives), make([]float64, positives), vector(positives), vector(positives)}
	at := slices.Sorted(slices.Values(p.s))[int(float64(n)*(1-share))]
	for i, v := range p.center {
		p.least[i] = at - v
	}
	return p
}

func pairTasks() []task {
	var list []task
	for _, l := range []struct {
		loss      kernels.PairLoss
		parameter float64
	}{{kernels.PairSquaredHinge, 1}, {kernels.PairLogistic, 2}} {
		loss, parameter := l.loss, l.parameter
		list = append(list,
			task{fmt.Sprintf("PairBlock, %v, %d positives", loss, positives), 1 << 16, func(n int) []way {
				block, p, part := must(kernels.NewPairBlock(positives, n)), newPairs(n, 0.5), vector(n)
				return []way{
					{"lanes", func(times int) {
						for range times {
							_, err := block.Losses(loss, p.center, p.s, parameter)
							check(err)
							check(block.Gradients(p.c, p.d, p.a))
						}
					}},
					{"plain", func(times int) {
						for range times {
							for i, v := range p.center {
								sink = plainPairLosses(loss, part, p.s, v, parameter)
								p.d[i] -= plainPairGradients(loss, p.c, part, p.a[i], parameter)
							}
						}
					}},
				}
			}})
	}
	for _, share := range []float64{0.05, 0.5, 0.95} {
		above := func(method string, lanes func(b *kernels.PairBlock, p *pairs) ([]int, []float64, error), plain func(p *pairs, i int) (float64, int)) {
			name := fmt.Sprintf("PairBlock.%s, %d positives, %.0f %% above", method, positives, 100*share)
			list = append(list, task{name, 1 << 16, func(n int) []way {
				block, p := must(kernels.NewPairBlock(positives, n)), newPairs(n, share)
				return []way{
					{"lanes", func(times int) {
						for range times {
							_, _, err := lanes(block, p)
							check(err)
						}
					}},
					{"plain", func(times int) {
						for range times {
							for i := range p.center {
								sink, count = plain(p, i)
							}
						}
					}},
				}
			}})
		}
		above("SigmoidAbove", func(b *kernels.PairBlock, p *pairs) ([]int, []float64, error) {
			return b.SigmoidAbove(p.c, p.center, p.least, p.s)
		}, func(p *pairs, i int) (float64, int) { return plainSigmoidAbove(p.c, p.s, p.center[i], p.least[i]) })
		above("SoftplusAbove", func(b *kernels.PairBlock, p *pairs) ([]int, []float64, error) {
			return b.SoftplusAbove(p.center, p.least, p.s)
		}, func(p *pairs, i int) (float64, int) { return plainSoftplusAbove(p.s, p.center[i], p.least[i]) })
		above("SigmoidSlopeAbove", func(b *kernels.PairBlock, p *pairs) ([]int, []float64, error) {
			return b.SigmoidSlopeAbove(p.c, p.center, p.least, p.s, p.scratch, 2)
		}, func(p *pairs, i int) (float64, int) {
			return plainSlopeAbove(p.c, p.s, p.center[i], p.least[i], 2)
		})
	}
	return list
}

//go:noinline
func plainPairLosses(loss kernels.PairLoss, part, s []float64, si, parameter float64) float64 {
	sum := 0.0
	if loss == kernels.PairSquaredHinge {
		for j, v := range s {
			t := max(0, v-si+parameter)
			part[j] = t
			sum += t * t
		}
		return sum
	}
	for j, v := range s {
		q := 1 / (1 + math.Exp(-parameter*(v-si)))
		part[j] = q
		sum += q
	}
	return sum
}

//go:noinline
func plainPairGradients(loss kernels.PairLoss, c, part []float64, a, parameter float64) float64 {
	sum := 0.0
	if loss == kernels.PairSquaredHinge {
		for j, t := range part {
			g := 2 * a * t
			c[j] += g
			sum += g
		}
		return sum
	}
	for j, q := range part {
		g := a * parameter * q * (1 - q)
		c[j] += g
		sum += g
	}
	return sum
}

//go:noinline
func plainSigmoidAbove(c, s []float64, center, least float64) (sum float64, n int) {
	for j, v := range s {
		if d := v - center; d > least {
			q := 1 / (1 + math.Exp(-d))
			sum += q
			c[j] += q
			n++
		}
	}
	return sum, n
}

//go:noinline
func plainSoftplusAbove(s []float64, center, least float64) (sum float64, n int) {
	for _, v := range s {
		if d := v - center; d > least {
			sum += max(d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
			n++
		}
	}
	return sum, n
}

//go:noinline
func plainSlopeAbove(c, s []float64, center, least, scale float64) (sum float64, n int) {
	for j, v := range s {
		if d := v - center; d > least {
			q := 1 / (1 + math.Exp(-scale*d))
			g := q * (1 - q)
			sum += g
			c[j] += g
			n++
		}
	}
	return sum, n
}
