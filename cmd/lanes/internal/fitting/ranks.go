package fitting

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// share prepares the flags of one of several processes: what is written, rank 0 writes.
func (f *RunFlags) share(a *console.App) {
	f.app, f.ranks = a, a.Ranks
	if !f.Leads() {
		f.Receipt = "" // which takes a look at all rows
	}
}

// Leads tells whether this process writes what the run is asked for.
func (f *RunFlags) Leads() bool { return f.ranks == nil || f.ranks.Rank() == 0 }

// Meet has all processes find out, before the first product, whether they are of one
// version and make one run on the same data; err is what went wrong with them here.
func (f *RunFlags) Meet(data *input.Dataset, settings []string, err error) error {
	if f.ranks == nil {
		return err
	}
	mine := party{Version: console.Version(), Settings: settings}
	if err == nil {
		mine.Rows, mine.Columns, mine.NonZeros = data.Shape()
		mine.Data = data.Stream.Identity()
	}
	text, wrong := json.Marshal(mine)
	if wrong != nil {
		return wrong
	}
	texts, err := f.app.Share(err, text)
	if err != nil {
		return err
	}
	list := make([]party, len(texts))
	for k, text := range texts {
		if err := json.Unmarshal(text, &list[k]); err != nil {
			return fmt.Errorf("rank %d is of another version: %w", k, err)
		}
		if err := list[0].differs(&list[k], k, data.Name); err != nil {
			return err
		}
	}
	if count, end := f.ranks.Size(), f.Shards; end > 0 && count > end {
		f.app.Note("%d processes share %d shards: %d have no rows, and wait for the others", count, end, count-end)
	}
	return nil
}

// Settle has all processes go on or none once the problem is posed, and finds out whether
// it is the same everywhere; err is what went wrong with that here.
func (f *RunFlags) Settle(p *Prepared, s *solvers.Settings, err error) error {
	if f.ranks == nil {
		return err
	}
	var parts []string
	if err == nil {
		parts = []string{p.LabelText(), fmt.Sprint(p.Lambda, s.Shards, s.MaxPasses, s.GapTolerance, s.GradientTolerance), solvers.HashWeights(s.Initial),
			fmt.Sprintf("resumed %t, saved %t", s.Resume != "", s.Checkpoint != "")}
		if p.Streamed.ClassWeights != nil {
			parts = append(parts, fmt.Sprint("weights of classes ", *p.Streamed.ClassWeights))
		}
		if p.scaler != nil {
			parts = append(parts, solvers.HashWeights(p.scaler.Shift), solvers.HashWeights(p.scaler.Width))
		}
	}
	text, err := f.app.Share(err, []byte(strings.Join(parts, "; ")))
	if err != nil {
		return err
	}
	for k := range text {
		if !bytes.Equal(text[k], text[0]) {
			return fmt.Errorf("rank %d has another problem (%s) than rank 0 (%s): give all machines the same files", k, text[k], text[0])
		}
	}
	return nil
}

// party is what has to be equal on all ranks.
type party struct {
	Version       string
	Settings      []string
	Rows, Columns int
	NonZeros      int64
	Data          string
}

// differs says how rank k differs from rank 0.
func (p *party) differs(other *party, k int, name string) error {
	if p.Version != other.Version {
		return console.Usagef("rank 0 runs lanes %s and rank %d lanes %s: install one version on all machines", p.Version, k, other.Version)
	}
	for _, setting := range p.Settings {
		if !slices.Contains(other.Settings, setting) {
			return console.Usagef("rank %d is given other settings than rank 0, which has %s", k, setting)
		}
	}
	for _, setting := range other.Settings {
		if !slices.Contains(p.Settings, setting) {
			return console.Usagef("rank %d is given other settings than rank 0, which has not %s", k, setting)
		}
	}
	if p.Data != other.Data || p.Rows != other.Rows || p.Columns != other.Columns || p.NonZeros != other.NonZeros {
		return console.BadData(fmt.Errorf("%s holds other data for rank %d than for rank 0: %d rows, %d columns, %d entries and the checksum %s there, %d rows, %d columns, %d entries and %s here; give all machines one file",
			name, k, other.Rows, other.Columns, other.NonZeros, other.Data, p.Rows, p.Columns, p.NonZeros, p.Data))
	}
	return nil
}

