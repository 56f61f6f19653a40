package model

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Perceptron is a perceptron with what is needed to score and to label new rows. It
// knows two classes; Card.Features is Network.Features. Any number of goroutines may use it,
// as long as nobody changes its fields.
//
// Files are JSON: an object of the format's name and version, the network, the weights in
// the order that score.Network gives, and the metadata.
type Perceptron struct {
	Card
	Network score.Network
	Weights []float64
}

const (
	fileFormat  = "lanes perceptron"
	fileVersion = 1
)

// fileHead is all of a file but its weights.
type fileHead struct {
	Format     string `json:"format"`
	Version    int    `json:"version"`
	Activation string `json:"activation"`
	Features   int    `json:"features"`
	Hidden     []int  `json:"hidden"`
	Meta       *Meta  `json:"meta"`
}

type fileText struct {
	fileHead
	Weights []float64 `json:"weights"`
}

// Check says what is wrong with a perceptron, if anything.
func (t *Perceptron) Check() error {
	if err := t.Network.Check(); err != nil {
		return err
	}
	if t.Features != t.Network.Features || t.Regression || t.Classes != nil {
		return fmt.Errorf("model: a %v is for two classes and %d columns, not for %d", t.Network, t.Network.Features, t.Features)
	}
	if n := t.Network.Parameters(); len(t.Weights) != n {
		return fmt.Errorf("model: %d weights for a %v, which has %d", len(t.Weights), t.Network, n)
	}
	for k, w := range t.Weights {
		if w-w != 0 {
			return fmt.Errorf("model: weight %d is %v", k+1, w)
		}
	}
	if t.Positive == t.Negative || t.Positive-t.Positive != 0 || t.Negative-t.Negative != 0 {
		return fmt.Errorf("model: labels %v and %v are not two different numbers", t.Positive, t.Negative)
	}
	if err := t.filled().Check(t.Features); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	return nil
}

// Score returns the score of one row: see Model.
func (t *Perceptron) Score(columns []int, values []float64) (float64, error) {
	return scoreOf(t, columns, values)
}

// RowScores appends the score of one row to dst: see Model.
func (t *Perceptron) RowScores(dst []float64, columns []int, values []float64) ([]float64, error) {
	return rowScores(t, dst, columns, values)
}

// Predict returns the label of one row: see Model.
func (t *Perceptron) Predict(columns []int, values []float64) (float64, error) {
	s, err := t.Score(columns, values)
	if err != nil {
		return s, err
	}
	return t.Label(s), nil
}

// Probability is refused: see Logistic.
func (t *Perceptron) Probability(columns []int, values []float64) (float64, error) {
	return math.NaN(), t.Probabilities(nil)
}

// Scores appends the scores of all rows of x to dst: see Model.
func (t *Perceptron) Scores(dst []float64, pool *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	return scoresOf(t, dst, pool, x)
}

// scoreBatch writes the scores of the rows of b.
func (t *Perceptron) scoreBatch(dst []float64, b *batch) error {
	b.view = matrix.OfRows(b.rows, t.Features)
	return t.scoreView(nil, dst, b)
}

// scoreView writes the scores of the rows of b.view.
func (t *Perceptron) scoreView(pool *sparse.Pool, dst []float64, b *batch) error {
	return t.Network.Scores(pool, dst, &b.view, t.Weights)
}

// Logistic is false: perceptrons are trained for the order of their scores.
func (t *Perceptron) Logistic() bool { return false }

// Probabilities is refused: see Logistic.
func (t *Perceptron) Probabilities([]float64) error {
	return errors.New("model: the scores of a perceptron are trained for their order: they are no log odds")
}

// Write writes t as text, in the fewest digits that give back the same
// float64. The labels and the checksum in the metadata are filled in.
func (t *Perceptron) Write(w io.Writer) error {
	if w == nil || t == nil {
		return errors.New("model: Write: no model, or nothing to write it to")
	}
	if err := t.Check(); err != nil {
		return err
	}
	meta := t.filled()
	if meta == nil {
		meta = &Meta{Normalize: NormalizeNone, Labels: t.Labels(), Rest: t.Rest}
	}
	meta.WeightsHash = solvers.HashWeights(t.Weights)
	sum, err := meta.Sum(t.Network.String())
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	meta.Checksum = sum
	head, err := json.Marshal(fileHead{fileFormat, fileVersion, t.Network.Activation.String(), t.Network.Features, t.Network.Hidden, meta})
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(head[:len(head)-1])
	out.WriteString(",\n\"weights\":[")
	var number []byte
	for k, v := range t.Weights {
		number = number[:0]
		if k > 0 {
			number = append(number, ',')
		}
		out.Write(strconv.AppendFloat(append(number, '\n'), v, 'g', -1, 64))
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

func (f *fileText) trained() (*Perceptron, error) {
	switch {
	case f.Version != fileVersion:
		return nil, fmt.Errorf("the model has version %d; this program reads version %d", f.Version, fileVersion)
	case f.Meta == nil || len(f.Meta.Labels) != 2:
		return nil, errors.New("the metadata do not give two labels")
	}
	activation, err := score.ParseActivation(f.Activation)
	if err != nil {
		return nil, err
	}
	t := &Perceptron{
		Card:    Card{Features: f.Features, Positive: f.Meta.Labels[0], Negative: f.Meta.Labels[1], Rest: f.Meta.Rest, Meta: f.Meta},
		Network: score.Network{Features: f.Features, Hidden: f.Hidden, Activation: activation}, Weights: f.Weights,
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if hash := solvers.HashWeights(t.Weights); hash != t.Meta.WeightsHash {
		return nil, errors.New("the file is damaged: its weights do not have the checksum that it gives")
	}
	if err := t.Meta.Verify(t.Network.String()); err != nil {
		return nil, err
	}
	return t, nil
}
