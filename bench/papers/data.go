package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/sparse"
)

// set is a data set with two classes, and with test rows if there are any.
type set struct {
	name      string
	generated bool
	x, testX  *sparse.Matrix
	y, testY  []float64 // -1 or +1
}

// source says where a set comes from. It is two files, or one file, a quarter of which is drawn
// for the test. Without a file, the shape is generated.
type source struct {
	train, test string
	columns     int // 0 for the number of columns of the training file
	substitute  string
}

var sources = map[string]source{
	"ijcnn1":    {"ijcnn1.xz", "ijcnn1.t.xz", 0, "dense:n=49990,d=22"},
	"w8a":       {"w8a.xz", "w8a.t.xz", 0, "imbalanced:n=49749,d=300"},
	"a1a":       {"a1a.xz", "a9a.t.xz", 123, "onehot:n=1605,d=119"},
	"a9a":       {"a9a.xz", "a9a.t.xz", 123, "onehot:n=32561,d=123"},
	"mushrooms": {"mushrooms.xz", "", 0, "onehot:n=8124,d=112"},
}

// load reads a set, once.
func (l *laboratory) load(name string) (*set, error) {
	if s := l.sets[name]; s != nil {
		return s, nil
	}
	from := sources[name]
	s := &set{name: name}
	var err error
	if s.x, s.y, err = l.read(from.train, from.columns); errors.Is(err, fs.ErrNotExist) {
		s.generated = true
		s.x, s.y, err = datasets.Open("generate:" + from.substitute)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.generated || from.test == "" {
		err = s.quarter()
	} else {
		s.testX, s.testY, err = l.read(from.test, s.x.Cols())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.sets[name] = s
	return s, nil
}

// label is the name in tables and figures.
func (s *set) label() string {
	if s.generated {
		return s.name + " (generated)"
	}
	return s.name
}

func (l *laboratory) read(file string, columns int) (*sparse.Matrix, []float64, error) {
	return datasets.Read(filepath.Join(l.data, file), columns)
}

// quarter keeps a quarter of the rows, drawn at random, for the test.
func (s *set) quarter() error {
	order := rand.New(rand.NewPCG(75, 25)).Perm(len(s.y))
	cut := (3*len(order) + 2) / 4
	x, y := s.x, s.y
	var err error
	if s.x, s.y, err = datasets.Pick(x, y, order[:cut]); err == nil {
		s.testX, s.testY, err = datasets.Pick(x, y, order[cut:])
	}
	return err
}
