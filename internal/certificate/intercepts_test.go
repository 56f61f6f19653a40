package certificate_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// treeEdge is an edge of a spanning tree.
type treeEdge struct{ a, b int }

// largestTree is the spanning tree of the largest ties, by Kruskal's method.
func largestTree(ties []float64, k int) (tree []treeEdge) {
	var all []treeEdge
	for a := range k {
		for b := range a {
			all = append(all, treeEdge{a, b})
		}
	}
	slices.SortFunc(all, func(x, y treeEdge) int { return cmp.Compare(ties[y.a*k+y.b], ties[x.a*k+x.b]) })
	for _, e := range all {
		if !side(tree, e.a, k)[e.b] {
			tree = append(tree, e)
		}
	}
	return tree
}

// side tells which classes the edges connect with a.
func side(edges []treeEdge, a, k int) []bool {
	reached := make([]bool, k)
	reached[a] = true
	for range k {
		for _, e := range edges {
			if reached[e.a] || reached[e.b] {
				reached[e.a], reached[e.b] = true, true
			}
		}
	}
	return reached
}

// TestInterceptsTerms compares what intercepts cost with its formula, over a tree that another
// method finds: with ties that differ by 1e4, and errors of the slopes from next to nothing to ten
// times as large.
func TestInterceptsTerms(t *testing.T) {
	t.Parallel()
	below, swing := ct.Pins{Slack: 0.08}, ct.Pins{Slack: 0.08}
	for seed := range uint64(60) {
		r, k := rand.New(rand.NewPCG(seed, 1)), 2+int(seed%6)
		at := certificate.Intercepts{Ties: make([]float64, k*k), Longest: math.Pow(10, 4*r.Float64()-2)}
		scale := []float64{1e-6, 1e-3, 0.03, 0.2}[seed%4]
		for a := range k {
			for b := range a {
				v := math.Pow(10, -4*r.Float64())
				at.Ties[a*k+b], at.Ties[b*k+a] = v, v
			}
			at.Slopes = append(at.Slopes, scale*1e-3*r.NormFloat64()/float64(k))
		}
		for a := range k {
			at.Errors = append(at.Errors, math.Abs(at.Slopes[a])*math.Pow(10, 4*r.Float64()-3))
		}
		tree := largestTree(at.Ties, k)
		far := make([]ct.Real, k) // from class 0, where Prim's method begins
		for a := range far {
			far[a] = ct.R(0)
			for _, e := range tree {
				rest := slices.DeleteFunc(slices.Clone(tree), func(o treeEdge) bool { return o == e })
				if !side(rest, 0, k)[a] {
					far[a] = far[a].Plus(ct.R(1).Over(ct.R(at.Ties[e.a*k+e.b])))
				}
			}
		}
		slices.SortFunc(far, func(x, y ct.Real) int { return y.Cmp(x) })
		pull := func(on ct.On) ct.Real {
			sum := ct.R(0)
			for _, e := range tree {
				rest := slices.DeleteFunc(slices.Clone(tree), func(o treeEdge) bool { return o == e })
				behind := e.a
				if side(rest, 0, k)[e.a] {
					behind = e.b
				}
				flow, errs := ct.R(0), ct.R(0)
				for a, in := range side(rest, behind, k) {
					if in {
						flow, errs = flow.Plus(ct.R(at.Slopes[a])), errs.Plus(ct.R(at.Errors[a]))
					}
				}
				sum = sum.Plus(on("slopes", flow.Abs()).Plus(on("errors", errs)).Square().Over(ct.R(at.Ties[e.a*k+e.b])))
			}
			return sum
		}
		all := pull(func(_ string, v ct.Real) ct.Real { return v })
		share := all.Root().Times(far[0].Plus(far[1]).Root())
		of := fmt.Sprintf("seed %d, %d classes", seed, k)
		gotBelow, gotSwing := at.Beside()
		if share.Float() > 0.5 {
			if !math.IsInf(gotBelow, 1) || !math.IsInf(gotSwing, 1) || !math.IsInf(at.Gap(1, 1, k), 1) {
				t.Errorf("%s: bounds of %v and %v at a share of %v", of, gotBelow, gotSwing, share.Float())
			}
			continue
		}
		if share.Float() > 0.48 {
			continue // either
		}
		reach := share.Over(ct.R(1).Minus(share))
		below.Check(t, of, gotBelow, func(on ct.On) ct.Real {
			return pull(on).Times(ct.R(1).Plus(on("reach", reach)))
		})
		swing.Check(t, of, gotSwing, func(on ct.On) ct.Real {
			return pull(on).Root().Times(ct.R(1).Plus(on("reach", reach)).Square(), ct.R(at.Longest).Root())
		})
		if got, want := at.Gap(3, 0.5, k), certificate.FromNorm(3+gotSwing, 0.5, k)+gotBelow; got != want {
			t.Errorf("%s: a gap of %v, not %v", of, got, want)
		}
	}
	below.Done(t)
	swing.Done(t)
}

