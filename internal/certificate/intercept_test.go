package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/run"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// withIntercept draws a small problem with an intercept, and with offsets of its rows if they
// have a scale. far is the mean of the first column.
func withIntercept(t *testing.T, phi loss.Loss, seed uint64, n, d int, weights, far, offsets float64) certificate.Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 8))
	p, err := ct.Scaled(phi, seed, n, d, 1, 1, weights)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Intercept, p.Y[0], p.Y[1] = shifted(t, p.X, far).WithBias(1), true, 1, -1
	for _, y := range []float64{-1, 0, 2} {
		if p.Y[1] = y; ct.Valid(phi, y) == y {
			break
		}
	}
	for range p.Y {
		if offsets != 0 {
			p.Offset = append(p.Offset, offsets*r.NormFloat64())
		}
	}
	return p
}

// evaluateBeside is what solvers compute of a point of a problem with an intercept.
func evaluateBeside(t *testing.T, b *certificate.Bounds, p certificate.Problem, w []float64) (e run.Evaluation, slopes float64) {
	t.Helper()
	c, g := make([]float64, p.X.Rows()), make([]float64, len(w))
	if err := p.X.MulVec(nil, c, w); err != nil {
		t.Fatal(err)
	}
	for i, o := range p.Offset {
		c[i] += o
	}
	phi := p.Loss.Gradient(c, c, p.Y, p.SampleWeight)
	if err := p.X.AddTrans(nil, g, c); err != nil {
		t.Fatal(err)
	}
	n, last := float64(len(c)), len(w)-1
	for j := range g {
		if g[j] /= n; j < last {
			g[j] += float64(p.Ridge() * w[j])
		}
	}
	at := certificate.Intercept{Slope: g[last]}
	half := len(c) / 2 // sums of parts add up
	for _, part := range [][2]int{{0, half}, {half, len(c)}} {
		var own certificate.Curvature
		s := p.SampleWeight
		if s != nil {
			s = s[part[0]:part[1]]
		}
		own.Add(p.Loss, p.Y[part[0]:part[1]], c[part[0]:part[1]], s)
		for k, v := range own {
			at.Curvature[k] += v
		}
	}
	slopes = math.Sqrt(kernels.SquaredNorm(c))
	e, _ = b.Evaluation(phi/n, kernels.SquaredNorm(w[:last]), math.Sqrt(kernels.SquaredNorm(g)), slopes, math.Sqrt(kernels.SquaredNorm(w)), &at)
	return e, slopes
}

