package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// steepFacts are what bounds of a steep loss know of the rows, one by one.
type steepFacts struct {
	*ct.Facts
	longest, levels, far ct.Real
}

func steepOf(p certificate.Problem) *steepFacts {
	f := &steepFacts{Facts: ct.FactsOf(p), longest: ct.R(0), levels: ct.R(0), far: ct.R(0)}
	for i, y := range p.Y {
		s := 1.0
		if p.SampleWeight != nil {
			s = p.SampleWeight[i]
		}
		if s == 0 {
			continue
		}
		f.longest = f.longest.Max(f.Rows[i].Root())
		f.levels = f.levels.Plus(ct.R(s).Times(ct.R(y)))
		if y > 0 {
			f.far = f.far.Max(ct.R(math.Abs(math.Log(y))))
		}
	}
	return f
}

// mean bounds the mean second derivative.
func (f *steepFacts) mean(on ct.On, slopes float64) ct.Real {
	n := ct.R(float64(f.N))
	return on("slopes of the level", ct.R(slopes).Times(n.Root())).Plus(on("levels", f.levels)).Over(n)
}

// TestSteepTerms compares the bounds of a loss whose second derivative has no bound with their
// formulas: of the gradient and the objective by norms, of the gradient by columns, and of the slope
// along an intercept. Where margins may err by much, they are +Inf.
func TestSteepTerms(t *testing.T) {
	t.Parallel()
	gradient, value, columns, slope := ct.Pins{Slack: 0.05}, ct.Pins{Slack: 0.05}, ct.Pins{Slack: 0.05}, ct.Pins{Slack: 0.05}
	for k := range 61 {
		rows := []int{1, 37, 300}[k%3]
		if k == 60 {
			rows = 1<<14 + 3 // more than a block
		}
		p, err := ct.Shape{Loss: loss.Poisson{}, Rows: rows, Cols: []int{1, 9, 40}[k/3%3], Weights: []string{"", "some", "below"}[k/9%3], Values: []string{"", "columns"}[k%2]}.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(k), 14))
		for i := range p.Y {
			p.Y[i] = math.Exp(9 * r.NormFloat64())
			if k%4 == 1 || k == 60 {
				p.Offset = append(p.Offset, 5*r.NormFloat64())
			}
		}
		if k == 60 {
			p.Y[5] = 1e9
			p.Offset[7] = 40
			p.Y[1<<14+1] = kernels.Sum(p.Y) // the last block has half of the levels
		}
		b, f := certificate.New(p), steepOf(p)
		any := func() float64 { return math.Pow(10, 28*r.Float64()-14) }
		n, longest := ct.R(float64(f.N)), f.longest.Float()
		for range 8 {
			slopes, norm, objective := any(), any(), any()
			// Margins err by less than 0.005.
			weights := math.Pow(10, -20*r.Float64()) * 0.004 / f.Gamma.Float() / longest
			if f.More > 0 {
				weights = max(weights-1, 0)
			}
			w := ct.R(weights + f.More)
			of := fmt.Sprintf("problem %d, slopes %g, weights %g, norm %g, objective %g", k, slopes, weights, norm, objective)
			got, err := b.Rounding(slopes, weights, norm, objective)
			across := f.Squares.Root().Times(ct.R(slopes)).Over(n)
			moved := f.Gamma.Times(w, f.longest)
			gradient.Check(t, of, got, func(on ct.On) ct.Real {
				mean := f.mean(on, slopes)
				return on("margins", mean.Times(moved, f.longest)).Plus(
					on("sums over rows", f.Column.Times(across)), on("slopes", ct.Unit.Scale(8).Times(across)),
					on("slopes themselves", ct.Unit.Scale(8).Times(mean, f.longest)),
					ct.Unit.Scale(4).Times(f.Lambda, w), on("norm", ct.Unit.Scale(float64(f.D+8)*norm)))
			})
			value.Check(t, of, err, func(on ct.On) ct.Real {
				mean := f.mean(on, slopes)
				return on("margins", f.Gamma.Times(w, across)).Plus(
					moved.Square().Times(mean), on("sums", ct.R(objective).Times(f.Column.Plus(ct.Unit.Scale(float64(f.D+16))))),
					on("values", ct.Unit.Scale(8).Times(mean, ct.R(1).Plus(on("margins of values", f.longest.Times(w)), on("logarithms", f.far)))))
			})
			err, most := b.InterceptRounding(norm, slopes, weights)
			slope.Check(t, of, err, func(on ct.On) ct.Real {
				mean, across := f.mean(on, slopes), ct.R(slopes).Over(n.Root())
				return on("margins", moved.Times(mean)).Plus(on("slopes themselves", ct.Unit.Scale(8).Times(mean)),
					on("sums", f.Column.Plus(ct.Unit.Scale(8)).Times(across)), on("slope", ct.Unit.Scale(4*norm)))
			})
			if want := moved.Float(); !(most >= want*(1-1e-12)) || !(most <= 1.03*want+1e-300) {
				t.Errorf("%s: margins err by %v, by the formula %v", of, most, want)
			}
			point, squares, curved := make([]float64, f.D), make([]float64, f.D), make([]float64, f.D+int(f.More))
			for j := range point {
				point[j] = weights / math.Sqrt(float64(f.D))
				squares[j], curved[j] = f.Columns[j].Float(), any()
			}
			if p.Offset != nil {
				curved[f.D] = any()
			}
			columns.Check(t, of, b.RoundingByColumns(point, squares, curved, slopes, norm), func(on ct.On) ct.Real {
				moves, square := ct.R(0), ct.R(0)
				for j, v := range point {
					moves = moves.Plus(ct.R(v).Square().Times(ct.R(curved[j])))
				}
				if p.Offset != nil {
					moves = moves.Plus(on("offsets", ct.R(curved[f.D])))
				}
				moves = f.Gamma.Times(moves.Scale(float64(len(curved))).Root())
				total := f.mean(on, slopes).Times(n)
				for j, v := range point {
					root, length := ct.R(curved[j]).Root(), f.Columns[j].Root().Times(ct.R(slopes)).Over(n)
					square = square.Plus(on("margins", moves.Times(root).Over(n)).Plus(
						on("slopes themselves", ct.Unit.Scale(8).Times(total.Root(), root).Over(n)),
						on("sums over rows", f.Column.Plus(ct.Unit.Scale(8)).Times(length)), ct.Unit.Scale(4*v).Times(f.Lambda)).Square())
				}
				return square.Root().Plus(on("norm", ct.Unit.Scale(float64(f.D+8)*norm)))
			})
		}
		far := 0.006 / f.Gamma.Float() / longest
		g, v := b.Rounding(1, far, 1, 1)
		e, _ := b.InterceptRounding(1, 1, far)
		c := b.RoundingByColumns([]float64{far}, make([]float64, f.D), make([]float64, f.D+1), 1, 1)
		for _, bound := range []float64{g, v, e, c, b.ByColumns(1, 1, 1)} {
			if !math.IsInf(bound, 1) {
				t.Errorf("problem %d: bounds of %v where margins may have moved far", k, []float64{g, v, e, c})
				break
			}
		}
	}
	gradient.Done(t)
	value.Done(t)
	columns.Done(t)
	slope.Done(t)
	negative, err := ct.Shape{Loss: loss.Poisson{}, Rows: 9, Cols: 2, Weights: "negative"}.Problem(1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range negative.Y {
		negative.Y[i] = 1
	}
	if g, v := certificate.New(negative).Rounding(1, 1, 1, 1); !math.IsInf(g, 1) || !math.IsInf(v, 1) {
		t.Errorf("negative weights: bounds of %v and %v", g, v)
	}
}