// shared are rows in a file of which every process looks at its share, where there are
// several.
type shared struct {
	app    *console.App
	stream *sparse.Stream
}

// own are the rows that this process looks at.
func (s *shared) own() (first, end int) {
	n := s.stream.Rows()
	if r := s.app.Ranks; r != nil {
		return shards.Cut(n, r.Size(), r.Rank()), shards.Cut(n, r.Size(), r.Rank()+1)
	}
	return 0, n
}

// classes counts the labels of all rows; all is false where there are more than mostLabels.
func (s *shared) classes() (classes []sparse.Class, all bool, err error) {
	first, end := s.own()
	classes, all, err = s.stream.CountClasses(context.Background(), first, end, mostLabels)
	if err != nil {
		err = console.BadData(err)
	}
	if s.app.Ranks == nil {
		return classes, all, err
	}
	var counts map[uint64]int // by the bits of labels, nil where there are too many
	if all {
		counts = make(map[uint64]int)
		for _, c := range classes {
			counts[math.Float64bits(c.Label)] = c.Count
		}
	}
	text, wrong := json.Marshal(counts)
	if err == nil {
		err = wrong
	}
	texts, err := s.app.Share(err, text)
	if err != nil {
		return nil, false, err
	}
	total := make(map[uint64]int)
	for _, text := range texts {
		var counts map[uint64]int
		if err := json.Unmarshal(text, &counts); err != nil {
			return nil, false, err
		}
		if counts == nil {
			return classes, false, nil
		}
		for label, count := range counts {
			total[label] += count
		}
	}
	classes = classes[:0]
	for label, count := range total {
		classes = append(classes, sparse.Class{Label: math.Float64frombits(label), Count: count})
	}
	slices.SortFunc(classes, func(a, b sparse.Class) int { return cmp.Compare(a.Label, b.Label) })
	return classes, len(classes) <= mostLabels, nil
}

// fitScaler fits the scaling of columns that --normalize names. Every process looks at its
// rows.
func (s *shared) fitScaler(normalize string) (*sparse.Scaler, error) {
	std := normalize == model.NormalizeStd
	switch {
	case s.app.Ranks == nil && std:
		return s.stream.FitStd(context.Background())
	case s.app.Ranks == nil:
		return s.stream.FitMinMax(context.Background())
	}
	first, end := s.own()
	r, err := s.stream.Ranges(context.Background(), first, end)
	if err := s.app.Together(err); err != nil {
		return nil, err
	}
	low := make([]float64, len(r.Low)) // their opposites
	for j, v := range r.Low {
		low[j] = -v
	}
	for _, v := range [][]float64{low, r.High} {
		if err := s.app.Ranks.Max(v); err != nil {
			return nil, err
		}
	}
	for j, v := range low {
		r.Low[j] = -v
	}
	if err := shards.Total(s.app.Ranks, r.Count); err != nil {
		return nil, err
	}
	if r.Rows = s.stream.Rows(); !std {
		return r.Scaler()
	}
	digits, err := s.stream.Deviations(context.Background(), r, first, end)
	if err := s.app.Together(err); err != nil {
		return nil, err
	}
	if err := shards.Total(s.app.Ranks, digits); err != nil {
		return nil, err
	}
	return r.StdScaler(digits)
}

// damage reads all rows, and says where they are damaged.
func (s *shared) damage() error {
	first, end := s.own()
	group := new(sparse.StreamGroup)
	for k := s.stream.GroupOf(first); first < end; k++ {
		if err := s.stream.Load(group, k); err != nil {
			return s.app.Together(console.BadData(err))
		}
		_, first = s.stream.GroupRows(k)
	}
	return s.app.Together(nil)
}