// TestUntiedIntercepts: without a tie to a class nothing is known.
func TestUntiedIntercepts(t *testing.T) {
	for _, tie := range []float64{0, 1e-300, math.NaN()} {
		at := certificate.Intercepts{Slopes: make([]float64, 3), Errors: make([]float64, 3), Ties: []float64{9, 1, tie, 1, 9, tie, tie, tie, 9}}
		if below, swing := at.Beside(); !math.IsInf(below, 1) || !math.IsInf(swing, 1) {
			t.Errorf("a tie of %v: bounds of %v and %v", tie, below, swing)
		}
	}
}

// TestInterceptsAgainstTheBest: the intercepts that are best for the same weights are within the
// bounds: by how much the mean loss falls on the way there, and by how much the gradient along the
// weights changes. Near the best intercepts of two classes the first bound is twice the fall.
func TestInterceptsAgainstTheBest(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	known := 0
	for seed := range uint64(60) {
		r, k := rand.New(rand.NewPCG(seed, 2)), 2+int(seed%3)
		const n, d = 60, 3
		spread := []float64{0.5, 2, 5}[seed%3]
		rows, margins, class := make([][]float64, n), make([][]float64, n), make([]int, n)
		for i := range rows {
			rows[i], margins[i], class[i] = make([]float64, d), make([]float64, k), r.IntN(k)
			for j := range rows[i] {
				rows[i][j] = r.NormFloat64()
			}
			for a := range k {
				margins[i][a] = spread * r.NormFloat64()
			}
		}
		probabilities := func(i int, b []float64) (p []float64, loss float64) {
			total := 0.0
			for a := range k {
				p = append(p, math.Exp(margins[i][a]+b[a]))
				total += p[a]
			}
			loss = math.Log(total) - margins[i][class[i]] - b[class[i]]
			for a := range p {
				p[a] /= total
			}
			return p, loss
		}
		// Each class's own share, time and again: the loss falls with every step (Darroch and
		// Ratcliff 1972).
		best, counts := make([]float64, k), make([]float64, k)
		for _, c := range class {
			counts[c]++
		}
		for range 500 {
			sums := make([]float64, k)
			for i := range rows {
				p, _ := probabilities(i, best)
				for a, v := range p {
					sums[a] += v
				}
			}
			for a := range best {
				best[a] += math.Log(counts[a] / sums[a])
			}
		}
		b := slices.Clone(best)
		for a := range b {
			b[a] += math.Pow(10, -4*r.Float64()) * r.NormFloat64()
		}
		at := certificate.Intercepts{Slopes: make([]float64, k), Errors: make([]float64, k), Ties: make([]float64, k*k)}
		fall, change := 0.0, make([]float64, k*d)
		for i, c := range class {
			p, loss := probabilities(i, b)
			q, least := probabilities(i, best)
			fall += (loss - least) / n
			direct.Axpy(p[c], p, at.Ties[c*k:(c+1)*k])
			for a := range k {
				at.Slopes[a] += p[a] / n
				for j, x := range rows[i] {
					change[a*d+j] += x * (p[a] - q[a]) / n
				}
			}
			at.Slopes[c] -= 1. / n
			for _, x := range rows[i] {
				at.Longest += x * x / (2 * n)
			}
		}
		certificate.Tie(at.Ties, k, n, 0)
		below, swing := at.Beside()
		if math.IsInf(below, 1) {
			continue
		}
		known++
		if norm := math.Sqrt(direct.Dot(change, change)); fall > below || norm > swing || k == 2 && spread < 1 && fall < 1e-3 && below > 2.2*fall {
			t.Errorf("seed %d, %d classes: the loss falls by %v, at most %v; the gradient changes by %v, at most %v", seed, k, fall, below, norm, swing)
		}
	}
	if known < 30 {
		t.Errorf("something was known of %d points", known)
	}
}

