package datasets

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// ErrFewer is returned if a source has fewer rows than #ROWS asks for.
var ErrFewer = errors.New("it has fewer rows")

// Open reads FILE, FILE@LABEL (that label against the rest), FILE@* (all labels as they are) or
// generate:SHAPE. With the suffix #ROWS it reads only the first ROWS rows.
func Open(source string) (*sparse.Matrix, []float64, error) {
	whole, rows, cut := strings.Cut(source, "#")
	if !cut {
		return open(source)
	}
	n, err := strconv.Atoi(rows)
	if err != nil || n < 1 {
		return nil, nil, fmt.Errorf("%s: a number of rows follows #", source)
	}
	x, y, err := open(whole)
	if err != nil {
		return nil, nil, err
	}
	if n > len(y) {
		return nil, nil, fmt.Errorf("%s: %w: %d", source, ErrFewer, len(y))
	}
	first := make([]uint32, n)
	for i := range first {
		first[i] = uint32(i)
	}
	return Pick(x, y, first)
}

func open(source string) (*sparse.Matrix, []float64, error) {
	if shape, found := strings.CutPrefix(source, "generate:"); found {
		s, err := synthetic.ParseShape(shape, 1)
		if err != nil {
			return nil, nil, err
		}
		data, err := s.Generate(nil)
		if err != nil {
			return nil, nil, err
		}
		return data.X, data.Y, nil
	}
	var positive *float64
	file, label, found := strings.Cut(source, "@")
	if found && label != "*" {
		v, err := strconv.ParseFloat(label, 64)
		if err != nil {
			return nil, nil, err
		}
		positive = &v
	}
	data, err := sparse.ReadFile(context.Background(), file, sparse.ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	if label == "*" {
		return data.X, data.Y, nil
	}
	y, _, err := sparse.BinaryLabels(data.Y, positive)
	return data.X, y, err
}

// WriteText writes rows as LIBSVM text.
func WriteText(file string, x *sparse.Matrix, y []float64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(sparse.WriteLIBSVM(f, &sparse.Data{X: x, Y: y}), f.Close())
}

// ReadFloats reads a file of float64 in little-endian order.
func ReadFloats(file string) ([]float64, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := make([]float64, len(content)/8)
	_, err = binary.Decode(content, binary.LittleEndian, list)
	return list, err
}

// ReadWeights reads a linear model. For two classes it returns the weights of the larger label; for
// several classes the weights class by class, in ascending order of label. bias is the value of its
// constant column, 0 without one.
func ReadWeights(file string) (weights []float64, bias float64, err error) {
	read, err := model.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	m, linear := read.(*model.Linear)
	if !linear {
		return nil, 0, fmt.Errorf("%s is no linear model", file)
	}
	if m.Classes != nil {
		for _, label := range slices.Sorted(slices.Values(m.Classes)) {
			weights = append(weights, m.Weights[slices.Index(m.Classes, label)*m.Columns():][:m.Columns()]...)
		}
		return weights, m.Bias, nil
	}
	weights = slices.Clone(m.Weights)
	if m.Positive < m.Negative {
		for j := range weights {
			weights[j] = -weights[j]
		}
	}
	return weights, m.Bias, nil
}

// WriteTriplets writes rows, columns and values, and the labels, for R, a file each.
func WriteTriplets(folder string, x *sparse.Matrix, y []float64) error {
	var rows, columns []int32
	var values []float64
	for i := range x.Rows() {
		for j, v := range x.Row(i) {
			rows, columns, values = append(rows, int32(i+1)), append(columns, int32(j+1)), append(values, v)
		}
	}
	size := []int32{int32(len(rows)), int32(x.Rows()), int32(x.Cols())}
	for _, part := range []struct {
		name string
		data any
	}{{"size", size}, {"rows", rows}, {"columns", columns}, {"values", values}, {"y", y}} {
		file, err := os.Create(filepath.Join(folder, part.name))
		if err != nil {
			return err
		}
		if err := binary.Write(file, binary.LittleEndian, part.data); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}
