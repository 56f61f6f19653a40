package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// objective evaluates P, its gradient and the gap.
type objective struct {
	p    *erm.Problem
	dual loss.Dual
	x    direct.Matrix
	loop dualLoop // nil: no alpha to bound the gap with
	// concave says that some losses are not convex: they have no conjugates.
	concave bool
	observe func(kappa []float64) // nil, or who wants to see the residues

	z, coef, alpha []float64
	// Beside an intercept: rest is what the sum of alpha may still add to the gap, times n. moved
	// is the distance of alpha from the loop's alpha, as the sum of distances times ||x_i||.
	rest, moved float64
	losses      *risk.Losses
	gaps        []float64 // of the Fenchel-Young losses, rounding errors included
	g           []float64 // since the first evaluation
	lent        *direct.Workspace
	vectors     direct.Vectors

	bounds   *certificate.Bounds
	settings solvers.Settings // the targets
	size     float64          // ||w||, while w is evaluated
}

func newObjective(p *erm.Problem, pool *matrix.Pool, lent *direct.Workspace) *objective {
	n := p.X.Rows()
	return &objective{
		p: p, dual: dualLoss(p), x: direct.Matrix{Matrix: p.X, Pool: pool}, z: lent.Zeros(n), coef: lent.Zeros(n), alpha: lent.Zeros(n), lent: lent,
		losses: risk.NewLosses(p, pool), gaps: make([]float64, risk.Blocks(n)), vectors: direct.Vectors{Pool: pool},
		bounds: certificate.New(certificate.Problem{Problem: *p, Pool: pool, Workspace: lent}),
	}
}

// dualLoss returns the loss of a problem that convex has passed.
func dualLoss(p *erm.Problem) loss.Dual { return direct.Value(loss.DualOf(p.Loss)) }

// Block turns one block of margins into loss gradients and Fenchel-Young losses.
func (o *objective) Block(b int) {
	first, end := o.losses.SlopesOf(b, o.coef, o.z)
	gap := 0.0
	if o.loop == nil || o.concave {
		gap = math.Inf(1)
	}
	for i := first; i < end && gap < math.Inf(1); i++ {
		gap += fenchelYoungBound(o.dual, o.alpha[i], o.z[i], o.p.Y[i], direct.Weight(o.p.SampleWeight, i), o.coef[i], o.bounds.Margin(i, o.size))
	}
	o.gaps[b] = gap
}

// opening evaluates w = 0, with alpha = 0, where a run begins: by O(rows), and half
// a sweep for the norm of the gradient if that is wanted. The Fenchel-Young losses are the
// losses, because f*(0) = -min f = 0.
func (o *objective) opening(gradient bool) run.Evaluation {
	n := float64(len(o.z))
	loop := o.loop
	o.loop = nil
	o.sweep(nil, 0)
	o.loop = loop
	loss := o.losses.Mean()
	e := run.Evaluation{Opening: true, Objective: loss, Gap: loss * (1 + 1e-6)}
	if gradient {
		e.GradientNorm = math.Sqrt(o.vectors.SquaredNorm(o.combine(o.coef))) / n
	}
	_, e.ObjectiveError = o.bounds.Rounding(direct.Norm(o.coef), 0, 0, e.Objective)
	return e
}

// sweep computes margins, slopes and Fenchel-Young losses at w, nil for 0; square is the
// squared norm of w.
func (o *objective) sweep(w []float64, square float64) {
	o.size = math.Sqrt(square)
	o.margins(w)
	if o.loop != nil {
		o.bounds.Margin(0, o.size) // before the workers ask
		o.duals(w)
	}
	matrix.Run(o.x.Pool, len(o.gaps), o)
}

// margins computes the margins of w, nil for 0.
func (o *objective) margins(w []float64) {
	if w == nil {
		clear(o.z)
	} else {
		o.x.MulVec(o.z, w)
	}
	if o.p.Offset != nil {
		o.vectors.Axpy(1, o.p.Offset, o.z)
	}
}

