package loss_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// function is a loss.Function from parts.
type function struct {
	name    string // "" stands for mine
	labels  bool
	at      func(z, y float64) (value, slope, curvature float64)
	between func(z, dz, y float64) (least, most float64)
}

func (f function) String() string { return cmp.Or(f.name, "mine") }

func (f function) Labels() bool { return f.labels }

func (f function) At(z, y float64) (value, slope, curvature float64) { return f.at(z, y) }

func (f function) Between(z, dz, y float64) (least, most float64) { return f.between(z, dz, y) }

// logistic is lanes' own logistic loss as a program outside would write it.
func logistic() function {
	curvature := func(m float64) float64 { e := math.Exp(-math.Abs(m)); return e / (1 + e) / (1 + e) }
	return function{"", true, func(z, y float64) (float64, float64, float64) {
		return math.Log1p(math.Exp(-math.Abs(z))) + max(-y*z, 0), -y / (1 + math.Exp(y*z)), curvature(z)
	}, func(z, dz, _ float64) (float64, float64) {
		return curvature(math.Abs(z)+dz) * (1 - 1e-12), curvature(max(math.Abs(z)-dz, 0)) * (1 + 1e-12)
	}}
}

// expectile has one curvature above the prediction and another one below.
func expectile() function {
	weight := func(z, y float64) float64 {
		if z > y {
			return 0.4
		}
		return 1.6
	}
	return function{"", false, func(z, y float64) (float64, float64, float64) {
		w, r := weight(z, y), z-y
		return float64(w/2*r) * r, w * r, w
	}, func(z, dz, y float64) (float64, float64) {
		return min(weight(z-dz, y), weight(z+dz, y)), max(weight(z-dz, y), weight(z+dz, y))
	}}
}