// TestSteepBeside compares the gap beside an intercept with its formula for a loss whose second
// derivative has no bound.
func TestSteepBeside(t *testing.T) {
	t.Parallel()
	gap := ct.Pins{Slack: 0.2}
	for k := range 48 {
		p := withIntercept(t, loss.Poisson{}, uint64(k), 20+40*(k%3), 1+k%5, []float64{1, 50}[k/4%2], 0, []float64{0, 3}[k/8%2])
		p.Penalty = penalty.Ridge{Lambda: math.Pow(10, float64(k%7)-5)}
		b, f := certificate.New(p), steepOf(p)
		r := rand.New(rand.NewPCG(uint64(k), 15))
		n := ct.R(float64(f.N))
		var at certificate.Intercept
		at.Curvature[0] = f.levels.Float() * []float64{1, 1e-12}[k/5%2] * (0.5 + r.Float64())
		moved := []float64{0, 0.3, 1e-5}[k/3%3]
		h := ct.R(at.Curvature[0]).Over(n)
		slope := h.Float() * []float64{0.1, 1e-3, 1e-9}[k/7%3]
		norm := []float64{0, math.Pow(10, 8*r.Float64()-9)}[k%2]
		of := fmt.Sprintf("problem %d, curvature %v, slope %g, moved %g, norm %g", k, at.Curvature[0], slope, moved, norm)
		gap.Check(t, of, b.GapBeside(&at, norm, 0, slope, moved), func(on ct.On) ct.Real {
			units := on("rounding of curvature", f.Column.Scale(2).Times(f.levels).Over(n))
			share := ct.R(slope).Over(h.Minus(units).Times(ct.R(1).Minus(on("margins that moved", ct.R(moved)))))
			far := share.Over(ct.R(1).Minus(share))
			most := h.Plus(units).Times(ct.R(1).Plus(far.Plus(on("margins of the swing", ct.R(moved))).Scale(2)))
			size := ct.R(norm).Plus(on("swing of the gradient", most.Times(f.longest, far)))
			return size.Square().Over(f.Lambda.Scale(2)).Plus(on("fall along the intercept", far.Scale(slope)))
		})
	}
	gap.Done(t)
}

