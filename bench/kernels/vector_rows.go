package main

import (
	"math/bits"

	"github.com/viterin/vek/vek32"

	vectors "github.com/lanes-go/lanes/kernels/vector"
)

// rowBytes is the size of the rows of a batch: they lie in the second cache.
const rowBytes = 256 << 10

// queryCount is the number of queries at once.
const queryCount = 8

// A float32Rows are a query of n elements, or several, and rows.
type float32Rows struct {
	n, count             int
	query, queries, rows []float32
	dst                  []float32
}

func newFloat32Rows(n int) *float32Rows {
	count := rowBytes / 4 / n
	return &float32Rows{n, count, vector32(n), vector32(queryCount * n), vector32(count * n), make([]float32, queryCount*count)}
}

// each is a loop of a function on two vectors.
func (r *float32Rows) each(query []float32, dst []float32, f func(x, y []float32) float32) {
	for k := range dst {
		dst[k] = f(query, r.rows[k*r.n:][:r.n])
	}
}

// narrow is the greatest length of a row, where rows are one.
const narrow = rowBytes / 4

// rowsTask compares a query of n elements with rows. It is not inlined, for then repeat would not be.
//
//go:noinline
func rowsTask(name string, lanes func(dst, query, rows []float32, stride int, list []uint32) error, vek, plain func(x, y []float32) float32) task {
	return task{name, narrow, func(n int) []way {
		r := newFloat32Rows(n)
		dst := r.dst[:r.count]
		ways := []way{
			{"lanes", func(times int) { repeat(times, func(int) { check(lanes(dst, r.query, r.rows, n, nil)) }) }},
			{"vek", func(times int) { repeat(times, func(int) { r.each(r.query, dst, vek) }) }},
		}
		if plain != nil {
			ways = append(ways, way{"plain", func(times int) { repeat(times, func(int) { r.each(r.query, dst, plain) }) }})
		}
		return ways
	}}
}

// batchTasks compare a query of n elements with rows that lie in the second cache. The peers have
// loops.
func batchTasks() []task {
	return []task{
		rowsTask("vector.DotRows", vectors.DotRows, vek32.Dot, plainSingleDot),
		rowsTask("vector.SquaredDistanceRows, vek's are distances", vectors.SquaredDistanceRows, vek32.Distance, plainDistance),
		rowsTask("vector.CosineRows", vectors.CosineRows, vek32.CosineSimilarity, nil),
		{"vector.Queries, 8 of DotRows", narrow, func(n int) []way {
			r := newFloat32Rows(n)
			return []way{
				{"lanes", func(times int) {
					repeat(times, func(int) { check(vectors.Queries(r.dst, r.queries, n, r.rows, n, nil, vectors.DotRows)) })
				}},
				{"vek", func(times int) {
					repeat(times, func(int) {
						for q := range queryCount {
							r.each(r.queries[q*n:][:n], r.dst[q*r.count:][:r.count], vek32.Dot)
						}
					})
				}},
			}
		}},
		{"vector.DotInt8", 65536, func(n int) []way {
			x, y := bytes(n), bytes(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { count = int(must(vectors.DotInt8(x, y))) }) }},
				{"plain", func(times int) { repeat(times, func(int) { count = int(plainDotInt8(x, y)) }) }},
			}
		}},
		{"vector.DotInt8Rows", 65536, func(n int) []way {
			query, rows, dst := bytes(n), bytes(rowBytes/n*n), make([]int32, rowBytes/n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.DotInt8Rows(dst, query, rows, n, nil)) }) }},
				{"plain", func(times int) {
					repeat(times, func(int) {
						for k := range dst {
							dst[k] = plainDotInt8(query, rows[k*n:][:n])
						}
					})
				}},
			}
		}},
		{"vector.Hamming, words", 65536, func(n int) []way {
			x, y := words(n), words(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { count = int(must(vectors.Hamming(x, y))) }) }},
				{"plain", func(times int) { repeat(times, func(int) { count = plainHamming(x, y) }) }},
			}
		}},
	}
}

func bytes(n int) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(i * 37)
	}
	return x
}

func words(n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	return x
}

//go:noinline
func plainDotInt8(x, y []int8) int32 {
	s := int32(0)
	for i, v := range x {
		s += int32(v) * int32(y[i])
	}
	return s
}

//go:noinline
func plainHamming(x, y []uint64) int {
	s := 0
	for i, v := range x {
		s += bits.OnesCount64(v ^ y[i])
	}
	return s
}
