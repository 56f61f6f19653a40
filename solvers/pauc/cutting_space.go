package pauc

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// direction is a vector v of weights. With fewer columns than rows, it keeps v, and the scores Xv
// if they are wanted. Otherwise v = X'c, and it keeps c and the scores. A plane then takes memory
// for each row. An inner product u'v is the product of c of one direction with the scores of the
// other.
type direction struct {
	weights []float64 // v or c
	scores  []float64
}

// space is where directions live.
type space struct {
	matrix direct.Matrix
	byRows bool // kept as c
	sum    []float64
}

func newSpace(x *sparse.Matrix, pool *matrix.Pool) *space {
	s := &space{matrix: direct.Matrix{Matrix: x, Pool: pool}, byRows: 2*x.Rows() < x.Cols()}
	if s.byRows {
		s.sum = make([]float64, x.Cols())
	}
	return s
}

// direction returns a zero one; scored says that it needs scores in any case.
func (s *space) direction(scored bool) direction {
	v := direction{weights: make([]float64, s.size())}
	if scored || s.byRows {
		v.scores = make([]float64, s.matrix.Rows())
	}
	return v
}

// size is the length of direction.weights.
func (s *space) size() int {
	if s.byRows {
		return s.matrix.Rows()
	}
	return s.matrix.Cols()
}

// dot returns u'v; v has scores where directions are kept by rows.
func (s *space) dot(u, v direction) float64 {
	other := v.weights
	if s.byRows {
		other = v.scores
	}
	return direct.Dot(u.weights, other)
}

// transposed sets v = X'c, with its scores where they are kept.
func (s *space) transposed(v direction, c []float64) {
	if !s.byRows {
		clear(v.weights)
		s.matrix.AddTrans(v.weights, c)
		return
	}
	copy(v.weights, c)
	clear(s.sum)
	s.matrix.AddTrans(s.sum, c)
	s.matrix.MulVec(v.scores, s.sum)
}

// combine sets v = sum over k of a[k] of[k], k in used, times factor, with its scores.
func (s *space) combine(v direction, factor float64, used []int, a []float64, of []direction) {
	clear(v.weights)
	if s.byRows {
		clear(v.scores)
	}
	for _, k := range used {
		share := float64(factor * a[k])
		direct.Axpy(share, of[k].weights, v.weights)
		if s.byRows {
			direct.Axpy(share, of[k].scores, v.scores)
		}
	}
	if !s.byRows {
		s.matrix.MulVec(v.scores, v.weights)
	}
}

// toward moves u to u + t (v-u).
func (u direction) toward(v direction, t float64) {
	direct.ScaleAdd(u.weights, 1-t, u.weights, t, v.weights)
	direct.ScaleAdd(u.scores, 1-t, u.scores, t, v.scores)
}

// current writes the weights of v to w.
func (s *space) current(w []float64, v direction) {
	if !s.byRows {
		copy(w, v.weights)
		return
	}
	clear(w)
	s.matrix.AddTrans(w, v.weights)
}
