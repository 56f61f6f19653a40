package softmax

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/precise"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// hostile are the problems that bounds beside intercepts are tried on, by name.
var hostile = []string{
	"plain", "rare", "one row", "zero weights", "far weights", "scaled columns", "columns far from 0", "duplicates",
	"constant columns", "more columns than rows", "ordered", "empty rows",
}

// besideIntercepts draws a problem of the given kind.
func besideIntercepts(t testing.TB, kind string, seed uint64, lambda float64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 31))
	n, d, k := 24, 3, 3+int(seed%2)
	if kind == "more columns than rows" {
		n, d = 9, 14
	}
	p := &Problem{Count: k, Lambda: lambda, Intercept: true}
	scale, mean := make([]float64, d), make([]float64, d)
	for j := range scale {
		scale[j] = 1
		switch kind {
		case "scaled columns":
			scale[j] = []float64{1e8, 1, 1e-8}[j%3]
		case "columns far from 0":
			mean[j] = 1e5 * float64(j+1)
		case "constant columns":
			if j > 0 {
				scale[j], mean[j] = 0, float64(j)
			}
		case "ordered":
			scale[j] = 12
		}
	}
	var all [][]float64
	for i := range n {
		row := make([]float64, d)
		for j := range row {
			row[j] = mean[j] + scale[j]*normal(r)
		}
		c := r.IntN(k)
		switch kind {
		case "rare":
			if r.IntN(5) > 0 {
				c = 0
			}
		case "one row":
			c = 0
		case "ordered":
			c = min(k-1, max(0, int(math.Round(float64(k)/2+row[0]/10))))
		case "duplicates":
			if i%2 == 1 {
				copy(row, all[i-1])
			}
		case "empty rows":
			if i%3 == 0 {
				clear(row)
			}
		}
		if i < k {
			c = i
		}
		all, p.Class = append(all, row), append(p.Class, uint32(c))
		switch kind {
		case "zero weights":
			p.SampleWeight = append(p.SampleWeight, []float64{1, 2, 0.5, 1}[min(i, i%4+4*(i/n))%4])
			if i >= k && r.IntN(2) == 0 {
				p.SampleWeight[i] = 0
			}
		case "far weights":
			p.SampleWeight = append(p.SampleWeight, math.Pow(10, 10*r.Float64()-5))
		}
	}
	p.X = matrixOf(t, all)
	return p
}

// matrixOf has the rows and a constant column.
func matrixOf(t testing.TB, rows [][]float64) *sparse.Matrix {
	t.Helper()
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for _, row := range rows {
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(len(rows[0]), ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return x.WithBias(1)
}

// exactRow are the exact probabilities of a row, 1 less for the own class, and its loss.
func exactRow(p *Problem, i int, w []float64) (slopes []ct.Real, own, phi ct.Real) {
	d, c := p.X.Cols(), int(p.Class[i])
	z, total := make([]ct.Real, p.Count), ct.R(0)
	for a := range z {
		z[a] = ct.R(0)
		for j, x := range p.X.Row(i) {
			z[a] = z[a].Plus(ct.R(x).Scale(w[a*d+j]))
		}
	}
	others := ct.R(0)
	for a := range z {
		e := z[a].Minus(z[c]).Exp()
		if total = total.Plus(e); a != c {
			others = others.Plus(e)
		}
		slopes = append(slopes, e)
	}
	for a := range slopes {
		slopes[a] = slopes[a].Over(total)
	}
	own = slopes[c]
	slopes[c] = ct.R(0).Minus(others.Over(total))
	return slopes, own, total.Log()
}

// exactly is the objective at w, stored class after class, by its definition.
func exactly(p *Problem, w []float64) ct.Real {
	sum, squares, d := ct.R(0), ct.R(0), p.X.Cols()
	for i := range p.Class {
		if s := direct.Weight(p.SampleWeight, i); s != 0 {
			_, _, phi := exactRow(p, i, w)
			sum = sum.Plus(phi.Scale(s))
		}
	}
	for j, v := range w {
		if !p.Intercept || j%d != d-1 {
			squares = squares.Plus(ct.R(v).Square())
		}
	}
	return sum.Over(ct.R(float64(len(p.Class)))).Plus(squares.Scale(0.5).Scale(p.Lambda))
}

// lowest returns float64 weights that are near the minimum of p.
func lowest(t *testing.T, p *Problem) []float64 {
	t.Helper()
	o := newObjective(p, nil)
	zero := o.atZero()
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-9 * zero, MaxEpochs: 3000})
	columns := make([]float64, len(r.Weights))
	o.byColumn(columns, r.Weights)
	(*precise.Classes)(p).Minimise(columns, 1e-22*zero, func() bool { return false })
	w := make([]float64, len(columns))
	o.byClass(w, columns)
	return w
}

