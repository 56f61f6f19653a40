package erm

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
)

// objective computes P and its gradient over all rows.
type objective struct {
	p *Problem
	x direct.Matrix
	// coef holds s_i phi'(z_i) of the point evaluated last.
	coef   []float64
	losses *risk.Losses
	g      []float64 // of spare
	lent   *direct.Workspace
	zero   float64 // P(0) of atZero; NaN while it is not known

	bounds   *certificate.Bounds
	settings solvers.Settings // the targets
	vectors  direct.Vectors
}

func newObjective(p *Problem, pool *matrix.Pool, lent *direct.Workspace) *objective {
	return &objective{
		p: p, x: direct.Matrix{Matrix: p.X, Pool: pool}, vectors: direct.Vectors{Pool: pool}, lent: lent,
		coef: lent.Zeros(p.X.Rows()), losses: risk.NewLosses(p, pool), zero: math.NaN(),
		bounds: certificate.New(certificate.Problem{Problem: *p, Pool: pool, Workspace: lent}),
	}
}

// write writes the rows out where they are few and nearly full.
func (o *objective) write() {
	if o.x = o.x.WithDenseCopy(o.lent); o.x.Full() {
		o.bounds = certificate.New(certificate.Problem{Problem: *o.p, Pool: o.x.Pool, Workspace: o.lent, Sequential: true})
	}
}

// gradient writes the gradient of P at w to g and evaluates w. It costs one pass.
//
// The gap is the duality gap at the dual point alpha_i = -s_i phi'(z_i), which is always feasible.
// With w(alpha) = X'alpha/(lambda n) and f_i = s_i phi, the equality of Fenchel and Young, f_i(z) +
// f_i*(f_i'(z)) = z f_i'(z), gives
//
//	P(w) - D(alpha) = (1/n) sum z_i f_i'(z_i) + (lambda/2) (||w||^2 + ||w(alpha)||^2)
//	                = (lambda/2) ||w - w(alpha)||^2 = ||grad P(w)||^2 / (2 lambda)
//
// because (1/n) sum z_i f_i'(z_i) = -lambda w'w(alpha) and
// grad P(w) = lambda (w - w(alpha)). Nothing is subtracted, and what rounding can have
// taken from the gradient is added: see package certificate.
func (o *objective) gradient(g, w []float64) run.Evaluation {
	o.margins(o.coef, w)
	return o.gradientAt(g, w, o.coef)
}

// margins writes Xw + o to z.
func (o *objective) margins(z, w []float64) {
	o.x.MulVec(z, w)
	if o.p.Offset != nil {
		o.vectors.Axpy(1, o.p.Offset, z)
	}
}

// gradientAt is gradient where the margins z = Xw are known. It costs half a
// pass.
func (o *objective) gradientAt(g, w, z []float64) run.Evaluation {
	o.slopesAt(z)
	return o.gradientOf(g, w)
}

// slopesAt returns the mean loss at margins z.
func (o *objective) slopesAt(z []float64) float64 { return o.losses.Slopes(o.coef, z) }

// gradientOf continues from the slopes in o.coef, whose margins were computed from w.
func (o *objective) gradientOf(g, w []float64) run.Evaluation {
	e, seems := o.gradientNear(g, w, 0)
	if seems && !run.Reaches(&o.settings, e) {
		o.bounds.Sharpen(&e, w, o.settings.GapTolerance)
	}
	return e
}

// gradientNear is gradientOf without Sharpen, for margins with at most the error of margins
// computed from weights of norm max(||w||, norm). seems tells whether w would be within a
// tolerance but for rounding.
func (o *objective) gradientNear(g, w []float64, norm float64) (e run.Evaluation, seems bool) {
	clear(g)
	o.x.AddTrans(g, o.coef)
	held, each := risk.Held(o.p, g), 1/float64(len(o.coef))
	o.vectors.ScaleAdd(held, each, held, o.p.Ridge(), risk.Held(o.p, w))
	size := kernels.SquaredNorm(w)
	square := size
	var at *certificate.Intercept
	if o.p.Intercept {
		last := len(held)
		g[last] *= each
		at = &certificate.Intercept{Slope: g[last]}
		o.curvature(&at.Curvature)
		square = kernels.SquaredNorm(risk.Held(o.p, w))
	}
	e, bare := o.bounds.Evaluation(o.losses.Mean(), square, direct.Norm(g), o.vectors.Norm(o.coef), max(math.Sqrt(size), norm), at)
	return e, run.Seems(&o.settings, e, bare)
}

// curvature adds the second derivatives of the losses at the margins of the last slopesAt.
func (o *objective) curvature(t *certificate.Curvature) {
	if !o.losses.Bend((*loss.Bends)(t), o.coef) {
		t.Add(o.p.Loss, o.p.Y, o.coef, o.p.SampleWeight)
	}
}

// atZero returns P(0). It costs O(rows), once.
func (o *objective) atZero() float64 {
	if math.IsNaN(o.zero) {
		o.zero = o.losses.At(nil)
	}
	return o.zero
}

// atConstant returns P where all weights but an intercept are 0, and the intercept Constant.
func (o *objective) atConstant() float64 {
	if !o.p.Intercept {
		return o.atZero()
	}
	z, b := make([]float64, len(o.coef)), risk.Constant(o.p)
	for i := range z {
		z[i] = b + direct.Offset(o.p.Offset, i)
	}
	return o.losses.At(z)
}

func (o *objective) evaluate(w []float64) run.Evaluation { return o.gradient(o.spare(), w) }

// spare returns a buffer for a gradient, which the next evaluation overwrites.
func (o *objective) spare() []float64 {
	if o.g == nil {
		o.g = o.lent.Zeros(o.p.X.Cols())
	}
	return o.g
}
