// Package model holds what training is for: linear models, models of several classes and
// perceptrons, with what it takes to score, to label and to save them. New makes a model
// of a solver's result, ReadFile reads one.
package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

// Model is a *Linear or a *Perceptron. Any number of goroutines may call its methods at
// once, as long as nobody changes its fields.
//
// A row is scored by its columns, which count from 0, ascend and do not repeat, and its
// values; nil values mean that all are 1. It is scaled as the rows of the training were.
// Columns that the model does not know count for nothing, unless Card.RefuseUnknown is set.
// The score depends on the row and the model alone: it has the same bits by itself and in
// any matrix, whatever its layout, on every CPU and for any number of workers. Values are
// float64 when they are scaled and multiplied; so a score can differ in the last bits from
// the product X w of a training on rows that keep one value each. Scores are infinite or
// NaN where values overflow float64.
//
// An error in a row is a *RowError. Causes are columns that are negative, repeated or do not
// ascend, and unknown columns if they are refused. Other causes are values that are NaN or
// infinite, before or after scaling.
type Model interface {
	// About returns what the model predicts, from what, and where it comes from.
	About() *Card

	// Score returns the score of one row; for a model of classes, which has several scores a
	// row, see RowScores. It allocates nothing.
	Score(columns []int, values []float64) (float64, error)
	// Predict returns the label of one row, for a regression its prediction. It allocates nothing.
	Predict(columns []int, values []float64) (float64, error)
	// Probability returns the probability that one row is of the class Positive. It is an
	// error if the model is not Logistic or has Classes: Probabilities turns their RowScores
	// into probabilities. It allocates nothing.
	Probability(columns []int, values []float64) (float64, error)
	// RowScores appends the scores of one row to dst: one, or one for each of Classes.
	RowScores(dst []float64, columns []int, values []float64) ([]float64, error)
	// Scores appends the score of every row of x to dst, which may be nil; for a model of K
	// classes K scores a row, in the order of Classes. x has no bias, and as many columns as
	// the model, fewer or more. The workers of pool share the rows. It allocates nothing if
	// the capacity of dst suffices.
	Scores(dst []float64, pool *sparse.Pool, x *sparse.Matrix) ([]float64, error)

	// Label returns the label that the scores of one row stand for.
	Label(score ...float64) float64
	// Logistic tells whether scores are log odds, calibrated, or margins of a loss with a link, as probit,
	// so that Probabilities can turn them into probabilities, in place.
	Logistic() bool
	// Probabilities turns the scores of any number of rows into probabilities, in place.
	Probabilities(scores []float64) error

	// Check says what is wrong with the model, if anything.
	Check() error
	// Write writes the model as its kind of file; Read reads every kind.
	Write(w io.Writer) error
}

// Card says what a model predicts, from how many columns, and where it comes from. It is
// safe for concurrent use, as its model is.
type Card struct {
	// Features is the number of columns without a bias.
	Features int
	// Regression says that Means makes predictions of scores; but for losses with a link, as
	// poisson, the score itself is the prediction.
	Regression bool
	// Positive and Negative are the labels of the two classes; a score above 0 means
	// Positive, but for losses with a link of their own, as cloglog: see Odds. Rest says that every label but Positive is negative; Negative is what
	// predictions are called then.
	Positive, Negative float64
	Rest               bool
	// Classes has the labels of a model of three or more classes, each trained against the rest.
	// It is nil for other models. If it is not nil, Positive, Negative and Rest have no meaning.
	Classes []float64
	// Meta is what LIBLINEAR's format has no place for; nil in a file of its own.
	Meta *Meta
	// RefuseUnknown makes it an error if a row has an entry in a column from Features on.
	// Files do not keep it: set it before the model is used.
	RefuseUnknown bool

	shifted *shiftedColumns // of Meta.Scaler, for models that New or Read made
}

// About returns c.
func (c *Card) About() *Card { return c }

// filled returns the metadata with what c says of the labels, nil for none.
func (c *Card) filled() *Meta {
	if c.Meta == nil {
		return nil
	}
	filled := *c.Meta
	filled.Labels, filled.Rest = c.Labels(), c.Rest
	return &filled
}

// Width returns the number of scores of a row.
func (c *Card) Width() int { return max(len(c.Classes), 1) }

// Labels returns the labels that are predicted: Classes, or Positive and Negative, nil
// for a regression.
func (c *Card) Labels() []float64 {
	switch {
	case c.Classes != nil:
		return c.Classes
	case c.Regression:
		return nil
	}
	return []float64{c.Positive, c.Negative}
}

// Words returns the words that Labels stand for, nil where labels are numbers.
func (c *Card) Words() []string {
	if c.Meta == nil {
		return nil
	}
	return c.Meta.LabelNames
}

// Word returns what a label is called: the word that it stands for, or its digits.
func (c *Card) Word(label float64) string {
	if k := slices.Index(c.Labels(), label); k >= 0 && k < len(c.Words()) {
		return c.Words()[k]
	}
	return strconv.FormatFloat(label, 'g', -1, 64)
}

// Means turns scores of a regression into predictions, in place: expected targets where Meta.Loss is
// a loss with a link or labels are Logged, else the scores. It costs an elementary function a score.
func (c *Card) Means(scores []float64) {
	if linked := c.linked(); linked != nil {
		linked.Means(scores, scores)
	}
}

// Logged tells whether labels of rows are logarithms of the targets that Means and Label predict.
func (c *Card) Logged() bool { return c.Regression && c.Meta != nil && c.Meta.Smear > 0 }

