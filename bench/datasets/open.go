package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// Open reads FILE, FILE@LABEL (that label against the rest), FILE@* (all labels as they
// are) or generate:SHAPE.
func Open(source string) (*sparse.Matrix, []float64, error) {
	if shape, found := strings.CutPrefix(source, "generate:"); found {
		s, err := sparse.ParseShape(shape, 1)
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
	data, err := sparse.ReadFile(file, sparse.ReadOptions{})
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

// ReadWeights reads a linear model of two classes, its weights turned where they are for the
// smaller label, and the value of its constant column, 0 for none.
func ReadWeights(file string) (weights []float64, bias float64, err error) {
	read, err := model.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	m, linear := read.(*model.Linear)
	if !linear {
		return nil, 0, fmt.Errorf("%s is no linear model", file)
	}
	weights = slices.Clone(m.Weights)
	if m.Positive < m.Negative {
		for j := range weights {
			weights[j] = -weights[j]
		}
	}
	return weights, m.Bias, nil
}
