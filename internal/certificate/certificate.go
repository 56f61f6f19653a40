// Package certificate bounds how far the objective of a regularised empirical risk
//
//	P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2
//
// is from its minimum P*, from the weights w alone and with all rounding errors of the
// bound's own computation in it. Nothing is supposed of how w was found.
//
// There are three bounds; each decides where the bound before cannot. All begin with the gradient
// g of P at w. A float64 computation gives only an interval for g.
//
//  1. Rounding: by strong convexity P(w) - P* <= ||g||^2/(2 lambda), and the norms of
//     the rows, of w and of the loss's slopes bound the rounding of g. Costs O(n + d).
//  2. Careful: margins and gradient by compensated sums (Ogita, Rump and Oishi 2005,
//     Dot2). This leaves the rounding of the margins and slopes themselves; it is
//     bounded row by row, and so stays small where columns differ in scale.
//  3. Curvature, within Careful, for a column with very large numbers. The gradient is then
//     large even at the float64 nearest to the column's best weight, and the Euclidean norm
//     is the wrong norm. See curvature.
//
// Beside an unpenalised intercept the first two also bound how far it is from the best one, and
// what that costs.
package certificate

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// Problem is P, and how it is computed. Sample weights below 0 are borne, by bounds
// 1 and 2, where P - (lambda/2)||w||^2 is convex all the same.
type Problem struct {
	risk.Problem
	Pool *matrix.Pool
	// Workspace lends the vectors of the bounds.
	Workspace *direct.Workspace
	// Sequential says that margins are summed one entry after the other, as by
	// matrix.AddMulMatrix, and not in lanes.
	Sequential bool
}

// slack is loss.Slack.
const slack = loss.Slack

// Bounds knows sums of the lengths of the rows. They are computed when they are first needed, at
// the cost of half a pass. The lengths themselves take as much once they are asked for.
type Bounds struct {
	p    Problem
	x    direct.Matrix
	n, d int

	known     bool
	steep     *steep    // of a Steep loss, else nil
	jump      float64   // the largest slope of a Kinked loss, else 0
	squares   []float64 // ||x_i||^2
	frobenius float64   // the root of their sum over rows that count
	weighted  float64   // sum |s_i| ||x_i||^2
	mass      float64   // sum |s_i|
	largest   float64   // of |s_i|
	offsets   bool      // rows have them
	margin    float64   // dz_i <= margin ||x_i|| ||w||
	column    float64   // a sum over rows errs by at most this times the sum of the absolute terms
	products  float64   // what products lose by underflow, of a gradient or an objective

	lengths []float64 // of the rows, times margin
	flushed float64   // what products of a row may lose by underflow

	// negative is the mean of |s_i| phi(0, y_i) where a weight is below 0, of a Steep loss +Inf; else 0.
	negative float64

	work *scratch
}

// New prepares bounds for a problem, which must be valid. It costs nothing.
func New(p Problem) *Bounds {
	return &Bounds{p: p, x: direct.Matrix{Matrix: p.X, Pool: p.Pool}, n: p.X.Rows(), d: p.X.Cols()}
}

func (b *Bounds) learn() {
	if b.known {
		return
	}
	t := Totals{Rows: b.n, Columns: b.d, NonZeros: b.p.X.NNZ(), Longest: b.n, Offsets: b.p.Offset != nil}
	if b.p.SampleWeight == nil {
		t.Largest, t.Mass = 1, float64(b.n)
	}
	steep, _ := b.p.Loss.(loss.Steep)
	sums := learnTask{b, steep, make([]Totals, (b.n+learnBlock-1)/learnBlock)}
	matrix.Run(b.p.Pool, len(sums.blocks), &sums)
	for _, s := range sums.blocks {
		t.Heights.join(s.Heights)
		t.Squares += s.Squares
		t.Weighted += s.Weighted
		t.Mass += s.Mass
		t.Largest = max(t.Largest, s.Largest)
	}
	if slices.ContainsFunc(b.p.SampleWeight, func(s float64) bool { return s < 0 }) {
		sizes := make([]float64, b.n)
		for i, s := range b.p.SampleWeight {
			sizes[i] = math.Abs(s)
		}
		if b.negative = math.Inf(1); steep == nil {
			b.negative = b.p.Loss.Sum(make([]float64, b.n), b.p.Y, sizes) / float64(b.n)
		}
	}
	b.settle(t)
}