// lambdas are the penalties that the tests try.
var lambdas = []float64{1e-8, 1e-4, 0.05, 1, 1e3}

// TestGapBesideIntercepts: the gap of a point is above its exact distance from a point near the
// minimum, by plain and by compensated sums. The points are near the minimum and away from it; some
// have the intercepts alone or the weights alone away. At the minimum most gaps are small.
func TestGapBesideIntercepts(t *testing.T) {
	t.Parallel()
	shown, minima := 0, 0
	for k, kind := range hostile {
		for m, lambda := range lambdas {
			if testing.Short() && (k+m)%10 != 0 {
				continue
			}
			p := besideIntercepts(t, kind, uint64(k+m), lambda)
			best, d := lowest(t, p), p.X.Cols()
			least, r := exactly(p, best), rand.New(rand.NewPCG(uint64(k), uint64(m)))
			for _, off := range []float64{0, 1e-12, 1e-8, 1e-5, 1e-2, 1, 20} {
				for _, part := range []string{"all", "weights", "intercepts"} {
					w := slices.Clone(best)
					for j := range w {
						if part == "all" || (part == "intercepts") == (j%d == d-1) {
							w[j] += off * (1e-3 + math.Abs(w[j])) * normal(r)
						}
					}
					value := exactly(p, w)
					above := value.Minus(least).Float()
					o := newObjective(p, nil)
					e := o.evaluate(w)
					columns := make([]float64, len(w))
					o.byColumn(columns, w)
					_, _, careful := (*certificate.Classes)(p).Careful(columns)
					wrong := value.Minus(ct.R(e.Objective)).Abs()
					if !(e.Gap >= above) || !(careful >= above) || wrong.Cmp(ct.R(e.ObjectiveError)) > 0 {
						t.Errorf("%s, lambda %g, %s off by %g: %g above the minimum, gaps %g and %g; objective %g +- %g, off by %g",
							kind, lambda, part, off, above, e.Gap, careful, e.Objective, e.ObjectiveError, wrong.Float())
					}
					if off == 0 && part == "all" {
						if minima++; careful <= 1e-9*e.Objective {
							shown++
						} else {
							t.Logf("%s, lambda %g: the minimum has gaps of %g and %g, objective %g", kind, lambda, e.Gap, careful, e.Objective)
						}
					}
				}
			}
		}
	}
	if shown*10 < minima*8 {
		t.Errorf("%d of %d minima have a small gap", shown, minima)
	}
}

// TestInterceptsConverge: hostile problems converge to a small tolerance, and their objective
// equals the minimum. Their intercepts have a sum of 0.
func TestInterceptsConverge(t *testing.T) {
	t.Parallel()
	for k, kind := range hostile {
		for m, lambda := range repeat.Size(lambdas, lambdas[2:3]) {
			p := besideIntercepts(t, kind, uint64(k+m), lambda)
			target := 1e-7 * newObjective(p, nil).atZero()
			r := solve(t, p, solvers.Settings{GapTolerance: target, MaxEpochs: 3000})
			sum, size, d := 0.0, 0.0, p.X.Cols()
			for c := range p.Count {
				b := r.Weights[(c+1)*d-1]
				sum, size = sum+b, max(size, math.Abs(b))
			}
			above := exactly(p, r.Weights).Minus(exactly(p, lowest(t, p))).Float()
			if r.Status != solvers.Converged || !(r.Gap <= target) || !(above <= r.Gap) || math.Abs(sum) > 1e-14*size {
				t.Errorf("%s, lambda %g: %v after %v passes, gap %g of %g, %g above the minimum; intercepts of a sum of %g", kind, lambda, r.Status, r.Total.Epochs, r.Gap, target, above, sum)
			}
		}
	}
}

