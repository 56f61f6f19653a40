package elasticnet

import (
	"slices"
	"sort"
	"sync"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/handover"
	"github.com/lanes-go/lanes/sparse"
)

// distant is what an objective of all columns knows of rows in shards, of which some columns are in memory. A sweep
// over the rows that fails leaves its error.
type distant struct {
	rows shards.Rows
	sums *handover.Sums
	s    *run.Session
	n, d int // rows, columns
	err  error

	y, weight, offset []float64
	counts            []uint32  // the entries of each column
	mixed             []bool    // whether some of them are not 1
	lengths           []float64 // ||x_j|| of each column
	list              []uint32  // the columns in memory
	x                 *sparse.Matrix
}

// objective poses P of all columns; pose adds the rows.
func (f *distant) objective(p *Problem) *objective {
	q := *p
	o := &objective{p: &q, phi: direct.Value(loss.ConjugateOf(p.Loss)), distant: f, n: f.n, d: f.d - p.Free(), bounds: f.sums.Bounds, columns: f.lengths}
	o.x.Pool = f.s.Pool
	_, o.steep = p.Loss.(loss.Steep)
	o.penalise()
	o.g, o.v, o.point = make([]float64, f.d), make([]float64, f.d), make([]float64, 2*o.d)
	return o
}

// pose gives an objective the rows, and its vectors of a number a row.
func (f *distant) pose(o *objective) {
	o.p.Y, o.p.SampleWeight, o.p.Offset = f.y, f.weight, f.offset
	if o.p.X = nil; f.x != nil {
		o.p.X = f.matrix(o.p.Intercept)
	}
	o.x.Matrix = o.p.X
	if o.z == nil {
		for _, v := range o.vectors() {
			*v = make([]float64, f.n)
		}
		o.losses = risk.NewLosses(o.p, f.s.Pool)
	}
}

// release leaves the memory of the rows of an objective to others.
func (f *distant) release(o *objective) {
	for _, v := range o.vectors() {
		*v = nil
	}
	o.losses = nil
}

// drop forgets the columns in memory.
func (f *distant) drop(o *objective) {
	f.list, f.x, o.p.X, o.x.Matrix = nil, nil, nil, nil
	if o.open != nil {
		o.open.x.Matrix = nil
	}
}

// has tells whether the listed columns are in memory.
func (f *distant) has(list []uint32) bool { return slices.Equal(f.list, list) }

// matrix is the columns in memory, with a column of ones for an intercept.
func (f *distant) matrix(intercept bool) *sparse.Matrix {
	if intercept {
		return f.x.WithBias(1)
	}
	return f.x
}

// places returns the places of listed columns among those in memory.
func (f *distant) places(list []uint32) []uint32 {
	places := make([]uint32, len(list))
	for k, j := range list {
		a, _ := slices.BinarySearch(f.list, j)
		places[k] = uint32(a)
	}
	return places
}

// products computes X w over the columns in memory. The weights of all other columns are 0.
func (f *distant) products(to, w []float64) {
	if clear(to); len(f.list) > 0 {
		(&direct.Matrix{Matrix: f.x, Pool: f.s.Pool}).MulVec(to, direct.Listed(w, f.list))
	}
}

// entries counts the entries of listed columns.
func (f *distant) entries(list []uint32) (total int64) {
	for _, j := range list {
		total += int64(f.counts[j])
	}
	return total
}

// Bytes that the fit of a working set takes for a row, for a column, for an entry of few columns and of many, and
// for an entry that may not be 1 beside; and numbers a pair of columns for the model.
const (
	bytesRow, bytesColumn = 72, 340
	bytesFew, bytesMany   = 24, 36
	bytesValue            = 24
	numbersPair           = 2
)

// need is the memory that the fit of listed columns takes, their copy included.
func (f *distant) need(list []uint32) int64 {
	size, entry := int64(len(list)), int64(bytesFew)
	if size > cost.Columns {
		entry = bytesMany
	}
	if slices.ContainsFunc(list, func(j uint32) bool { return f.mixed[j] }) {
		entry += bytesValue
	}
	model := min(size, cost.Columns)
	return entry*f.entries(list) + bytesRow*int64(f.n) + bytesColumn*size + 8*numbersPair*model*model
}

// reserve takes the memory for a fit of listed columns from what keeps rows of a file. A *shards.MemoryError says that
// there is not so much.
func (f *distant) reserve(list []uint32) error {
	if file, is := f.rows.(*shards.File); is {
		return file.Reserve(f.need(list))
	}
	return nil
}

// short is the error of too little memory for a working set.
func (l *gatheredLoop) short(e *shards.MemoryError) error {
	return &erm.MemoryError{Limit: l.limit, Need: l.limit - e.Available + e.Need, Columns: len(l.list)}
}

