package matrix

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// Record is the state that a lazily updated solver keeps of one feature.
type Record = rows.Record

// Lazy runs the lazily updated loops of variance-reduced solvers over the rows
// of one matrix: its operations cost O(non-zeros of the listed rows), whatever
// the number of columns, and allocate nothing. Those over all records say so.
//
// Between iterations feature j stands for the weight W - U (now - Last). The caller advances now
// by the step size (or counts steps with it, for DotMap). An iteration of AI-SARAH
// (arXiv:2102.09700, algorithm 2) on a batch is Dot, AddS for the curvature, and MoveAddU for the
// step and the new direction. An iteration of SVRG is Dot and AddW.
//
// Rec has Cols() records, the bias column's last. Its contents may be anything,
// NaN included; its length may not change. A Lazy serves one goroutine at a time.
type Lazy struct {
	Rec  []Record
	m    *Matrix
	lead int // rows between the one being read and the one being fetched, 0 for no fetching
}

// NewLazy returns records for every column of m, all zero: 32 bytes a column. It takes
// nil for the zero Matrix.
func NewLazy(m *Matrix) *Lazy {
	if m == nil {
		m = new(Matrix)
	}
	l := &Lazy{Rec: make([]Record, m.Cols()), m: plain(m)}
	preferHugePages(l.Rec)
	if len(l.Rec) > fetchRecords || m.NNZ() > fetchEntries {
		l.lead = 1 + int(fetchLead*int64(m.n)/(m.NNZ()+1))
	}
	return l
}

// Set begins anew at weights w with direction u, the clock at 0 and S at 0.
// A nil u stands for zeros. It costs O(Cols()).
func (l *Lazy) Set(w, u []float64) error {
	if len(w) != len(l.Rec) || u != nil && len(u) != len(l.Rec) {
		return fmt.Errorf("sparse: Lazy.Set: vectors of %d and %d elements for %d records", len(w), len(u), len(l.Rec))
	}
	if u == nil {
		for j, v := range w {
			l.Rec[j] = Record{W: v}
		}
		return nil
	}
	for j, v := range w {
		l.Rec[j] = Record{W: v, U: u[j]}
	}
	return nil
}

// Weights writes the weights as they stand at clock now to w, and leaves the
// records alone. It costs O(Cols()).
func (l *Lazy) Weights(w []float64, now float64) error {
	if len(w) != len(l.Rec) {
		return fmt.Errorf("sparse: Lazy.Weights: %d elements for %d records", len(w), len(l.Rec))
	}
	for j, r := range l.Rec {
		r.Catch(now)
		w[j] = r.W
	}
	return nil
}

// CatchUp brings every record up to date at clock now and sets the clock back
// to 0. It costs O(Cols()).
func (l *Lazy) CatchUp(now float64) {
	for j := range l.Rec {
		r := &l.Rec[j]
		r.Catch(now)
		r.Last = 0
	}
}

// Rescale is CatchUp followed by U *= scale; it returns the squared norm of the
// new U. Loops that keep the direction as scale times U call it when scale has
// become too small or too large. It costs O(Cols()).
func (l *Lazy) Rescale(now, scale float64) float64 {
	square := 0.0
	for j := range l.Rec {
		r := &l.Rec[j]
		r.Catch(now)
		r.Last = 0
		r.U = float64(r.U * scale)
		square = math.FMA(r.U, r.U, square)
	}
	return square
}

// Records and entries that fit the second cache level are not worth prefetching. Others are best
// prefetched 128 to 500 entries ahead. The entries themselves are prefetched some rows earlier,
// because a batch takes its rows from all over the matrix.
const (
	fetchRecords = 1 << 13
	fetchEntries = 1 << 17
	fetchLead    = 200
)

// fetch asks for the entries of the first rows of a batch.
func (l *Lazy) fetch(list []uint32) {
	if l.lead > 0 {
		m := l.m
		asm.Active().Rows.Lazy.Fetch(&m.rows, list[:min(l.lead+rows.LazyRowGap, len(list))])
	}
}

// ahead are the rows whose records Dot fetches while it reads rows.
func (l *Lazy) ahead(rows []uint32) []uint32 {
	if l.lead == 0 || l.lead >= len(rows) {
		return nil
	}
	return rows[l.lead:]
}

