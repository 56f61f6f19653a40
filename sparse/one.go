package sparse

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// OneRow is a matrix of one row that can be filled again and again, for programs that
// score rows as they come. It allocates only where a row is longer than all before it,
// and is not for concurrent use.
type OneRow struct {
	m      matrix.Matrix
	least  Values
	unit   bool
	scaler *Scaler
	filled []uint32 // columns whose zeros become entries

	begin, end [1]int64
	scale, dst [1]float64
	columns    []uint32
	values     []float64
	single     []float32
}

// NewOneRow returns a row of that many columns, to be filled by Set. least is the least
// that is kept of its values, as in Storage. ValuesNone gives the bits of a matrix of
// this row alone; ValuesFloat32 and ValuesFloat64 those of the same row in a matrix that
// keeps its values so because other rows need it.
func NewOneRow(columns int, least Values) (*OneRow, error) {
	if columns < 0 || columns > MaxColumns || least > ValuesFloat64 {
		return nil, fmt.Errorf("sparse: NewOneRow: %d columns, values %d", columns, least)
	}
	r := &OneRow{least: least}
	r.m = matrix.Of(rows.Matrix{Begin: r.begin[:], End: r.end[:]}, columns, matrix.Values(least))
	return r, nil
}

// Prepare has Set scale rows, where scaler is not nil, and then give them unit length,
// where unit is true, as Scaler.Apply and Matrix.NormalizeUnit do.
func (r *OneRow) Prepare(unit bool, scaler *Scaler) error {
	r.unit, r.scaler, r.filled = unit, nil, nil
	if scaler == nil {
		return nil
	}
	if err := scaler.check(r.m.Width()); err != nil {
		return err
	}
	r.filled = scaler.filled()
	if !scaler.same() {
		r.scaler = scaler
	}
	return nil
}

// Set fills the row with the values of columns, which start at 0 and ascend. The slices
// stay the caller's. After an error the row must be set again.
func (r *OneRow) Set(columns []uint32, values []float64) error {
	if len(columns) != len(values) {
		return fmt.Errorf("sparse: OneRow: %d columns and %d values", len(columns), len(values))
	}
	for e, j := range columns {
		if int64(j) >= int64(r.m.Width()) || e > 0 && j <= columns[e-1] {
			return fmt.Errorf("sparse: OneRow: column %d at position %d; columns must ascend and be less than %d", j, e, r.m.Width())
		}
		if v := values[e]; v-v != 0 {
			return fmt.Errorf("sparse: OneRow: column %d holds %v", j, v)
		}
	}
	r.columns, r.values = r.columns[:0], r.values[:0]
	if r.scaler == nil {
		r.columns, r.values = append(r.columns, columns...), append(r.values, values...)
	} else {
		r.fill(columns, values)
		for e, v := range r.values {
			if v-v != 0 {
				return fmt.Errorf("sparse: OneRow: column %d is %v once it is scaled", r.columns[e], v)
			}
		}
	}
	r.store()
	if r.unit && len(r.values) > 0 {
		r.normalize()
	}
	return nil
}

// fill scales a row as Scaler.Apply does.
func (r *OneRow) fill(columns []uint32, values []float64) {
	fill := r.filled
	for e, j := range columns {
		for len(fill) > 0 && fill[0] < j {
			r.put(fill[0], 0)
			fill = fill[1:]
		}
		if len(fill) > 0 && fill[0] == j {
			fill = fill[1:]
		}
		r.put(j, values[e])
	}
	for _, j := range fill {
		r.put(j, 0)
	}
}

func (r *OneRow) put(j uint32, x float64) {
	if x, keep := r.scaler.scaled(j, x); keep {
		r.columns, r.values = append(r.columns, j), append(r.values, x)
	}
}

// store chooses the layout, as a store does.
func (r *OneRow) store() {
	kept := r.m.Stored()
	r.end[0] = int64(len(r.columns))
	kept.Idx32, kept.Val32, kept.Val64, kept.Scale = r.columns, nil, nil, nil
	equal, single := true, true
	for _, v := range r.values {
		equal = equal && math.Float64bits(v) == math.Float64bits(r.values[0])
		single = single && float64(float32(v)) == v
	}
	switch {
	case equal && r.least <= ValuesPerRow:
		r.spread()
	case single && r.least <= ValuesFloat32:
		r.single = r.single[:0]
		for _, v := range r.values {
			r.single = append(r.single, float32(v))
		}
		kept.Layout, kept.Val32 = rows.I32F32, r.single
	default:
		kept.Layout, kept.Val64 = rows.I32F64, r.values
	}
}

// spread keeps one value for all entries.
func (r *OneRow) spread() {
	r.scale[0] = 1
	if len(r.values) > 0 {
		r.scale[0] = r.values[0]
	}
	kept := r.m.Stored()
	kept.Layout, kept.Val32, kept.Val64, kept.Scale = rows.I32Ones, nil, nil, nil
	if r.scale[0] != 1 {
		kept.Scale = r.scale[:]
	}
}

// normalize gives the row unit length as Matrix.NormalizeUnit does.
func (r *OneRow) normalize() {
	kept := r.m.Stored()
	if kept.Layout == rows.I32Ones {
		r.scale[0] = matrix.UnitScale(int64(len(r.values)), r.scale[0])
		kept.Scale = r.scale[:]
		return
	}
	square := r.m.RowSquare(0)
	kept.Layout, kept.Val32, kept.Val64 = rows.I32F64, nil, r.values
	matrix.DivideByLength(r.values, square)
}

// Dot returns the product of the row with w, which has as many elements as columns, and
// one more, times bias, where bias is not 0: to the bits of Matrix.MulVec.
func (r *OneRow) Dot(w []float64, bias float64) (float64, error) {
	r.m.SetBias(bias)
	if len(w) != r.m.Cols() {
		return 0, r.m.ShapeError("OneRow.Dot", 1, len(w))
	}
	asm.Active().Rows.Dot(r.dst[:], r.m.Stored(), nil, 0, w)
	r.m.AddBias(r.dst[:], w)
	return r.dst[0], nil
}
