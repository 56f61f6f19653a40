package model

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// metaHeading opens what stands after the weights, where LIBLINEAR's loader no
// longer reads. A file with metadata begins with nr_class, and a file without it with
// solver_type, as LIBLINEAR's own: its loader takes any order. So a file that is cut after
// the weights is no whole model. Files of older versions begin with solver_type either way.
const (
	metaHeading = "lanes"
	metaVersion = 1
)

// Write writes m as LIBLINEAR's model text: weights in the fewest digits that give back the same
// float64. A text with metadata begins with the line nr_class, other text with solver_type. LIBLINEAR knows labels that are whole numbers only. Other labels are 1 and -1 there,
// or 1 to K for K classes, and stand as they are in the metadata. Write fills in Labels, Rest,
// WeightsHash and Checksum of the metadata.
func (m *Linear) Write(w io.Writer) error {
	if w == nil || m == nil {
		return errors.New("model: Write: no model, or nothing to write it to")
	}
	if err := m.Check(); err != nil {
		return err
	}
	meta := m.filled()
	out := bufio.NewWriterSize(w, 1<<16)
	first := []string{"solver_type " + m.SolverType, fmt.Sprintf("nr_class %d", max(len(m.Classes), 2))}
	if meta != nil {
		slices.Reverse(first)
	}
	fmt.Fprintf(out, "%s\n%s\n", first[0], first[1])
	if whole := m.wholeLabels(); whole != nil {
		out.WriteString("label")
		for _, label := range whole {
			fmt.Fprintf(out, " %d", int64(label))
		}
		out.WriteByte('\n')
	}
	bias := m.Bias
	if bias == 0 {
		bias = -1
	}
	fmt.Fprintf(out, "nr_feature %d\nbias %s\nw\n", m.Features, strconv.FormatFloat(bias, 'g', -1, 64))
	var line []byte
	for j, d := 0, m.Columns(); j < d; j++ {
		line = line[:0]
		for at := j; at < len(m.Weights); at += d {
			if v := m.Weights[at]; math.Float64bits(v) != 0 {
				line = strconv.AppendFloat(line, v, 'g', -1, 64)
			} else {
				line = append(line, '0') // most weights of hashed columns
			}
			line = append(line, ' ')
		}
		line[len(line)-1] = '\n'
		out.Write(line)
	}
	if meta != nil {
		meta.WeightsHash = solvers.HashWeights(m.Weights)
		sum, err := meta.Sum(m.head())
		if err != nil {
			return fmt.Errorf("model: Write: %w", err)
		}
		meta.Checksum = sum
		text, err := json.Marshal(meta)
		if err != nil {
			return fmt.Errorf("model: Write: %w", err)
		}
		fmt.Fprintf(out, "%s %d\n%s\n", metaHeading, metaVersion, text)
	}
	return out.Flush()
}

func isInt32(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= math.MaxInt32 }

