package softmax

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// sweptProblem is a problem of rows with k classes that depend on their columns.
func sweptProblem(t *testing.T, spec string, k int) *Problem {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: data.X, Count: k, Lambda: 1 / float64(data.X.Rows())}
	for i := range data.X.Rows() {
		c := (i*i + i/7) % k
		for j := range data.X.Row(i) {
			if j%3 == 0 && i%2 == 0 {
				c = j % k
			}
			break
		}
		p.Class = append(p.Class, uint32(c))
	}
	return p
}

// streamedOf writes the rows of p, with labels 3 c + 1 of the classes c, to files and opens them as one.
func streamedOf(t *testing.T, p *Problem, weights []float64) *Streamed {
	t.Helper()
	data := &sparse.Data{X: p.X.WithBias(0), Weight: weights}
	s := &Streamed{Lambda: p.Lambda, Intercept: p.Intercept}
	for k := range p.Count {
		s.Labels = append(s.Labels, float64(3*k+1))
	}
	for _, c := range p.Class {
		data.Y = append(data.Y, s.Labels[c])
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, data); err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	s.Rows = &solvers.Rows{Stream: stream.WithBias(p.X.Bias())}
	return s
}

// plainObjective is the objective by plain sums over rows and classes.
func plainObjective(p *Problem, w []float64) float64 {
	d, sum := p.X.Cols(), 0.0
	for i, own := range p.Class {
		z, total := make([]float64, p.Count), 0.0
		for j, v := range p.X.Row(i) {
			for c := range z {
				z[c] += v * w[c*d+j]
			}
		}
		for _, v := range z {
			total += math.Exp(v - z[own])
		}
		s := 1.0
		if p.SampleWeight != nil {
			s = p.SampleWeight[i]
		}
		sum += s * math.Log(total)
	}
	sum /= float64(p.X.Rows())
	for j, v := range w {
		if !p.Intercept || j%d != d-1 {
			sum += p.Lambda / 2 * v * v
		}
	}
	return sum
}

// A softmax of rows in a file has the bits of rows in memory with as many shards, at three limits of memory, by one
// worker or three; the objective of its weights by a plain sum; and the minimum that Newton's method finds without
// shards, within both gaps.
func TestStreamedHasTheBitsOfMemory(t *testing.T) {
	for name, c := range map[string]struct {
		spec      string
		k         int
		intercept bool
		bias      float64
		weigh     bool
		byClass   bool
	}{
		"plain":     {spec: repeat.Size("text:n=1500,d=200", "text:n=600,d=80"), k: 4},
		"intercept": {spec: "text:n=700,d=60", k: 3, intercept: true, bias: 1},
		"bias":      {spec: "onehot:n=900,d=40", k: 5, bias: 1, weigh: true},
		"balanced":  {spec: "onehot:n=900,d=40", k: 3, intercept: true, bias: 1, weigh: true, byClass: true},
		"dense":     {spec: "dense:n=500,d=7", k: 6},
		"wide":      {spec: "text:n=150,d=900", k: 3},
		"columns":   {spec: "text:n=400,d=700", k: 2},
	} {
		p := sweptProblem(t, c.spec, c.k)
		p.X, p.Intercept = p.X.WithBias(c.bias), c.intercept
		var own []float64
		if c.weigh {
			for i := range p.Class {
				own = append(own, float64(i%4)/2)
			}
		}
		s := streamedOf(t, p, own)
		p.SampleWeight = own
		if c.byClass {
			s.Weights = []float64{0.3, 1.7, 2}
			p.SampleWeight = make([]float64, len(own))
			for i := range own {
				p.SampleWeight[i] = s.Weights[p.Class[i]] * own[i]
			}
		}
		settings := solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 5000, Shards: 8}
		want, err := Solve(t.Context(), p, Newton{}, settings)
		if err != nil || want.Status != solvers.Converged || !(want.Gap <= 1e-9) {
			t.Fatalf("%s: %v, %v, gap %v", name, err, want.Status, want.Gap)
		}
		if sum := plainObjective(p, want.Weights); !(math.Abs(want.Objective-sum) <= 1e-12*(1+sum)) {
			t.Errorf("%s: the objective is %v, by a sum %v", name, want.Objective, sum)
		}
		settings.Shards = 0
		other, err := Solve(t.Context(), p, Newton{}, settings)
		if err != nil || !(math.Abs(want.Objective-other.Objective) <= want.Gap+other.Gap+1e-14) {
			t.Errorf("%s: objective %v, and %v without shards; %v", name, want.Objective, other.Objective, err)
		}
		settings.Shards = 8
		s.Rows.Memory = 1
		_, err = SolveStreamed(t.Context(), s, Newton{}, settings)
		short := new(erm.MemoryError)
		if !errors.As(err, &short) {
			t.Fatalf("%s in one byte: %v", name, err)
		}
		for _, memory := range []int64{short.Need, short.Need + 1<<20, 0} {
			for _, workers := range []int{1, 3} {
				settings := settings
				settings.Workers, s.Rows.Memory = workers, memory
				got, err := SolveStreamed(t.Context(), s, Newton{}, settings)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !slices.Equal(got.Weights, want.Weights) || got.Gap != want.Gap || got.Objective != want.Objective || got.Total.Epochs != want.Total.Epochs {
					t.Errorf("%s in %d bytes by %d workers: objective %v, gap %v after %v; in memory %v, %v, %v", name, memory, workers, got.Objective, got.Gap, got.Total.Epochs, want.Objective, want.Gap, want.Total.Epochs)
				}
			}
		}
	}
}

