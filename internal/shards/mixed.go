package shards

import (
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
)

// Steps on one row after the other take rows from buffers. A pass cuts the rows into runs of one length,
// draws an order of the runs, and puts the next runs in that order into a buffer, whose rows are mixed. Steps in
// the order of a file come to no end where rows of a kind follow one another; this order is as good as one of
// all rows, even then. It depends on the number of rows and the seed alone.
const (
	mostRuns      = 1 << 10
	runsPerBuffer = 1 << 4
)

// Mixed is a buffer of rows from anywhere in a data set. One goroutine at a time may use it.
type Mixed struct {
	// Parts are rows that follow one another in the data set, and Rows the places of the buffer's rows in
	// them, in the order of the steps.
	Parts []Part
	Rows  []Place

	groups []*fileGroup // what Parts has, and may be read to
	list   []int        // numbers of groups
	runs   [][2]int
}

// Part is rows of a Mixed.
type Part struct {
	X                 *matrix.Matrix
	First             int       // number of the first row in the data set
	Y, Weight, Offset []float64 // labels, and weights and offsets, which may be nil
	Squares           []float64 // squared norms of the rows of X
}

// Place is a row of a part.
type Place struct{ Part, Row uint32 }

// Mixer is Rows that can have rows from anywhere in memory.
type Mixer interface {
	Rows
	// Mix makes m the rows of runs, first to end-1 each, one run after the other, with the bias column of the
	// rows or without it. Workers of the pool share the reading.
	Mix(m *Mixed, runs [][2]int, biased bool, pool *matrix.Pool) error
}

// Mixing draws the buffers of passes over a number of rows.
type Mixing struct {
	rows int
	seed uint64
	runs []uint32 // in the order of the pass
	pass int
}

// NewMixing returns the buffers of n rows. No pass has begun.
func NewMixing(n int, seed uint64) *Mixing {
	return &Mixing{rows: n, seed: seed, runs: make([]uint32, min(n, mostRuns)), pass: -1}
}

// Buffers is the number of buffers of a pass.
func (m *Mixing) Buffers() int { return (len(m.runs) + runsPerBuffer - 1) / runsPerBuffer }

// source returns the random numbers of one buffer of a pass, or of its order.
func (m *Mixing) source(pass, buffer int) *random.Source {
	return random.New(random.Mix(m.seed ^ random.HashRow(pass*(mostRuns+1)+buffer)))
}

// Load makes to a buffer of a pass.
func (m *Mixing) Load(to *Mixed, from Mixer, pass, buffer int, biased bool, pool *matrix.Pool) error {
	if m.pass != pass {
		for k := range m.runs {
			m.runs[k] = uint32(k)
		}
		random.Shuffle(m.source(pass, m.Buffers()), m.runs)
		m.pass = pass
	}
	runs := m.runs[buffer*runsPerBuffer:]
	to.runs = to.runs[:0]
	for _, k := range runs[:min(runsPerBuffer, len(runs))] {
		to.runs = append(to.runs, [2]int{Cut(m.rows, len(m.runs), int(k)), Cut(m.rows, len(m.runs), int(k)+1)})
	}
	if err := from.Mix(to, to.runs, biased, pool); err != nil {
		return err
	}
	random.Shuffle(m.source(pass, buffer), to.Rows)
	return nil
}

// Mix is Mixer.Mix.
func (m *Memory) Mix(to *Mixed, runs [][2]int, biased bool, _ *matrix.Pool) error {
	if to.Parts == nil {
		x := m.X
		if !biased {
			x = x.WithBias(0)
		}
		to.Parts = []Part{{X: x, Y: m.Y, Weight: m.Weight, Offset: m.Offset, Squares: matrix.SquaredNorms(x)}}
	}
	to.Rows = to.Rows[:0]
	for _, run := range runs {
		for i := run[0]; i < run[1]; i++ {
			to.Rows = append(to.Rows, Place{0, uint32(i)})
		}
	}
	return nil
}

// Mix is Mixer.Mix. Every group that has rows of the runs is a part.
func (f *File) Mix(to *Mixed, runs [][2]int, biased bool, pool *matrix.Pool) error {
	to.list = to.list[:0]
	rows := 0
	for _, run := range runs {
		for k := f.stream.GroupOf(run[0]); k <= f.stream.GroupOf(run[1]-1); k++ {
			to.list = append(to.list, k)
		}
		rows += run[1] - run[0]
	}
	slices.Sort(to.list)
	to.list = slices.Compact(to.list)
	for len(to.groups) < len(to.list) {
		to.groups = append(to.groups, new(fileGroup))
	}
	to.Parts = slices.Grow(to.Parts[:0], len(to.list))[:len(to.list)]
	bias := 0.0
	if biased {
		bias = f.stream.Bias()
	}
	t := &mixTask{File: f, to: to, bias: bias, errs: make([]error, len(to.list))}
	matrix.Run(pool, len(to.list), t)
	for _, err := range t.errs {
		if err != nil {
			return err
		}
	}
	to.Rows = to.Rows[:0]
	for _, run := range runs {
		part, _ := slices.BinarySearch(to.list, f.stream.GroupOf(run[0]))
		for i := run[0]; i < run[1]; i++ {
			if i >= to.Parts[part].First+len(to.Parts[part].Y) {
				part++
			}
			to.Rows = append(to.Rows, Place{uint32(part), uint32(i - to.Parts[part].First)})
		}
	}
	f.report(rows)
	return nil
}

// mixTask has the groups of a Mixed read, each by one worker.
type mixTask struct {
	*File
	to   *Mixed
	bias float64
	errs []error
}

// Block reads group k of the list, unless it is kept.
func (t *mixTask) Block(k int) {
	g, err := t.obtain(t.to.list[k], func() *fileGroup { return t.to.groups[k] })
	if t.errs[k] = err; err != nil {
		return
	}
	p := &t.to.Parts[k]
	*p = Part{X: g.Rows().WithBias(t.bias), First: g.First, Y: g.Y, Offset: g.Offset, Squares: matrix.Sized(p.Squares, len(g.Y))}
	if t.weighs() {
		p.Weight = g.weight
	}
	var rows matrix.Joined
	rows.Join(t.bias, []*matrix.Matrix{g.Rows()})
	t.errs[k] = rows.SquaredNormsRun(p.Squares, 0)
}

// mixedBytes bounds what a Mixed of a pass takes: the largest runs, and 24 bytes a row of their groups.
func (f *File) mixedBytes() (bytes int64) {
	count := min(f.Rows(), mostRuns)
	sizes := make([]int64, count)
	for k := range sizes {
		first, end := Cut(f.Rows(), count, k), Cut(f.Rows(), count, k+1)
		for g := f.stream.GroupOf(first); g <= f.stream.GroupOf(end-1); g++ {
			from, to := f.stream.GroupRows(g)
			sizes[k] += f.groupBytes(g) + 24*int64(to-from)
		}
	}
	slices.Sort(sizes)
	for _, v := range sizes[max(0, count-runsPerBuffer):] {
		bytes += v
	}
	return bytes
}
