package softmax

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// Sums over the rows, one for each class.
const (
	sumHigh     = iota // of slopes
	sumLow             // what its additions lost
	sumAbsolute        // of absolute slopes
	sumSquares         // of slopes
	sumMoved           // of the squares of what balancing changed
	sumsOf
)

// dual returns a lower bound of the minimum of P from the slopes in work and the gradient in g at w; NaN
// where it knows none. docs/certificates.md derives it.
func (o *normed) dual(w []float64) float64 {
	slopes, rest := o.work, 0.0
	o.add(sumsBySlopes{o, o.work})
	n := float64(o.n)
	off := make([]float64, o.k)
	for c := range off {
		off[c] = float64(float64(float64(o.n+o.k+128)*direct.Unit)*math.Sqrt(o.sum(sumSquares, c))) / n
	}
	anew := false
	if o.masses != nil {
		if !o.balanceSlopes() {
			return math.NaN()
		}
		slopes = o.point
		reach := 1 + float64(2*kernels.MaxAbs(o.at)) + kernels.MaxAbs(w[o.held:])
		for c := range off {
			moved := math.Sqrt(o.sum(sumMoved, c))
			anew = anew || moved > float64(0x1p-30*math.Sqrt(o.sum(sumSquares, c)))
			off[c] += float64(1.01*moved) / n
			left := math.Abs(o.sum(sumHigh, c)+o.sum(sumLow, c)) + float64(float64(float64(o.k+32)*direct.Unit)*o.sum(sumAbsolute, c))
			rest += float64(certificate.Farthest * reach * left)
		}
		rest /= n
	}
	u := o.v // the violations have been read
	if anew {
		clear(u)
		direct.Must(matrix.AddTransDense(o.x.Matrix, o.x.Pool, u, slopes, o.k))
		direct.Scale(u, 1/n, u)
		for c := range off {
			off[c] = float64(float64(float64(o.n+o.k+128)*direct.Unit)*math.Sqrt(o.sum(sumSquares, c))) / n
		}
	} else {
		direct.ScaleAdd(u[:o.held], -o.p.Lambda, w[:o.held], 1, o.g[:o.held])
	}
	for j := range o.held / o.k {
		row, most, at := o.row(u, j), o.row(o.most, j), o.row(w, j)
		for c, v := range row {
			most[c] = math.Abs(v) + float64(o.lengths[j]*off[c]) + float64(float64(4*direct.Unit*o.p.Lambda)*math.Abs(at[c]))
		}
	}
	value, share := o.rules.Support(u[:o.held], o.most[:o.held])
	best := math.NaN()
	if !math.IsInf(value, 1) {
		best = o.conjugates(slopes, 1) - rest - value
	}
	if share > 0 && share < 1 {
		if d := o.conjugates(slopes, share) - rest; !(best >= d) {
			best = d
		}
	}
	return best
}

// sum returns a sum over all rows.
func (o *normed) sum(kind, c int) float64 { return o.sums[kind*o.k+c] }

// sumsBySlopes sums over blocks of rows, but for what balancing changed.
type sumsBySlopes struct {
	*normed
	slopes []float64
}

func (t sumsBySlopes) Block(b int) {
	k := t.k
	part := t.parts[b*sumsOf*k:][:sumsOf*k]
	clear(part)
	first, end := t.rows(b)
	for i := first; i < end; i++ {
		for c, v := range t.row(t.slopes, i) {
			part[sumHigh*k+c], part[sumLow*k+c] = direct.Plus(part[sumHigh*k+c], part[sumLow*k+c], v, 0)
			part[sumAbsolute*k+c] += math.Abs(v)
			part[sumSquares*k+c] = math.FMA(v, v, part[sumSquares*k+c])
		}
	}
}

// add runs a task over blocks of rows, and adds up their sums. Sums of squares are from above.
func (o *normed) add(task matrix.BlockTask) {
	k, size := o.k, sumsOf*o.k
	matrix.Run(o.x.Pool, len(o.objective.sums), task)
	clear(o.sums)
	for at := 0; at < len(o.parts); at += size {
		part := o.parts[at : at+size]
		for c := range k {
			o.sums[sumHigh*k+c], o.sums[sumLow*k+c] = direct.Plus(o.sums[sumHigh*k+c], o.sums[sumLow*k+c], part[sumHigh*k+c], part[sumLow*k+c])
		}
		direct.Axpy(1, part[sumAbsolute*k:], o.sums[sumAbsolute*k:])
	}
	above := 1 + float64(float64(o.n+16)*direct.Unit)
	direct.Scale(o.sums[sumAbsolute*k:], above, o.sums[sumAbsolute*k:])
	direct.AddScalar(o.sums[sumSquares*k:], 0x1p-1000, o.sums[sumSquares*k:])
}

