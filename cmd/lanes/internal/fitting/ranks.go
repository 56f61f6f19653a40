package fitting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
)

// Share prepares the flags of one of several processes: what is written, rank 0 writes.
func (f *RunFlags) Share(a *console.App) {
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
func (f *RunFlags) Settle(p *Prepared, err error) error {
	if f.ranks == nil {
		return err
	}
	var parts []string
	if err == nil {
		s := p.Settings()
		parts = []string{p.LabelText(), fmt.Sprint(p.Ridge(), s.Shards, s.MaxEpochs, s.GapTolerance, s.GradientTolerance), solvers.HashWeights(s.Initial),
			fmt.Sprintf("resumed %t, saved %t", s.Resume != "", s.Checkpoint != "")}
		if weights := p.ClassWeights(); weights != nil {
			parts = append(parts, fmt.Sprint("weights of classes ", *weights))
		}
		if p.Valid != nil {
			parts = append(parts, "rows of --valid "+p.Valid.Stream.Identity())
		}
		if scaler := p.Scaler(); scaler != nil {
			parts = append(parts, solvers.HashWeights(scaler.Shift), solvers.HashWeights(scaler.Width))
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