// TestSteepCareful: the largest error of a margin counts beside an intercept, even if its row has
// next to no weight.
func TestSteepCareful(t *testing.T) {
	t.Parallel()
	const size = 0.9e29 // so that the compensated margin errs by about 0.4
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	p := certificate.Problem{Problem: risk.Problem{Loss: loss.Poisson{}, Penalty: penalty.Ridge{Lambda: 1e60}, Intercept: true}}
	for i := range 6 {
		columns, values := []int(nil), []float64(nil)
		weight := 1.0
		if i == 5 {
			columns, values, weight = []int{0, 1}, []float64{size, size}, 1e-60
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
		p.Y, p.SampleWeight = append(p.Y, float64(i%2+1)), append(p.SampleWeight, weight)
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	bounds := certificate.New(p)
	norm, rounding, gap := bounds.Careful([]float64{1, -1, 0.1}, 0)
	_, dz, c, _ := bounds.Slopes([]float64{1, -1, 0.1})
	most := slices.Max(dz)
	if !(most > 0.1 && most < 0.9) {
		t.Fatalf("a margin errs by %v: the test needs another size", most)
	}
	at := certificate.Intercept{Slope: kernels.Sum(c) / 6}
	at.Add(p.Loss, p.Y, c, p.SampleWeight)
	want, without := bounds.GapBeside(&at, norm, rounding, math.Abs(at.Slope), most), bounds.GapBeside(&at, norm, rounding, math.Abs(at.Slope), 0)
	if !(gap >= want) || !(gap <= 1.05*want) || !(want > 1.2*without) {
		t.Errorf("a gap of %v, not %v; %v if no margin errs", gap, want, without)
	}
}
