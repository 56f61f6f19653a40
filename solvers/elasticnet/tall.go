package elasticnet

import (
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// Steps on full rows by a loss that equals its model go over tall columns: copies without indices,
// scaled by the roots of the curvatures, less their means where there is an intercept, which then
// affects no other weight. Epochs go over the columns of the working set until they have cost as
// much as the matrix of their products; then the matrix takes over. A column that joined stays.

const (
	// tallSweeps is the number of epochs over tall columns that a matrix may cost at once.
	tallSweeps = 8
	// tallShare is the share of all columns, or of the number of rows, that may join a working set:
	// a set more costs two passes over the rows.
	tallShare = 4
)

// fills tells whether steps go over tall columns.
func (l *loop) fills() bool {
	return l.exact && l.single != nil && (l.p.Intercept || l.p.X.Bias() == 0) && matrix.IsFull(l.p.X) && !l.comprises()
}

// filled tells whether a column is a tall one.
func (l *loop) filled(j int) bool { return l.places != nil && l.places[j] > 0 }

// mostTall is the number of columns that may join the working set.
func (l *loop) mostTall(used int) int {
	return max(leastWorking, min(l.n, l.d)/tallShare, used)
}

// fill makes the part of tall columns.
func (l *loop) fill(s *part) {
	if l.tall == nil {
		l.curvatures()
		l.tall, l.places = matrix.NewDenseColumns(l.x.Matrix, l.h, l.p.Intercept), make([]uint32, l.d)
	}
	var join []uint32
	for _, j := range s.list {
		if l.places[j] == 0 {
			join = append(join, j)
			l.places[j] = uint32(l.tall.Len() + len(join))
		}
	}
	l.tall.Add(l.pool, join)
	s.tall, s.exact = l.tall, true
	s.numbers, s.means = make([]uint32, s.k), make([]float64, s.k)
	for a, j := range s.list {
		s.numbers[a] = l.places[j] - 1
		s.means[a] = s.tall.Mean(int(s.numbers[a]))
	}
	s.entries = int64(l.n) * int64(s.k)
	s.cost = costOf(int64(l.n)*int64(s.k)*int64(s.k+1)/2, l.n, s.k)
	s.moved, s.along = make([]float64, l.n), make([]float64, l.n)
	if s.dense = l.densely(s); !s.dense {
		s.limit = l.sweeps
		if len(s.slope) <= cost.Columns {
			s.limit = min(s.limit, max(1, int((s.cost+s.sweep()-1)/s.sweep())-tallSweeps-l.unsolved))
		}
	}
}

// column is a tall column of the part.
func (s *part) column(a int) []float64 { return s.tall.Column(int(s.numbers[a])) }

// begins is begin for tall columns.
func (s *part) begins(h []float64, lambda float64) {
	size := len(s.slope)
	if size > s.k {
		s.diagonal[s.k] = float64(float64(s.extra*s.extra) * kernels.Sum(h))
	}
	if !s.dense {
		for a := range s.k {
			s.diagonal[a] = s.tall.Square(int(s.numbers[a])) + s.square(a, lambda)
		}
		clear(s.moved)
		return
	}
	if s.gram != nil {
		return
	}
	s.tall.Multiply(s.rows.Pool)
	s.gram = make([]float64, size*size)
	for a, k := range s.numbers {
		row := s.gram[a*size:]
		for b, m := range s.numbers[:a+1] {
			row[b] = s.tall.Product(int(k), int(m))
		}
		row[a] += s.square(a, lambda)
	}
	if size > s.k {
		s.gram[size*size-1] = s.diagonal[s.k]
	}
	s.complete()
}

// swept goes on by a matrix where epochs over tall columns did not solve the model. It tells whether
// it does.
func (l *loop) swept(s *part, epochs int) bool {
	if !s.unsolved {
		return false
	}
	s.spent = epochs
	if len(s.slope) > cost.Columns || epochs < s.limit {
		return false
	}
	for a := range s.k {
		s.slope[a] = s.at(a, s.to[a]-l.w[s.list[a]], l.lambda)
	}
	s.dense = true
	s.begins(l.h, l.lambda)
	return true
}