// TestGapBesideIntercept: gaps beside an intercept bound the distance from the minimum in exact
// numbers, by plain and by compensated sums. Points are near the minimum and away from it, some
// with only the intercept off. Near the minimum gaps are small.
func TestGapBesideIntercept(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	shown, minima := 0, 0
	others := every()[len(losses):]
	for k := range 32 + 16*len(others) {
		if testing.Short() && k%7 != 0 {
			continue
		}
		phi, n, d := losses[k%4], 30+k%48, 2+k%3
		if k >= 32 {
			phi = others[k/16-2]
		}
		weights, far, offsets := []float64{1, 30}[k/4%2], []float64{0, 1e4}[k/8%2], []float64{0, 2}[k/16%2]
		name := fmt.Sprintf("%v, weights %g, mean %g, offsets %g", phi, weights, far, offsets)
		p := withIntercept(t, phi, uint64(k), n, d, weights, far, offsets)
		p.Penalty = penalty.Ridge{Lambda: []float64{1e-4, 0.1}[k%2]}
		exact, err := ct.Solve(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b := certificate.New(p)
		r := rand.New(rand.NewPCG(uint64(k), 9))
		for _, off := range []float64{0, 1e-12, 1e-8, 1e-5, 1e-2, 1} {
			for _, alone := range []bool{false, true} {
				w := exact.Best()
				for j := range w {
					if j == d || !alone {
						w[j] += off * (1 + math.Abs(w[j])) * r.NormFloat64()
					}
				}
				above, value := exact.Above(w), exact.Objective(w)
				e, _ := evaluateBeside(t, b, p, w)
				_, _, careful := b.Careful(w, 1e-9*value)
				if !(e.Gap >= above) || !(careful >= above) || !(math.Abs(e.Objective-value) <= e.ObjectiveError || math.IsInf(value, 1) && math.IsInf(e.Objective, 1)) {
					t.Errorf("%s, off by %g: %g above the minimum, gaps %g and %g; objective %g, exactly %g", name, off, above, e.Gap, careful, e.Objective, value)
				}
				b.Settle(w, e)
				if off == 0 && !alone {
					if minima++; careful <= 1e-9*value && (far > 0 || e.Gap <= 1e-9*value) {
						shown++
					} else {
						t.Logf("%s: the rounded minimum has gaps of %g and %g", name, e.Gap, careful)
					}
				}
			}
		}
	}
	if shown*10 < minima*9 {
		t.Errorf("%d of %d minima have a small gap", shown, minima)
	}
}

// TestInterceptTerms compares the gap beside an intercept with its formula, and the rounding of
// the slope along the intercept.
func TestInterceptTerms(t *testing.T) {
	t.Parallel()
	gap, rounding, erred := ct.Pins{Slack: 0.2}, ct.Pins{}, 0
	for k := range 48 {
		phi := losses[k%4]
		p := withIntercept(t, phi, uint64(k), 20+40*(k%3), 1+k%5, []float64{1, 50}[k/4%2], 0, []float64{0, 3}[k/8%2])
		p.Penalty = penalty.Ridge{Lambda: math.Pow(10, float64(k%7)-5)}
		b, facts := certificate.New(p), ct.FactsOf(p)
		r := rand.New(rand.NewPCG(uint64(k), 10))
		any := func() float64 { return math.Pow(10, 12*r.Float64()-9) }
		n := ct.R(float64(p.X.Rows()))
		mass := facts.Mass.Over(n)

		slope, slopes, weights := any(), any(), any()
		err, moved := b.InterceptRounding(slope, slopes, weights)
		margins := facts.Gamma.Times(ct.R(weights+facts.More), facts.Mass.Times(facts.Weighted).Root()).Over(n)
		of := fmt.Sprintf("%v, slope %g, slopes %g, weights %g", phi, slope, slopes, weights)
		rounding.Check(t, of, err, func(on ct.On) ct.Real {
			across := ct.R(slopes).Over(n.Root())
			return on("margins", margins.Scale(facts.Peak)).Plus(on("sums over rows", facts.Column.Times(across)),
				on("slopes", ct.Unit.Scale(8).Times(across)), on("slope", ct.Unit.Scale(4*slope)))
		})
		if want := margins.Float(); !(moved >= want*(1-1e-12)) || !(moved <= 1.03*want+1e-300) {
			t.Errorf("%s: margins moved by %v, by the formula %v", of, moved, want)
		}

		norm, errs := any(), any()
		if k%3 > 0 {
			norm, errs = 0, 0 // all is the intercept's
		}
		var at certificate.Intercept
		e, by := b.InterceptRounding(0, 1e-3, 1)
		at.Curvature[0] = facts.Mass.Float() / 5
		if got, want := b.GapAt(norm, errs, 1e-3, 1, &at), b.GapBeside(&at, norm, errs, e, by); got != want {
			t.Errorf("%v: a slope of 0 with the error %g has the gap %v, not %v", phi, e, got, want)
		} else if got > b.GapBeside(&at, norm, errs, 0, by) {
			erred++
		}
		at = certificate.Intercept{}
		moved = []float64{0, 1}[k/3%2]
		h := mass // at most this curvature
		switch phi.String() {
		case "logistic":
			at.Curvature[0] = facts.Mass.Float() * 0.2 * (0.5 + r.Float64()) * []float64{1, 1e-12}[k/5%2]
			moved *= 3 * at.Curvature[0] / float64(p.X.Rows())
			h = ct.R(at.Curvature[0]).Over(n)
		case "squared-hinge", "huber":
			for level := range at.Curvature {
				at.Curvature[level] = facts.Mass.Float() / 8 * r.Float64()
			}
			moved *= mass.Float() * 1e-4
			h = ct.R(at.Curvature[0] * 0.1).Over(n)
		}
		slope = h.Float() * []float64{0.3, 1e-3, 1e-9}[k/7%3]
		of = fmt.Sprintf("%v, curvature %v, slope %g, moved %g, norm %g, rounding %g", phi, at.Curvature, slope, moved, norm, errs)
		got := b.GapBeside(&at, norm, errs, slope, moved)
		formula := func(on ct.On) ct.Real {
			lost := on("margins that moved", ct.R(moved))
			far := ct.R(math.Inf(1))
			swing := mass.Scale(facts.Peak)
			switch phi.String() {
			case "squared":
				far = ct.R(slope).Over(mass)
			case "logistic":
				units := on("rounding of curvature", facts.Column.Scale(2).Times(mass))
				share := ct.R(slope).Over(h.Minus(units).Minus(lost.Scale(0.1)))
				far = share.Over(ct.R(1).Minus(share))
				swing = swing.Min(h.Plus(units, lost.Scale(0.1)).Times(ct.R(1).Plus(far.Scale(2))))
			default:
				sum := 0.0
				for level, v := range at.Curvature {
					sum += v
					reach := certificate.Reach(&p.Problem, level)
					inside := ct.R(sum).Over(n).Minus(lost.Scale(1 / reach))
					if inside.Cmp(ct.R(0)) > 0 && ct.R(slope).Cmp(inside.Scale(reach/1.01)) <= 0 {
						far = far.Min(ct.R(slope).Over(inside))
					}
				}
			}
			swing = swing.Times(facts.Weighted.Scale(facts.Peak)).Over(n).Root()
			size := ct.R(norm).Plus(ct.R(errs), on("swing of the gradient", swing.Times(far)))
			return size.Square().Over(facts.Lambda.Scale(2)).Plus(on("fall along the intercept", far.Scale(slope)))
		}
		if math.IsInf(got, 1) {
			t.Errorf("%s: no gap", of)
			continue
		}
		gap.Check(t, of, got, formula)
	}
	gap.Done(t)
	rounding.Done(t)
	if erred < 12 {
		t.Errorf("the error of the slope raised %d gaps", erred)
	}
}

// TestColumnOfManyRows: the rounding of sums over rows counts each addition one after the other.
func TestColumnOfManyRows(t *testing.T) {
	t.Parallel()
	const n, few, many = 1 << 20, 1 << 10, 1 << 18
	p := withIntercept(t, loss.Squared{}, 1, 20, 2, 1, 0, 0)
	gradient := func(longest int) float64 {
		err, _ := certificate.Known(p, certificate.Totals{Rows: n, Columns: 2, NonZeros: n, Squares: n, Weighted: n, Mass: n, Largest: 1, Longest: longest}).Rounding(3, 0, 1, 1)
		return err
	}
	// A unit of the norms of X and the slopes for each addition.
	want := 0x1p-53 * (many - few) * math.Sqrt(n) * 3 / n
	if got := gradient(many) - gradient(few); !(got >= want*(1-1e-9)) || !(got <= 1.02*want) {
		t.Errorf("%d more additions add %g to the rounding, want %g", many-few, got, want)
	}
}

// TestInterceptWithoutCurvature: where the curvature is too small for the slope there is no gap.
func TestInterceptWithoutCurvature(t *testing.T) {
	t.Parallel()
	for _, phi := range losses {
		p := withIntercept(t, phi, 1, 20, 2, 1, 0, 0)
		b := certificate.New(p)
		slope := 1e-3
		if shift := b.Shift(new(certificate.Intercept), slope, 0); math.IsInf(shift, 1) != (phi != (loss.Squared{})) {
			t.Errorf("%v: a shift of %v without curvature", phi, shift)
		}
		if gap := b.GapBeside(new(certificate.Intercept), 0, 0, 1e300, math.Inf(1)); phi != (loss.Squared{}) && !math.IsInf(gap, 1) {
			t.Errorf("%v: a gap of %v", phi, gap)
		}
	}
}

// TestLossWithoutBounds: a loss that lacks the bounds beside an intercept has no gap there. Without
// an intercept its gap is as before.
func TestLossWithoutBounds(t *testing.T) {
	t.Parallel()
	for _, name := range every() {
		p := withIntercept(t, name, 1, 20, 2, 1, 0, 0)
		l := p.Loss
		gap := func(l loss.Loss) (beside, without float64) {
			b := certificate.Of(p, l)
			at := certificate.Intercept{Slope: 1e-9}
			at.Add(l, p.Y, make([]float64, len(p.Y)), p.SampleWeight)
			at.Curvature[0] += float64(len(p.Y))
			return b.GapAt(1e-9, 0, 1, 1, &at), b.GapAt(1e-9, 0, 1, 1, nil)
		}
		beside, without := gap(l)
		if !(beside < 1) || !(without < 1) {
			t.Fatalf("%v: gaps of %v and %v", name, beside, without)
		}
		if no, same := gap(struct{ loss.Loss }{l}); !math.IsInf(no, 1) || same != without {
			t.Errorf("%v without bounds: gaps of %v and %v, not +Inf and %v", name, no, same, without)
		}
	}
}

// shifted adds a number to the first column of a matrix.
func shifted(t *testing.T, x *sparse.Matrix, by float64) *sparse.Matrix {
	t.Helper()
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	for i := range x.Rows() {
		columns, values := []int{0}, []float64{by}
		for j, v := range x.Row(i) {
			if j == 0 {
				values[0] += v
				continue
			}
			columns, values = append(columns, j), append(values, v)
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	out, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCurvatureSums compares the sums up to each level with two values. They are at most the
// curvature that is left if all margins move by the level's reach, to either side. They are at
// least the weights of rows three times as far from the kinks. For the logistic loss they are the
// curvature.
func TestCurvatureSums(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 11))
	for k := range 16 {
		phi := losses[k%4]
		p := withIntercept(t, phi, uint64(k), 37, 1, []float64{1, 30}[k/4%2], 0, 0)
		n := p.X.Rows()
		z, c := make([]float64, n), make([]float64, n)
		for i := range z {
			z[i] = p.Y[i] + math.Copysign(0.7, r.Float64()-0.5)*(1+math.Pow(10, -8*r.Float64())*(r.Float64()-0.5))
			if phi == (loss.SquaredHinge{}) || phi == (loss.Logistic{}) {
				z[i] = p.Y[i] + math.Pow(10, 1-8*r.Float64())*(r.Float64()-0.5)
			}
		}
		phi.Gradient(c, z, p.Y, p.SampleWeight)
		var at certificate.Curvature
		at.Add(p.Loss, p.Y, c, p.SampleWeight)
		here, sum := 0.0, 0.0
		for i := range z {
			here += ct.CurvatureOf(p, i, z[i]).Float()
		}
		if total := at.Total(); math.Abs(total-here) > 0.2*here+1e-9 && (phi == (loss.Logistic{}) || phi == (loss.Squared{})) {
			t.Errorf("%v: the curvature is %v, not %v", phi, total, here)
		}
		if phi == (loss.Squared{}) || phi == (loss.Logistic{}) {
			continue
		}
		for level, v := range at {
			sum += v
			reach := certificate.Reach(&p.Problem, level)
			left, sure := 0.0, 0.0
			for i := range z {
				of := func(far float64) float64 {
					return min(ct.CurvatureOf(p, i, z[i]-far).Float(), ct.CurvatureOf(p, i, z[i]+far).Float())
				}
				left, sure = left+of(reach), sure+of(3*reach)
			}
			if !(sum <= left*(1+1e-12)) || !(sum >= sure*(1-1e-12)) {
				t.Errorf("%v, level %d: %v, where %v is left and %v is sure", phi, level, sum, left, sure)
			}
		}
	}
}
