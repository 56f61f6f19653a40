package inference_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// sample is a problem as dense numbers.
type sample struct {
	x                 [][]float64 // with ones last
	y, weight, offset []float64
	groups            []int64
	phi               loss.Loss
}

// draw draws a problem of three columns, the third a half of the first and twice the second.
func draw(r *rand.Rand, phi loss.Loss, n int, more bool) *sample {
	s := &sample{phi: phi}
	for range n {
		a, b := r.NormFloat64(), float64(r.IntN(3))
		z := 0.3 + 0.5*a - 0.4*b
		var y float64
		switch phi.(type) {
		case loss.Logistic:
			if y = -1; r.Float64() < 1/(1+math.Exp(-z)) {
				y = 1
			}
		case loss.Poisson, loss.NegativeBinomial, loss.Tweedie:
			y = float64(r.IntN(3)) * math.Round(math.Exp(z))
		case loss.Gamma:
			y = math.Exp(z) * (0.2 + r.ExpFloat64())
		default:
			y = z + r.NormFloat64()*(1+math.Abs(a))
		}
		s.x, s.y = append(s.x, []float64{a, b, 0.5*a + 2*b, 1}), append(s.y, y)
		s.groups = append(s.groups, int64(r.IntN(7)))
		if more {
			s.weight, s.offset = append(s.weight, float64(r.IntN(4))), append(s.offset, 0.3*r.NormFloat64())
			if last := len(s.weight) - 1; s.weight[last] == 0 {
				s.groups[last] = 99 // a group that does not count
			}
		}
	}
	return s
}

func (s *sample) w(i int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[i]
}

// mean and information of a row by their definitions.
func (s *sample) slope(i int, z float64) (c, h float64) {
	switch s.phi.(type) {
	case loss.Logistic:
		p := 1 / (1 + math.Exp(-z))
		return p - (s.y[i]+1)/2, p * (1 - p)
	case loss.Poisson:
		return math.Exp(z) - s.y[i], math.Exp(z)
	case loss.Gamma:
		return 1 - s.y[i]*math.Exp(-z), 1
	case loss.NegativeBinomial: // theta 0.5
		return (math.Exp(z) - s.y[i]) / (1 + 0.5*math.Exp(z)), math.Exp(z) / (1 + 0.5*math.Exp(z))
	case loss.Tweedie: // power 1.7
		return (math.Exp(z) - s.y[i]) / math.Exp(0.7*z), math.Exp(0.3 * z)
	}
	return z - s.y[i], 1
}

// fit returns the minimum over some columns by Newton's method, and what follows: margins, slopes,
// information and A^-1.
func (s *sample) fit(columns []int) (w, z, c, h []float64, inverse *mat.Dense) {
	n, k := len(s.x), len(columns)
	w, z, c, h = make([]float64, k), make([]float64, n), make([]float64, n), make([]float64, n)
	for range 60 {
		a, g := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
		for i, row := range s.x {
			z[i] = 0
			if s.offset != nil {
				z[i] = s.offset[i]
			}
			for p, j := range columns {
				z[i] += row[j] * w[p]
			}
			c[i], h[i] = s.slope(i, z[i])
			c[i], h[i] = c[i]*s.w(i), h[i]*s.w(i)
			for p, j := range columns {
				g.SetVec(p, g.AtVec(p)+c[i]*row[j])
				for q, l := range columns {
					a.Set(p, q, a.At(p, q)+h[i]*row[j]*row[l])
				}
			}
		}
		inverse = new(mat.Dense)
		if err := inverse.Inverse(a); err != nil {
			panic(err)
		}
		var step mat.VecDense
		step.MulVec(inverse, g)
		for p := range w {
			w[p] -= step.AtVec(p)
		}
	}
	return w, z, c, h, inverse
}

