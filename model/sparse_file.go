package model

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"strconv"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

const (
	sparseFormat  = "lanes sparse model"
	sparseVersion = 1
	// mostSparse is the largest number of weights, zeros included, that a file of few may
	// stand for.
	mostSparse = 1 << 28
)

// sparseHead is all of a file but its weights.
type sparseHead struct {
	Format     string  `json:"format"`
	Version    int     `json:"version"`
	SolverType string  `json:"solver_type"`
	Features   int     `json:"features"`
	Bias       float64 `json:"bias"`
	Meta       *Meta   `json:"meta"`
}

type sparseText struct {
	sparseHead
	Classes []sparseClass `json:"classes"`
}

// sparseClass are the weights of a class, or of a model that has no classes.
type sparseClass struct {
	Label    string        `json:"label"` // "" for a regression
	Constant float64       `json:"constant"`
	Weights  []sparseEntry `json:"weights"`
}

// sparseEntry is a weight that is not 0. Index is the column's in the text of the training:
// from 1 on, or from 0 where the metadata say zero_based.
type sparseEntry struct {
	Index  int     `json:"index"`
	Weight float64 `json:"weight"`
	Name   string  `json:"name,omitempty"`
}

// WriteSparse writes m as JSON with only the weights that are not 0, a line each with the
// column's index and its name; Read reads it, to the same weights, with the names of
// those columns. Constant is the weight of the constant column, which stands there whether
// it is 0 or not.
func (m *Linear) WriteSparse(w io.Writer) error {
	if w == nil || m == nil {
		return errors.New("model: WriteSparse: no model, or nothing to write it to")
	}
	if err := m.Check(); err != nil {
		return err
	}
	if int64(len(m.Weights)) > mostSparse {
		return fmt.Errorf("model: WriteSparse: the model has %d weights, zeros included; this format holds at most %d", len(m.Weights), mostSparse)
	}
	meta := m.filled()
	if meta == nil {
		meta = &Meta{Normalize: NormalizeNone, Labels: m.Labels(), Rest: m.Rest}
	}
	meta.FeatureNames = nil // names are written beside their weights
	plain := make([]float64, len(m.Weights))
	for j, v := range m.Weights {
		plain[j] = v + 0 // no -0, which would not come back
	}
	meta.WeightsHash = solvers.HashWeights(plain)
	text := sparseText{sparseHead{sparseFormat, sparseVersion, m.SolverType, m.Features, m.Bias, meta}, m.sparseClasses()}
	sum, err := text.sum()
	if err != nil {
		return fmt.Errorf("model: WriteSparse: %w", err)
	}
	meta.Checksum = sum
	head, err := json.Marshal(text.sparseHead)
	if err != nil {
		return fmt.Errorf("model: WriteSparse: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(head[:len(head)-1])
	out.WriteString(",\n\"classes\":[")
	for k, c := range text.Classes {
		if k > 0 {
			out.WriteByte(',')
		}
		label, _ := json.Marshal(c.Label)
		fmt.Fprintf(out, "\n{\"label\":%s,\"constant\":%s,\"weights\":[", label, strconv.FormatFloat(c.Constant, 'g', -1, 64))
		for i, e := range c.Weights {
			if i > 0 {
				out.WriteByte(',')
			}
			line, _ := json.Marshal(e)
			out.WriteByte('\n')
			out.Write(line)
		}
		out.WriteString("\n]}")
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// sparseClasses lists the weights that are not 0.
func (m *Linear) sparseClasses() []sparseClass {
	d, names, first := m.Columns(), m.FeatureNames(), firstIndex(m.Meta)
	list := make([]sparseClass, m.Width())
	for k := range list {
		c := &list[k]
		c.Label, c.Weights = m.labelOf(k), []sparseEntry{}
		w := m.Weights[k*d : (k+1)*d]
		if m.Bias != 0 {
			c.Constant = w[m.Features] + 0
		}
		for j, v := range w[:m.Features] {
			if v == 0 {
				continue
			}
			e := sparseEntry{Index: j + first, Weight: v}
			if names != nil {
				e.Name = names[j]
			}
			c.Weights = append(c.Weights, e)
		}
	}
	return list
}

// labelOf is what the label is called that a class's scores speak for, "" for a
// regression.
func (c *Card) labelOf(class int) string {
	if c.Regression {
		return ""
	}
	return c.Word(c.Labels()[class])
}

func firstIndex(m *Meta) int {
	if m != nil && m.ZeroBased {
		return 0
	}
	return 1
}

// sum is Meta.Sum over all of the text.
func (t *sparseText) sum() (string, error) {
	all := sha256.New()
	number := func(v uint64) { binary.Write(all, binary.LittleEndian, v) }
	word := func(h hash.Hash, s string) { number(uint64(len(s))); io.WriteString(h, s) }
	number(uint64(len(t.Classes)))
	for _, c := range t.Classes {
		word(all, c.Label)
		number(math.Float64bits(c.Constant))
		number(uint64(len(c.Weights)))
		for _, e := range c.Weights {
			number(uint64(e.Index))
			number(math.Float64bits(e.Weight))
			word(all, e.Name)
		}
	}
	return t.Meta.Sum(fmt.Sprintf("%s %s %d %x %s", t.Format, t.SolverType, t.Features, t.Bias, hex.EncodeToString(all.Sum(nil))))
}

// linear makes the model of a text. What a text claims takes no memory before its checksum
// was found right.
func (t *sparseText) linear() (*Linear, error) {
	switch {
	case t.Version != sparseVersion:
		return nil, fmt.Errorf("the model has version %d; this program reads version %d", t.Version, sparseVersion)
	case t.Meta == nil || t.Meta.FeatureNames != nil:
		return nil, errors.New("the metadata are missing, or hold names, which stand beside the weights")
	case t.Features < 0 || t.Features > sparse.MaxColumns || !isFinite(t.Bias) || t.Bias < 0:
		return nil, fmt.Errorf("%d features and the bias %v cannot be", t.Features, t.Bias)
	}
	sum, err := t.sum()
	if err != nil {
		return nil, err
	}
	if sum != t.Meta.Checksum {
		return nil, errors.New("the file is damaged, or of a newer program: it does not have the checksum that it gives")
	}
	m := &Linear{Card: Card{Features: t.Features, Rest: t.Meta.Rest, Meta: t.Meta}, SolverType: t.SolverType, Bias: t.Bias}
	m.Regression = solverTypes[m.SolverType]
	switch labels := t.Meta.Labels; {
	case m.Regression:
	case len(labels) == 2:
		m.Positive, m.Negative = labels[0], labels[1]
	default:
		m.Classes = labels
	}
	count := int64(m.Columns()) * int64(m.Width())
	switch {
	case len(t.Classes) != m.Width():
		return nil, fmt.Errorf("weights of %d classes where there should be %d", len(t.Classes), m.Width())
	case count > mostSparse:
		return nil, fmt.Errorf("%d weights, zeros included, are more than the %d that this form may have", count, mostSparse)
	}
	if err := memory.Check("the weights of the model", count, 8); err != nil {
		return nil, err
	}
	m.Weights = make([]float64, count)
	for k := range t.Classes {
		if err := m.fill(k, &t.Classes[k]); err != nil {
			return nil, err
		}
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if hash := solvers.HashWeights(m.Weights); hash != m.Meta.WeightsHash {
		return nil, errors.New("the file is damaged: its weights do not have the checksum that it gives")
	}
	return m, nil
}

// fill puts the weights of a class in their places.
func (m *Linear) fill(class int, c *sparseClass) error {
	d, first, before := m.Columns(), firstIndex(m.Meta), -1
	w := m.Weights[class*d : (class+1)*d]
	if label := m.labelOf(class); c.Label != label {
		return fmt.Errorf("class %d is called %.40q, its label %.40q", class+1, c.Label, label)
	}
	for _, e := range c.Weights {
		j := e.Index - first
		if j <= before || j >= m.Features || e.Weight == 0 {
			return fmt.Errorf("the weight %v of index %d: indices ascend from %d to %d, and weights are not 0", e.Weight, e.Index, first, m.Features-1+first)
		}
		before, w[j] = j, e.Weight
		if e.Name == "" {
			continue
		}
		if m.Meta.FeatureNames == nil {
			if err := memory.Check("the names of the columns", int64(m.Features), 16); err != nil {
				return err
			}
			m.Meta.FeatureNames = make([]string, m.Features)
		}
		m.Meta.FeatureNames[j] = e.Name
	}
	if m.Bias != 0 {
		w[m.Features] = c.Constant
	} else if c.Constant != 0 {
		return fmt.Errorf("the constant %v of a model without a bias", c.Constant)
	}
	return nil
}
