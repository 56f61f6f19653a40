package pauc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

func newTestStaged(t testing.TB, p *Problem, m Method) *staged {
	t.Helper()
	s := begun(t, p.task(), m).scheme.(*staged)
	if err := s.attach(new(run.Control)); err != nil {
		t.Fatal(err)
	}
	return s
}

// differences compares coefficients with finite differences of loss.
func differences(t *testing.T, c, s []float64, loss func(s []float64) float64) {
	t.Helper()
	const h = 1e-6
	for k := range s {
		right, left := slices.Clone(s), slices.Clone(s)
		right[k] += h
		left[k] -= h
		if want := (loss(right) - loss(left)) / (2 * h); math.Abs(c[k]-want) > 1e-7 {
			t.Fatalf("coefficient %d is %v, by differences %v", k, c[k], want)
		}
	}
}

func TestMinibatchGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for _, logistic := range []bool{true, false} {
		scale := 2.0
		if logistic {
			scale = 0
		}
		for _, r := range [][2]float64{{0, 0.05}, {0.05, 0.5}, {0.1, 0.13}, {0.25, 1}, {0, 1}} {
			p := sample(t, 300)
			p.Low, p.High = r[0], r[1]
			l := newTestStaged(t, p, MiniBatch{Positives: 4, Negatives: 11, Logistic: logistic, Scale: scale})
			s := make([]float64, 15)
			for k := range s {
				s[k] = random.NormFloat64()
			}
			if err := l.batcher.coefficients(l.c, s, 4, 1); err != nil {
				t.Fatal(err)
			}
			differences(t, l.c, s, func(s []float64) float64 {
				negatives := slices.Clone(s[4:])
				slices.Sort(negatives)
				slices.Reverse(negatives)
				total := 0.0
				for _, head := range s[:4] {
					for r, other := range negatives {
						weight := overlap(float64(r), float64(r+1), p.Low*11, p.High*11)
						if logistic {
							total += weight * math.Log1p(math.Exp(other-head))
						} else {
							total += weight / (1 + math.Exp(2*(head-other)))
						}
					}
				}
				return total / (4 * 11 * (p.High - p.Low))
			})
		}
	}
}

// With batches of everything, a step is one of the mean loss of the range and its
// regulariser.
func TestMinibatchOfEverythingIsTheGradient(t *testing.T) {
	p := sample(t, 300)
	positives := 0
	for _, y := range p.Y {
		if y > 0 {
			positives++
		}
	}
	n := float64(len(p.Y) - positives)
	p.Low, p.High, p.Lambda = 10/n, 50/n, 0.3
	l := newTestStaged(t, p, MiniBatch{Positives: 300, Negatives: 300, Logistic: true, Step: 0.01})
	w, g := slices.Clone(l.w), make([]float64, len(l.w))
	if err := p.Gradient(nil, g, w); err != nil {
		t.Fatal(err)
	}
	if err := l.step(); err != nil {
		t.Fatal(err)
	}
	l.inner++
	got := make([]float64, len(w))
	l.current(got)
	for j := range w {
		want := (w[j] - 0.01*g[j]*n/40) / (1 + 0.01*p.Lambda)
		if math.Abs(got[j]-want) > 1e-12 {
			t.Fatalf("column %d goes to %v, want %v", j, got[j], want)
		}
	}
}

func TestMarginLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	l := newTestStaged(t, sample(t, 300), AUCMargin{Positives: 5, Negatives: 9, Margin: 0.7})
	b := l.batcher.(*margin)
	s := make([]float64, 14)
	for k := range s {
		s[k] = random.NormFloat64()
	}
	loss := func(s []float64, a, low, alpha float64) float64 {
		total, high, other := -alpha*alpha, 0.0, 0.0
		for k, v := range s {
			p := 1 / (1 + math.Exp(-v))
			if k < 5 {
				total, high = total+(p-a)*(p-a)/5, high+p/5
			} else {
				total, other = total+(p-low)*(p-low)/9, other+p/9
			}
		}
		return total + 2*alpha*(0.7+other-high)
	}
	a, low, alpha := b.a, b.b, b.alpha
	if err := b.coefficients(l.c, s, 5, 0.1); err != nil {
		t.Fatal(err)
	}
	differences(t, l.c, s, func(s []float64) float64 { return loss(s, a, low, alpha) })
	// The steps of a, b and alpha follow their derivatives.
	const h = 1e-6
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"a", b.a, a - 0.1*(loss(s, a+h, low, alpha)-loss(s, a-h, low, alpha))/(2*h)},
		{"b", b.b, low - 0.1*(loss(s, a, low+h, alpha)-loss(s, a, low-h, alpha))/(2*h)},
		{"alpha", b.alpha, math.Max(0, alpha+0.1*(loss(s, a, low, alpha+h)-loss(s, a, low, alpha-h))/(2*h))},
	} {
		if math.Abs(v.got-v.want) > 1e-8 {
			t.Errorf("%s goes to %v, want %v", v.name, v.got, v.want)
		}
	}
	// They end at the closed forms.
	for range 200 {
		if err := b.coefficients(l.c, s, 5, 0.1); err != nil {
			t.Fatal(err)
		}
	}
	saddle := loss(s, b.a, b.b, b.alpha)
	for _, d := range []float64{-0.1, 0.1} {
		if loss(s, b.a+d, b.b, b.alpha) < saddle || loss(s, b.a, b.b+d, b.alpha) < saddle || loss(s, b.a, b.b, b.alpha+d) > saddle {
			t.Errorf("no saddle point at %v, %v, %v", b.a, b.b, b.alpha)
		}
	}
	if want := math.Max(0, 0.7+b.b-b.a); math.Abs(b.alpha-want) > 1e-9 {
		t.Errorf("alpha is %v, in closed form %v", b.alpha, want)
	}
}

func TestStagesDoNotAllocate(t *testing.T) {
	for _, m := range []Method{MiniBatch{}, AUCMargin{}} {
		p := sample(t, 1500)
		p.Lambda = 1e-3
		l := newTestStaged(t, p, m)
		if n := allocations.Count(50, func() {
			if err := l.step(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", m.Name(), n)
		}
	}
}
