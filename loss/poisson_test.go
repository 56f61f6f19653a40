package loss

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
)

// exactPoisson is phi, its slope and its second derivative in 300 bits.
func exactPoisson(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	bits := z.Prec()
	mean, count := bigmath.Exp(z), bigmath.Of(bits, y)
	slope = new(big.Float).SetPrec(bits).Sub(mean, count)
	value = new(big.Float).SetPrec(bits).Set(slope)
	if y > 0 {
		t := new(big.Float).SetPrec(bits).Sub(z, bigmath.Log(count))
		value.Sub(value, t.Mul(t, count))
	}
	return value, slope, mean
}

// off is the distance of a float64 from an exact number.
func off(got float64, want *big.Float) float64 {
	d, _ := new(big.Float).Sub(bigmath.Of(300, got), want).Float64()
	return math.Abs(d)
}

// drawnRow draws a margin and a count of many scales; the margin is often near the count's own.
func drawnRow(r *rand.Rand) (z, y float64) {
	switch r.IntN(4) {
	case 0:
	case 1:
		y = float64(1 + r.IntN(5))
	default:
		y = math.Pow(10, 12*r.Float64()-5)
	}
	z = 30 * r.NormFloat64()
	if y > 0 && r.IntN(2) == 0 {
		z = math.Log(y) + math.Pow(10, 2-9*r.Float64())*r.NormFloat64()
	}
	return min(z, 600), y
}

// TestPoisson compares value, slope and curvature with exact numbers, within the bounds that the
// loss states. Levels bound the sums of rows; Value and SlopeError bound one row.
func TestPoisson(t *testing.T) {
	t.Parallel()
	r, l := rand.New(rand.NewPCG(8, 8)), Poisson{}
	near := 0
	for range repeat.Size(1000, 300) {
		z, y := drawnRow(r)
		value, slope, curvature := exactPoisson(bigmath.Of(300, z), y)
		level, far := levelOf(l, y)
		c, h, third := []float64{0}, []float64{0}, []float64{0}
		sum := l.Gradient(c, []float64{z}, []float64{y}, nil)
		l.Curvature(h, third, []float64{z}, []float64{y}, nil)
		high := math.Abs(c[0]) + level
		if d := off(sum, value); d > 8*direct.Unit*high*(1+math.Abs(z)+far) || sum < 0 {
			t.Fatalf("%v, %v: a value of %v, off by %v", z, y, sum, d)
		}
		if d := off(c[0], slope); d > 4*direct.Unit*h[0]+direct.Unit*math.Abs(c[0]) {
			t.Fatalf("%v, %v: a slope of %v, off by %v", z, y, c[0], d)
		}
		if d := off(h[0], curvature); d > 2*direct.Unit*h[0] || third[0] != h[0] || !(h[0] <= high*(1+1e-12)) {
			t.Fatalf("%v, %v: a curvature of %v, off by %v, level %v", z, y, h[0], d, level)
		}
		if l.Sum([]float64{z}, []float64{y}, nil) != sum || l.Slope(z, y) != c[0] || l.Mean(z) != h[0] {
			t.Fatalf("%v, %v: Sum, Slope or Mean differ from Gradient", z, y)
		}
		weighted := l.Gradient(c, []float64{z}, []float64{y}, []float64{0.5})
		l.Curvature(third, []float64{0}, []float64{z}, []float64{y}, []float64{0.5})
		if weighted != 0.5*sum || c[0] != 0.5*l.Slope(z, y) || third[0] != 0.5*h[0] {
			t.Fatalf("%v, %v: weights do not scale", z, y)
		}
		dz := math.Pow(10, -16*r.Float64()) * 0.9
		got, bound := l.Value(z, dz, y)
		if dz < 1e-12 && bound < 1e-6*got {
			near++
		}
		slopes := l.SlopeError(z, dz, y, 1, l.Slope(z, y), h[0])
		reach, least := l.Reach(z, dz, y, 1, h[0])
		for _, share := range []float64{-1, -0.3, 0, 0.6, 1} {
			at := bigmath.Of(300, z)
			there, slope, _ := exactPoisson(at.Add(at, bigmath.Of(300, share*dz)), y)
			if d := off(got, there); d > Slack*bound+4*direct.Tiny {
				t.Fatalf("%v +- %v, %v: a value of %v, off by %v, bound %v", z, dz, y, got, d, bound)
			}
			if d := off(l.Slope(z, y), slope); d > slopes {
				t.Fatalf("%v +- %v, %v: the slope is off by %v, bound %v", z, dz, y, d, slopes)
			}
			if _, _, h := exactPoisson(bigmath.Of(300, z+share*(dz+reach)), y); reach > 0 && h.Cmp(bigmath.Of(300, least)) < 0 {
				t.Fatalf("%v +- %v, %v: a curvature of %v within %v, bound %v", z, dz, y, h, reach, least)
			}
		}
		if dz < 0.1 && h[0] > 1e-200 && reach == 0 {
			t.Fatalf("%v +- %v: no reach", z, dz)
		}
	}
	if near < repeat.Size(100, 30) {
		t.Errorf("only %d values have bounds near rounding", near)
	}
	if _, bound := l.Value(0, 2, 1); !math.IsInf(bound, 1) || !math.IsInf(l.SlopeError(0, 1, 1, 1, 0, 1), 1) {
		t.Error("margins that err by much have bounds")
	}
}