func own(t *testing.T, f loss.Function) loss.Loss {
	t.Helper()
	l, err := loss.Own(f)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// drawn are rows of four columns of several scales with labels or targets.
func drawn(t *testing.T, labels bool) *sparse.Data {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 8))
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	data := &sparse.Data{}
	for range 300 {
		row := []float64{r.NormFloat64(), 10 * r.NormFloat64(), 0.1 * r.Float64(), r.Float64()}
		if err := b.AddRow([]int{0, 1, 2, 3}, row); err != nil {
			t.Fatal(err)
		}
		y := row[0] - 0.1*row[1] + 2*r.NormFloat64() + 1
		if labels {
			y = math.Copysign(1, y)
		}
		data.Y, data.Weight = append(data.Y, y), append(data.Weight, 0.5+r.Float64())
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// first is the first entry of a row.
func first(x *sparse.Matrix, i int) float64 {
	for _, v := range x.Row(i) {
		return v
	}
	return 0
}

// TestOwnOptimum: gaps of runs with a function are bounds, down to the optimum, which is lanes' own
// where it has the loss. An unpenalised intercept needs a curvature above 0.
func TestOwnOptimum(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    function
		same loss.Loss // nil where lanes has none
		o    lanes.Options
	}{
		"logistic":            {logistic(), loss.Logistic{}, lanes.Options{}},
		"logistic, penalised": {logistic(), loss.Logistic{}, lanes.Options{Intercept: lanes.PenalisedIntercept}},
		"expectile":           {expectile(), nil, lanes.Options{Kind: lanes.Regression}},
		"expectile, free":     {expectile(), nil, lanes.Options{Kind: lanes.Regression, Intercept: lanes.FreeIntercept}},
	} {
		data := drawn(t, c.f.labels)
		fit := func(phi loss.Loss, gap float64) *solvers.Result {
			o := c.o
			o.Loss, o.Penalty, o.Settings = phi, lanes.L2(0.01), solvers.Settings{GapTolerance: gap, MaxEpochs: 5000}
			f, err := lanes.Train(context.Background(), data, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return f.Result
		}
		best := fit(own(t, c.f), 1e-12)
		if best.Status != solvers.Converged || !(best.Gap <= 1e-12) {
			t.Fatalf("%s: %v with a gap of %v", name, best.Status, best.Gap)
		}
		if c.same != nil {
			if same := fit(c.same, 1e-12); math.Abs(same.Objective-best.Objective) > 2e-12 {
				t.Errorf("%s: an objective of %v, by lanes' own loss %v", name, best.Objective, same.Objective)
			}
		}
		for _, gap := range []float64{0.3, 1e-2, 1e-5} {
			if r := fit(own(t, c.f), gap); r.Status != solvers.Converged || !(r.Gap <= gap) || r.Objective-best.Objective > r.Gap+1e-12 {
				t.Errorf("%s: %v with a gap of %v, and is %v above the minimum", name, r.Status, r.Gap, r.Objective-best.Objective)
			}
		}
	}
}

// TestOwnBounds: the bounds that an own loss states hold for margins nearby.
func TestOwnBounds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 1))
	reached := 0
	for _, f := range []function{logistic(), expectile()} {
		l := own(t, f)
		for range 3000 {
			z, dz, y, size := 4*r.NormFloat64(), math.Pow(10, -6*r.Float64()), math.Copysign(1, r.Float64()-0.5), math.Exp(r.NormFloat64())
			value, err := l.Value(z, dz, y)
			h, third := []float64{0}, []float64{9}
			l.Curvature(h, third, []float64{z}, []float64{y}, []float64{size})
			if _, _, curvature := f.at(z, y); h[0] != size*curvature || third[0] != 0 {
				t.Fatalf("a curvature of %v and %v", h, third)
			}
			bound := l.SlopeError(z, dz, y, size, size*l.Slope(z, y), h[0])
			reach, least := l.Reach(z, dz, y, size, h[0])
			if reach > 0 {
				reached++
			}
			for _, share := range []float64{-1, -0.5, 0.7, 1} {
				there, slope, _ := f.at(z+share*dz, y)
				if d := math.Abs(there - value); d > err*1.0001+1e-15 {
					t.Fatalf("%v +- %v: the value moves by %v, bound %v", z, dz, d, err)
				}
				if d := size * math.Abs(slope-l.Slope(z, y)); d > bound*1.0001+1e-15*size {
					t.Fatalf("%v +- %v: the slope moves by %v, bound %v", z, dz, d, bound)
				}
				if _, _, curvature := f.at(z+share*(dz+reach), y); reach > 0 && size*curvature < least {
					t.Fatalf("%v +- %v: a curvature of %v within %v, bound %v", z, dz, size*curvature, reach, least)
				}
			}
		}
	}
	if _, is := own(t, logistic()).(loss.Beside); is {
		t.Error("a loss without a least curvature has bounds beside an intercept")
	}
	beside, rows := own(t, expectile()).(loss.Beside), loss.Rows{N: 10, Mass: 20}
	if far, most := beside.Shift(loss.Bends{}, rows, 0.5), beside.Most(loss.Bends{}, rows, 1); math.Abs(far-0.5/(0.4*2)) > 1e-15 || math.Abs(most-1.6*2) > 1e-15 {
		t.Errorf("an intercept within %v, where the mean curvature is up to %v", far, most)
	}
	if reached < 3000 {
		t.Errorf("only %d of 6000 margins may move", reached)
	}
}

