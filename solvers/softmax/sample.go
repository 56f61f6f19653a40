package softmax

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// sample is a share of the rows that stands for all of them in the Hessian. With v the trace of a
// row's part, rows of v >= t are in it. Of the others it has every row at which the sum of v passes
// a multiple of t, with a weight of t/v. So its expected Hessian is the whole one, and rows that are
// certain are few. What a column lacks to its sum of squares is added to the diagonal: a column whose
// entries are in few rows keeps its curvature.
type sample struct {
	*objective
	rows  int // about
	turn  int // every sample begins elsewhere
	norms []float64

	x      direct.Matrix
	list   []uint32
	weight []float64 // of the rows in the sample: s_i, times t/v of others
	h      []float64 // of the rows in the sample, as of a metric
	likely []float64 // their probabilities
	room   []float64
	left   []float64 // of columns: what the sample lacks of the diagonal of all classes together
}

// sampleRows is cost.Sample of a problem.
func sampleRows(p *Problem) int {
	return cost.Sample(matrix.GramCost(p.X), p.X.NNZ(), p.X.Rows(), p.X.Cols(), p.Count)
}

func newSample(o *objective, rows int) *sample {
	return &sample{objective: o, rows: rows, norms: matrix.SquaredNorms(o.p.X), left: make([]float64, o.d)}
}

// draw takes a sample at the present probabilities, given the curvatures of the rows.
func (s *sample) draw(h []float64) {
	threshold := s.threshold(h)
	s.list, s.weight, s.h = s.list[:0], s.weight[:0], s.h[:0]
	const golden = 0.6180339887498949 // multiples of it are spread evenly
	place := float64(golden * float64(s.turn))
	sum := float64(threshold * (place - math.Floor(place)))
	for i, square := range s.norms {
		v, times := float64(h[i]*square), 1.0
		if v < threshold {
			if sum += v; sum < threshold {
				continue
			}
			sum -= threshold
			times = threshold / v
		}
		s.list = append(s.list, uint32(i))
		s.weight = append(s.weight, float64(times*direct.Weight(s.p.SampleWeight, i)))
		s.h = append(s.h, float64(times*h[i]))
	}
	x, err := s.p.X.PickRows(s.x.Pool, s.list)
	direct.Must(err)
	s.x = direct.Matrix{Matrix: x, Pool: s.objective.x.Pool}
	s.likely = s.likely[:0]
	for _, i := range s.list {
		s.likely = append(s.likely, s.row(s.prob, int(i))...)
	}
	if len(s.room) < len(s.likely) {
		s.room = make([]float64, len(s.likely))
	}
	clear(s.left)
	s.objective.x.AddSquares(s.left, h)
	found := make([]float64, s.d)
	s.x.AddSquares(found, s.h)
	for j, v := range found {
		s.left[j] = max(0, s.left[j]-v)
	}
}

// threshold returns the t for which the sample has about s.rows rows.
func (s *sample) threshold(h []float64) float64 {
	t := math.Inf(1)
	for range 64 {
		whole, rest := 0, 0.0
		for i, square := range s.norms {
			if v := float64(h[i] * square); v >= t {
				whole++
			} else {
				rest += v
			}
		}
		next := rest / float64(max(1, s.rows-whole))
		if !(next < float64(0.99*t)) {
			break
		}
		t = next
	}
	return t
}

// product is objective.product by the sample.
func (s *sample) product(dst, v []float64) {
	room := s.room[:len(s.likely)]
	direct.Must(matrix.MulDense(s.x.Matrix, s.x.Pool, room, v, s.k))
	matrix.Run(s.x.Pool, (len(s.list)+s.perBlock-1)/s.perBlock, s)
	clear(dst)
	direct.Must(matrix.AddTransDense(s.x.Matrix, s.x.Pool, dst, room, s.k))
	s.regularise(dst, v)
	each := 1 / float64(s.k-1)
	for j, left := range s.left {
		direct.Axpy(float64(each*left), s.row(v, j), s.row(dst, j))
	}
}

// Block makes the margins of a block of rows their products with the rows' Hessians.
func (s *sample) Block(b int) {
	k := asm.Active()
	for e := b * s.perBlock; e < min((b+1)*s.perBlock, len(s.list)); e++ {
		bendRow(k, s.row(s.room, e), s.row(s.likely, e), s.p.Class[s.list[e]], s.weight[e])
	}
}
