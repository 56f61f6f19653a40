package risk

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
)

// Block is the number of rows whose losses are summed together; fixed, so that sums do not
// depend on the number of workers.
const Block = 4096

// Blocks returns the number of blocks of rows rows.
func Blocks(rows int) int { return (rows + Block - 1) / Block }

// Span returns the rows of a block, first to end-1.
func Span(b, rows int) (first, end int) { return b * Block, min((b+1)*Block, rows) }

// Losses sums the losses of a problem over all rows.
type Losses struct {
	p       *Problem
	pool    *matrix.Pool
	sums    []float64 // of the blocks
	coef, z []float64 // of a sweep

	recurring loss.Recurring // the loss, or nil
	parts     []float64      // its Parts, of the blocks that are known
	known     []bool
}

// NewLosses returns the losses of a problem, which the workers of the pool sum up.
func NewLosses(p *Problem, pool *matrix.Pool) *Losses {
	l := &Losses{p: p, pool: pool, sums: make([]float64, Blocks(len(p.Y)))}
	if recurring, is := p.Loss.(loss.Recurring); is {
		l.recurring, l.parts, l.known = recurring, make([]float64, len(p.Y)), make([]bool, len(l.sums))
	}
	return l
}

// weigh sums the losses of block b at margins z, and writes slopes to c unless that is nil.
func (l *Losses) weigh(b int, c, z []float64) {
	first, end := Span(b, len(l.p.Y))
	y, s := l.p.Y[first:end], direct.Weights(l.p.SampleWeight, first, end)
	switch {
	case l.recurring != nil:
		parts := l.parts[first:end]
		if !l.known[b] {
			l.recurring.Parts(parts, y)
			l.known[b] = true
		}
		l.sums[b] = l.recurring.Weigh(c, z, y, parts, s)
	case c == nil:
		l.sums[b] = l.p.Loss.Sum(z, y, s)
	default:
		l.sums[b] = l.p.Loss.Gradient(c, z, y, s)
	}
}

// Slopes writes s_i phi'(z_i) to coef, which may be z, and returns the mean loss.
func (l *Losses) Slopes(coef, z []float64) float64 {
	l.coef, l.z = coef, z
	matrix.Run(l.pool, len(l.sums), (*slopesTask)(l))
	return l.Mean()
}

// SlopesOf is Slopes for a block, whose rows it returns: Mean has the mean once all are done.
func (l *Losses) SlopesOf(b int, coef, z []float64) (first, end int) {
	first, end = Span(b, len(l.p.Y))
	l.weigh(b, coef[first:end], z[first:end])
	return first, end
}

// At returns the mean loss at margins z. Nil margins are the margins of weights of 0: the
// offsets.
func (l *Losses) At(z []float64) float64 {
	if z == nil {
		z = l.p.Offset
	}
	if l.coef, l.z = nil, z; z == nil {
		l.coef = zeros[:]
	}
	matrix.Run(l.pool, len(l.sums), (*sumsTask)(l))
	return l.Mean()
}

// zeros are margins of 0.
var zeros [Block]float64

// Mean is the mean loss of the last sweep.
func (l *Losses) Mean() float64 {
	sum := 0.0
	for _, s := range l.sums {
		sum += s
	}
	return sum / float64(len(l.p.Y))
}

// Bend adds the second derivatives of all rows at the margins of the last Slopes, which wrote coef, to t. It
// is false for a loss that is not loss.Summed.
func (l *Losses) Bend(t *loss.Bends, coef []float64) bool {
	summed, is := l.recurring.(loss.Summed)
	if !is {
		return false
	}
	sum := 0.0
	for _, s := range l.sums {
		sum += s
	}
	*t = summed.BendSum(*t, sum, l.parts, coef, l.p.SampleWeight)
	return true
}

type (
	slopesTask Losses
	sumsTask   Losses
)

func (l *slopesTask) Block(b int) { (*Losses)(l).SlopesOf(b, l.coef, l.z) }

func (l *sumsTask) Block(b int) {
	first, end := Span(b, len(l.p.Y))
	z := l.coef
	if l.z != nil {
		z = l.z[first:]
	}
	(*Losses)(l).weigh(b, nil, z[:end-first])
}