// collect takes a sweep for the sums over the rows, for their labels, weights and offsets, and for the lengths and
// entries of the columns.
func (f *distant) collect(p *Problem, o shards.Options) (err error) {
	f.y = make([]float64, f.n)
	var weights, offsets sync.Once
	workers := f.s.Pool.Workers()
	work, counts, mixed := make([][shards.Piece]float64, workers), make([][]uint32, workers), make([][]bool, workers)
	columns := &handover.Beside{Size: f.d, Add: func(worker int, b *shards.Block, node []float64) error {
		copy(f.y[b.Row:], b.Y)
		if b.Weight != nil {
			weights.Do(func() { f.weight = make([]float64, f.n) })
			copy(f.weight[b.Row:], b.Weight)
		}
		if b.Offset != nil {
			offsets.Do(func() { f.offset = make([]float64, f.n) })
			copy(f.offset[b.Row:], b.Offset)
		}
		if counts[worker] == nil {
			counts[worker], mixed[worker] = make([]uint32, f.d), make([]bool, f.d)
		}
		count, other := counts[worker], mixed[worker]
		for from, to := range b.Pieces {
			c, s := work[worker][:to-from], b.Weights(from, to)
			for k := range c {
				if c[k] = 1; direct.Weight(s, k) == 0 {
					c[k] = 0
				}
				for j, v := range b.X.Row(b.First + from + k) {
					count[j]++
					other[j] = other[j] || v != 1
				}
			}
			direct.Must(b.X.AddSquaresRun(node, b.First+from, c))
		}
		return nil
	}}
	if f.sums, err = handover.ShardSums(f.rows, p, f.s, o, columns); err != nil {
		return err
	}
	f.lengths = columns.Sums
	risk.ColumnLengths(f.lengths, f.lengths, f.n)
	for k, more := range counts {
		if f.counts == nil {
			f.counts, f.mixed = more, mixed[k]
			continue
		}
		for j, count := range more {
			f.counts[j] += count
			f.mixed[j] = f.mixed[j] || mixed[k][j]
		}
	}
	return nil
}

// gatheredRows are the entries of listed columns in the rows of a shard; values are nil while all are 1.
type gatheredRows struct {
	columns []uint32
	values  []float64
}

func (r *gatheredRows) add(column uint32, value float64) {
	if value != 1 && r.values == nil {
		r.values = make([]float64, len(r.columns), cap(r.columns))
		matrix.Fill(r.values, 1)
	}
	if r.columns = append(r.columns, column); r.values != nil {
		r.values = append(r.values, value)
	}
}

// joined appends parts to one another, which it takes apart.
func joined(parts []gatheredRows, entries int64) gatheredRows {
	all := gatheredRows{columns: make([]uint32, 0, entries)}
	if slices.ContainsFunc(parts, func(r gatheredRows) bool { return r.values != nil }) {
		all.values = make([]float64, 0, entries)
	}
	for k, r := range parts {
		all.columns = append(all.columns, r.columns...)
		if all.values != nil && r.values == nil {
			r.values = make([]float64, len(r.columns))
			matrix.Fill(r.values, 1)
		}
		all.values = append(all.values, r.values...)
		parts[k] = gatheredRows{}
	}
	return all
}

// gather takes a sweep that copies the listed columns, of which none is the intercept.
func (f *distant) gather(list []uint32, count int) error {
	place := make([]uint32, f.d) // from 1 on
	for a, j := range list {
		place[j] = uint32(a + 1)
	}
	parts, ends := make([]gatheredRows, count), make([]int64, f.n+1)
	err := f.sums.Group.Sum(make([]float64, 1), func(_ int, b *shards.Block, _ []float64) error {
		part := &parts[sort.Search(count, func(v int) bool { return shards.Cut(f.n, count, v+1) > b.Row })]
		for from, to := range b.Pieces {
			for k := from; k < to; k++ {
				before := len(part.columns)
				for j, v := range b.X.Row(b.First + k) {
					if a := place[j]; a > 0 {
						part.add(a-1, v)
					}
				}
				ends[b.Row+k+1] = int64(len(part.columns) - before)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range f.n {
		ends[i+1] += ends[i]
	}
	all := joined(parts, ends[f.n])
	if f.x, err = sparse.NewCSR(len(list), ends, all.columns, all.values); err == nil {
		f.list = slices.Clone(list)
	}
	return err
}

// addTrans writes X'c to g, by a sweep.
func (f *distant) addTrans(g, c []float64) {
	if f.err != nil {
		return
	}
	f.err = f.sums.Group.Sum(g, func(_ int, b *shards.Block, node []float64) error {
		for from, to := range b.Pieces {
			direct.Must(b.X.AddRun(node, b.First+from, c[b.Row+from:b.Row+to]))
		}
		return nil
	})
}

// failed returns the error of the sweeps since it was called last.
func (f *distant) failed() error {
	err := f.err
	f.err = nil
	return err
}

// evaluate is run.Run.Evaluate. It takes two sweeps.
func (l *gatheredLoop) evaluate(w []float64) (e run.Evaluation) {
	f, o := l.distant, l.o
	f.pose(o)
	err := f.sums.Patiently(false, func() error {
		err := f.sums.Group.Sum(make([]float64, 1), func(_ int, b *shards.Block, _ []float64) error {
			for from, to := range b.Pieces {
				z := o.z[b.Row+from : b.Row+to]
				direct.Must(b.X.MulRun(z, b.First+from, w))
				if b.Offset != nil {
					direct.Axpy(1, b.Offset[from:to], z)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		o.slopes(o.z)
		o.gradient(w)
		e = o.judged(w)
		return f.failed()
	})
	e.Err = err
	return e
}