// readLinear reads LIBLINEAR's model text, with or without the metadata of Write; name stands in
// errors, which are *sparse.FormatError. It refuses text that is incomplete, not finite or not of
// the format. It allocates memory for the weights in the text, whatever the header says.
func readLinear(r io.Reader, name string) (*Linear, error) {
	source := bufio.NewReaderSize(r, 1<<16)
	t := &modelText{source: source, line: 1}
	m, err := t.model()
	var trouble modelTrouble
	switch {
	case errors.As(err, &trouble):
		return nil, &sparse.FormatError{Name: name, Line: t.tokenLine, Message: string(trouble)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// modelTrouble is what is wrong with the text at the line of the last token.
type modelTrouble string

func (m modelTrouble) Error() string { return string(m) }

func troublef(format string, args ...any) error { return modelTrouble(fmt.Sprintf(format, args...)) }

// modelText cuts the text into tokens as LIBLINEAR's fscanf does.
type modelText struct {
	source    *bufio.Reader
	line      int64
	tokenLine int64
	buffer    []byte
	cut       bool // the text ends with a token, and no line
	described bool // the text begins as text with metadata does
}

const longestToken = 400

// token returns the next token, "" at the end of the text.
func (t *modelText) token() (string, error) {
	t.buffer = t.buffer[:0]
	for {
		c, err := t.source.ReadByte()
		if err == io.EOF {
			if len(t.buffer) == 0 {
				t.tokenLine = t.line
			}
			t.cut = len(t.buffer) > 0
			return string(t.buffer), nil
		}
		if err != nil {
			return "", err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			if len(t.buffer) > 0 {
				t.source.UnreadByte()
				return string(t.buffer), nil
			}
			if c == '\n' {
				t.line++
			}
			continue
		}
		if len(t.buffer) == 0 {
			t.tokenLine = t.line
		}
		if len(t.buffer) == longestToken {
			return "", troublef("%q... is too long for a model file", t.buffer[:20])
		}
		t.buffer = append(t.buffer, c)
	}
}

// number reads a finite number. what, with its place if given, is its name in errors.
func (t *modelText) number(what string, place ...int) (float64, error) {
	text, err := t.token()
	if err != nil {
		return 0, err
	}
	if text == "" {
		what = named(what, place)
		return 0, troublef("the file ends where %s should stand: it is truncated", what)
	}
	if t.cut {
		return 0, troublef("the file ends with %s and no end of its line: it is truncated", named(what, place))
	}
	if strings.Trim(text, "0123456789+-.eE") == "" {
		if v, err := strconv.ParseFloat(text, 64); err == nil && isFinite(v) {
			return v, nil
		}
	}
	return 0, troublef("%s is %.40q, not a finite number", named(what, place), text)
}

func named(what string, place []int) string {
	for _, k := range place {
		what += " " + strconv.Itoa(k)
	}
	return what
}

func (t *modelText) whole(what string, low, high float64) (int, error) {
	v, err := t.number(what)
	if err == nil && (v != math.Trunc(v) || v < low || v > high) {
		return 0, troublef("%s is %v; it must be a whole number from %.0f to %.0f", what, v, low, high)
	}
	return int(v), err
}

func (t *modelText) model() (*Linear, error) {
	m := &Linear{Card: Card{Features: -1}}
	if err := t.header(m); err != nil {
		return nil, err
	}
	count := m.Features
	hasBias := m.Bias >= 0
	if hasBias {
		count++
	}
	classes := max(len(m.Classes), 1)
	for range count {
		for range classes {
			w, err := t.number("weight", len(m.Weights)+1)
			if err != nil {
				return nil, err
			}
			m.Weights = append(m.Weights, w)
		}
	}
	if hasBias && m.Bias == 0 {
		m.Weights = m.Weights[:m.Features*classes] // LIBLINEAR's weights of a column of zeros
	}
	m.Bias = max(m.Bias, 0)
	m.Weights = byClass(m.Weights, classes)
	if err := t.meta(m); err != nil {
		return nil, err
	}
	err := m.check()
	if err == nil {
		err = m.Meta.Check(m.Features)
	}
	if err == nil && m.Meta != nil {
		err = m.Meta.Verify(m.head())
	}
	if err != nil {
		return nil, modelTrouble(err.Error())
	}
	return m, nil
}

func (t *modelText) header(m *Linear) error {
	seen := make(map[string]bool)
	classes := 0
	m.Bias = -1
	for {
		key, err := t.token()
		if err != nil {
			return err
		}
		if seen[key] {
			return troublef("%s stands there twice", key)
		}
		seen[key] = true
		t.described = t.described || len(seen) == 1 && key == "nr_class"
		switch key {
		case "":
			return troublef("the file ends before the weights: it is truncated or not a model file")
		case "solver_type":
			if m.SolverType, err = t.token(); err != nil {
				return err
			}
			regression, known := solverTypes[m.SolverType]
			if !known {
				return troublef("solver_type %.40q cannot be used: lanes reads one-vs-rest and regression models (-s 0 to 3, 5 to 7, 11 to 13)", m.SolverType)
			}
			m.Regression = regression
		case "nr_class":
			if classes, err = t.whole(key, 1, math.MaxInt32); err != nil {
				return err
			}
			if classes < 2 {
				return troublef("the model has one class; there must be two at least")
			}
		case "label":
			if classes == 0 {
				return troublef("label stands before nr_class")
			}
			if classes > 2 {
				if m.Classes, err = t.labels(classes); err != nil {
					return err
				}
				continue
			}
			if m.Positive, err = t.number("the first label"); err != nil {
				return err
			}
			if m.Negative, err = t.number("the second label"); err != nil {
				return err
			}
		case "nr_feature":
			if m.Features, err = t.whole(key, 0, sparse.MaxColumns); err != nil {
				return err
			}
		case "bias":
			if m.Bias, err = t.number(key); err != nil {
				return err
			}
		case "w":
			for _, needed := range []string{"solver_type", "nr_class", "nr_feature"} {
				if !seen[needed] {
					return troublef("%s is missing before the weights", needed)
				}
			}
			if !m.Regression && !seen["label"] {
				return troublef("label is missing before the weights")
			}
			if m.Regression && classes > 2 {
				return troublef("a regression model has %d classes", classes)
			}
			return nil
		default:
			if len(seen) == 1 {
				return troublef("the file begins with %.40q, so it is not a model: lanes train --model FILE writes one, and so does LIBLINEAR", key)
			}
			return troublef("%.40q is not known in the head of a model file", key)
		}
	}
}

// meta reads what stands after the weights.
func (t *modelText) meta(m *Linear) error {
	heading, err := t.token()
	if err == nil && heading == "" && t.described {
		return troublef("the file ends where the metadata should stand: it is truncated")
	}
	if err != nil || heading == "" {
		return err
	}
	if heading != metaHeading {
		return troublef("%.40q stands after the last weight", heading)
	}
	version, err := t.whole("the version of the metadata", 1, math.MaxInt32)
	if err != nil {
		return err
	}
	if version != metaVersion {
		return troublef("the metadata have version %d; this program reads version %d", version, metaVersion)
	}
	decoder := json.NewDecoder(t.source)
	decoder.DisallowUnknownFields()
	m.Meta = new(Meta)
	if err := decoder.Decode(m.Meta); err != nil {
		t.tokenLine = t.line + 1
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return troublef("the metadata end too early: the file is truncated")
		}
		return troublef("the metadata are damaged: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.tokenLine = t.line + 2
		return troublef("more text stands after the metadata")
	}
	if hash := solvers.HashWeights(m.Weights); m.Meta.WeightsHash != hash {
		return troublef("the file is damaged: its weights do not have the checksum that it gives")
	}
	if m.Regression {
		return nil
	}
	if len(m.Meta.Labels) != max(len(m.Classes), 2) {
		return troublef("the metadata give %d labels", len(m.Meta.Labels))
	}
	stated := m.Labels()
	m.Rest = m.Meta.Rest
	if m.Classes != nil {
		m.Classes = m.Meta.Labels
	} else {
		m.Positive, m.Negative = m.Meta.Labels[0], m.Meta.Labels[1]
	}
	if !slices.Equal(stated, m.wholeLabels()) {
		return troublef("the file is damaged: the labels %v before the weights differ from the labels %v of the metadata", stated, m.Meta.Labels)
	}
	return nil
}