// TestPoissonFacts: what the loss takes, where it begins, its sides and its bounds beside an
// intercept.
func TestPoissonFacts(t *testing.T) {
	t.Parallel()
	l := Poisson{}
	for y, want := range map[float64]bool{0: true, 1: true, 0.5: true, -1: false, math.Inf(1): false, math.NaN(): false} {
		if bad, err := l.Check([]float64{2, y, 3}); (err == nil) != want || want != (bad == -1) || !want && bad != 1 {
			t.Errorf("%v: row %d, error %v", y, bad, err)
		}
	}
	if !l.Finite(true, false) || l.Finite(false, true) || l.Side(0) != -1 || l.Side(2) != 0 || l.Attained() || l.Quadratic() || l.Labels() || l.Odds() || !math.IsInf(l.Peak(), 1) {
		t.Error("a fact is wrong")
	}
	for y, want := range map[float64][2]float64{0: {0, 0}, 3: {3, math.Log(3)}, 0.1: {0.1, -math.Log(0.1)}} {
		if level, far := levelOf(l, y); level != want[0] || math.Abs(far-want[1]) > 1e-15 {
			t.Errorf("%v: level %v, far %v", y, level, far)
		}
	}
	// Rows of y 1, 0, 3, 2 with offsets: the slope vanishes at the best constant.
	y, o, s := []float64{1, 0, 3, 2}, []float64{0.1, -2, 1, 0}, []float64{1, 2, 0.5, 3}
	var mass, sum, offsets float64
	for i, w := range s {
		mass, sum, offsets = mass+w, sum+w*y[i], offsets+w*l.Mean(o[i])
	}
	b := l.Start(sum/mass, offsets/mass, len(y))
	z, c := make([]float64, len(y)), make([]float64, len(y))
	for i := range z {
		z[i] = b + o[i]
	}
	l.Gradient(c, z, y, s)
	slope, bend := 0.0, 0.0
	for i, v := range c {
		slope, bend = slope+v, bend+s[i]*l.Mean(z[i])
	}
	if math.Abs(slope) > 1e-14 {
		t.Errorf("the slope at Start is %v", slope)
	}
	for _, offset := range []float64{0, math.Inf(1), math.NaN()} {
		if b := l.Start(1, offset, 10); b != 0 {
			t.Errorf("a mean of exp(o) of %v begins at %v", offset, b)
		}
	}
	if b := l.Start(0, 1, 10); math.Abs(b-math.Log(0.05)) > 1e-14 {
		t.Errorf("ten counts of 0 begin at %v", b)
	}
	if got := l.Bend(Bends{}, y, c, s)[0]; math.Abs(got-bend) > 1e-14*bend {
		t.Errorf("the sum of the curvatures is %v, not %v", got, bend)
	}
	l.Gradient(c, z, y, nil)
	if got := l.Bend(Bends{1}, y, c, nil)[0]; math.Abs(got-1-l.Mean(z[0])-l.Mean(z[1])-l.Mean(z[2])-l.Mean(z[3])) > 1e-14*got {
		t.Errorf("without weights the curvatures add up to %v", got)
	}
	// An intercept that is off by 0.01 has a slope h (exp(0.01) - 1).
	rows := Rows{N: 4, Mass: mass}
	for _, far := range []float64{0.01, -0.01} {
		slope := math.Abs(bend / 4 * (math.Exp(far) - 1))
		at := Bends{bend * math.Exp(far)}
		if got := l.Shift(at, rows, slope); got < 0.01 || got > 0.0105 {
			t.Errorf("%v off: a shift of %v", far, got)
		}
		if got := l.Most(at, rows, 0.01); got < bend/4*math.Exp(far+0.01) || got > bend/4*1.06 {
			t.Errorf("%v off: curvatures up to %v, mean %v", far, got, bend/4)
		}
	}
	if rows.Moved = 1; !math.IsInf(l.Shift(Bends{bend}, rows, 0.1), 1) || !math.IsInf(l.Most(Bends{bend}, rows, 0.1), 1) {
		t.Error("margins that may be anywhere bound an intercept")
	}
	rows = Rows{N: 4, Lost: 0.1, Moved: 0.2}
	if got := l.Shift(Bends{4 * Slack}, rows, 0.01); math.Abs(got-0.01/(0.9*0.8-0.01)) > 1e-12 {
		t.Errorf("with errors: a shift of %v", got)
	}
	if got := l.Most(Bends{4 / Slack}, rows, 0.3); math.Abs(got-1.1*2) > 1e-12 {
		t.Errorf("with errors: curvatures up to %v", got)
	}
	if !math.IsInf(l.Shift(Bends{4 * Slack}, rows, 0.8), 1) {
		t.Error("a slope above the curvature bounds an intercept")
	}
	// A row of weight 0 may have any margin.
	c = []float64{0, 0}
	h, third := []float64{0, 0}, []float64{0, 0}
	sum = l.Gradient(c, []float64{1e6, 0}, []float64{1, 2}, []float64{0, 1})
	l.Curvature(h, third, []float64{1e6, 0}, []float64{1, 2}, []float64{0, 1})
	if value, _ := l.Value(0, 0, 2); c[0] != 0 || c[1] != -1 || h[0] != 0 || h[1] != 1 || math.Abs(sum-value) > 1e-15 {
		t.Errorf("a row of weight 0 counts: %v, %v, %v", c, h, sum)
	}
	if sum := l.Sum([]float64{1000}, []float64{1}, nil); !math.IsInf(sum, 1) {
		t.Errorf("exp(1000) is %v", sum)
	}
	if _, err := PeakOf(l); !errors.As(err, new(*LacksError)) {
		t.Errorf("error %v", err)
	}
	if _, err := DualOf(l); !errors.As(err, new(*LacksError)) || !strings.Contains(err.Error(), "step in a dual variable") {
		t.Errorf("error %v", err)
	}
	if c, err := ConjugateOf(l); c == nil || err != nil {
		t.Errorf("%v, error %v", c, err)
	}
	if peak, err := PeakOf(Logistic{}); peak != 0.25 || err != nil {
		t.Errorf("peak %v, error %v", peak, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of two lengths are taken")
		}
	}()
	l.Gradient(make([]float64, 2), make([]float64, 2), make([]float64, 3), nil)
}

// TestFarthestLog: the largest |log y| of rows that count, whatever is in the others.
func TestFarthestLog(t *testing.T) {
	if got := farthestLog(nil, nil); got != 0 {
		t.Errorf("%v of no rows", got)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 200 {
		y, s, want, all := make([]float64, n), make([]float64, n), 0.0, 0.0
		for i := range y {
			y[i] = []float64{0, math.Copysign(0, -1), 1, 5e-324, math.MaxFloat64, r.ExpFloat64(), math.Exp(50 * r.NormFloat64())}[r.IntN(1+r.IntN(7))]
			s[i] = float64(r.IntN(2))
			if y[i] > 0 {
				far := math.Abs(kernels.LogOf(y[i]))
				if all = max(all, far); s[i] > 0 {
					want = max(want, far)
				}
			}
		}
		if got := farthestLog(y, s); got != want {
			t.Fatalf("%v, not %v, of %v with weights %v", got, want, y, s)
		}
		if got := farthestLog(y, nil); got != all {
			t.Fatalf("%v, not %v, of %v", got, all, y)
		}
	}
}