// Squares returns ||x_i||^2 of every row, which are computed once and are not to be changed.
func (b *Bounds) Squares() []float64 {
	if b.squares == nil {
		b.squares = b.x.WriteSquaredNorms(b.p.Workspace.Vector(b.n))
	}
	return b.squares
}

// learnTask sums up blocks of rows.
type learnTask struct {
	b      *Bounds
	steep  loss.Steep // nil for another loss
	blocks []Totals
}

// learnBlock is the number of rows of a block.
const learnBlock = 1 << 14

// Block sums up one.
func (l *learnTask) Block(k int) {
	var t Totals // of one worker alone, until it is done
	b, first := l.b, k*learnBlock
	end := min(first+learnBlock, b.n)
	squares := b.squares
	if squares == nil { // until somebody asks for all
		squares = direct.Borrow(end - first)
		defer direct.Return(squares)
		direct.Must(matrix.RunsOf(b.x.Matrix).SquaredNormsRun(squares, first))
	} else {
		squares = squares[first:end]
	}
	if b.p.SampleWeight == nil && b.p.Offset == nil && l.steep == nil {
		sum := kernels.Sum(squares)
		l.blocks[k] = Totals{Squares: sum, Weighted: sum}
		return
	}
	var longest, levels []float64 // of a Steep loss
	if l.steep != nil {
		longest, levels = direct.Borrow(end-first), direct.Borrow(end-first)
		defer direct.Return(longest)
		defer direct.Return(levels)
	}
	for i, v := range squares {
		v += b.offsetSquare(first + i)
		if l.steep != nil {
			longest[i] = v
		}
		s := math.Abs(direct.Weight(b.p.SampleWeight, first+i))
		if s == 0 {
			continue
		}
		if b.p.SampleWeight != nil {
			t.Mass += s
		}
		t.Squares += v
		t.Largest = max(t.Largest, s)
		t.Weighted = math.FMA(s, v, t.Weighted)
	}
	if l.steep != nil {
		t.Heights.Add(l.steep, levels, longest, direct.Weights(b.p.SampleWeight, first, end), b.p.Y[first:end])
	}
	l.blocks[k] = t
}

// offsetSquare returns o_i^2. For the bounds of rounding offsets are one more column, whose weight
// is 1.
func (b *Bounds) offsetSquare(i int) float64 {
	o := direct.Offset(b.p.Offset, i)
	return float64(o * o)
}

// size is the norm of weights, with the weight of the offsets.
func (b *Bounds) size(weights float64) float64 {
	weights += Underflow(b.d)
	if b.offsets {
		weights++
	}
	return weights
}

// Totals are what Rounding and Gap have to know of the rows. With offsets, rows have them as
// one more entry.
type Totals struct {
	Rows, Columns int
	NonZeros      int64
	Squares       float64 // sum ||x_i||^2, over the rows whose s_i is not 0, as no other has a slope
	Weighted      float64 // sum |s_i| ||x_i||^2
	Mass          float64 // sum |s_i|
	Largest       float64 // of the |s_i|
	Offsets       bool    // rows have them
	// Longest is the largest number of additions one after the other in a sum over rows.
	Longest int
	Heights // of a Steep loss
}

// Known returns bounds for rows that are not at hand: nothing of p but its loss and its
// lambda is looked at, and no method is to be called that looks at rows.
func Known(p Problem, t Totals) *Bounds {
	b := &Bounds{p: p, n: t.Rows, d: t.Columns}
	b.settle(t)
	return b
}

