package elasticnet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

var inf = math.Inf(1)

// confinedTo are penalties with bounds of 8 weights: none is negative, of one side, of two, off 0, fixed; without
// a penalty, with one, and with factors.
var confinedTo = func() (list []*penalty.Bounded) {
	none := []float64{-inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf}
	zeros := make([]float64, 8)
	infinite := []float64{inf, inf, inf, inf, inf, inf, inf, inf}
	mixed := [2][]float64{{0, -0.1, -inf, 0.05, -inf, -0.3, 0.2, -inf}, {inf, 0.1, 0.02, inf, -0.1, 0.3, 0.2, inf}}
	narrow := [2][]float64{{-0.2, 0.1, -0.3, -0.1, 0, -0.5, -0.1, 0}, {0.2, 0.3, -0.1, 0.1, 0, 0.5, 0.2, 1}}
	factors := []float64{1, 0, 2, 0.5, 1, 0, 1, 3}
	for _, f := range []penalty.Factored{{}, {L1: 0.02}, {L2: 0.05}, {L1: 0.02, L2: 0.05, Factors: factors}, {L1: 0.02, Factors: factors}} {
		list = append(list, &penalty.Bounded{Factored: f, Lower: zeros, Upper: infinite}, &penalty.Bounded{Factored: f, Lower: none, Upper: zeros},
			&penalty.Bounded{Factored: f, Lower: mixed[0], Upper: mixed[1]}, &penalty.Bounded{Factored: f, Lower: narrow[0], Upper: narrow[1]})
	}
	return list
}()

// boxed is the least objective that proximal gradient steps find, by the definitions alone.
func boxed(p *Problem, r *penalty.Bounded, steps int) float64 {
	d := penalised(p)
	factor := func(j int) float64 {
		if r.Factors == nil {
			return 1
		}
		return r.Factors[j]
	}
	whole := func(w, g []float64) float64 {
		sum := plain(p, w, g)
		for j, v := range w[:d] {
			sum += factor(j) * (r.L1*math.Abs(v) + r.L2/2*v*v)
		}
		return sum
	}
	move := func(to, w, g []float64, step float64) {
		for j := range to {
			if to[j] = w[j] - step*g[j]; j < d {
				c := factor(j) * step
				to[j] = math.Copysign(max(0, math.Abs(to[j])-c*r.L1), to[j]) / (1 + c*r.L2)
				to[j] = math.Min(math.Max(to[j], r.Lower[j]), r.Upper[j])
			}
		}
	}
	w, g, to, other := make([]float64, p.X.Cols()), make([]float64, p.X.Cols()), make([]float64, p.X.Cols()), make([]float64, p.X.Cols())
	move(w, slices.Clone(w), g, 0)
	value, step := whole(w, g), 1.0
	for range steps {
		before := value
		for step *= 2; step > 1e-9; step /= 2 {
			move(to, w, g, step)
			square := 0.0
			for j := range to {
				square += (to[j] - w[j]) * (to[j] - w[j])
			}
			if v := whole(to, other); v <= value-1e-4*square/step {
				value = v
				w, to, g, other = to, w, other, g
				break
			}
		}
		if !(value < before*(1-1e-14)) {
			break
		}
	}
	return value
}

// pressed checks the conditions of a minimum: slopes are 0, or press a weight against a bound or to 0.
func pressed(t *testing.T, name string, p *Problem, r *penalty.Bounded, w []float64, most float64) {
	t.Helper()
	g := make([]float64, len(w))
	plain(p, w, g)
	for j, v := range w {
		low, high := g[j], g[j]
		if j < penalised(p) {
			c := 1.0
			if r.Factors != nil {
				c = r.Factors[j]
			}
			low, high = low+c*(r.L2*v-r.L1), high+c*(r.L2*v+r.L1)
			if v > 0 {
				low = high
			} else if v < 0 {
				high = low
			}
			if v < r.Lower[j] || v > r.Upper[j] {
				t.Errorf("%s: weight %d is %v, beyond %v and %v", name, j, v, r.Lower[j], r.Upper[j])
			}
			if v == r.Lower[j] {
				low = -inf
			}
			if v == r.Upper[j] {
				high = inf
			}
		}
		if low > most || high < -most {
			t.Errorf("%s: weight %d, %v, has slopes from %v to %v", name, j, v, low, high)
		}
	}
}