// duals writes a dual point to alpha, given the margins of w. Beside an intercept the larger one
// of the sums of both signs is made smaller for the sum to be 0.
func (o *objective) duals(w []float64) {
	o.loop.duals(o.alpha)
	if !o.p.Intercept {
		return
	}
	above, below, rest := certificate.Balance(o.alpha)
	o.rest = float64(rest * (1 + math.Abs(w[len(w)-1]) + kernels.MaxAbs(o.z)))
	o.moved = 0
	squares := o.bounds.Squares()
	for i, a := range o.alpha {
		kept := a * above
		if a < 0 {
			kept = a * below
		}
		o.alpha[i] = kept
		o.moved = math.FMA(math.Abs(a-kept), math.Sqrt(squares[i]), o.moved)
	}
}

// evaluate evaluates w, which is where the loop stands. It costs a sweep over the data,
// and half a one where w is 0.
//
// With w(alpha) = X'alpha/(lambda n), which is w but for rounding, the duality gap is a
// sum of terms that are not negative:
//
//	P(w) - D(alpha) = (1/n) sum_i ( f_i(z_i) + f_i*(-alpha_i) + alpha_i z_i )
//	                + (lambda/2) ||w - w(alpha)||^2
//
// and as in package erm, alpha = -f'(z) gives the bound ||grad P||^2/(2 lambda),
// which holds by strong convexity even where some losses are not convex. The last term
// counts where the others leave the sum below that bound. It is all rounding, which the loop
// bounds by its steps. Where that bound neither shows the target to be reached nor is small
// beside the gap, the term takes half a sweep.
func (o *objective) evaluate(w []float64) run.Evaluation {
	return o.conclude(w, o.measure(w))
}

// measure sweeps over the data at w, and returns the squared norm of the penalised weights.
func (o *objective) measure(w []float64) (square float64) {
	square = o.vectors.SquaredNorm(risk.Held(o.p, w))
	whole := square
	if o.p.Intercept {
		whole = o.vectors.SquaredNorm(w)
	}
	o.sweep(w, whole)
	return square
}

// conclude evaluates w by what measure found and returned.
func (o *objective) conclude(w []float64, square float64) run.Evaluation {
	n := float64(len(o.z))
	held := risk.Held(o.p, w)
	g := risk.Held(o.p, o.combine(o.coef))
	norm := math.Sqrt(o.vectors.ScaleAddNorm(g, 1/n, g, o.p.Ridge(), held))
	var at *certificate.Intercept
	if o.p.Intercept {
		at = &certificate.Intercept{Slope: o.g[len(g)] / n}
		at.Add(o.dual, o.p.Y, o.coef, o.p.SampleWeight)
		norm = math.Sqrt(math.FMA(norm, norm, float64(at.Slope*at.Slope)))
	}
	if o.observe != nil && o.loop != nil {
		for i, slope := range o.coef {
			o.alpha[i] += slope
		}
		o.observe(o.alpha)
	}
	e, seems := o.bounds.Evaluation(o.losses.Mean(), square, norm, direct.Norm(o.coef), o.size, at)
	if gap := o.young(); gap < e.Gap {
		seems = min(seems, gap)
		drift := o.drift()
		if !(gap+drift <= o.settings.GapTolerance || drift <= float64(driftShare*gap)) {
			drift = o.apart(w)
		}
		if gap += drift; gap < e.Gap {
			e.Gap = gap
		}
	}
	if run.Seems(&o.settings, e, seems) && !run.Reaches(&o.settings, e) {
		o.bounds.Sharpen(&e, w, o.settings.GapTolerance)
	}
	return e
}

// driftShare is the share of the gap that is too small to be computed rather than bounded.
const driftShare = 1e-3

// misses tells whether neither bound of the gap will meet the target, after measure: neither the
// Fenchel-Young losses nor ||grad P||^2/(2 lambda). The gradient is X'kappa/n with the residues
// kappa; the estimate of its norm takes rows to be orthogonal. It costs O(rows).
func (o *objective) misses() bool {
	n, target := float64(len(o.z)), o.settings.GapTolerance
	if gap := o.young(); !(gap > target && gap < math.Inf(1)) {
		return false
	}
	square := 0.0
	for i, v := range o.bounds.Squares() {
		kappa := o.alpha[i] + o.coef[i]
		square = math.FMA(float64(kappa*kappa), v, square)
	}
	return square/(2*o.p.Ridge()*n*n) > target
}