// TestTie compares ties with their formula.
func TestTie(t *testing.T) {
	sums := []float64{7, 1, 2, 3, 7, 4, 0, 5, 7}
	certificate.Tie(sums, 3, 10, 0.25)
	share := (1 - 1.01*0.25) / 10.1
	for k, want := range []float64{7, 4 * share, 2 * share, 4 * share, 7, 9 * share, 2 * share, 9 * share, 7} {
		if math.Abs(sums[k]-want) > 1e-15*want {
			t.Errorf("tie %d is %v, not %v", k, sums[k], want)
		}
	}
	if certificate.Tie(sums, 3, 10, 1); sums[1] != 0 {
		t.Errorf("a tie of %v of sums that may be all rounding", sums[1])
	}
}

// TestPullOfIntercepts: a product of the norms of 0.5 is the last of which something is known.
func TestPullOfIntercepts(t *testing.T) {
	for pull, known := range map[float64]bool{0.48: true, 0.51: false, 0.8: false} {
		at := certificate.Intercepts{Slopes: []float64{2 * pull, -2 * pull}, Errors: []float64{0, 0}, Ties: []float64{0, 2, 2, 0}}
		if below, _ := at.Beside(); math.IsInf(below, 1) == known {
			t.Errorf("a product of %v: a bound of %v", pull, below)
		}
	}
}

// TestLeastProbabilities: the lower bounds of a row's probabilities are below the exact ones, by at
// most twice the bound of the error. Some margins are differences of large numbers.
func TestLeastProbabilities(t *testing.T) {
	for _, size := range []float64{0, 1, 1e16} {
		for own := range 3 {
			row, _ := cancelling(0, 0)
			x, err := sparse.NewCSR(3, []int64{0, 3}, []uint32{0, 1, 2}, row)
			if err != nil {
				t.Fatal(err)
			}
			w := []float64{size, size, size, -size, -size, -size, 0, -1, -3}
			exact := probabilities(x, 0, w, 3, own)
			exact[own] = exact[own].Plus(ct.R(1))
			for a, least := range certificate.LeastOf(x, 0, w, 3, own) {
				if p := exact[a].Float(); exact[a].Cmp(ct.R(least)) <= 0 || !(least > p*(1-0.02)) {
					t.Errorf("size %g, own %d: class %d has at least %v, exactly %v", size, own, a, least, p)
				}
			}
		}
	}
}

// TestCarefulBesideIntercepts compares the gap by compensated sums with its formula at intercepts
// whose slopes are 0. There the errors of the slopes are all that the slopes hold. One lambda
// leaves what P falls by, and the other leaves the change of the gradient.
func TestCarefulBesideIntercepts(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 1, 2, 3, 4}, []uint32{0, 0, 0, 0}, []float64{3, -3, 3, -3})
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{1e12, 1e-12} {
		c := &certificate.Classes{X: x.WithBias(1), Class: []uint32{0, 0, 1, 1}, Count: 2, Lambda: lambda, Intercept: true, SampleWeight: []float64{2, 2, 2, 2}}
		norm, rounding, gap := c.Careful(make([]float64, 4))
		if norm != 0 {
			t.Fatalf("a norm of %v", norm)
		}
		_, dp, _ := certificate.RowOf(c.X, 0, make([]float64, 4), 2, 0)
		errs, tie := 2*dp[0], 2*0.25 // of weights of 2
		below := errs * errs / tie
		swing := math.Sqrt(below) * math.Sqrt(2*10/2.)
		if want := (rounding+swing)*(rounding+swing)/(2*lambda) + below; !(gap >= 0.99*want && gap <= 1.4*want) {
			t.Errorf("lambda %g: a gap of %v, not %v", lambda, gap, want)
		}
	}
}
