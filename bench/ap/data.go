package main

import (
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

// load reads a data set.
func load(folder, name string) (*split, error) {
	s, err := datasets.Load(folder, name)
	if err != nil {
		return nil, err
	}
	return &split{s.Name, s.X, s.TestX, s.Y, s.TestY, s.Placeholder, float64(s.Positives()) / float64(len(s.Y))}, nil
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