// young returns the mean Fenchel-Young loss of the last sweep, with what rounding leaves of the
// sum of alpha beside an intercept.
func (o *objective) young() float64 {
	gap := 0.0
	for _, v := range o.gaps {
		gap += v
	}
	return (gap + o.rest) / float64(len(o.z))
}

// combine computes g = X'c, and returns it.
func (o *objective) combine(c []float64) []float64 {
	g := o.zeros()
	o.x.AddTrans(g, c)
	return g
}

// zeros returns g, cleared.
func (o *objective) zeros() []float64 {
	if o.g == nil {
		o.g = o.lent.Vector(o.p.X.Cols())
	}
	clear(o.g)
	return o.g
}

// drift bounds (lambda/2) ||w - w(alpha)||^2 by what the loop knows of w.
func (o *objective) drift() float64 {
	known, ok := o.loop.(interface {
		drift(b *certificate.Bounds) float64
	})
	if !ok {
		return math.Inf(1)
	}
	distance := known.drift(o.bounds)
	if o.p.Intercept {
		distance += float64(o.moved / float64(o.p.Ridge()*float64(len(o.z))) * (1 + 1e-6))
	}
	return float64(float64(0.5*o.p.Ridge()) * float64(distance*distance))
}

// apart bounds (lambda/2) ||w - w(alpha)||^2. It overwrites the gradient.
func (o *objective) apart(w []float64) float64 {
	n := float64(len(o.z))
	if o.observe != nil {
		o.duals(w) // they were made residues of
	}
	g := risk.Held(o.p, o.combine(o.alpha))
	distance := math.Sqrt(o.vectors.ScaleAddNorm(g, 1/(o.p.Ridge()*n), g, -1, risk.Held(o.p, w)))
	distance += o.bounds.Combination(direct.Norm(o.alpha), o.size, distance)
	return float64(float64(0.5*o.p.Ridge()) * float64(distance*distance))
}

// atZero returns P(0). It costs O(rows).
func (o *objective) atZero() float64 { return o.losses.At(nil) }

// fenchelYoungBound is fenchelYoung at the true margin, from above: z is off by rounding
// at most. The dual point is s times the quotient alpha/s as it is computed; what that
// makes of w(alpha) is a unit of each alpha, which certificate.Combination has.
//
// The derivative in z is kappa = alpha + f'(z), so an error dz adds at most |kappa| dz + (s/2)
// phi” dz^2; of a loss with kinks, its jump takes the place of the latter. The rounding of the formula equals an error of z of a few units of the formula's
// terms. The series for the logistic loss adds a relative error of about 1e-7.
func fenchelYoungBound(l loss.Dual, alpha, z, y, s, slope, rounding float64) float64 {
	value := fenchelYoung(l, alpha, z, y, s, slope)
	size := 1 + math.Abs(z)
	if !l.Labels() {
		size = math.Abs(z) + math.Abs(y)
	}
	if s > 0 {
		size += math.Abs(alpha) / s
	}
	rounding += float64(16 * direct.Unit * size)
	if kinked := loss.KinkedOf(l); kinked != nil {
		slope = math.Abs(slope) + float64(s*kinked.Jump())
		alpha = math.Abs(alpha)
	}
	return float64(value*(1+1e-6)) + float64(float64(1.01*rounding)*(math.Abs(alpha+slope)+float64(s*rounding)+float64(8*direct.Unit*math.Abs(alpha))))
}

// fenchelYoung is loss.Dual.Part, and the same for rows of weight 0.
func fenchelYoung(l loss.Dual, alpha, z, y, s, slope float64) float64 {
	switch {
	case s != 0:
		return l.Part(alpha, z, y, s, slope)
	case alpha == 0:
		return 0
	}
	return math.Inf(1)
}