// TestBounds: with bounds of weights and every loss, weights are minima by the conditions of one, objectives are
// those of plain steps, and gaps are bounds.
func TestBounds(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		for _, intercept := range []bool{false, true} {
			p := unevenProblem(t, of, intercept, uint64(k+1))
			for i, r := range confinedTo {
				p.Penalty = r
				name := fmt.Sprintf("%v, intercept %t, case %d: %v", of, intercept, i, r)
				result, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				pressed(t, name, p, r, result.Weights, 2e-4)
				requirePlain(t, name, p, result, boxed(p, r, 2000))
			}
		}
	}
}

// TestBoundsGaps: away from the minimum gaps are bounds too, where they are finite.
func TestBoundsGaps(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		for _, intercept := range []bool{false, true} {
			p := unevenProblem(t, of, intercept, uint64(k+1))
			for i, r := range confinedTo {
				p.Penalty = r
				best, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 3000})
				if err != nil {
					t.Fatal(err)
				}
				pool := sparse.NewPool(1)
				o := newObjective(p, pool)
				finite := 0
				for step := range 9 {
					w := slices.Clone(best.Weights)
					for j := range w {
						if lower, upper := o.interval(min(j, 7)); j < 8 && step%2 > 0 && (w[j] == lower || w[j] == upper) {
							continue
						}
						w[j] += math.Pow(10, -float64(step)) * float64((j*5+step)%7-3) / 3
					}
					o.inside(w)
					if e := o.evaluate(w); e.Gap-e.Gap == 0 {
						finite++
						if e.Gap < (e.Objective-best.Objective)*(1-1e-9)-1e-12 {
							t.Errorf("%v, intercept %t, case %d: a gap of %v at %v, above %v", of, intercept, i, e.Gap, e.Objective, best.Objective)
						}
					}
				}
				if pool.Close(); finite < 2 {
					t.Errorf("%v, intercept %t, case %d, %v: %d gaps are finite", of, intercept, i, r, finite)
				}
			}
		}
	}
}