func (b *Bounds) settle(t Totals) {
	b.known = true
	b.largest, b.mass, b.offsets = t.Largest, t.Mass, t.Offsets
	// Squares may underflow, an entry's by as much as tiny.
	lost := float64(direct.Tiny * float64(t.NonZeros))
	b.frobenius = math.Sqrt(t.Squares + lost)
	b.weighted = t.Weighted + float64((1+b.largest)*lost)
	// The kernels sum a row in eight lanes, then the lanes, its scale and the bias.
	terms := b.d/8 + 16
	if b.p.Sequential {
		terms = b.d + 16
	}
	b.margin = float64(terms) * direct.Unit
	b.flushed = float64(direct.Tiny * float64(b.d))
	b.column = float64(t.Longest+80) * direct.Unit
	b.products = float64(float64(direct.Tiny*float64(b.n+b.d+16)) * (1 + float64(b.largest*b.frobenius)))
	if kinked := loss.KinkedOf(b.p.Loss); kinked != nil {
		b.jump = kinked.Jump()
	}
	if l, is := b.p.Loss.(loss.Steep); is {
		b.steep = &steep{rate: l.Rate(), longest: math.Sqrt(t.Square + lost), levels: t.Levels, far: t.Far}
	}
}

// Rounding bounds the errors of the norm of the gradient and of the objective at w, as the
// kernels compute them. slopes is the Euclidean norm of the s_i phi'(z_i), weights the norm of w;
// norm and objective are the computed values. A margin errs by at most gamma ||x_i|| ||w||, and a
// sum over rows by gamma' times its absolute terms. Derived in docs/certificates.md,
//
//	||dg|| <= (1/n) (peak gamma ||w|| sum s_i ||x_i||^2 + (gamma' + 8u) ||X|| ||c||) + 4u lambda ||w|| + (d+8)u ||g||;
//	|dP|   <= (1/n) (gamma ||w|| ||X|| ||c|| + peak gamma^2 ||w||^2 sum s_i ||x_i||^2) + (gamma' + (d+16)u) P
//
// and what underflow takes. The gradient of a Kinked loss jumps, and has no such bound; with its
// largest slope j
//
//	|dP|   <= (1/n) j gamma ||w|| (sum s_i sum s_i ||x_i||^2)^(1/2) + (gamma' + (d+16)u) P
func (b *Bounds) Rounding(slopes, weights, norm, objective float64) (gradient, value float64) {
	b.learn()
	slopes += Underflow(b.n)
	weights = b.size(weights)
	n := float64(b.n)
	across := float64(b.frobenius*slopes) / n
	if b.jump > 0 {
		value = float64(float64(float64(b.jump*b.margin)*weights)*(math.Sqrt(float64(b.mass*b.weighted))/n)) + b.summed(objective, float64(across*weights)) + b.products
		return math.Inf(1), float64(slack * value)
	}
	var moved, extra, more float64
	if b.steep == nil {
		moved = float64(float64(float64(b.p.Loss.Peak()*b.margin)*weights) * (b.weighted / n))
	} else {
		moved, extra, more = b.steepRounding(slopes, weights)
	}
	gradient = extra + moved + float64((b.column+8*direct.Unit)*across) + float64(float64(4*direct.Unit*b.p.Ridge())*weights) +
		float64(float64(float64(b.d+8)*direct.Unit)*norm) + b.products
	value = float64(float64(b.margin*weights)*(across+moved)) + b.summed(objective, float64(across*weights)) + b.products + more
	return float64(slack*gradient) + Underflow(b.d), float64(slack * value)
}

// Evaluation returns objective, gap and error bounds of weights. mean is their mean loss, square
// their squared norm; gradient and slopes are norms. size is the norm that Rounding takes. at is
// nil without an intercept. bare is the gap without rounding.
func (b *Bounds) Evaluation(mean, square, gradient, slopes, size float64, at *Intercept) (e run.Evaluation, bare float64) {
	e = run.Evaluation{Objective: math.FMA(0.5*b.p.Ridge(), square, mean), GradientNorm: gradient}
	e.GradientError, e.ObjectiveError = b.Rounding(slopes, size, gradient, e.Objective)
	e.Gap = b.GapAt(gradient, e.GradientError, slopes, size, at)
	if at == nil {
		return e, b.Gap(gradient, 0)
	}
	return e, b.gapBeside(at, gradient, 0, math.Abs(at.Slope), 0)
}

// summed bounds what the sums of an objective lose, whose terms are all positive unless there
// are negative weights: then their sizes add up to |P| + (2/n) sum |s_i| phi_i at most, and
// phi_i <= phi(0, y_i) + |phi'(z_i) z_i|. turned bounds (1/n) sum |c_i z_i|.
func (b *Bounds) summed(objective, turned float64) float64 {
	size := math.Abs(objective)
	if b.negative > 0 {
		size += 2 * (b.negative + turned)
	}
	return float64((b.column+float64(float64(b.d+16)*direct.Unit))*size) + float64(float64(direct.Tiny*float64(b.d))*b.p.Ridge())
}