// TestInterceptSlopes: the slopes along the intercepts are within the bounds of their errors, and
// ties are below the exact ones. Both bounds equal their formulas, with rows of up to 1e12, where
// most of them is the error of the margins.
func TestInterceptSlopes(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	for seed := range repeat.Size(uint64(16), 9) {
		rows, classes := 40, []int{2, 3, 20}[seed%3]
		if seed == 8 {
			rows, classes = 2500, 2
		}
		p := randomProblem(t, rows, 4, classes, seed)
		if p.Intercept = true; seed%4 == 1 {
			p = weighted(p)
		}
		r := rand.New(rand.NewPCG(seed, 6))
		var all [][]float64
		for i := range p.Class {
			row := make([]float64, 4)
			for j, v := range p.X.WithBias(0).Row(i) {
				row[j] = v
			}
			row[0] *= math.Pow(10, float64(seed%8)*2-2)
			all = append(all, row)
		}
		p.X = matrixOf(t, all)
		d, n := p.X.Cols(), float64(len(p.Class))
		w := make([]float64, d*p.Count)
		for j := range w {
			w[j] = 3 * normal(r)
			if j%d == 0 {
				w[j] *= math.Pow(10, 2-float64(seed%8)*2)
			}
		}
		o := newObjective(p, nil)
		e := o.evaluate(w)
		norm, longest := ct.Norm(ct.Rs(w)), ct.R(0)
		slopes, sizes, ties := ct.Rs(make([]float64, p.Count)), ct.Rs(make([]float64, p.Count)), ct.Rs(make([]float64, p.Count*p.Count))
		for i, c := range p.Class {
			s, square := direct.Weight(p.SampleWeight, i), ct.R(0)
			for _, x := range p.X.Row(i) {
				square = square.Plus(ct.R(x).Square())
			}
			if s > 0 {
				longest = longest.Max(square)
			}
			row, own, _ := exactRow(p, i, w)
			for a, v := range row {
				slopes[a], sizes[a] = slopes[a].Plus(v.Scale(s)), sizes[a].Plus(v.Abs().Scale(s))
				if v = v.Scale(s).Times(own); a != int(c) {
					ties[int(c)*p.Count+a] = ties[int(c)*p.Count+a].Plus(v)
				}
			}
		}
		range_ := ct.Unit.Scale(math.Sqrt2*float64(d+16)).Times(norm, longest.Root()).Scale(1.01)
		of := fmt.Sprintf("seed %d, %d rows, %d classes", seed, len(p.Class), p.Count)
		for a, errs := range o.beside.errs {
			h := o.g[o.held+a]
			exact, size := slopes[a].Over(ct.R(n)), sizes[a].Over(ct.R(n))
			if off := exact.Minus(ct.R(h)).Abs(); off.Cmp(ct.R(errs)) > 0 {
				t.Errorf("%s: the slope of intercept %d is %v +- %v, exactly %v", of, a, h, errs, exact.Float())
			}
			if range_.Float() > 1e-9 && seed%8 > 4 {
				size = ct.R(h + 2*o.beside.wrong[a]/n) // of the margins as they were computed
			}
			pins.Check(t, of, errs, func(on ct.On) ct.Real {
				share := on("margins", range_.Times(ct.R(1).Plus(range_.Scale(2)))).Plus(
					on("sums over rows", ct.Unit.Scale(n+96)), on("probabilities", ct.Unit.Scale(2048*float64(p.Count+5)+800)))
				return size.Times(share).Plus(ct.Unit.Scale(4).Scale(math.Abs(h)))
			})
			for b := range a {
				tie, whole := o.beside.ties[a*p.Count+b], ties[a*p.Count+b].Plus(ties[b*p.Count+a]).Over(ct.R(n))
				if tie != o.beside.ties[b*p.Count+a] || whole.Cmp(ct.R(tie)) < 0 {
					t.Errorf("%s: a tie of %v, exactly %v", of, tie, whole.Float())
				}
				lost := 2*range_.Float() + (n+2*float64(p.Count)+1600)*0x1p-53
				if want := whole.Float() * (1 - 1.01*lost) / 1.01; math.Abs(tie-want) > (1e-11+range_.Float())*want+1e-300 {
					t.Errorf("%s: a tie of %v, not %v", of, tie, want)
				}
			}
		}
		at := certificate.Intercepts{Slopes: o.g[o.held:], Errors: o.beside.errs, Ties: o.beside.ties, Longest: 1.01 * o.second / (2 * n)}
		if want := min(at.Gap(e.GradientNorm+e.GradientError, p.Lambda, len(w)), e.Objective+e.ObjectiveError); e.Gap != want {
			t.Errorf("%s: a gap of %v, not %v", of, e.Gap, want)
		}
	}
	for _, term := range []string{"margins", "sums over rows", "probabilities"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}