// TestBoundsPaths: the points of paths are those of single runs, and at the first weight of a path the penalised
// weights are those next to 0.
func TestBoundsPaths(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		p := unevenProblem(t, of, true, uint64(k+11))
		for _, r := range confinedTo[12:16] {
			p.Penalty = r
			pool := sparse.NewPool(1)
			most, _, err := MaxL1(pool, p)
			pool.Close()
			if err != nil {
				t.Fatal(err)
			}
			path, err := NewPath(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k, share := range []float64{1.001, 0.98, 0.5, 0.1, 0.01} {
				at := r.WithWeight(share * most)
				got, err := path.Solve(t.Context(), at, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil {
					t.Fatal(err)
				}
				want, err := Solve(t.Context(), p.With(at), nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil {
					t.Fatal(err)
				}
				if got.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > 2e-9 {
					t.Errorf("%v, %v: %v at %v, not %v", of, at, got.Status, got.Objective, want.Objective)
				}
				off := 0
				for j, w := range got.Weights[:8] {
					if nearest := math.Min(math.Max(0, r.Lower[j]), r.Upper[j]); w != nearest && r.Factors[j] > 0 {
						off++
					}
				}
				if most > 0 && (k == 0 && off > 0 || k == 1 && off == 0) {
					t.Errorf("%v at %v of the largest weight: %d weights", of, share, off)
				}
			}
		}
	}
}

// TestBoundsHostile: fixed weights, columns of zeros, huge scales, and minima that are infinite on a side with no
// bound. Nothing is called converged that is not.
func TestBoundsHostile(t *testing.T) {
	t.Parallel()
	settings := solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 500}
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		p := unevenProblem(t, of, k%2 == 0, uint64(k+31))
		fixed := &penalty.Bounded{Lower: []float64{0.1, -0.1, 0, 0.2, 0, 0.3, -0.2, 0}}
		fixed.Upper = fixed.Lower
		result, err := Solve(t.Context(), p.With(fixed), nil, settings)
		if err != nil || result.Status != solvers.Converged || !slices.Equal(result.Weights[:8], fixed.Lower) {
			t.Errorf("%v, fixed weights: %v at %v, error %v", of, result.Status, result.Weights, err)
		}
		p.X = p.X.WithBias(0)
		zero, err := sparse.NewCSR(8, make([]int64, p.X.Rows()+1), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := *p
		if q.X = zero; q.Intercept {
			q.X = zero.WithBias(1)
		}
		box := &penalty.Bounded{Lower: []float64{0, 1, -inf, -1, -1, -inf, -2, 0}, Upper: []float64{inf, 2, -1, 1, 1, inf, -2, 0}}
		for _, start := range [][]float64{nil, []float64{5, 5, 5, 5, 5, 5, 5, 5, 0}[:q.X.Cols()]} {
			settings := settings
			settings.Initial = start
			result, err = Solve(t.Context(), q.With(box), nil, settings)
			if err != nil || result.Status != solvers.Converged || box.Value(result.Weights[:8]) != 0 {
				t.Errorf("%v, columns of zeros: %v at %v, error %v", of, result.Status, result.Weights, err)
			}
		}
	}
	for _, scale := range []float64{1e-9, 1e9} { // of a column, whose bound is in the way
		for _, of := range losses {
			p := randomProblem(t, of, 80, 4, 5)
			x := make([]float64, 0, 320)
			for i := range 80 {
				row := make([]float64, 4)
				for j, v := range p.X.Row(i) {
					row[j] = v
				}
				row[0] *= scale
				x = append(x, row...)
			}
			var err error
			if p.X, err = rowsOf(4, x); err != nil {
				t.Fatal(err)
			}
			r := &penalty.Bounded{Factored: penalty.Factored{L2: 1e-3, Factors: []float64{0, 1, 1, 1}}, Lower: []float64{0.1 / scale, 0, -inf, -0.1}, Upper: []float64{0.5 / scale, 0.1, 0, inf}}
			result, err := Solve(t.Context(), p.With(r), nil, settings)
			if err != nil || result.Status != solvers.Converged {
				t.Errorf("%v, a column times %v: %v, error %v", of, scale, result.Status, err)
				continue
			}
			p.Penalty = r
			g := make([]float64, 4)
			if got, want := plain(p, result.Weights, g)+r.Value(result.Weights), boxed(p, r, 20000); of != losses[0] && scale < 1 && got > want+1e-8 || math.Abs(got-result.Objective) > 1e-12 {
				t.Errorf("%v, a column times %v: %v (%v said), not %v", of, scale, got, result.Objective, want)
			}
		}
	}
	// Labels that a weight of one sign separates, and counts of 0 in all rows of a column.
	x, err := rowsOf(2, []float64{1, 0.3, 2, -0.2, 3, 0.1, -1, 0.2, -2, -0.4, -3, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := rowsOf(2, []float64{1, 0.3, 1, -0.2, 1, 0.1, 0, 0.2, 0, -0.4, 0, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p            *Problem
		lower, upper float64
		attained     bool
	}{
		{&Problem{X: x, Y: []float64{1, 1, 1, -1, -1, -1}, Loss: losses[0]}, 0, inf, false},
		{&Problem{X: x, Y: []float64{1, 1, 1, -1, -1, -1}, Loss: losses[0]}, -inf, 3, true},
		{&Problem{X: x, Y: []float64{1, 1, 1, -1, -1, -1}, Loss: losses[0]}, -inf, 0, true},
		{&Problem{X: counts, Y: []float64{0, 0, 0, 1, 2, 1}, Loss: linkLosses[0]}, -inf, 0, false},
		{&Problem{X: counts, Y: []float64{0, 0, 0, 1, 2, 1}, Loss: linkLosses[0]}, -4, inf, true},
	} {
		r := &penalty.Bounded{Lower: []float64{c.lower, -1}, Upper: []float64{c.upper, 1}}
		result, err := Solve(t.Context(), c.p.With(r), nil, settings)
		if err != nil || (result.Status == solvers.Converged) != c.attained {
			t.Errorf("%v between %v and %v: %v at %v, a gap of %v, error %v", c.p.Loss, c.lower, c.upper, result.Status, result.Weights, result.Gap, err)
		}
	}
}

// rowsOf is a matrix of full rows.
func rowsOf(columns int, values []float64) (*sparse.Matrix, error) {
	ptr, index := []int64{0}, []uint32(nil)
	for k := range values {
		if index = append(index, uint32(k%columns)); k%columns == columns-1 {
			ptr = append(ptr, int64(k+1))
		}
	}
	return sparse.NewCSR(columns, ptr, index, values)
}

// TestOpenAtMinimum: a squared loss whose minimum is at weights of 0, where the run begins, converges there.
func TestOpenAtMinimum(t *testing.T) {
	t.Parallel()
	x := make([]float64, 300*3)
	p := &Problem{Loss: losses[1], Y: make([]float64, 300)}
	for i := range p.Y {
		for j := range 3 {
			x[3*i+j] = float64((i*(j+3))%7) - 2
		}
		p.Y[i] = 3 - x[3*i] - 0.5*x[3*i+1] + float64(i%5)
	}
	var err error
	if p.X, err = rowsOf(3, x); err != nil {
		t.Fatal(err)
	}
	setIntercept(p, true)
	positive := &penalty.Bounded{Lower: make([]float64, 3), Upper: []float64{inf, inf, 0}}
	for _, r := range []penalty.Penalty{penalty.L1{Lambda: 100}, penalty.ElasticNet{L1: 100, L2: 1}, positive, positive.WithWeight(0.1)} {
		result, err := Solve(t.Context(), p.With(r), nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 100})
		if err != nil || result.Status != solvers.Converged || nonZeros(p, result.Weights) > 0 {
			t.Errorf("%v: %v at %v with a gap of %v, error %v", r, result.Status, result.Weights, result.Gap, err)
		}
	}
}

// TestBoundsDependent: columns that are sums of others, rows that all fit, and fewer rows than columns. A minimum is
// attained, and is found, though its slopes are 0 or what rounding leaves of them.
func TestBoundsDependent(t *testing.T) {
	t.Parallel()
	fits := 0
	for seed := range repeat.Size[uint64](60, 8) {
		for k, of := range append(slices.Clone(losses[1:]), linkLosses...) {
			if of.Labels() && !of.Attained() {
				continue // of rows that all fit, there is no minimum
			}
			random := rand.New(rand.NewPCG(seed, uint64(k)))
			n, d := 3+random.IntN(12), 6+random.IntN(4)
			if seed%3 == 0 {
				n *= 10
			}
			values, y := []float64(nil), make([]float64, n)
			for i := range y {
				row := make([]float64, d)
				for j := range row {
					if row[j] = float64(random.IntN(5) - 2); seed%2 == 0 {
						row[j] = random.NormFloat64()
					}
				}
				row[2], row[4] = 0.3*row[0]+0.7*row[1]-2, row[3]
				values = append(values, row...)
				switch z := 0.5*row[0] - row[3] + float64(seed%5)*random.NormFloat64()/4; {
				case of.Labels():
					y[i] = math.Copysign(1, z)
				case k < 3:
					y[i] = z
				default:
					y[i] = math.Ceil(math.Exp(z))
				}
			}
			x, err := rowsOf(d, values)
			if err != nil {
				t.Fatal(err)
			}
			p := &Problem{X: x, Y: y, Loss: of}
			setIntercept(p, seed%4 < 2 && slices.Max(y) > slices.Min(y))
			box := &penalty.Bounded{Lower: slices.Repeat([]float64{-inf}, d), Upper: slices.Repeat([]float64{inf}, d)}
			box.Lower[0] = 0
			for j := range d {
				switch random.IntN(3) {
				case 0:
					box.Lower[j] = -float64(random.IntN(2))
				case 1:
					box.Upper[j] = float64(random.IntN(2))
				}
			}
			p.Penalty = box
			result, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000})
			if err != nil || result.Status != solvers.Converged {
				t.Errorf("%v, seed %d: %v at %v with a gap of %v, error %v", of, seed, result.Status, result.Objective, result.Gap, err)
			}
			if result.Objective < 1e-12 {
				fits++
			}
			got := plain(p, result.Weights, make([]float64, p.X.Cols())) + box.Value(result.Weights[:d])
			if best := boxed(p, box, 300); math.Abs(got-result.Objective) > 1e-12*(1+got) || best < result.Objective-result.Gap-1e-12 {
				t.Errorf("%v, seed %d: an objective of %v (%v by the definition) with a gap of %v, above %v", of, seed, result.Objective, got, result.Gap, best)
			}
		}
	}
	if fits < repeat.Size(10, 1) {
		t.Errorf("%d problems fit all rows", fits)
	}
}
