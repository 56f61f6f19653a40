package inference

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/direct"
)

// Number is a float64; what is not finite is null in JSON.
type Number float64

// MarshalJSON returns the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); v-v == 0 {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// table makes the table of the estimates.
func (e *estimate) table() *Table {
	k := len(e.kept)
	t := &Table{
		Covariance: e.o.Covariance, Level: e.o.Level, Rows: int(e.totals.Rows), Weights: k, Clusters: e.groups,
		Dispersion: Number(e.dispersion()), Estimated: e.likely.Dispersed(), Pearson: Number(e.pearson),
		columns: e.kept, v: e.v,
	}
	free := math.Inf(1)
	if t.Estimated {
		free = e.totals.Rows - float64(k)
	}
	place := make(map[int]int, k)
	for a, j := range e.kept {
		place[j] = a
	}
	wide := quantile(e.o.Level, free)
	add := func(j int) {
		c := Coefficient{Name: e.name(j), Column: j}
		if a, is := place[j]; is {
			w, err := e.w[a], math.Sqrt(e.v[a*k+a])
			c.Estimate, c.Error, c.Statistic, c.P = Number(w), Number(err), Number(w/err), Number(beyond(w/err, free))
			c.Low, c.High = Number(w-float64(wide*err)), Number(w+float64(wide*err))
		} else {
			c.Reference = true
		}
		t.Coefficients = append(t.Coefficients, c)
	}
	columns := e.d
	if e.p.Intercept {
		columns--
		add(columns)
	}
	for j := range columns {
		add(j)
	}
	for _, set := range e.o.Sets {
		if test, ok := e.wald(set, place, free); ok {
			t.Tests = append(t.Tests, test)
		}
	}
	e.fits(t)
	return t
}

// wald tests a set of columns as a whole; not ok says that all of them are references, or that their
// covariance is singular.
func (e *estimate) wald(set Set, place map[int]int, free float64) (t Test, ok bool) {
	k := len(e.kept)
	var list []int
	for _, j := range set.Columns {
		if a, is := place[j]; is {
			list = append(list, a)
		}
	}
	m := len(list)
	if m == 0 {
		return t, false
	}
	u, w := make([]float64, m*m), make([]float64, m)
	for i, a := range list {
		w[i] = e.w[a]
		for j, b := range list[:i+1] {
			u[i*m+j] = e.v[a*k+b]
		}
	}
	if cholesky.FactorBy(nil, u, m) != nil {
		return t, false
	}
	v := make([]float64, m)
	cholesky.Solve(v, u, w)
	square, degrees := direct.Dot(v, w), float64(m)
	if math.IsInf(free, 1) {
		return Test{set.Name, Number(square), m, Number(mathext.GammaIncRegComp(0.5*degrees, 0.5*square))}, true
	}
	return Test{set.Name, Number(square / degrees), m, Number(mathext.RegIncBeta(0.5*free, 0.5*degrees, free/(free+square)))}, true
}

// beyond returns the probability of a larger statistic in size: of a t with that many degrees of
// freedom, or of a normal variable for +Inf.
func beyond(statistic, free float64) float64 {
	if math.IsInf(free, 1) {
		return math.Erfc(math.Abs(statistic) / math.Sqrt2)
	}
	return mathext.RegIncBeta(0.5*free, 0.5, free/(free+float64(statistic*statistic)))
}

// quantile returns the size that a statistic exceeds with the probability 1-level.
func quantile(level, free float64) float64 {
	if math.IsInf(free, 1) {
		return math.Sqrt2 * math.Erfinv(level)
	}
	x := mathext.InvRegIncBeta(0.5*free, 0.5, 1-level)
	return math.Sqrt(free * (1 - x) / x)
}

// fits adds how well the model fits.
func (e *estimate) fits(t *Table) {
	parameters := float64(len(e.kept))
	if t.Estimated {
		parameters++
	}
	t.Deviance, t.NullDeviance, t.LogLikelihood = Number(e.totals.Deviance), Number(e.null), Number(e.likelihood)
	t.AIC = Number(float64(2*parameters) - float64(2*e.likelihood))
	t.BIC = Number(float64(parameters*math.Log(e.totals.Rows)) - float64(2*e.likelihood))
}
