package main

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
)

func thresholdTasks() []task {
	list := []task{
		{"CountAbove", longest, func(n int) []way {
			s := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						count = kernels.CountAbove(s, 0.1)
					}
				}},
				{"plain", func(times int) {
					for range times {
						count = plainCountAbove(s, 0.1)
					}
				}},
			}
		}},
		{"SumAbove", longest, func(n int) []way {
			s := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink, count = kernels.SumAbove(s, 0.1)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink, count = plainSumAbove(s, 0.1)
					}
				}},
			}
		}},
		{"CompressAbove", longest, func(n int) []way {
			dst, s := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						count = must(kernels.CompressAbove(dst, s, 0.1))
					}
				}},
				{"plain", func(times int) {
					for range times {
						count = plainCompressAbove(dst, s, 0.1)
					}
				}},
			}
		}},
		{"PositionsAbove", longest, func(n int) []way {
			dst, s := make([]uint32, n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						count = must(kernels.PositionsAbove(dst, s, 0.1))
					}
				}},
				{"plain", func(times int) {
					for range times {
						count = plainPositionsAbove(dst, s, 0.1)
					}
				}},
			}
		}},
	}
	for _, share := range []float64{0.1, 0.5} {
		// So many vectors that branches cannot be learnt by heart.
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
				{"lanes", func(times int) {
					for range times {
						sink = must(kernels.KthLargest(each(), k, work))
					}
				}},
				{"plain", func(times int) {
					for range times {
						copy(work, each())
						sink = plainSelect(work, k)
					}
				}},
			}
		}})
	}
	return list
}

//go:noinline
func plainCountAbove(s []float64, t float64) int {
	n := 0
	for _, v := range s {
		if v > t {
			n++
		}
	}
	return n
}

//go:noinline
func plainSumAbove(s []float64, t float64) (sum float64, n int) {
	for _, v := range s {
		if v > t {
			sum += v
			n++
		}
	}
	return sum, n
}

//go:noinline
func plainCompressAbove(dst, s []float64, t float64) int {
	n := 0
	for _, v := range s {
		if v > t {
			dst[n] = v
			n++
		}
	}
	return n
}

//go:noinline
func plainPositionsAbove(dst []uint32, s []float64, t float64) int {
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

// positives are so many of the scores of a PairBlock.
const positives = 8

func pairTasks() []task {
	var list []task
	for loss, parameter := range map[kernels.PairLoss]float64{kernels.PairSquaredHinge: 1, kernels.PairLogistic: 2} {
		list = append(list,
			task{fmt.Sprintf("PairLosses, %v", loss), 1 << 20, func(n int) []way {
				part, s := vector(n), vector(n)
				return []way{
					{"lanes", func(times int) {
						for range times {
							sink = must(kernels.PairLosses(loss, part, s, 0.3, parameter))
						}
					}},
					{"plain", func(times int) {
						for range times {
							sink = plainPairLosses(loss, part, s, 0.3, parameter)
						}
					}},
				}
			}},
			task{fmt.Sprintf("PairGradients, %v", loss), 1 << 20, func(n int) []way {
				c, part := vector(n), vector(n)
				return []way{
					{"lanes", func(times int) {
						for range times {
							sink = must(kernels.PairGradients(loss, c, part, 1e-9, parameter))
						}
					}},
					{"plain", func(times int) {
						for range times {
							sink = plainPairGradients(loss, c, part, 1e-9, parameter)
						}
					}},
					{fused, func(times int) {
						for range times {
							sink = fusedPairGradients(loss, c, part, 1e-9, parameter)
						}
					}},
				}
			}},
			task{fmt.Sprintf("PairBlock, %v, %d positives", loss, positives), 1 << 16, func(n int) []way {
				block, err := kernels.NewPairBlock(positives, n)
				if err != nil {
					fail(err)
				}
				s, c, center, a, d, part := vector(n), vector(n), vector(positives), vector(positives), vector(positives), vector(n)
				return []way{
					{"lanes", func(times int) {
						for range times {
							_, err := block.Losses(loss, center, s, parameter)
							check(err)
							check(block.Gradients(c, d, a))
						}
					}},
					{"plain", func(times int) {
						for range times {
							for i, v := range center {
								sink = plainPairLosses(loss, part, s, v, parameter)
								d[i] -= plainPairGradients(loss, c, part, a[i], parameter)
							}
						}
					}},
				}
			}})
	}
	return append(list,
		task{fmt.Sprintf("PairBlock.SigmoidAbove, %d positives", positives), 1 << 16, func(n int) []way {
			block, err := kernels.NewPairBlock(positives, n)
			if err != nil {
				fail(err)
			}
			s, c, center, least := vector(n), vector(n), vector(positives), make([]float64, positives)
			return []way{
				{"lanes", func(times int) {
					for range times {
						_, _, err := block.SigmoidAbove(c, center, least, s)
						check(err)
					}
				}},
				{"plain", func(times int) {
					for range times {
						for i, v := range center {
							sink, count = plainSigmoidAbove(c, s, v, least[i])
						}
					}
				}},
			}
		}},
		task{fmt.Sprintf("PairBlock.SoftplusAbove, %d positives", positives), 1 << 16, func(n int) []way {
			block, err := kernels.NewPairBlock(positives, n)
			if err != nil {
				fail(err)
			}
			s, center, least := vector(n), vector(positives), make([]float64, positives)
			return []way{
				{"lanes", func(times int) {
					for range times {
						_, _, err := block.SoftplusAbove(center, least, s)
						check(err)
					}
				}},
				{"plain", func(times int) {
					for range times {
						for i, v := range center {
							sink, count = plainSoftplusAbove(s, v, least[i])
						}
					}
				}},
			}
		}},
		task{fmt.Sprintf("PairBlock.SigmoidSlopeAbove, %d positives", positives), 1 << 16, func(n int) []way {
			block, err := kernels.NewPairBlock(positives, n)
			if err != nil {
				fail(err)
			}
			s, c, scratch, center, least := vector(n), vector(n), vector(n), vector(positives), make([]float64, positives)
			return []way{
				{"lanes", func(times int) {
					for range times {
						_, _, err := block.SigmoidSlopeAbove(c, center, least, s, scratch, 2)
						check(err)
					}
				}},
				{"plain", func(times int) {
					for range times {
						for i, v := range center {
							sink, count = plainSlopeAbove(c, s, v, least[i], 2)
						}
					}
				}},
			}
		}})
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
func fusedPairGradients(loss kernels.PairLoss, c, part []float64, a, parameter float64) float64 {
	sum := 0.0
	if loss == kernels.PairSquaredHinge {
		a *= 2
		for j, t := range part {
			c[j] = math.FMA(a, t, c[j])
			sum += t
		}
		return a * sum
	}
	a *= parameter
	for j, q := range part {
		v := q * (1 - q)
		c[j] = math.FMA(a, v, c[j])
		sum += v
	}
	return a * sum
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
