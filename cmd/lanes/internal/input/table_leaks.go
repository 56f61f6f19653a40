package input

import (
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// leakNotes returns notes of columns that alone predict the target of encoded rows. It skips labels of
// one class, and of more classes than Leaks looks at.
func leakNotes(e *table.Encoder, data *sparse.Data, positive string) (list []notes.Note) {
	var label *float64
	if v, err := strconv.ParseFloat(positive, 64); data.LabelNames == nil && err == nil {
		label = &v
	} else if k := slices.Index(data.LabelNames, positive); k >= 0 {
		place := float64(k)
		label = &place
	}
	leaks, err := e.Leaks(data, label)
	if err != nil {
		return nil
	}
	for _, leak := range leaks {
		list = append(list, leak.Note())
	}
	return list
}

// leakSample holds rows of all blocks of a table, in which leaks are looked for.
type leakSample struct {
	rows    int       // of all blocks so far
	hashes  []uint64  // of the sampled rows
	ends    []int     // of the sampled rows in columns and values
	labels  []float64 // of the sampled rows
	columns []int
	values  []float64
	halved  int // how often the sample was halved
}

// A sample has at most sampledRows rows and sampledEntries entries of 16 bytes.
const (
	sampledRows    = 1 << 16
	sampledEntries = 1 << 21
)

// add samples rows of the next block. All rows are in the sample until it is full; then it is
// halved. Hashes of the rows' numbers decide, so the sample depends neither on blocks nor on the
// order of the classes.
func (s *leakSample) add(block *sparse.Data) {
	// Room is doubled: append alone copies large slices after each fourth of their length.
	if n := len(s.columns); n+int(block.X.NNZ()) > cap(s.columns) {
		more := max(0, min(n+int(block.X.NNZ()), sampledEntries-n))
		s.columns, s.values = slices.Grow(s.columns, more), slices.Grow(s.values, more)
	}
	for i, label := range block.Y {
		hash := random.HashRow(s.rows)
		if s.rows++; hash>>(64-s.halved) > 0 {
			continue
		}
		for j, v := range block.X.Row(i) {
			s.columns, s.values = append(s.columns, j), append(s.values, v)
		}
		s.hashes, s.labels, s.ends = append(s.hashes, hash), append(s.labels, label), append(s.ends, len(s.columns))
		for len(s.ends) > sampledRows || len(s.columns) > sampledEntries {
			s.halve()
		}
	}
}

// halve drops the rows whose hashes are in the upper half.
func (s *leakSample) halve() {
	s.halved++
	rows, entries, from := 0, 0, 0
	for k, hash := range s.hashes {
		begin, end := from, s.ends[k]
		if from = end; hash>>(64-s.halved) > 0 {
			continue
		}
		copy(s.values[entries:], s.values[begin:end])
		entries += copy(s.columns[entries:], s.columns[begin:end])
		s.hashes[rows], s.labels[rows], s.ends[rows] = hash, s.labels[k], entries
		rows++
	}
	s.hashes, s.labels, s.ends = s.hashes[:rows], s.labels[:rows], s.ends[:rows]
	s.columns, s.values = s.columns[:entries], s.values[:entries]
}

// data returns the sample as a matrix with the given number of columns.
func (s *leakSample) data(width int, labelNames []string) (*sparse.Data, error) {
	b, from := sparse.NewBuilder(sparse.BuilderOptions{Columns: width}), 0
	for _, end := range s.ends {
		if err := b.AddRow(s.columns[from:end], s.values[from:end]); err != nil {
			return nil, err
		}
		from = end
	}
	x, err := b.Build()
	return &sparse.Data{X: x, Y: s.labels, LabelNames: labelNames}, err
}
