// Package datasets loads the imbalanced data sets of the ranking experiments, or
// generates ones in their place.
package datasets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/lanes-go/lanes/sparse"
)

// Split is a data set with training and test rows.
type Split struct {
	Name        string
	X, TestX    *sparse.Matrix
	Y, TestY    []float64 // -1 or +1
	Placeholder bool      // generated: the file was not there
}

// Load reads a data set, or generates one like it where the file is not there.
// mushrooms has its positives dropped as in section 4 of the AP paper, the others
// are as their files have them.
func Load(folder, name string) (*Split, error) {
	var s *Split
	var err error
	switch name {
	case "mushrooms":
		s, err = dropped(folder)
	case "w6a":
		return w6a(folder)
	case "dorothea":
		s, err = pair(folder, name, "dorothea.train.xz", "dorothea.valid.xz")
	default:
		s, err = pair(folder, name, name+".xz", name+".t.xz")
	}
	if err == nil {
		return s, nil
	}
	fmt.Printf("%s: %v; a generated set takes its place\n", name, err)
	s, err = Generated(name, "imbalanced:n=30000")
	if err == nil {
		s.Placeholder = true
	}
	return s, err
}

// Read reads a file of two classes, as a matrix of at least the given columns.
func Read(path string, columns int) (*sparse.Matrix, []float64, error) {
	d, err := sparse.ReadFile(context.Background(), path, sparse.ReadOptions{Columns: columns})
	if err != nil {
		return nil, nil, err
	}
	y, _, err := sparse.BinaryLabels(d.Y, nil)
	return d.X, y, err
}

func pair(folder, name, train, test string) (*Split, error) {
	s := &Split{Name: name}
	var err error
	if s.X, s.Y, err = Read(filepath.Join(folder, train), 0); err != nil {
		return nil, err
	}
	s.TestX, s.TestY, err = Read(filepath.Join(folder, test), s.X.Cols())
	return s, err
}

// dropped is mushrooms as in section 4 of the AP paper: positives are dropped at
// random until 5.27 % are left, and a third of the rows is for testing. The positives are the
// class that the file calls 1: its 4,208 other rows give 4,442 in all, of the paper's 4,424.
func dropped(folder string) (*Split, error) {
	x, y, err := Read(filepath.Join(folder, "mushrooms.xz"), 0)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	var rows, positives []int
	for i, label := range y {
		if y[i] = -label; y[i] > 0 {
			positives = append(positives, i)
		} else {
			rows = append(rows, i)
		}
	}
	random.Shuffle(len(positives), func(i, k int) { positives[i], positives[k] = positives[k], positives[i] })
	const share = 0.0527
	rows = append(rows, positives[:int(float64(len(rows))*share/(1-share)+0.5)]...)
	random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	s := &Split{Name: "mushrooms"}
	cut := (2*len(rows) + 2) / 3
	if s.X, s.Y, err = Pick(x, y, rows[:cut]); err == nil {
		s.TestX, s.TestY, err = Pick(x, y, rows[cut:])
	}
	return s, err
}

// Pick returns the listed rows with their labels.
func Pick[I int | uint32](x *sparse.Matrix, y []float64, rows []I) (*sparse.Matrix, []float64, error) {
	list, labels := make([]uint32, len(rows)), make([]float64, len(rows))
	for k, i := range rows {
		list[k], labels[k] = uint32(i), y[i]
	}
	picked, err := x.PickRows(nil, list)
	return picked, labels, err
}

// w6a is drawn anew. LIBSVM's w6a has 17,188 training rows, 525 of them positive, and 32,561 test
// rows. Together they are the training rows of w8a, but that file does not tell which rows are
// which.
func w6a(folder string) (*Split, error) {
	all, err := Load(folder, "w8a")
	if err != nil {
		return nil, err
	}
	var positives, rest []int
	for i, y := range all.Y {
		if y > 0 {
			positives = append(positives, i)
		} else {
			rest = append(rest, i)
		}
	}
	random := rand.New(rand.NewPCG(6, 1))
	for _, v := range [][]int{positives, rest} {
		random.Shuffle(len(v), func(i, k int) { v[i], v[k] = v[k], v[i] })
	}
	p, n := len(positives)*525/1479, len(rest)*16663/48270
	sorted := func(parts ...[]int) []int {
		rows := slices.Concat(parts...)
		slices.Sort(rows)
		return rows
	}
	s := &Split{Name: "w6a", Placeholder: all.Placeholder}
	if s.X, s.Y, err = Pick(all.X, all.Y, sorted(positives[:p], rest[:n])); err != nil {
		return nil, err
	}
	s.TestX, s.TestY, err = Pick(all.X, all.Y, sorted(positives[p:], rest[n:]))
	return s, err
}

// Generated is two thirds and one third of a generated set, a shape such as
// imbalanced:n=30000.
func Generated(name, spec string) (*Split, error) {
	x, y, err := Open("generate:" + spec)
	if err != nil {
		return nil, err
	}
	s := &Split{Name: name}
	var train, test []int
	for i := range y {
		if i%3 == 2 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	if s.X, s.Y, err = Pick(x, y, train); err == nil {
		s.TestX, s.TestY, err = Pick(x, y, test)
	}
	return s, err
}
