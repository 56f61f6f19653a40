package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"

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

// load reads a data set, or generates one like it where the file is not there.
func load(folder, name string) (*split, error) {
	var s *split
	var err error
	switch name {
	case "mushrooms":
		s, err = dropped(folder)
	case "dorothea":
		s, err = pair(folder, name, "dorothea.train.xz", "dorothea.valid.xz")
	default:
		s, err = pair(folder, name, name+".xz", name+".t.xz")
	}
	if err != nil {
		fmt.Printf("%s: %v; a generated set takes its place\n", name, err)
		if s, err = generated(name); err != nil {
			return nil, err
		}
	}
	for _, y := range s.y {
		if y > 0 {
			s.positiveShare += 1 / float64(len(s.y))
		}
	}
	return s, nil
}

func read(path string, columns int) (*sparse.Matrix, []float64, error) {
	d, err := sparse.ReadFile(path, sparse.ReadOptions{Columns: columns})
	if err != nil {
		return nil, nil, err
	}
	y, _, err := sparse.BinaryLabels(d.Y, nil)
	return d.X, y, err
}

func pair(folder, name, train, test string) (*split, error) {
	s := &split{name: name}
	var err error
	if s.x, s.y, err = read(filepath.Join(folder, train), 0); err != nil {
		return nil, err
	}
	s.testX, s.testY, err = read(filepath.Join(folder, test), s.x.Cols())
	return s, err
}

// dropped is mushrooms as in section 4: positives are dropped at random until
// 5.27 % are left, and a third of the rows is for testing.
func dropped(folder string) (*split, error) {
	x, y, err := read(filepath.Join(folder, "mushrooms.xz"), 0)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	var rows, positives []int
	for i, label := range y {
		if label > 0 {
			positives = append(positives, i)
		} else {
			rows = append(rows, i)
		}
	}
	random.Shuffle(len(positives), func(i, k int) { positives[i], positives[k] = positives[k], positives[i] })
	const share = 0.0527
	rows = append(rows, positives[:int(float64(len(rows))*share/(1-share)+0.5)]...)
	random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	s := &split{name: "mushrooms"}
	cut := (2*len(rows) + 2) / 3
	if s.x, s.y, err = pick(x, y, rows[:cut]); err == nil {
		s.testX, s.testY, err = pick(x, y, rows[cut:])
	}
	return s, err
}

func pick(x *sparse.Matrix, y []float64, rows []int) (*sparse.Matrix, []float64, error) {
	ptr := []int64{0}
	var columns []uint32
	var values, labels []float64
	for _, i := range rows {
		for j, v := range x.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, v)
		}
		ptr, labels = append(ptr, int64(len(columns))), append(labels, y[i])
	}
	m, err := sparse.NewCSR(x.Cols(), ptr, columns, values)
	return m, labels, err
}

// generated is two thirds and one third of a generated imbalanced set.
func generated(name string) (*split, error) {
	shape, err := sparse.ParseShape("imbalanced:n=30000", 1)
	if err != nil {
		return nil, err
	}
	g, err := shape.Generate(nil)
	if err != nil {
		return nil, err
	}
	y, _, err := sparse.BinaryLabels(g.Y, nil)
	if err != nil {
		return nil, err
	}
	s := &split{name: name, placeholder: true}
	var train, test []int
	for i := range y {
		if i%3 == 2 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	if s.x, s.y, err = pick(g.X, y, train); err == nil {
		s.testX, s.testY, err = pick(g.X, y, test)
	}
	return s, err
}
