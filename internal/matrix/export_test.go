package matrix

import "github.com/lanes-go/lanes/asm/rows"

// What tests look at.
const (
	LeastParts = leastParts
	BandRows   = bandRows
	BandWidth  = bandWidth
)

func GramParts(m *Matrix, c []float64) int             { return m.gramParts(c) }
func Fills(m *Matrix) bool                             { return m.fills() }
func RowParts(m *Matrix) int                           { return m.rowParts() }
func ColumnRanges(m *Matrix, p *Pool) []rows.Matrix    { return m.columnRanges(p) }
func SearchRow(m *Matrix, from, to int64, j int) int64 { return m.searchRow(from, to, j) }
func ColumnLayout(c *ByColumns) string                 { return c.rows.Layout() }

// NewMixingStore returns a store that mixes from a few entries on.
func NewMixingStore(options Storage) *Store {
	s := NewStore(options)
	s.mixFrom = 100
	return s
}

// GramRowByRow is AddGram without bands.
func GramRowByRow(m *Matrix, dst, c []float64) {
	task := gramTask{m: indexed(m), dst: dst, c: c, bounds: []int{0, m.d}}
	task.Block(0)
}