// ByColumns is Rounding's bound of the objective by columns, where spread is the sum of
// ||x_j|| |w_j| over the columns, rounded upwards: it is the smaller one where large weights
// belong to short columns, as an intercept beside columns of large numbers. With the largest s_i
//
//	|dP| <= (1/n) (gamma spread ||c|| + peak s gamma^2 spread^2) + (gamma' + (d+16)u) P
//
// It is +Inf for a Steep loss and a Kinked one.
func (b *Bounds) ByColumns(slopes, spread, objective float64) float64 {
	if b.learn(); b.steep != nil || b.jump > 0 {
		return math.Inf(1)
	}
	slopes += Underflow(b.n)
	n := float64(b.n)
	moved := float64(b.margin * spread)
	value := float64(moved/n*(slopes+float64(float64(b.p.Loss.Peak()*b.largest)*moved))) + b.summed(objective, float64(slopes*spread)/n) + b.products
	return float64(slack * value)
}

// RoundingByColumns is Rounding's bound of the gradient by columns. It needs the sums of x_ij^2
// and of |s_i| x_ij^2 over the rows for every column; of a Steep loss, the sums of |s_i phi”_i| x_ij^2
// at w in place of the latter. With offsets, weighted has the sum of |s_i| o_i^2 as one more element:
// they are one more column, whose weight is 1. A column's scale then does not affect the bound of
// columns of other scales. It is +Inf for a Steep loss that is not Even.
//
//	sum_i s_i dz_i^2 <= gamma^2 d sum_j w_j^2 sum_i s_i x_ij^2;
//	|dg_j| <= (1/n) (peak (sum_i s_i x_ij^2 sum_i s_i dz_i^2)^(1/2) + (gamma' + 8u) (sum_i x_ij^2)^(1/2) ||c||) + 4u lambda |w_j|
func (b *Bounds) RoundingByColumns(w, squares, weighted []float64, slopes, norm float64) float64 {
	b.learn()
	slopes += Underflow(b.n)
	n, lost := float64(b.n), float64(direct.Tiny*float64(b.n+16))
	peak, largest, extra := 1.0, b.largest, 0.0
	if b.steep == nil {
		peak = b.p.Loss.Peak()
	} else {
		if !b.p.Loss.(loss.Steep).Even() {
			return math.Inf(1) // second derivatives at w tell nothing of those next to it
		}
		weights := b.size(direct.Norm(w))
		largest = b.steep.total(b.n, slopes, float64(b.margin*weights)*b.steep.longest)
		if math.IsInf(largest, 1) {
			return largest
		}
		extra = float64(8*direct.Unit*math.Sqrt(largest)) / n
	}
	moved, d := 0.0, b.d
	for j, v := range w {
		term := float64(math.Abs(v) * math.Sqrt(weighted[j]+float64(largest*lost)))
		moved = math.FMA(term, term, moved)
	}
	if b.offsets {
		d++
		moved += weighted[b.d] + float64(largest*lost)
	}
	moved = math.Sqrt(moved) + Underflow(d)
	moved = float64(float64(float64(peak*b.margin)*math.Sqrt(float64(d)))*moved) / n
	errs := 0.0
	for j, v := range w {
		err := float64((moved+extra)*math.Sqrt(weighted[j]+float64(largest*lost))) +
			float64((b.column+8*direct.Unit)*float64(math.Sqrt(squares[j]+lost)*slopes/n)) + float64(4*direct.Unit*b.p.Ridge()*math.Abs(v))
		errs += float64(err * err)
	}
	return float64(slack * (math.Sqrt(errs) + Underflow(b.d) + float64(float64(float64(b.d+8)*direct.Unit)*norm) + b.products))
}

// hasGap tells whether the objective is strongly convex but for an intercept.
func (b *Bounds) hasGap() bool { return b.p.Ridge() > 0 && loss.IsConvex(b.p.Loss) }