// covariance is each covariance by its definition.
func (s *sample) covariance(how string, columns []int, c, h []float64, inverse *mat.Dense) *mat.Dense {
	k, n := len(columns), 0
	pearson := 0.0
	for i := range c {
		if s.w(i) > 0 {
			n++
			pearson += c[i] * c[i] / h[i]
		}
	}
	v := mat.DenseCopyOf(inverse)
	if how == inference.Fisher {
		switch s.phi.(type) {
		case loss.Squared, loss.Gamma, loss.Tweedie:
			v.Scale(pearson/float64(n-k), v)
		}
		return v
	}
	meat, factor := mat.NewDense(k, k, nil), 1.0
	add := func(u []float64, times float64) {
		for p := range u {
			for q := range u {
				meat.Set(p, q, meat.At(p, q)+times*u[p]*u[q])
			}
		}
	}
	sums := map[int64][]float64{}
	for i, row := range s.x {
		if s.w(i) == 0 {
			continue
		}
		u, leverage := make([]float64, k), 0.0
		for p, j := range columns {
			u[p] = row[j]
			for q, l := range columns {
				leverage += h[i] * row[j] * row[l] * inverse.At(p, q)
			}
		}
		square := c[i] * c[i]
		switch how {
		case inference.HC2:
			square /= 1 - leverage
		case inference.HC3:
			square /= (1 - leverage) * (1 - leverage)
		}
		if how != inference.Cluster {
			add(u, square)
			continue
		}
		if sums[s.groups[i]] == nil {
			sums[s.groups[i]] = make([]float64, k)
		}
		for p := range u {
			sums[s.groups[i]][p] += c[i] * u[p]
		}
	}
	for _, u := range sums {
		add(u, 1)
	}
	switch g := float64(len(sums)); how {
	case inference.HC1:
		factor = float64(n) / float64(n-k)
	case inference.Cluster:
		factor = g / (g - 1) * float64(n-1) / float64(n-k)
	}
	v.Product(inverse, meat, inverse)
	v.Scale(factor, v)
	return v
}

func (s *sample) problem(t *testing.T, w []float64) *inference.Problem {
	t.Helper()
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 3})
	for _, row := range s.x {
		if err := b.AddRow([]int{0, 1, 2}, row[:3]); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	of := solvers.Problem{X: x.WithBias(1), Intercept: true, Y: s.y, SampleWeight: s.weight, Offset: s.offset, Loss: s.phi}
	return &inference.Problem{Problem: of, W: w}
}

func near(a, b, within float64) bool { return math.Abs(a-b) <= within*(1+math.Abs(b)) }

