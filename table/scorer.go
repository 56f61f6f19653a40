package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lanes-go/lanes/model"
)

// FromModel returns the encoder of the tables that a model was trained on; nil for a model of
// rows. It reads the encoder's JSON each time.
func FromModel(m model.Model) (*Encoder, error) {
	if m == nil {
		return nil, errors.New("table: FromModel: there is no model")
	}
	meta := m.About().Meta
	if meta == nil || meta.Table == nil {
		return nil, nil
	}
	return ReadEncoder(meta.Table)
}

// Scorer scores single rows of a table by a model. A row has the bits that it has in a table. Any
// number of goroutines may call its methods, which allocate nothing for a row that is sound;
// their workspaces wait in a pool between calls.
//
// The cells of a row come as strings in the order of Columns, or in a map by the names of the
// columns. Cells are what a table would have, with a point in numbers. A value of a map is a
// string, a []byte, a bool, a number of any size, a json.Number or a time.Time; nil is a missing
// value. It is taken as its text: true or false, numbers as their shortest decimal, times as
// 2017-11-07T09:30:00.25+01:00. A map may have more keys than Columns.
//
// The target, the weight and the group of a row are no part of Columns. An offset and an
// exposure are the last ones, if the recipe has them: they add to the score. See WithoutOffset. Errors name the
// column: cells that no table may have, cells of numbers that are no numbers, columns that a map
// lacks, more or fewer cells than Columns.
type Scorer struct {
	e     *Encoder
	m     model.Model
	err   error
	names []string
	place []int // of each of e.columns in names, -1 for none
	// offsets are the columns that add to the score, the last of names.
	offsets []*column
	pool    sync.Pool
}

// Scorer returns a Scorer by a model. If the model is for rows of other columns, the Scorer's
// methods return an error that says so.
func (e *Encoder) Scorer(m model.Model) *Scorer {
	s := &Scorer{e: e, m: m}
	if e == nil || m == nil {
		return s
	}
	if m.About().Features != e.width {
		s.err = fmt.Errorf("table: Scorer: the model has %d columns, and the rows have %d: the model was trained on other rows", m.About().Features, e.width)
	}
	for k := range e.columns {
		place := -1
		switch c := &e.columns[k]; c.Kind {
		case Target, Weight, Group, Cross:
		case Offset, Exposure:
			s.offsets = append(s.offsets, c)
		default:
			place = len(s.names)
			s.names = append(s.names, c.Name)
		}
		s.place = append(s.place, place)
	}
	for _, c := range s.offsets {
		s.names = append(s.names, c.Name)
	}
	return s
}

// WithoutOffset returns a Scorer that scores rows without an offset and an exposure. Its Columns do
// not have them.
func (s *Scorer) WithoutOffset() *Scorer {
	return &Scorer{e: s.e, m: s.m, err: s.err, names: s.names[:len(s.names)-len(s.offsets)], place: s.place}
}

// Columns returns the names of the columns of a row's cells, in their order.
func (s *Scorer) Columns() []string { return slices.Clone(s.names) }

// Score returns the score of one row; for a model of classes see RowScores.
func (s *Scorer) Score(cells []string) (float64, error) { return s.one(cells, nil, asScore) }

// Predict returns the label of one row, for a regression its prediction.
func (s *Scorer) Predict(cells []string) (float64, error) { return s.one(cells, nil, asLabel) }

// Probability returns the probability that one row is of the class Positive of the model, whose
// scores have to be log odds.
func (s *Scorer) Probability(cells []string) (float64, error) {
	return s.one(cells, nil, asProbability)
}

// RowScores appends the scores of one row to dst: one, or one for each class of the model.
func (s *Scorer) RowScores(dst []float64, cells []string) ([]float64, error) {
	return s.scores(dst, cells, nil)
}

// ScoreMap is Score for the cells in a map.
func (s *Scorer) ScoreMap(row map[string]any) (float64, error) {
	return s.one(nil, present(row), asScore)
}

// PredictMap is Predict for the cells in a map.
func (s *Scorer) PredictMap(row map[string]any) (float64, error) {
	return s.one(nil, present(row), asLabel)
}

// ProbabilityMap is Probability for the cells in a map.
func (s *Scorer) ProbabilityMap(row map[string]any) (float64, error) {
	return s.one(nil, present(row), asProbability)
}

// RowScoresMap is RowScores for the cells in a map.
func (s *Scorer) RowScoresMap(dst []float64, row map[string]any) ([]float64, error) {
	return s.scores(dst, nil, present(row))
}

// present returns a map that is not nil.
func present(row map[string]any) map[string]any {
	if row == nil {
		return map[string]any{}
	}
	return row
}

// usable returns an error where no row can be scored.
func (s *Scorer) usable() error {
	if s.e == nil || s.m == nil {
		return errors.New("table: Scorer: there is no encoder or no model")
	}
	return s.err
}

// What is made of a score.
const (
	asScore = iota
	asLabel
	asProbability
)

// singleRow is what encoding a row takes.
type singleRow struct {
	rowMaker
	block   block
	columns []int
	scores  []float64
}

func (s *Scorer) workspace() *singleRow {
	if r, ok := s.pool.Get().(*singleRow); ok {
		return r
	}
	return new(singleRow)
}

