package model

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteNPZ writes m for NumPy, as the arrays that models of scikit-learn are made of:
//
//	coef_               float64, 1 x d for two classes, K x d for K, d for a regression;
//	intercept_          float64, 1, K, or a scalar for a regression;
//	classes_            the labels in the order of coef_; for two the negative one comes first;
//	feature_names_in_   the names of the columns, where the model has them;
//	normalize           "unit" where rows have to be scaled to length 1 first, else "none";
//	multi_class         "multinomial" or "ovr", for more than two classes
//	loss                of losses with a link: of a logarithmic one, as "poisson", predictions are exp of scores;
//	                    of "probit" and "cloglog" probabilities are by that link
//	smear               where the target was learned as its logarithm: predictions are smear exp(score)
//
// The bias is in intercept_. The scaling of columns by minmax and std is in coef_ and intercept_.
// So X @ coef_.T + intercept_ are the scores of rows as they are read. Labels are integers if all
// are whole and at most 2^53 in absolute value, otherwise floats, or words. It is an error if a
// weight overflows without the scaling of columns. The same model gives the same bytes.
//
// The format is numpy.lib.format, version 1.0 (long shapes, which need 2.0, do not occur), stored
// without compression.
func (m *Linear) WriteNPZ(w io.Writer) error {
	if w == nil || m == nil {
		return errors.New("model: WriteNPZ: no model, or nothing to write it to")
	}
	if err := m.Check(); err != nil {
		return err
	}
	coefficients, intercepts, err := m.Coefficients()
	if err != nil {
		return fmt.Errorf("model: WriteNPZ: %w", err)
	}
	k, d := m.Width(), m.Features
	rows, each := []int{k, d}, []int{k}
	if m.Regression {
		rows, each = []int{d}, []int{}
	}
	out := zip.NewWriter(w)
	a := arrays{zip: out}
	a.floats("coef_", rows, coefficients)
	a.floats("intercept_", each, intercepts)
	if !m.Regression {
		a.labels("classes_", &m.Card)
	}
	if names := m.FeatureNames(); names != nil {
		a.words("feature_names_in_", []int{d}, names)
	}
	normalize := NormalizeNone
	if m.Meta != nil && m.Meta.Normalize == NormalizeUnit {
		normalize = NormalizeUnit
	}
	a.words("normalize", []int{}, []string{normalize})
	switch {
	case m.Logged():
		a.floats("smear", []int{}, []float64{m.Meta.Smear})
	case m.linked() != nil || m.Binomial() != nil:
		a.words("loss", []int{}, []string{m.Meta.Loss})
	}
	if m.Classes != nil {
		way := "ovr"
		if m.Meta != nil && m.Meta.Softmax {
			way = "multinomial"
		}
		a.words("multi_class", []int{}, []string{way})
	}
	if a.err == nil {
		a.err = out.Close()
	}
	return a.err
}

// Coefficients returns the coefficients of m for rows as they are read, and the constants of the
// classes. There are Features coefficients a class, one class after the other. They include what
// minmax and std do to columns. Rows that are scaled to unit length have to be scaled first.
// Error: a coefficient that overflows float64, a model that Check refuses. It allocates the
// result.
func (m *Linear) Coefficients() (coefficients, intercepts []float64, err error) {
	if err := m.Check(); err != nil {
		return nil, nil, err
	}
	d := m.Columns()
	for k := range m.Width() {
		w, constant := slices.Clone(m.Weights[k*d:k*d+m.Features]), m.Constant(k)
		if m.Meta != nil && m.Meta.Scaler != nil {
			for j, width := range m.Meta.Scaler.Width {
				if width == 0 { // the column is dropped
					w[j] = 0
					continue
				}
				w[j] /= width
				constant = math.FMA(-w[j], m.Meta.Scaler.Shift[j], constant)
			}
		}
		for j, v := range append(w, constant) {
			if !isFinite(v) {
				return nil, nil, fmt.Errorf("the weight of column %d overflows for rows whose columns are not scaled", j+1)
			}
		}
		coefficients, intercepts = append(coefficients, w...), append(intercepts, constant)
	}
	return coefficients, intercepts, nil
}

// arrays writes arrays as files of a zip file. The first error sticks.
type arrays struct {
	zip *zip.Writer
	err error
}

// begin writes all of an array but its elements, and calls fill to write these.
func (a *arrays) begin(name, kind string, shape []int, fill func(*bufio.Writer)) {
	if a.err != nil {
		return
	}
	var file io.Writer
	if file, a.err = a.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store}); a.err != nil {
		return
	}
	var sizes strings.Builder
	for _, n := range shape {
		sizes.WriteString(strconv.Itoa(n) + ",")
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, sizes.String())
	const before, unit = 10, 64 // bytes of magic, version and length; elements begin at a multiple
	head += strings.Repeat(" ", unit-1-(before+len(head))%unit) + "\n"
	out := bufio.NewWriterSize(file, 1<<16)
	out.WriteString("\x93NUMPY\x01\x00")
	out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(head))))
	out.WriteString(head)
	fill(out)
	a.err = out.Flush()
}

func (a *arrays) floats(name string, shape []int, v []float64) {
	a.begin(name, "<f8", shape, func(out *bufio.Writer) {
		var word [8]byte
		for _, x := range v {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(x))
			out.Write(word[:])
		}
	})
}

// words writes strings of the length of the longest, in UTF-32.
func (a *arrays) words(name string, shape []int, v []string) {
	longest := 1
	for _, s := range v {
		longest = max(longest, utf8.RuneCountInString(s))
	}
	a.begin(name, "<U"+strconv.Itoa(longest), shape, func(out *bufio.Writer) {
		var word [4]byte
		for _, s := range v {
			rest := longest
			for _, c := range s {
				binary.LittleEndian.PutUint32(word[:], uint32(c))
				out.Write(word[:])
				rest--
			}
			for range rest {
				out.Write([]byte{0, 0, 0, 0})
			}
		}
	})
}

// labels writes the labels in the order in which scikit-learn has them.
func (a *arrays) labels(name string, c *Card) {
	labels, words := slices.Clone(c.Labels()), slices.Clone(c.Words())
	if c.Classes == nil { // scores above 0 are the second
		slices.Reverse(labels)
		slices.Reverse(words)
	}
	switch whole := !slices.ContainsFunc(labels, func(v float64) bool { return v != math.Trunc(v) || math.Abs(v) > 1<<53 }); {
	case words != nil:
		a.words(name, []int{len(words)}, words)
	case whole:
		a.begin(name, "<i8", []int{len(labels)}, func(out *bufio.Writer) {
			for _, v := range labels {
				out.Write(binary.LittleEndian.AppendUint64(nil, uint64(int64(v))))
			}
		})
	default:
		a.floats(name, []int{len(labels)}, labels)
	}
}
