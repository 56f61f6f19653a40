package main

import (
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
