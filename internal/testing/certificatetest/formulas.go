package certificatetest

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/loss"
)

// Facts are what the bounds of rounding know of a problem, from its entries one by one. See
// docs/certificates.md for the formulas.
type Facts struct {
	N, D     int
	Peak     float64 // the largest second derivative of the loss
	Lambda   Real
	Gamma    Real    // the share that a margin may lose
	Column   Real    // the share that a sum over rows may lose
	Squares  Real    // sum of ||x_i||^2 over the rows that count
	Weighted Real    // sum of |s_i| ||x_i||^2
	Mass     Real    // sum of |s_i|
	Largest  Real    // of the |s_i|
	Roots    Real    // sum of |s_i| ||x_i||
	Rows     []Real  // ||x_i||^2
	More     float64 // 1 with offsets, 0 without
	// Of every column: sum of x_ij^2 over the rows that count, and of |s_i| x_ij^2.
	Columns, WeightedColumns []Real
	WeightedOffsets          Real // sum of |s_i| o_i^2
}

// FactsOf looks at every entry of a problem whose sums over rows have all rows one after the other.
func FactsOf(p certificate.Problem) *Facts {
	n, d := p.X.Rows(), p.X.Cols()
	f := &Facts{N: n, D: d, Peak: 1, Lambda: R(p.Ridge()), Squares: R(0), Weighted: R(0), Mass: R(0), Largest: R(0), Roots: R(0), WeightedOffsets: R(0)}
	if _, is := p.Loss.(loss.Logistic); is {
		f.Peak = 0.25
	}
	additions := float64(d/8 + 16) // eight lanes, then their sum, the scale and the bias
	if p.Sequential {
		additions = float64(d + 16)
	}
	f.Gamma, f.Column = Unit.Scale(additions), Unit.Scale(float64(n+80))
	f.Rows = make([]Real, n)
	f.Columns, f.WeightedColumns = Rs(make([]float64, d)), Rs(make([]float64, d))
	for i := range n {
		s, square := R(1), R(0)
		if p.SampleWeight != nil {
			s = R(math.Abs(p.SampleWeight[i]))
		}
		for j, x := range p.X.Row(i) {
			v := R(x).Square()
			square = square.Plus(v)
			if s.Cmp(R(0)) > 0 {
				f.Columns[j] = f.Columns[j].Plus(v)
				f.WeightedColumns[j] = f.WeightedColumns[j].Plus(v.Times(s))
			}
		}
		if p.Offset != nil { // one more entry, whose weight is 1
			square = square.Plus(R(p.Offset[i]).Square())
			f.WeightedOffsets = f.WeightedOffsets.Plus(R(p.Offset[i]).Square().Times(s))
			f.More = 1
		}
		f.Rows[i], f.Mass = square, f.Mass.Plus(s)
		f.Largest = f.Largest.Max(s)
		if s.Cmp(R(0)) > 0 {
			f.Squares = f.Squares.Plus(square)
			f.Weighted = f.Weighted.Plus(square.Times(s))
			f.Roots = f.Roots.Plus(square.Root().Times(s))
		}
	}
	return f
}

func (f *Facts) n() Real { return R(float64(f.N)) }

// flushed is what products may lose by underflow.
func (f *Facts) flushed() Real {
	return Tiny.Scale(float64(f.N + f.D + 16)).Times(R(1).Plus(f.Largest.Times(f.Squares.Root())))
}

// slopes and weights have what their norms may have lost.
func (f *Facts) slopes(c float64) Real  { return R(c).Plus(LostSquares(f.N)) }
func (f *Facts) weights(w float64) Real { return R(w).Plus(LostSquares(f.D), R(f.More)) }

// Gradient is the bound of the gradient's norm by the norms of rows, weights and slopes.
func (f *Facts) Gradient(slopes, weights, norm float64) func(on On) Real {
	return func(on On) Real {
		c, w, n := f.slopes(slopes), f.weights(weights), f.n()
		across := f.Squares.Root().Times(c).Over(n)
		return on("margins", f.Gamma.Scale(f.Peak).Times(w, f.Weighted).Over(n)).Plus(
			on("sums over rows", f.Column.Times(across)),
			on("slopes", Unit.Scale(8).Times(across)),
			on("regulariser", Unit.Scale(4).Times(f.Lambda, w)),
			on("norm", Unit.Scale(float64(f.D+8)).Times(R(norm))),
			on("underflow of products", f.flushed()),
			on("underflow of squares", LostSquares(f.D)),
		)
	}
}

// Value is the bound of the objective by the norms of rows, weights and slopes. negative is
// what Negative returns.
func (f *Facts) Value(slopes, weights, objective float64, negative Real) func(on On) Real {
	return func(on On) Real {
		c, w, n := f.slopes(slopes), f.weights(weights), f.n()
		moved, norm := f.Gamma.Times(w), f.Squares.Root()
		size := R(objective).Abs()
		if negative.Cmp(R(0)) > 0 {
			size = size.Plus(on("negative losses", negative.Plus(norm.Times(c, w).Over(n)).Scale(2)))
		}
		return on("margins", moved.Times(norm, c).Over(n)).Plus(
			on("curvature", moved.Square().Scale(f.Peak).Times(f.Weighted).Over(n)),
			on("sums over rows", f.Column.Times(size)),
			on("squared norm", Unit.Scale(float64(f.D+16)).Times(size)),
			on("underflow of products", f.flushed()),
			on("underflow of the squared norm", f.Lambda.Times(Tiny).Scale(float64(f.D))),
		)
	}
}