// TestOwnRefuses: what a function does not give is refused by name, or ends a run without a result;
// never with a certificate.
func TestOwnRefuses(t *testing.T) {
	t.Parallel()
	for _, bounds := range [][2]float64{{-1, 1}, {0, 0}, {0, math.Inf(1)}, {2, 1}, {math.NaN(), 1}, {0, math.NaN()}} {
		f := expectile()
		f.between = func(_, _, _ float64) (float64, float64) { return bounds[0], bounds[1] }
		if l, err := loss.Own(f); l != nil || err == nil {
			t.Errorf("bounds of %v are taken", bounds)
		}
	}
	if l, err := loss.Own(nil); l != nil || err == nil {
		t.Error("no function is taken")
	}
	for _, name := range append(loss.Names(), "mine") { // a model of lanes' name has lanes' link
		f := expectile()
		f.name = name
		if l, err := loss.Own(f); (err == nil) != (name == "mine") || l != nil && err != nil {
			t.Errorf("a function with the name %s: error %v", name, err)
		}
	}
	data := drawn(t, true)
	train := func(f function, o lanes.Options) (*lanes.Fitted, error) {
		o.Loss = own(t, f)
		return lanes.Train(context.Background(), data, o)
	}
	var refused *lanes.OptionError
	for name, o := range map[string]lanes.Options{"l1": {Penalty: lanes.L1(0.01)}, "sdca": {Solver: "prox-sdca"}} {
		if _, err := train(logistic(), o); !errors.As(err, &refused) || refused.Option != "Loss" || !strings.Contains(err.Error(), "the mine loss has no conjugate") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	f, err := train(logistic(), lanes.Options{Intercept: lanes.FreeIntercept})
	if err != nil || f.Result.Gap-f.Result.Gap == 0 {
		t.Errorf("a free intercept without curvature: error %v, gap %v", err, f.Result.Gap)
	}
	// With labels that are separable and others: whether there is a minimum is not known.
	for _, label := range []func(i int) float64{func(i int) float64 { return float64(i%2) - 0.5 }, func(i int) float64 { return first(data.X, i) }} {
		for i := range data.Y {
			data.Y[i] = math.Copysign(1, label(i))
		}
		if f, err = train(logistic(), lanes.Options{Penalty: lanes.NoPenalty}); err != nil || f.Result.Status == solvers.Converged || f.Result.Status == solvers.NoMinimum {
			t.Errorf("without a penalty: error %v, %v", err, f.Result.Status)
		}
	}
	negative := logistic()
	negative.at = func(z, y float64) (float64, float64, float64) {
		value, slope, curvature := logistic().at(z, y)
		return value - 1, slope, curvature
	}
	if f, err := train(negative, lanes.Options{}); err == nil && f.Result.Status == solvers.Converged {
		t.Errorf("a negative loss: %v, gap %v", f.Result.Status, f.Result.Gap)
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of two lengths are taken")
		}
	}()
	own(t, logistic()).Gradient(make([]float64, 2), make([]float64, 2), make([]float64, 3), nil)
}

// TestOwnFar: where second derivatives are next to 0, as far from the targets, Newton's steps are
// longer than any number. The run ends as stalled, with finite weights.
func TestOwnFar(t *testing.T) {
	t.Parallel()
	logCosh := function{"", false, func(z, y float64) (float64, float64, float64) {
		size := math.Abs(z - y)
		e := math.Exp(-2 * size)
		return size + math.Log1p(e) - math.Ln2, math.Copysign((1-e)/(1+e), z-y), 4 * e / (1 + e) / (1 + e)
	}, func(z, dz, y float64) (float64, float64) {
		far := min(math.Abs(z-y)+dz, 300)
		return 0.99 / math.Cosh(far) / math.Cosh(far), 1
	}}
	x, err := sparse.NewCSR(1, []int64{0, 1, 2, 3}, []uint32{0, 0, 0}, []float64{1, -1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []lanes.Options{{}, {Penalty: lanes.NoPenalty}} {
		o.Loss, o.Intercept = own(t, logCosh), lanes.FreeIntercept
		f, err := lanes.Train(context.Background(), &sparse.Data{X: x, Y: []float64{0, 3000, 9000}}, o)
		if err != nil || f.Result.Status != solvers.Stalled || f.Result.Objective-f.Result.Objective != 0 {
			t.Errorf("%+v: %v, error %v", o.Penalty, f, err)
		}
	}
	// Between that is close tells how far a step may go.
	logCosh.between = func(z, dz, y float64) (float64, float64) {
		curvature := func(size float64) float64 { e := math.Exp(-2 * size); return 4 * e / (1 + e) / (1 + e) }
		return 0.99 * curvature(math.Abs(z-y)+dz), 1.01 * curvature(max(math.Abs(z-y)-dz, 0))
	}
	for _, lambda := range []float64{0, 1e-5, 1e-3, 1} {
		for _, y := range [][]float64{{0, -3000, 9000}, {0, 3000, 9000}, {100, -100, 9000}} {
			o := lanes.Options{Kind: lanes.Regression, Loss: own(t, logCosh), Penalty: lanes.L2(lambda), Intercept: lanes.FreeIntercept}
			f, err := lanes.Train(context.Background(), &sparse.Data{X: x, Y: y}, o)
			if err != nil || !(f.Result.GradientNorm < 1e-6) {
				t.Errorf("close bounds, lambda %v, targets %v: %v, error %v", lambda, y, f.Result, err)
			}
		}
	}
}