// The sums of sweeps are those of the definitions: the gradient by differences of the objective, products by differences
// of gradients, and the matrix and the traces by products.
func TestSweepsByDifferences(t *testing.T) {
	p := sweptProblem(t, "dense:n=300,d=5", 4)
	p.X, p.Intercept = p.X.WithBias(1), true
	p.SampleWeight = make([]float64, 300)
	for i := range p.SampleWeight {
		p.SampleWeight[i] = float64(i % 3)
	}
	o := sweptOf(t, p)
	size := o.d * o.k
	w, v, g, h, product := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	for j := range w {
		w[j], v[j] = math.Sin(float64(j)), math.Cos(float64(3*j))
	}
	classes := func(w []float64) []float64 {
		dst := make([]float64, size)
		o.byClass(dst, w)
		return dst
	}
	there, err := o.swept.visit(g, w)
	if err != nil {
		t.Fatal(err)
	}
	wrong, ties := make([]float64, o.k), make([]float64, o.k*o.k)
	for i, own := range p.Class {
		z, total := make([]float64, o.k), 0.0
		for j, v := range p.X.Row(i) {
			for c := range z {
				z[c] += v * w[j*o.k+c]
			}
		}
		for _, v := range z {
			total += math.Exp(v)
		}
		wrong[own] += p.SampleWeight[i] * (1 - math.Exp(z[own])/total)
		for c, v := range z {
			ties[int(own)*o.k+c] += p.SampleWeight[i] * math.Exp(z[own]+v) / (total * total)
		}
	}
	for k, want := range ties {
		if got := o.swept.total[size+1:][k]; math.Abs(got-want) > 1e-10 {
			t.Errorf("the tie of classes %d and %d is %v, and %v by a sum", k/o.k, k%o.k, got, want)
		}
	}
	for c, want := range wrong {
		if got := o.beside.wrong[c]; math.Abs(got-want) > 1e-10 {
			t.Errorf("the rows of class %d lack %v of their probability, and %v by a sum", c, got, want)
		}
	}
	if here := newObjective(p, nil).evaluate(classes(w)); !(math.Abs(here.Gap-there.Gap) <= 1e-9*here.Gap) {
		t.Errorf("the gap is %v, and %v without shards", there.Gap, here.Gap)
	}
	if err := o.swept.product(product, w, v); err != nil {
		t.Fatal(err)
	}
	const step = 1e-5
	near := func(sign float64) []float64 {
		u := slices.Clone(w)
		for j := range u {
			u[j] += sign * step * v[j]
		}
		return u
	}
	up, down := near(1), near(-1)
	slope := (plainObjective(p, classes(up)) - plainObjective(p, classes(down))) / (2 * step)
	if got := direct.Dot(g, v); math.Abs(got-slope) > 1e-8 {
		t.Errorf("the slope along a direction is %v, and %v by differences", got, slope)
	}
	high, low := slices.Clone(h), slices.Clone(h)
	if _, err := o.swept.visit(high, up); err != nil {
		t.Fatal(err)
	}
	if _, err := o.swept.visit(low, down); err != nil {
		t.Fatal(err)
	}
	for j := range high {
		if want := (high[j] - low[j]) / (2 * step); math.Abs(want-product[j]) > 1e-7 {
			t.Errorf("element %d of a product is %v, and %v by differences", j, product[j], want)
		}
	}
}

// sweptOf poses p on rows in 8 shards in memory.
func sweptOf(t *testing.T, p *Problem) *objective {
	t.Helper()
	y := make([]float64, len(p.Class))
	for i, c := range p.Class {
		y[i] = float64(c)
	}
	rows := &shards.Memory{X: p.X, Y: y, Weight: p.SampleWeight, Shards: 8}
	var o *objective
	_, err := run.Solve(t.Context(), solvers.Settings{Shards: 8, MaxEpochs: 1}, run.Plan{
		Family: "softmax", Solver: "softmax-newton", Columns: p.X.Cols() * p.Count, Accepts: accepts,
		Begin: func(s *run.Session) (_ run.Run, err error) {
			if o, err = newSwept(p, rows, nil, nil, s, shards.Options{}); err == nil {
				err = errStop
			}
			return run.Run{}, err
		},
	})
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	return o
}

var errStop = errors.New("that is all")