// Gap is bound 1 for a gradient whose norm is at most the sum of the arguments. If there is an
// intercept, the slope along it must be 0. It is NaN without a regulariser, and for a loss that is not convex.
func (b *Bounds) Gap(norm, rounding float64) float64 {
	if !b.hasGap() {
		return math.NaN()
	}
	return FromNorm(norm+rounding, b.p.Ridge(), b.d)
}

// FromNorm returns the gap if the norm of the gradient is at most norm plus the loss by underflow
// of squares. norm is computed as the root of the sum of squares of weights numbers.
func FromNorm(norm, lambda float64, weights int) float64 {
	norm += Underflow(weights)
	return float64(float64(float64((float64(norm*norm)+direct.Tiny)/lambda)*0.5) * (1 + 8*direct.Unit)) // 2 lambda may overflow
}

// Underflow bounds the loss of two norms of vectors by the underflow of squares, for the given
// number of elements.
func Underflow(numbers int) float64 { return float64(0x1p-536 * math.Sqrt(float64(numbers))) }

// Margin bounds the rounding of the margin of row i, weights the norm of w. The first
// call is not to be made by several goroutines.
func (b *Bounds) Margin(i int, weights float64) float64 {
	if b.lengths == nil {
		b.measure()
	}
	return b.marginOf(b.lengths[i], weights)
}

// MarginOf is Margin for a row with the given squared norm and offset, of any bounds.
func (b *Bounds) MarginOf(square, offset, weights float64) float64 {
	return b.marginOf(b.length(square+float64(offset*offset)), weights)
}

func (b *Bounds) marginOf(length, weights float64) float64 {
	return float64(slack * (float64(length*b.size(weights)) + b.flushed))
}

// length bounds the rounding of the margin of a row for weights of norm 1.
func (b *Bounds) length(square float64) float64 {
	return float64(b.margin * math.Sqrt(square+b.flushed))
}

// measure prepares Margin, which is asked for every row.
func (b *Bounds) measure() {
	b.learn()
	b.Squares()
	b.lengths = b.p.Workspace.Zeros(b.n)
	matrix.Run(b.p.Pool, (b.n+learnBlock-1)/learnBlock, (*lengthsTask)(b))
}

// lengthsTask computes the lengths of a block of rows.
type lengthsTask Bounds

func (b *lengthsTask) Block(k int) {
	first := k * learnBlock
	end := min(first+learnBlock, b.n)
	lengths := b.lengths[first:end]
	for i, v := range b.squares[first:end] {
		lengths[i] = (*Bounds)(b).length(v + (*Bounds)(b).offsetSquare(first+i))
	}
}

// Combination bounds the rounding of X'c/(lambda n), computed with the kernels, and of a distance
// from it, in Euclidean norm; size is the norm of c, weights the norm of the result and norm the
// distance.
func (b *Bounds) Combination(size, weights, norm float64) float64 {
	b.learn()
	size += Underflow(b.n)
	weights += Underflow(b.d)
	share := float64(b.frobenius*size) / float64(b.n) / b.p.Ridge()
	flushed := float64(direct.Tiny*float64(b.d+16)) / b.p.Ridge()
	return float64(slack * (float64((b.column+8*direct.Unit)*share) + float64(4*direct.Unit*weights) + float64(float64(float64(b.d+8)*direct.Unit)*norm) + flushed + Underflow(b.d)))
}

// Drift bounds ||w - X'c/(lambda n)|| in exact numbers. w was computed as Combination says, or
// was 0, and then followed steps changes of c, with |c_i| <= s_i at all times. A step errs by a
// unit of w and by units of s_i ||x_i||/(lambda n). With W = sum s_i ||x_i||^2 and s the largest
// s_i, the bound is (derived in docs/certificates.md)
//
//	Combination + steps (1 + units) u (n s W)^(1/2)/(lambda n)
//
// +Inf where the steps are too many for that.
func (b *Bounds) Drift(steps, units float64) float64 {
	b.learn()
	n := float64(b.n)
	share := float64(steps * direct.Unit)
	if !(share < 1./128) {
		return math.Inf(1)
	}
	most := float64(slack*math.Sqrt(float64(n*b.largest)*b.weighted)) / float64(b.p.Ridge()*n)
	return float64(slack * (b.Combination(float64(b.largest*math.Sqrt(n)), most, 0) + float64(float64(share*(1+units))*most)))
}
