package ap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
)

// The lazy decay must agree with decaying and clipping every row in every
// iteration, the lower bound's holding on the way included.
func TestLazyDecayIsTheEagerOne(t *testing.T) {
	const rows, iterations, least, gain = 7, 400, 0.01, 3.5
	for name, beta := range map[string]func(int) float64{
		"constant":   func(int) float64 { return 0.05 },
		"strong":     func(int) float64 { return 0.9 },
		"decreasing": func(t int) float64 { return 0.9 / math.Sqrt(float64(t)) },
	} {
		random := rand.New(rand.NewPCG(1, 2))
		e := newEstimates(rows, beta, true)
		e.gain, e.project, e.floor, e.zero, e.most1, e.most2 = gain, true, true, true, 0.8, 2
		var u1, u2 [rows]float64
		for i := range u2 {
			u2[i] = 0
		}
		for step := 1; step <= iterations; step++ {
			chosen := uint32(random.IntN(rows))
			g1 := random.Float64() * 0.2
			g2 := g1 + random.Float64()
			for i := range u1 {
				b, add1, add2 := beta(step), 0.0, 0.0
				if uint32(i) == chosen {
					add1, add2 = b*gain*g1, b*gain*g2
				}
				u1[i] = min(0.8, (1-b)*u1[i]+add1)
				u2[i] = min(2, max(least, (1-b)*u2[i]+add2))
			}
			got1, got2 := e.update(chosen, step, g1, g2, least)
			if math.Abs(got1-u1[chosen]) > 1e-12 || math.Abs(got2-u2[chosen]) > 1e-12 {
				t.Fatalf("%s, iteration %d: (%v, %v), eager (%v, %v)", name, step, got1, got2, u1[chosen], u2[chosen])
			}
		}
	}
}

func TestGradientAgainstDifferences(t *testing.T) {
	p := sample(t, 60)
	for name, method := range map[string]Method{
		"logistic": ADAP{}, "hinge": ADAP{Common: Common{Hinge: true}},
		"paper": ADAP{Common: Common{Paper: true}}, "smoothap": SmoothAP{Scale: 2},
	} {
		plan := method.plan(true)
		var positives, negatives []uint32
		for i, y := range p.Y {
			if y > 0 {
				positives = append(positives, uint32(i))
			} else {
				negatives = append(negatives, uint32(i))
			}
		}
		b, err := newBatch(score.Linear{X: p.X}, &plan, len(positives), len(negatives), len(positives), len(p.Y))
		if err != nil {
			t.Fatal(err)
		}
		copy(b.rows, append(append([]uint32(nil), positives...), negatives...))
		w := make([]float64, p.X.Cols())
		random := rand.New(rand.NewPCG(3, 4))
		for j := range w {
			w[j] = random.NormFloat64() * 0.3
		}
		exact := func(_ int, g1, g2, _ float64) (float64, float64) { return g1, g2 }
		parameter := plan.parameter(1)
		g, ignored := make([]float64, len(w)), make([]float64, len(w))
		b.gradient(g, w, parameter, exact)
		for j := range w {
			const h = 1e-6
			old := w[j]
			w[j] = old + h
			up := b.gradient(ignored, w, parameter, exact)
			w[j] = old - h
			down := b.gradient(ignored, w, parameter, exact)
			w[j] = old
			if d := (up - down) / (2 * h); math.Abs(d-g[j]) > 1e-6 {
				t.Fatalf("%s: component %d is %v, differences give %v", name, j, g[j], d)
			}
		}
	}
}

// TestGradientsAreOfRowsFromEverywhere: the sample that gradient norms are taken of is spread
// evenly over the rows of a class.
func TestGradientsAreOfRowsFromEverywhere(t *testing.T) {
	t.Parallel()
	problem := sample(t, 2000)
	for i := range problem.Y {
		if problem.Y[i] = -1; i%7 < 2 {
			problem.Y[i] = 1
		}
	}
	model := score.Linear{X: problem.X}
	positives, negatives := ranking.Split(problem.Y)
	plan := SOAP{}.plan(true)
	o, err := newObjective(problem, model, nil, &plan, positives, negatives)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for k, all := range [][]uint32{positives, negatives} {
		count := []int{128, 512}[k]
		for j := range count {
			place := slices.Index(all, o.batch.rows[at])
			if at++; math.Abs(float64(place)-float64(j)*float64(len(all))/float64(count)) > 1 {
				t.Fatalf("row %d of class %d is at place %d of %d", j, k, place, len(all))
			}
		}
	}
}