// TestByDefinition: weights, covariances, tests and fit of all likelihoods, by dense formulas.
func TestByDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	for round := range 24 {
		phi := []loss.Loss{loss.Squared{}, loss.Logistic{}, loss.Poisson{}, loss.Gamma{}, loss.NegativeBinomial{Theta: 0.5}, loss.Tweedie{Power: 1.7}}[round%6]
		n := 60 + r.IntN(100)
		if round%4 == 3 {
			n += 300 // several pieces of a shard
		}
		s := draw(r, phi, n, round >= 6)
		kept := []int{3, 0, 1}
		w, z, c, h, inverse := s.fit(kept)
		// The third column is a sum: the model has some of its weight in it.
		part := 0.25 * float64(round%2)
		whole := []float64{w[1] - 0.5*part, w[2] - 2*part, part, w[0]}
		p := s.problem(t, whole)
		p.Shards = 1 + round/2%2
		width, shift := []float64{2, 0.5, 1}, []float64{0.75, -1, 0}
		for _, how := range inference.Covariances() {
			o := inference.Options{Covariance: how, Level: 0.9, Sets: []inference.Set{{Name: "two", Columns: []int{0, 1}}, {Name: "none", Columns: []int{2}}}}
			if how == inference.Cluster {
				o.Clusters = s.groups
			}
			p.Width, p.Shift = nil, nil
			got, err := inference.Of(t.Context(), p, o, 1+round%2)
			if err != nil {
				t.Fatal(err)
			}
			v := s.covariance(how, kept, c, h, inverse)
			for a, i := range kept {
				if !near(float64(got.Coefficients[(i+1)%4].Estimate), w[a], 1e-10) || !near(float64(got.Coefficients[(i+1)%4].Error), math.Sqrt(v.At(a, a)), 1e-9) {
					t.Errorf("%v %s: column %d: %v, want %v with the error %v", phi, how, i, got.Coefficients[(i+1)%4], w[a], math.Sqrt(v.At(a, a)))
				}
				for b, j := range kept {
					if !near(got.CovarianceOf(i, j), v.At(a, b), 1e-9) {
						t.Errorf("%v %s: covariance of %d and %d: %v, want %v", phi, how, i, j, got.CovarianceOf(i, j), v.At(a, b))
					}
				}
			}
			if third := got.Coefficients[3]; !third.Reference || third.Estimate != 0 || got.CovarianceOf(2, 0) != 0 || len(got.Tests) != 1 {
				t.Errorf("%v %s: the sum of columns is %+v, the tests %v", phi, how, third, got.Tests)
			}
			var block, solved mat.Dense
			block.CloneFrom(v.Slice(1, 3, 1, 3))
			if err := solved.Solve(&block, mat.NewDense(2, 1, []float64{w[1], w[2]})); err != nil {
				t.Fatal(err)
			}
			want := w[1]*solved.At(0, 0) + w[2]*solved.At(1, 0)
			if got.Estimated {
				want /= 2
			}
			if !near(float64(got.Tests[0].Statistic), want, 1e-8) || got.Tests[0].DF != 2 {
				t.Errorf("%v %s: %v, want %v", phi, how, got.Tests[0], want)
			}
			// Weights in other units are the weights of a problem whose columns have these units.
			p.Width, p.Shift = width, shift
			told, err := inference.Of(t.Context(), p, o, 1)
			if err != nil {
				t.Fatal(err)
			}
			other := *s
			other.x = nil
			for _, row := range s.x {
				other.x = append(other.x, []float64{row[0]*width[0] + shift[0], row[1]*width[1] + shift[1], row[2], 1})
			}
			w2, _, c2, h2, inverse2 := other.fit(kept)
			v2 := other.covariance(how, kept, c2, h2, inverse2)
			for a, i := range kept {
				for b, j := range kept {
					if !near(told.CovarianceOf(i, j), v2.At(a, b), 1e-8) {
						t.Errorf("%v %s: in units: covariance of %d and %d: %v, want %v", phi, how, i, j, told.CovarianceOf(i, j), v2.At(a, b))
					}
				}
				if !near(float64(told.Coefficients[(i+1)%4].Estimate), w2[a], 1e-9) {
					t.Errorf("%v %s: in units: %v, want %v", phi, how, told.Coefficients[(i+1)%4], w2[a])
				}
			}
			s.checkFit(t, got, z, c, h)
		}
	}
}