// balanceSlopes makes the slopes in point: those in work, changed so that their sum over the rows is 0 for
// every class. Classes whose probabilities sum to more than their rows give away a share of every
// probability of theirs, and the others take it. Rows keep a distribution over the classes. The sums
// are of point then. It tells whether this is possible.
func (o *normed) balanceSlopes() bool {
	given, taken := 0.0, 0.0
	for c := range o.shares {
		excess := o.sum(sumHigh, c) + o.sum(sumLow, c)
		o.shares[c] = 0
		switch {
		case excess > 0:
			o.shares[c] = excess / (o.masses[c] + excess)
			given += excess
		case excess < 0:
			o.shares[c] = excess
			taken -= excess
		}
	}
	for c, v := range o.shares {
		if v < 0 {
			o.shares[c] = v / taken
		}
	}
	o.add((*balanced)(o))
	return given-given == 0 && taken-taken == 0
}

// balanced makes point of work, in blocks of rows. Shares above 0 are given away, those below 0 taken.
type balanced normed

func (t *balanced) Block(b int) {
	o := (*normed)(t)
	first, end := o.rows(b)
	for i := first; i < end; i++ {
		from, to, c := o.row(o.work, i), o.row(o.point, i), o.p.Class[i]
		s, moved := direct.Weight(o.p.SampleWeight, i), 0.0
		for a, v := range from {
			if share := o.shares[a]; share > 0 {
				if a == int(c) {
					v += s
				}
				moved += float64(share * v)
			}
		}
		for a, v := range from {
			share := o.shares[a]
			if to[a] = v - float64(share*moved); share > 0 {
				to[a] = v - float64(share*v) // the own class's follows from the others
			}
		}
		own(to, c)
	}
	sumsBySlopes{o, o.point}.Block(b)
	moved := o.parts[(b*sumsOf+sumMoved)*o.k:][:o.k]
	for i := first; i < end; i++ {
		from := o.row(o.work, i)
		for a, v := range o.row(o.point, i) {
			moved[a] = math.FMA(v-from[a], v-from[a], moved[a])
		}
	}
}

// conjugates returns -(1/n) sum_i s_i sum_a q_ia log q_ia less what rounding may have added. The
// distribution q_i of a row moves from its own class to the others by a share of the slopes.
func (o *normed) conjugates(slopes []float64, share float64) float64 {
	o.share = share
	matrix.Run(o.x.Pool, len(o.objective.sums), entropies{o, slopes})
	sum, absolute := 0.0, 0.0
	for at := 0; at < len(o.parts); at += sumsOf * o.k {
		sum += o.parts[at]
		absolute += o.parts[at+1]
	}
	n := float64(o.n)
	return -(sum + float64(float64((n+float64(o.k)+48)*direct.Unit)*absolute)) / n
}

// entropies sums s_i sum_a q_ia log q_ia over blocks of rows, and its absolute terms.
type entropies struct {
	*normed
	slopes []float64
}

func (t entropies) Block(b int) {
	first, end := t.rows(b)
	sum, absolute := 0.0, 0.0
	for i := first; i < end; i++ {
		s := direct.Weight(t.p.SampleWeight, i)
		if s == 0 {
			continue
		}
		value, size, others := 0.0, 0.0, 0.0
		for a, v := range t.row(t.slopes, i) {
			if v = float64(t.share * (v / s)); a == int(t.p.Class[i]) {
				others = min(-v, 1)
			} else if v > 0 {
				log := kernels.LogOf(v)
				value = math.FMA(v, log, value)
				size = math.FMA(v, 1+math.Abs(log), size)
			}
		}
		if rest := 1 - others; rest > 0 {
			log := kernels.Log1pOf(-others)
			value = math.FMA(rest, log, value)
			size = math.FMA(others, 1-log, size)
		}
		sum += float64(s * value)
		absolute += float64(s * (size + float64(64*others)))
	}
	part := t.parts[b*sumsOf*t.k:]
	part[0], part[1] = sum, absolute
}
