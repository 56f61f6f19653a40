package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
)

// Heights are what bounds have to know of the rows of a Steep loss, over the rows whose s_i is not
// 0. With offsets, rows have them as one more entry.
type Heights struct {
	Square float64 // the largest ||x_i||^2
	Levels float64 // sum of the |s_i| times levels
	Far    float64 // the largest far of Levels
}

// Add adds rows of the given ||x||^2, weights s, which may be nil for ones, and targets y. It overwrites
// work, which has a number a row, with what a row adds to Levels.
func (h *Heights) Add(l loss.Steep, work, squares, s, y []float64) {
	h.Far = max(h.Far, l.Levels(work, y, s))
	for i, level := range work {
		size := math.Abs(direct.Weight(s, i))
		if size == 0 {
			work[i] = 0
			continue
		}
		work[i] = float64(size * level)
		h.Square = max(h.Square, squares[i])
		h.Levels += work[i]
	}
}

// join adds the rows of t.
func (h *Heights) join(t Heights) {
	h.Square, h.Far = max(h.Square, t.Square), max(h.Far, t.Far)
	h.Levels += t.Levels
}

// steep is what takes the place of a loss's largest second derivative.
type steep struct {
	rate    float64 // of the loss
	longest float64 // the largest ||x_i||
	levels  float64
	far     float64
}

// mostMoved is the largest error of a margin for which second derivatives there are within slack of
// those at the computed margin: exp(mostMoved) < slack.
const mostMoved = 0.005

// total bounds the sum of s_i |phi”| over n rows, at all margins within moved of the computed ones.
// slopes is the norm of the s_i phi'. By Cauchy and Schwarz, sum |s_i phi'| <= n^(1/2) slopes. It is
// +Inf if margins may have moved too far.
func (s *steep) total(n int, slopes, moved float64) float64 {
	if !(float64(s.rate*moved) <= mostMoved) {
		return math.Inf(1)
	}
	return float64(s.rate * float64(slack*(float64(math.Sqrt(float64(n))*slopes)+s.levels)))
}

// Bend bounds the mean of s_i phi” of a Steep loss at w. slopes is the norm of the s_i phi', weights that
// of w.
func (b *Bounds) Bend(slopes, weights float64) float64 {
	b.learn()
	most := float64(b.margin*b.size(weights)) * b.steep.longest
	return b.steep.total(b.n, slopes+Underflow(b.n), most) / float64(b.n)
}

// Noise bounds what values of a Steep loss lose for their levels, in units of 8 roundings of the mean loss. far
// is the largest margin.
func (b *Bounds) Noise(far float64) float64 {
	b.learn()
	return float64(b.steep.levels / float64(b.n) * (1 + far + b.steep.far))
}

// steepRounding returns three terms of Rounding: what errors of margins move the gradient, what
// slopes lose themselves, and what values lose themselves.
func (b *Bounds) steepRounding(slopes, weights float64) (moved, gradient, value float64) {
	if b.negative > 0 {
		return math.Inf(1), 0, 0
	}
	most, n := float64(b.margin*weights)*b.steep.longest, float64(b.n)
	mean := b.steep.total(b.n, slopes, most) / n
	moved = float64(float64(mean*most) * b.steep.longest)
	gradient = float64(float64(8*direct.Unit*mean) * b.steep.longest)
	value = float64(float64(8*direct.Unit*mean) * (1 + float64(b.steep.longest*weights) + b.steep.far))
	return moved, gradient, value
}