// checkFit checks deviances and the dispersion.
func (s *sample) checkFit(t *testing.T, got *inference.Table, z, c, h []float64) {
	t.Helper()
	deviance := func(z []float64) (sum float64) {
		for i, y := range s.y {
			d := 0.0
			switch s.phi.(type) {
			case loss.Logistic:
				d = math.Log1p(math.Exp(-y * z[i]))
			case loss.Poisson:
				d = math.Exp(z[i]) - y
				if y > 0 {
					d -= y * (z[i] - math.Log(y))
				}
			case loss.Gamma:
				d = y*math.Exp(-z[i]) - 1 + z[i] - math.Log(y)
			case loss.NegativeBinomial:
				d = (y + 2) * math.Log((1+0.5*math.Exp(z[i]))/(1+0.5*y))
				if y > 0 {
					d -= y * (z[i] - math.Log(y))
				}
			case loss.Tweedie:
				d = math.Exp(0.3*z[i])/0.3 + y*math.Exp(-0.7*z[i])/0.7 - math.Pow(y, 0.3)/(0.7*0.3)
			default:
				d = 0.5 * (z[i] - y) * (z[i] - y)
			}
			sum += 2 * s.w(i) * d
		}
		return sum
	}
	_, alone, _, _, _ := s.fit([]int{3})
	pearson, n := 0.0, 0
	for i := range c {
		if s.w(i) > 0 {
			pearson += c[i] * c[i] / h[i]
			n++
		}
	}
	pearson /= float64(n - 3)
	if _, none := s.phi.(loss.Tweedie); !none {
		likelihood, mass, squares := 0.0, 0.0, 0.0
		for i, y := range s.y {
			mass += s.w(i)
			squares += s.w(i) * (z[i] - y) * (z[i] - y)
		}
		shape := mass / deviance(z)
		gamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
		for i, y := range s.y {
			m, term := math.Exp(z[i]), 0.0
			switch s.phi.(type) {
			case loss.Logistic:
				term = -math.Log1p(math.Exp(-y * z[i]))
			case loss.Poisson:
				term = y*z[i] - m - gamma(y+1)
			case loss.Gamma:
				term = shape*math.Log(shape/m) + (shape-1)*math.Log(y) - shape*y/m - gamma(shape)
			case loss.NegativeBinomial:
				term = gamma(y+2) - gamma(2) - gamma(y+1) + y*math.Log(0.5*m/(1+0.5*m)) - 2*math.Log(1+0.5*m)
			default:
				if v := squares / float64(n) / s.w(i); s.w(i) > 0 {
					likelihood += -0.5*math.Log(2*math.Pi*v) - (z[i]-y)*(z[i]-y)/(2*v)
				}
			}
			likelihood += s.w(i) * term
		}
		if !near(float64(got.LogLikelihood), likelihood, 1e-10) {
			t.Errorf("%v: a log likelihood of %v, want %v", s.phi, got.LogLikelihood, likelihood)
		}
	}
	if !near(float64(got.Deviance), deviance(z), 1e-10) || !near(float64(got.NullDeviance), deviance(alone), 1e-10) || !near(float64(got.Pearson), pearson, 1e-9) || got.Rows != n || got.Weights != 3 {
		t.Errorf("%v: %+v; want deviance %v, null %v, Pearson %v of %d rows", s.phi, got, deviance(z), deviance(alone), pearson, n)
	}
}