// ValueByColumns is Value where spread is the sum of ||x_j|| |w_j|.
func (f *Facts) ValueByColumns(slopes, spread, objective float64, negative Real) func(on On) Real {
	return func(on On) Real {
		c, n := f.slopes(slopes), f.n()
		moved := f.Gamma.Times(R(spread))
		size := R(objective).Abs()
		if negative.Cmp(R(0)) > 0 {
			size = size.Plus(on("negative losses", negative.Plus(c.Times(R(spread)).Over(n)).Scale(2)))
		}
		return on("margins", moved.Times(c).Over(n)).Plus(
			on("curvature", moved.Square().Scale(f.Peak).Times(f.Largest).Over(n)),
			on("sums over rows", f.Column.Times(size)),
			on("squared norm", Unit.Scale(float64(f.D+16)).Times(size)),
			on("underflow of products", f.flushed()),
			on("underflow of the squared norm", f.Lambda.Times(Tiny).Scale(float64(f.D))),
		)
	}
}

// GradientByColumns is Gradient column by column.
func (f *Facts) GradientByColumns(w []float64, slopes, norm float64) func(on On) Real {
	return func(on On) Real {
		c, n := f.slopes(slopes), f.n()
		moves, d := on("offsets", f.WeightedOffsets), f.D+int(f.More) // sum of w_j^2 sum_i |s_i| x_ij^2
		for j, v := range w {
			moves = moves.Plus(R(v).Square().Times(f.WeightedColumns[j]))
		}
		moves = f.Gamma.Scale(f.Peak).Times(moves.Scale(float64(d)).Root().Plus(LostSquares(d).Scale(math.Sqrt(float64(d)))))
		square := R(0)
		for j, v := range w {
			length := f.Columns[j].Root().Times(c).Over(n)
			square = square.Plus(on("margins", moves.Times(f.WeightedColumns[j].Root()).Over(n)).Plus(
				on("sums over rows", f.Column.Times(length)),
				on("slopes", Unit.Scale(8).Times(length)),
				on("regulariser", Unit.Scale(4).Times(f.Lambda, R(v).Abs())),
			).Square())
		}
		return square.Root().Plus(
			on("norm", Unit.Scale(float64(f.D+8)).Times(R(norm))),
			on("underflow of products", f.flushed()),
			on("underflow of squares", LostSquares(f.D)),
		)
	}
}

// Gap is (norm + rounding)^2/(2 lambda), where norm may have lost squares.
func (f *Facts) Gap(norm, rounding float64) func(on On) Real {
	return func(on On) Real {
		size := R(norm).Plus(R(rounding), on("underflow of squares", LostSquares(f.D)))
		return size.Square().Over(f.Lambda.Scale(2))
	}
}

// Margin is the bound of row i's margin.
func (f *Facts) Margin(i int, weights float64) func(on On) Real {
	return func(on On) Real {
		flushed := Tiny.Scale(float64(f.D))
		length := f.Rows[i].Plus(on("underflow of squares", flushed)).Root()
		w := R(weights).Plus(on("underflow of squared weights", LostSquares(f.D)), R(f.More))
		return on("sum", f.Gamma.Times(length, w)).Plus(on("underflow of products", flushed))
	}
}

// Combination is the bound of X'c/(lambda n) and of a distance from it.
func (f *Facts) Combination(size, weights, distance Real) func(on On) Real {
	return func(on On) Real {
		share := f.Squares.Root().Times(size.Plus(LostSquares(f.N))).Over(f.n().Times(f.Lambda))
		w := weights.Plus(LostSquares(f.D))
		return on("sums over rows", f.Column.Times(share)).Plus(
			on("scale", Unit.Scale(8).Times(share)),
			on("weights", Unit.Scale(4).Times(w)),
			on("distance", Unit.Scale(float64(f.D+8)).Times(distance)),
			on("underflow of products", Tiny.Scale(float64(f.D+16)).Over(f.Lambda)),
			on("underflow of squares", LostSquares(f.D)),
		)
	}
}

// Drift bounds ||w - X'c/(lambda n)|| after a number of steps.
func (f *Facts) Drift(steps, units float64) func(on On) Real {
	return func(on On) Real {
		n := f.n()
		most := n.Times(f.Largest, f.Weighted).Root().Over(f.Lambda.Times(n))
		c := f.Largest.Times(n.Root())
		start := on("start", f.Combination(c, most, R(0))(func(_ string, v Real) Real { return v }))
		return start.Plus(
			on("additions", Unit.Scale(steps).Times(most)),
			on("coefficients", Unit.Scale(steps*units).Times(most)),
		)
	}
}

// Negative returns the mean of |s_i| phi(0, y_i), 0 where no weight is negative.
func Negative(p certificate.Problem) Real {
	sum, negative := R(0), false
	e := Exact{p: p}
	for i, s := range p.SampleWeight {
		negative = negative || s < 0
		phi, _, _ := e.loss(zero(), p.Y[i])
		sum = sum.Plus(Real{phi}.Times(R(math.Abs(s))))
	}
	if !negative {
		return R(0)
	}
	return sum.Over(R(float64(len(p.SampleWeight))))
}