// one scores a row of cells, or of a map that is not nil.
func (s *Scorer) one(cells []string, row map[string]any, as int) (float64, error) {
	if err := s.usable(); err != nil {
		return math.NaN(), err
	}
	r := s.workspace()
	defer s.pool.Put(r)
	if err := s.encode(r, cells, row); err != nil {
		return math.NaN(), err
	}
	if as == asLabel && s.m.About().Width() > 1 {
		var err error
		r.scores, err = s.m.RowScores(r.scores[:0], r.columns, r.values)
		return s.m.Label(r.scores...), err
	}
	score, err := s.m.Score(r.columns, r.values)
	if err != nil {
		return score, err
	}
	if offset := r.offsets[0]; offset != 0 {
		score += offset
	}
	r.scores = append(r.scores[:0], score)
	switch as {
	case asLabel:
		return s.m.Label(r.scores...), nil
	case asProbability:
		if err := s.m.Probabilities(r.scores); err != nil {
			return math.NaN(), err
		}
	}
	return r.scores[0], nil
}

func (s *Scorer) scores(dst []float64, cells []string, row map[string]any) ([]float64, error) {
	if err := s.usable(); err != nil {
		return dst, err
	}
	r := s.workspace()
	defer s.pool.Put(r)
	if err := s.encode(r, cells, row); err != nil {
		return dst, err
	}
	before := len(dst)
	dst, err := s.m.RowScores(dst, r.columns, r.values)
	if err == nil && len(dst) == before+1 && r.offsets[0] != 0 {
		dst[before] += r.offsets[0]
	}
	return dst, err
}

// encode makes the row of the cells, as rows of a table are made.
func (s *Scorer) encode(r *singleRow, cells []string, row map[string]any) error {
	b := &r.block
	b.clear(len(s.names))
	b.rows, b.text = 1, b.text[:0]
	var err error
	if row == nil {
		if len(cells) != len(s.names) {
			return fmt.Errorf("table: %d cells; a row has %d: %s", len(cells), len(s.names), columnList(s.names))
		}
		for _, cell := range cells {
			b.text = append(b.text, cell...)
			b.at = append(b.at, uint32(len(b.text)-len(cell)), uint32(len(b.text)))
		}
	} else if err = s.lay(b, row); err != nil {
		return err
	}
	if len(b.text) > math.MaxInt32 {
		return fmt.Errorf("table: a row of %d bytes; it may have up to %d", len(b.text), math.MaxInt32)
	}
	b.text = append(b.text, padding[:]...)
	r.strict = true
	r.start(s.e, s.place, true)
	if wrong := r.add(b, 0); wrong != "" {
		return errors.New("table: " + wrong)
	}
	r.columns = r.columns[:0]
	for _, j := range r.rowMaker.columns {
		r.columns = append(r.columns, int(j))
	}
	return s.readOffsets(r)
}

var padding [pad]byte

// readOffsets reads what the offset and the exposure of a row add to its score.
func (s *Scorer) readOffsets(r *singleRow) error {
	for k, c := range s.offsets {
		place := len(s.names) - len(s.offsets) + k
		cell := r.block.cell(0, place)
		marks := r.block.marksOf(0, place, c.Marks)
		if why := refusal(c.Kind, cell, marks, false, &s.e.missing); why != "" {
			return fmt.Errorf("table: column %q: %s", c.Name, why)
		}
		v, _ := s.e.missing.number(cell, marks)
		r.offsets[0] += offsetOf(c.Kind, v)
	}
	return nil
}

// lay writes the values of a map into the cells of a row.
func (s *Scorer) lay(b *block, row map[string]any) error {
	for _, name := range s.names {
		from := len(b.text)
		v, given := row[name]
		if !given {
			return s.lacking(row)
		}
		var ok bool
		if b.text, ok = appendCell(b.text, v); !ok {
			return fmt.Errorf("table: column %q: a value of type %T; give a string, a bool, a number, a time, or nil for a missing value", name, v)
		}
		b.at = append(b.at, uint32(from), uint32(len(b.text)))
		_, text := v.(string)
		_, bytes := v.([]byte)
		b.plain = append(b.plain, !text && !bytes)
	}
	return nil
}

func (s *Scorer) lacking(row map[string]any) error {
	var lacks []string
	for _, name := range s.names {
		if _, given := row[name]; !given {
			lacks = append(lacks, name)
		}
	}
	return fmt.Errorf("table: the row lacks %s; nil stands for a missing value", columnList(lacks))
}

// appendCell writes a value as the cell of a table. It returns false for a value of another type.
func appendCell(text []byte, v any) ([]byte, bool) {
	switch v := v.(type) {
	case nil:
	case string:
		text = append(text, v...)
	case []byte:
		text = append(text, v...)
	case json.Number:
		text = append(text, v...)
	case bool:
		text = strconv.AppendBool(text, v)
	case float64:
		text = appendDecimal(text, v, 64)
	case float32:
		text = appendDecimal(text, float64(v), 32)
	case int:
		text = strconv.AppendInt(text, int64(v), 10)
	case int8:
		text = strconv.AppendInt(text, int64(v), 10)
	case int16:
		text = strconv.AppendInt(text, int64(v), 10)
	case int32:
		text = strconv.AppendInt(text, int64(v), 10)
	case int64:
		text = strconv.AppendInt(text, v, 10)
	case uint:
		text = strconv.AppendUint(text, uint64(v), 10)
	case uint8:
		text = strconv.AppendUint(text, uint64(v), 10)
	case uint16:
		text = strconv.AppendUint(text, uint64(v), 10)
	case uint32:
		text = strconv.AppendUint(text, uint64(v), 10)
	case uint64:
		text = strconv.AppendUint(text, v, 10)
	case time.Time:
		text = v.AppendFormat(text, time.RFC3339Nano)
	default:
		return text, false
	}
	return text, true
}

// appendDecimal writes the shortest decimal of a float, as cells of Parquet files have it.
func appendDecimal(text []byte, v float64, bits int) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(text, v, 'e', -1, bits)
	}
	return strconv.AppendFloat(text, v, 'f', -1, bits)
}
