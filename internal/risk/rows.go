package risk

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// Pick returns the problem of the listed rows, which the workers of the pool copy.
func Pick(p *Problem, pool *matrix.Pool, list []uint32) *Problem {
	q := *p
	q.X, q.Y = direct.Value(p.X.PickRows(pool, list)), make([]float64, len(list))
	PickNumbers(pool, q.Y, p.Y, list)
	if p.SampleWeight != nil {
		q.SampleWeight = make([]float64, len(list))
		PickNumbers(pool, q.SampleWeight, p.SampleWeight, list)
	}
	if p.Offset != nil {
		q.Offset = make([]float64, len(list))
		PickNumbers(pool, q.Offset, p.Offset, list)
	}
	return &q
}

// Processors mispredict where short rows of varying length end. In the order of their lengths
// rows take less time (rows-by-length in bench/mechanisms).
const (
	// LeastOrdered is the least number of rows, and LongOrdered the largest mean number of
	// entries, for which sorting pays.
	LeastOrdered, LongOrdered = 2048, 32
	// mostOrdered bounds the entries that are copied for it.
	mostOrdered = 1 << 22
)

// Ordered returns the problem for methods that only sweep over all rows: as it is, or with its
// rows in the order of their lengths where that pays, which depends on the rows alone.
func Ordered(p *Problem, pool *matrix.Pool) *Problem {
	n, entries := p.X.Rows(), p.X.NNZ()
	if n < LeastOrdered || entries > mostOrdered || entries > LongOrdered*int64(n) {
		return p
	}
	list := matrix.RowsByLength(p.X, pool)
	if list == nil {
		return p
	}
	return Pick(p, pool, list)
}

// PickNumbers writes the listed elements to a vector.
func PickNumbers(pool *matrix.Pool, to, from []float64, list []uint32) {
	matrix.Run(pool, (len(list)+pickBlock-1)/pickBlock, &pickTask{to, from, list})
}

// pickBlock is enough elements to make up for handing a block out.
const pickBlock = 1 << 14

type pickTask struct {
	to, from []float64
	list     []uint32
}

func (t *pickTask) Block(b int) {
	first, end := b*pickBlock, min((b+1)*pickBlock, len(t.list))
	to := t.to[first:end]
	for k, i := range t.list[first:end] {
		to[k] = t.from[i]
	}
}
