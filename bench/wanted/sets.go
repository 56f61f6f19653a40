package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/sparse"
)

// source is a data set of two classes.
type source struct {
	name, train, test string   // files; without a test file every third row is held out
	positive          *float64 // of several classes, nil for the larger of two
	upper             float64  // of a regression: the share of rows, of the largest targets, that is positive
	scale             bool     // to [0, 1], by the training rows
}

func label(v float64) *float64 { return &v }

var sources = []source{
	{name: "heart", train: "heart_scale.xz"},
	{name: "diabetes", train: "diabetes_scale.xz"},
	{name: "skin", train: "skin_nonskin.xz", scale: true},
	{name: "abalone, upper tenth", train: "abalone_scale.xz", upper: 0.1},
	{name: "cpusmall, upper tenth", train: "cpusmall.xz", upper: 0.1, scale: true},
	{name: "cadata, upper tenth", train: "cadata.xz", upper: 0.1, scale: true},
	{name: "a1a", train: "a1a.xz"},
	{name: "a9a", train: "a9a.xz", test: "a9a.t.xz"},
	{name: "w8a", train: "w8a.xz", test: "w8a.t.xz"},
	{name: "ijcnn1", train: "ijcnn1.xz", test: "ijcnn1.t.xz"},
	{name: "mushrooms, 5 %"},
	{name: "cocoa", train: "cocoa_small.train.xz", test: "cocoa_small.test.xz"},
	{name: "rcv1", train: "rcv1_vw_small.train.xz", test: "rcv1_vw_small.test.xz"},
	{name: "dorothea", train: "dorothea.train.xz", test: "dorothea.valid.xz"},
	{name: "news20, class 1", train: "news20.multi.xz", positive: label(1)},
	{name: "sector, class 1", train: "sector.scale.xz", test: "sector.t.scale.xz", positive: label(1)},
}

// load reads a data set.
func (o *source) load(folder string) (*datasets.Split, error) {
	if o.train == "" {
		s, err := datasets.Load(folder, "mushrooms")
		if err == nil && s.Placeholder {
			err = fmt.Errorf("mushrooms.xz is not there")
		}
		return s, err
	}
	d, err := sparse.ReadFile(context.Background(), filepath.Join(folder, o.train), sparse.ReadOptions{})
	if err != nil {
		return nil, err
	}
	y, err := o.signs(d.Y)
	if err != nil {
		return nil, err
	}
	s := &datasets.Split{Name: o.name, X: d.X, Y: y}
	if o.test != "" {
		t, err := sparse.ReadFile(context.Background(), filepath.Join(folder, o.test), sparse.ReadOptions{Columns: d.X.Cols()})
		if err != nil {
			return nil, err
		}
		s.TestX = t.X
		if s.TestY, err = o.signs(t.Y); err != nil {
			return nil, err
		}
	} else if err := thirds(s); err != nil {
		return nil, err
	}
	if !o.scale {
		return s, nil
	}
	scaler, err := sparse.FitMinMax(s.X)
	if err != nil {
		return nil, err
	}
	if s.X, err = scaler.Apply(s.X); err == nil {
		s.TestX, err = scaler.Apply(s.TestX)
	}
	return s, err
}

func (o *source) signs(labels []float64) ([]float64, error) {
	if o.upper == 0 {
		y, _, err := sparse.BinaryLabels(labels, o.positive)
		return y, err
	}
	sorted := slices.Sorted(slices.Values(labels))
	bound := sorted[int(float64(len(sorted))*(1-o.upper))]
	y := make([]float64, len(labels))
	for i, v := range labels {
		y[i] = -1
		if v > bound {
			y[i] = 1
		}
	}
	return y, nil
}

// thirds holds out every third row of either class.
func thirds(s *datasets.Split) (err error) {
	var lists [2][]uint32
	seen := map[bool]int{}
	for i, y := range s.Y {
		seen[y > 0]++
		to := 0
		if seen[y > 0]%3 == 0 {
			to = 1
		}
		lists[to] = append(lists[to], uint32(i))
	}
	x, y := s.X, s.Y
	if s.X, s.Y, err = datasets.Pick(x, y, lists[0]); err == nil {
		s.TestX, s.TestY, err = datasets.Pick(x, y, lists[1])
	}
	return err
}