// Dot brings the records that the listed rows touch up to date at clock now: W -= U times the
// clock's advance since the record's Last. It computes outW[k] = x_rows[k]·W and
// outU[k] = x_rows[k]·U.
func (l *Lazy) Dot(outW, outU []float64, rows []uint32, now float64) error {
	if err := l.check("Lazy.Dot", rows, len(outW), len(outU)); err != nil {
		return err
	}
	m := l.m
	l.fetch(rows)
	asm.Active().Rows.Lazy.Dot(outW, outU, &m.rows, rows, l.ahead(rows), l.Rec, now)
	if m.bias != 0 {
		r := &l.Rec[m.d]
		r.Catch(now)
		w, u := float64(m.bias*r.W), float64(m.bias*r.U)
		for k := range outW {
			outW[k] += w
			outU[k] += u
		}
	}
	return nil
}

// AddU adds c[k] x_rows[k] to U for every listed row and clears the scratch field S of the
// touched records. It returns the change of the squared norm of U. work has one element for each
// row and is overwritten.
func (l *Lazy) AddU(rows []uint32, c, work []float64) (float64, error) {
	if err := l.check("Lazy.AddU", rows, len(c), len(work)); err != nil {
		return 0, err
	}
	m := l.m
	asm.Active().Rows.Lazy.AddU(work, &m.rows, rows, l.Rec, c)
	change := sum(work)
	if m.bias != 0 {
		r := &l.Rec[m.d]
		change += grow(&r.U, float64(m.bias*sum(c)))
		r.S = 0
	}
	return change, nil
}

// MoveAddU brings the records that the listed rows touch up to date at clock now, which moves W
// along the old U. Then it does what AddU does.
func (l *Lazy) MoveAddU(rows []uint32, c, work []float64, now float64) (float64, error) {
	if err := l.check("Lazy.MoveAddU", rows, len(c), len(work)); err != nil {
		return 0, err
	}
	m := l.m
	asm.Active().Rows.Lazy.MoveAddU(work, &m.rows, rows, l.Rec, c, now)
	change := sum(work)
	if m.bias != 0 {
		r := &l.Rec[m.d]
		r.Catch(now)
		change += grow(&r.U, float64(m.bias*sum(c)))
		r.S = 0
	}
	return change, nil
}

// AddS adds c[k] x_rows[k] to the scratch field S for every listed row and
// returns the change of the squared norm of S. AddU and MoveAddU on the same
// rows clear it.
func (l *Lazy) AddS(rows []uint32, c, work []float64) (float64, error) {
	if err := l.check("Lazy.AddS", rows, len(c), len(work)); err != nil {
		return 0, err
	}
	m := l.m
	asm.Active().Rows.Lazy.AddS(work, &m.rows, rows, l.Rec, c)
	change := sum(work)
	if m.bias != 0 {
		change += grow(&l.Rec[m.d].S, float64(m.bias*sum(c)))
	}
	return change, nil
}

// AddW adds c[k] x_rows[k] to W for every listed row.
func (l *Lazy) AddW(rows []uint32, c []float64) error {
	if err := l.check("Lazy.AddW", rows, len(c), len(c)); err != nil {
		return err
	}
	m := l.m
	asm.Active().Rows.Lazy.AddW(&m.rows, rows, l.Rec, c)
	if m.bias != 0 {
		l.Rec[m.d].W += float64(m.bias * sum(c))
	}
	return nil
}

// DotMap is Dot for updates that are linear maps of (W, U): with k = step-Last,
// table[k] = {a, b, c, d}, W' = aW + bU and U' = cW + dU. It computes
// outW[k] = x_rows[k]·W. A Last that is not between 0 and step counts as the
// nearest step of the table.
func (l *Lazy) DotMap(outW []float64, rows []uint32, step int, table [][4]float64) error {
	if err := l.check("Lazy.DotMap", rows, len(outW), len(outW)); err != nil {
		return err
	}
	if step < 0 || step >= len(table) {
		return fmt.Errorf("sparse: Lazy.DotMap: step %d of a table of %d", step, len(table))
	}
	m := l.m
	l.fetch(rows)
	asm.Active().Rows.Lazy.DotMap(outW, &m.rows, rows, l.Rec, float64(step), table)
	if m.bias != 0 {
		r := &l.Rec[m.d]
		r.Advance(float64(step), table)
		w := float64(m.bias * r.W)
		for k := range outW {
			outW[k] += w
		}
	}
	return nil
}

func (l *Lazy) check(op string, rows []uint32, a, b int) error {
	if l.m == nil {
		return fmt.Errorf("sparse: %s: a Lazy that NewLazy did not make", op)
	}
	if a != b {
		return fmt.Errorf("sparse: %s: vectors of %d and %d elements for %d rows", op, a, b, len(rows))
	}
	return l.m.checkRows(op, rows, a, len(l.Rec))
}

// grow adds d to *v and returns the change of its square.
func grow(v *float64, d float64) float64 {
	old := *v
	*v += d
	return float64(d * (old + *v))
}

func sum(x []float64) float64 { return asm.Active().Dense.Sum(x) }
