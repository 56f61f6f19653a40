package score

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Trained is a perceptron with what is needed to score and to label new rows. A
// positive score means the class Positive.
//
// Files are JSON (Write, Read): an object of the format's name and version, the
// network, the weights in the order that Network gives, and the metadata.
type Trained struct {
	Network Network
	Weights []float64
	// Positive and Negative are the labels of the two classes. Rest says that every
	// label but Positive is negative; Negative is what predictions are called then.
	Positive, Negative float64
	Rest               bool
	Meta               solvers.ModelMeta
}

const (
	fileFormat  = "lanes perceptron"
	fileVersion = 1
)

// fileHead is all of a file but its weights.
type fileHead struct {
	Format     string             `json:"format"`
	Version    int                `json:"version"`
	Activation string             `json:"activation"`
	Features   int                `json:"features"`
	Hidden     []int              `json:"hidden"`
	Meta       *solvers.ModelMeta `json:"meta"`
}

type fileText struct {
	fileHead
	Weights []float64 `json:"weights"`
}

// Check says what is wrong with a perceptron, if anything.
func (t *Trained) Check() error {
	if err := t.Network.Check(); err != nil {
		return err
	}
	if n := t.Network.Parameters(); len(t.Weights) != n {
		return fmt.Errorf("score: %d weights for a %v, which has %d", len(t.Weights), t.Network, n)
	}
	for k, w := range t.Weights {
		if w-w != 0 {
			return fmt.Errorf("score: weight %d is %v", k+1, w)
		}
	}
	if t.Positive == t.Negative || t.Positive-t.Positive != 0 || t.Negative-t.Negative != 0 {
		return fmt.Errorf("score: labels %v and %v are not two different numbers", t.Positive, t.Negative)
	}
	if err := t.Meta.Check(t.Network.Features); err != nil {
		return fmt.Errorf("score: %w", err)
	}
	return nil
}

// Scores returns the score of every row of x, which has Network.Features columns and
// no bias. Rows are prepared as those of the training were.
func (t *Trained) Scores(pool *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	if x.Cols() != t.Network.Features || x.Bias() != 0 {
		return nil, fmt.Errorf("score: the model has %d columns, the data have %d", t.Network.Features, x.Cols())
	}
	x, err := t.Meta.Prepare(x)
	if err != nil {
		return nil, err
	}
	m, err := NewPerceptron(x, t.Network)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, x.Rows())
	return scores, m.All(pool, scores, t.Weights)
}

// Write writes a perceptron as text, in the fewest digits that give back the same
// float64. The labels and the checksum in the metadata are filled in.
func Write(w io.Writer, t *Trained) error {
	if err := t.Check(); err != nil {
		return err
	}
	meta := t.Meta
	meta.WeightsHash = solvers.HashWeights(t.Weights)
	meta.Labels, meta.Rest = []float64{t.Positive, t.Negative}, t.Rest
	head, err := json.Marshal(fileHead{fileFormat, fileVersion, t.Network.Activation.String(), t.Network.Features, t.Network.Hidden, &meta})
	if err != nil {
		return fmt.Errorf("score: the metadata hold a number that is not finite: %w", err)
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

// Recognise tells whether what begins like this can be a file of Write, and cannot be
// one of LIBLINEAR's.
func Recognise(begin []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n"), []byte("{"))
}

// Read reads what Write wrote; name stands in errors, which are *sparse.FormatError.
// All that is incomplete, not finite or not of the format is refused. Memory is a
// small multiple of the text, whatever it says.
func Read(r io.Reader, name string) (*Trained, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file fileText
	err = decoder.Decode(&file)
	at := decoder.InputOffset()
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = errors.New("more text stands after the model")
		}
	} else {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			at, err = int64(len(text)), errors.New("the file is truncated")
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		}
	}
	var t *Trained
	if err == nil {
		t, err = file.trained()
	}
	if err != nil {
		line := 1 + bytes.Count(text[:max(0, min(at, int64(len(text))))], []byte("\n"))
		return nil, &sparse.FormatError{Name: name, Line: int64(line), Message: strings.TrimPrefix(err.Error(), "score: ")}
	}
	return t, nil
}

func (f *fileText) trained() (*Trained, error) {
	switch {
	case f.Format != fileFormat:
		return nil, fmt.Errorf("the format is %.40q, not %q", f.Format, fileFormat)
	case f.Version != fileVersion:
		return nil, fmt.Errorf("the model has version %d; this program reads version %d", f.Version, fileVersion)
	case f.Meta == nil || len(f.Meta.Labels) != 2:
		return nil, errors.New("the metadata do not give two labels")
	}
	activation, err := ParseActivation(f.Activation)
	if err != nil {
		return nil, err
	}
	t := &Trained{
		Network: Network{Features: f.Features, Hidden: f.Hidden, Activation: activation}, Weights: f.Weights,
		Positive: f.Meta.Labels[0], Negative: f.Meta.Labels[1], Rest: f.Meta.Rest, Meta: *f.Meta,
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if hash := solvers.HashWeights(t.Weights); hash != t.Meta.WeightsHash {
		return nil, errors.New("the file is damaged: its weights do not have the checksum that it gives")
	}
	return t, nil
}
