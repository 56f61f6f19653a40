package main

import (
	"math/rand/v2"
	"slices"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/sparse"
)

// split is a data set with training and test rows.
type split struct {
	name          string
	x, testX      *sparse.Matrix
	y, testY      []float64
	placeholder   bool // generated: the file was not there
	positiveShare float64
}

// load reads a data set. w6a is drawn anew: LIBSVM's 17,188 training rows, of which
// 525 are positive, and 32,561 test rows of that name are the training rows of w8a,
// split in two, but which rows are which that file does not tell.
func load(folder, name string) (*split, error) {
	if name == "w6a" {
		return w6a(folder)
	}
	s, err := datasets.Load(folder, name)
	if err != nil {
		return nil, err
	}
	return &split{s.Name, s.X, s.TestX, s.Y, s.TestY, s.Placeholder, float64(s.Positives()) / float64(len(s.Y))}, nil
}

func w6a(folder string) (*split, error) {
	all, err := load(folder, "w8a")
	if err != nil {
		return nil, err
	}
	var positives, rest []uint32
	for i, y := range all.y {
		if y > 0 {
			positives = append(positives, uint32(i))
		} else {
			rest = append(rest, uint32(i))
		}
	}
	random := rand.New(rand.NewPCG(6, 1))
	for _, v := range [][]uint32{positives, rest} {
		random.Shuffle(len(v), func(i, k int) { v[i], v[k] = v[k], v[i] })
	}
	p, n := len(positives)*525/1479, len(rest)*16663/48270
	s := &split{name: "w6a", placeholder: all.placeholder, positiveShare: float64(p) / float64(p+n)}
	if s.x, s.y, err = all.pick(positives[:p], rest[:n]); err != nil {
		return nil, err
	}
	s.testX, s.testY, err = all.pick(positives[p:], rest[n:])
	return s, err
}

// pick takes positive and other rows, in their order.
func (s *split) pick(positives, rest []uint32) (*sparse.Matrix, []float64, error) {
	rows := slices.Concat(positives, rest)
	slices.Sort(rows)
	x, err := s.x.PickRows(rows)
	y := make([]float64, len(rows))
	for k, i := range rows {
		y[k] = s.y[i]
	}
	return x, y, err
}