// Originals turns labels of rows into targets, in place, where they are Logged: to some 1e-15 of
// themselves times their logarithm.
func (c *Card) Originals(y []float64) {
	if c.Logged() {
		for i, v := range y {
			y[i] = kernels.ExpOf(v)
		}
	}
}

// link makes expected targets of scores, as a loss.Linked does.
type link interface {
	Mean(z float64) float64
	Means(means, z []float64)
}

// smeared is the link of logarithms: it is Card.Meta.Smear.
type smeared float64

func (s smeared) Mean(z float64) float64 { return float64(float64(s) * kernels.ExpOf(z)) }

func (s smeared) Means(means, z []float64) {
	for i, v := range z {
		means[i] = s.Mean(v)
	}
}

// Binomial returns the loss of two classes whose probabilities are another function of scores than the
// sigmoid, nil for another model.
func (c *Card) Binomial() loss.Binomial {
	if c.Meta == nil || c.Regression || c.Classes != nil || c.Meta.Isotonic != nil || c.Meta.Calibration != "" {
		return nil
	}
	return loss.ParseBinomial(c.Meta.Loss)
}

// Odds returns what a score of two classes says: the logarithm of the odds of Positive, by the
// calibration or the link of the loss. It is the score itself where neither is, which is no such
// logarithm if the model is not Logistic. The class Positive is predicted where it is above 0.
func (c *Card) Odds(score float64) float64 {
	if c.Meta != nil && c.Meta.Isotonic != nil {
		return c.Meta.Isotonic.Odds(score)
	}
	if l := c.Binomial(); l != nil {
		return l.LogOdds(score)
	}
	return score
}

// linked returns the link of a regression, nil where scores are predictions.
func (c *Card) linked() link {
	if !c.Regression || c.Meta == nil {
		return nil
	}
	if c.Meta.Smear > 0 {
		return smeared(c.Meta.Smear)
	}
	if l := loss.ParseLinked(c.Meta.Loss, c.Meta.LossDelta); l != nil {
		return l
	}
	return nil
}

// Label returns the label of a row by its score, or by its scores, one for each of Classes. For a
// regression model it is the prediction that Means makes of the score. Of equal scores the first one counts. It is NaN if the
// number of scores is not the model's.
func (c *Card) Label(score ...float64) float64 {
	switch {
	case len(score) != c.Width():
		return math.NaN()
	case len(c.Classes) > 0:
		return c.Classes[largest(score)]
	case c.Regression:
		if linked := c.linked(); linked != nil {
			return linked.Mean(score[0])
		}
		return score[0]
	}
	if l := c.Binomial(); l != nil {
		return c.side(l.LogOdds(score[0]))
	}
	return c.side(score[0])
}

// side returns the label of the class that a score of two classes stands for, without a link of its own. It chooses
// between bits, which compiles without a branch: processors foresee signs of scores badly.
func (c *Card) side(score float64) float64 {
	bits := math.Float64bits(c.Negative)
	if score > 0 {
		bits = math.Float64bits(c.Positive)
	}
	return math.Float64frombits(bits)
}

// largest returns the place of the first largest score.
func largest(scores []float64) int {
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return best
}

// recognised is how much of a file Recognise has to see.
const recognised = 64

// Recognise tells whether a file with these first 64 bytes is meant as a model: LIBLINEAR's text,
// or JSON that names a format of lanes. Other JSON may be a table of JSON lines.
func Recognise(begin []byte) bool {
	return isJSON(begin) && bytes.Contains(begin, []byte(`"lanes `)) || bytes.HasPrefix(begin, []byte("solver_type ")) || bytes.HasPrefix(begin, []byte("nr_class "))
}

func isJSON(begin []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n"), []byte("{"))
}

// Read reads a model: LIBLINEAR's model text, with or without the metadata of Linear.Write, or what
// Linear.WriteSparse or Perceptron.Write wrote. name stands in errors, which are
// *sparse.FormatError. It refuses text that is incomplete, not finite or not of the format. Memory:
// O(size of the text). Sparse files also allocate one weight a column.
func Read(r io.Reader, name string) (Model, error) {
	if r == nil {
		return nil, fmt.Errorf("model: Read: there is nothing to read %s from", name)
	}
	in := bufio.NewReaderSize(r, 1<<16)
	begin, _ := in.Peek(recognised) // what cannot be read here cannot be below
	m, err := readKind(in, begin, name)
	if err != nil {
		return nil, err
	}
	m.About().keepShifted()
	return m, nil
}

func readKind(in *bufio.Reader, begin []byte, name string) (Model, error) {
	if isJSON(begin) {
		return readJSON(in, name)
	}
	if bytes.HasPrefix(begin, []byte("PK\x03\x04")) {
		return nil, &sparse.FormatError{Name: name, Message: "it is a zip file, as the .npz for NumPy, which is not read here: keep the model in its own format too"}
	}
	if packed := content.Packed(begin); packed != "" {
		return nil, &sparse.FormatError{Name: name, Message: "it is compressed by " + packed + ": unpack the model first"}
	}
	if other := content.Other(begin); other != "" {
		what, _, _ := strings.Cut(other, ":")
		return nil, &sparse.FormatError{Name: name, Message: what + ", not a model"}
	}
	m, err := readLinear(in, name)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ReadFile reads a file with Read.
func ReadFile(path string) (Model, error) {
	file, err := stamp.OpenNow(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file, path)
}

// WriteFile writes m to a file, whose name holds the whole new model or still the old
// one.
func WriteFile(path string, m Model) error {
	if m == nil {
		return errors.New("model: WriteFile: there is no model")
	}
	return aside.Write(path, m.Write)
}