// TestAgainstR: what R 4.2 prints, whose errors are of the step before its last one, for
//
//	d <- data.frame(x=c(1,2,3,4,5,6,7,8,9,10), k=c(0,1,1,0,1,0,0,1,1,0), y=c(2.1,3.9,5.2,7.8,9.1,13.2,13.9,15.1,19.5,19.9), n=c(1,0,2,3,1,4,6,5,9,8), b=c(0,0,1,0,0,1,1,0,1,1), s=c(1,2,1,1,3,1,2,1,1,2))
//	summary(lm(y~x+k,d,weights=s)), summary(glm(n~x+k,poisson,d)), summary(glm(b~x+k,binomial,d)), and of Gamma(link="log") for y and
//	negative.binomial(theta=2) for n with a dispersion of 1, with AIC, BIC and vcovHC(type="HC3")
func TestAgainstR(t *testing.T) {
	t.Parallel()
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	k := []float64{0, 1, 1, 0, 1, 0, 0, 1, 1, 0}
	rows := func(phi loss.Loss, y, weight []float64) *sample {
		s := &sample{phi: phi, y: y, weight: weight}
		for i := range x {
			s.x = append(s.x, []float64{x[i], k[i], 0, 1})
		}
		return s
	}
	labels := make([]float64, 10)
	for i, b := range []float64{0, 0, 1, 0, 0, 1, 1, 0, 1, 1} {
		labels[i] = 2*b - 1
	}
	for _, c := range []struct {
		s                             *sample
		estimates, errors, p, hc3, of []float64 // of: deviance, AIC, BIC
		low, high                     float64   // of x
	}{
		{
			rows(loss.Squared{}, []float64{2.1, 3.9, 5.2, 7.8, 9.1, 13.2, 13.9, 15.1, 19.5, 19.9}, []float64{1, 2, 1, 1, 3, 1, 2, 1, 1, 2}),
			[]float64{-0.1197829304391, 2.034188455846, -0.4343857918106}, []float64{0.6853694258398, 0.09090764785019, 0.5102179081393},
			[]float64{0.8662069134662, 9.004896319186e-08, 0.4227279544623}, []float64{0.7164488842953, 0.1120321675334, 0.6305303398729},
			[]float64{6.281825357671, 28.55147190676, 29.76181227874}, 1.819226027084, 2.249150884608,
		},
		{
			rows(loss.Poisson{}, []float64{1, 0, 2, 3, 1, 4, 6, 5, 9, 8}, nil),
			[]float64{-0.2677218543733, 0.2610594291982, -0.161616373562}, []float64{0.5455848015034, 0.06534187518254, 0.3246659933937},
			[]float64{0.6236342482246, 6.461640963923e-05, 0.6186301354597}, []float64{0.5054938858276, 0.09790383581346, 0.4606625817289},
			[]float64{5.311890706054, 39.31294118435, 40.22069646333}, 0.1329917071582, 0.3891271512383,
		},
		{
			rows(loss.Logistic{}, labels, nil),
			[]float64{-2.004911513008, 0.4561560791539, -1.006157172009}, []float64{1.893253469087, 0.3049685746865, 1.547692113626},
			[]float64{0.2896103425678, 0.1347193850303, 0.5156265738299}, []float64{2.493573298096, 0.4214970782818, 2.26667870288},
			[]float64{10.42516763264, 16.42516763264, 17.33292291162}, -0.1415713436482, 1.053883501956,
		},
		{
			rows(loss.Gamma{}, []float64{2.1, 3.9, 5.2, 7.8, 9.1, 13.2, 13.9, 15.1, 19.5, 19.9}, nil),
			[]float64{0.924866618532, 0.2336369699111, -0.00344650303769}, []float64{0.1660979162274, 0.0240142262807, 0.1379512272776},
			[]float64{0.0008436118293174, 2.56328343094e-05, 0.9807654270366}, []float64{0.3426586478168, 0.0423128583641, 0.1856271805088},
			[]float64{0.3591234674474, 46.97569134472, 48.1860317167}, 0.1768523480646, 0.2904215917577,
		},
		{
			rows(loss.NegativeBinomial{Theta: 0.5}, []float64{1, 0, 2, 3, 1, 4, 6, 5, 9, 8}, nil),
			[]float64{-0.3450928863667, 0.2867805859172, -0.3603293655205}, []float64{0.8137941503585, 0.1090700223165, 0.5914332120982},
			[]float64{0.6715262332016, 0.008555443907291, 0.5423602211599}, []float64{0.4522040578232, 0.08280055217341, 0.373490888867},
			[]float64{2.719794549884, 46.64744219175, 47.55519747073}, 0.07300727038384, 0.5005539014505,
		},
	} {
		w, _, _, _, _ := c.s.fit([]int{3, 0, 1})
		p := c.s.problem(t, []float64{w[1], w[2], 0, w[0]})
		got, err := inference.Of(t.Context(), p, inference.Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		robust, err := inference.Of(t.Context(), p, inference.Options{Covariance: inference.HC3}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for a := range 3 {
			told := got.Coefficients[a]
			for what, pair := range map[string][2]float64{
				"estimate": {float64(told.Estimate), c.estimates[a]}, "error": {float64(told.Error), c.errors[a]}, "p": {float64(told.P), c.p[a]},
				"HC3": {float64(robust.Coefficients[a].Error), c.hc3[a]}, "deviance, AIC, BIC": {[]float64{float64(got.Deviance), float64(got.AIC), float64(got.BIC)}[a], c.of[a]},
				"low": {float64(got.Coefficients[1].Low), c.low}, "high": {float64(got.Coefficients[1].High), c.high},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 3e-8*math.Abs(pair[1])) {
					t.Errorf("%v: %s %d: %.13g, R has %.13g", c.s.phi, what, a, pair[0], pair[1])
				}
			}
		}
	}
}

// TestLast: of columns that depend on one another, those of Last give way, and margins stay.
func TestLast(t *testing.T) {
	t.Parallel()
	s := draw(rand.New(rand.NewPCG(3, 3)), loss.Squared{}, 50, false)
	w, _, _, _, _ := s.fit([]int{3, 1, 2})
	p := s.problem(t, []float64{0.5 * w[2], w[1] + 2*w[2], 0, w[0]})
	p.Last = []int{0}
	got, err := inference.Of(t.Context(), p, inference.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range []float64{0, w[1], w[2], w[0]} {
		if c := got.Coefficients[(column+1)%4]; c.Reference != (column == 0) || !near(float64(c.Estimate), want, 1e-10) {
			t.Errorf("column %d: %+v, want %v", column, c, want)
		}
	}
}

// TestRefusals: what has no errors of weights is refused, and why.
func TestRefusals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	s := draw(r, loss.Poisson{}, 40, false)
	w, _, _, _, _ := s.fit([]int{3, 0, 1})
	good := []float64{w[1], w[2], 0, w[0]}
	for name, c := range map[string]struct {
		change func(p *inference.Problem, o *inference.Options)
		want   string
	}{
		"loss":       {func(p *inference.Problem, _ *inference.Options) { p.Loss = loss.Huber{Delta: 1} }, "no likelihood"},
		"far":        {func(p *inference.Problem, _ *inference.Options) { p.W = []float64{0, 0, 0, 0} }, "no minimum"},
		"penalty":    {func(p *inference.Problem, _ *inference.Options) { p.Penalty = penalty.Ridge{Lambda: 1} }, "without a penalty"},
		"weights":    {func(p *inference.Problem, _ *inference.Options) { p.W = p.W[:2] }, "2 weights of 4 columns"},
		"infinite":   {func(p *inference.Problem, _ *inference.Options) { p.W[1] = math.Inf(1) }, "column 2 is +Inf"},
		"width":      {func(p *inference.Problem, _ *inference.Options) { p.Width = []float64{1, 0} }, "column 2 has no width"},
		"last":       {func(p *inference.Problem, _ *inference.Options) { p.Last = []int{4} }, "Last has column 4"},
		"set":        {func(_ *inference.Problem, o *inference.Options) { o.Sets = []inference.Set{{"s", []int{1, 1}}} }, "the set s has column 1"},
		"targets":    {func(p *inference.Problem, _ *inference.Options) { p.Y = make([]float64, 3) }, "3 labels for 40 rows"},
		"nothing":    {func(p *inference.Problem, _ *inference.Options) { *p = inference.Problem{} }, "no rows"},
		"covariance": {func(_ *inference.Problem, o *inference.Options) { o.Covariance = "hc9" }, `no covariance "hc9"`},
		"no groups":  {func(_ *inference.Problem, o *inference.Options) { o.Covariance = inference.Cluster }, "go together"},
		"idle":       {func(_ *inference.Problem, o *inference.Options) { o.Covariance, o.Clusters = inference.HC0, s.groups }, "go together"},
		"few groups": {func(_ *inference.Problem, o *inference.Options) { o.Clusters = s.groups[:3] }, "groups of 3 rows for 40 rows"},
		"one group":  {func(_ *inference.Problem, o *inference.Options) { o.Clusters = make([]int64, 40) }, "of one group"},
		"level":      {func(_ *inference.Problem, o *inference.Options) { o.Level = 1 }, "the level 1"},
		"rows": {func(p *inference.Problem, _ *inference.Options) {
			p.SampleWeight = make([]float64, 40)
			p.SampleWeight[0], p.SampleWeight[1], p.SampleWeight[2] = 1, 1, 1
		}, "3 rows count, for 3 weights"},
	} {
		p, o := s.problem(t, slices.Clone(good)), inference.Options{}
		c.change(p, &o)
		got, err := inference.Of(t.Context(), p, o, 1)
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if want := name == "far"; errors.Is(err, inference.ErrNotMinimum) != want {
			t.Errorf("%s: no minimum: %t", name, !want)
		}
		var lacks *loss.LacksError
		if want := name == "loss"; errors.As(err, &lacks) != want {
			t.Errorf("%s: a loss lacks a part: %t", name, !want)
		}
	}
}
