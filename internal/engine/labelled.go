package engine

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

// Labelled are the rows of a problem with their labels and weights, nil for weights of 1.
type Labelled struct {
	X         *sparse.Matrix
	Y, Weight []float64
}

// Pick copies the listed rows, which the workers of the pool share.
func (r Labelled) Pick(pool *sparse.Pool, list []uint32) Labelled {
	picked := Labelled{X: direct.Have(r.X.PickRows(pool, list)), Y: make([]float64, len(list))}
	Pick(pool, picked.Y, r.Y, list)
	if r.Weight != nil {
		picked.Weight = make([]float64, len(list))
		Pick(pool, picked.Weight, r.Weight, list)
	}
	return picked
}

// Kernels on short rows take more time to guess where each one ends than to compute, where
// lengths vary and processors cannot have learned them all: rows of w8a, 12 entries and
// anything from 0 to 40, take half the time in the order of their lengths.
const (
	// LeastOrdered is the number of rows from which on processors have not learned them,
	// LongOrdered the mean number of entries up to which it pays, of text with 76 not.
	LeastOrdered, LongOrdered = 2048, 32
	// mostOrdered bounds the entries that are copied for it.
	mostOrdered = 1 << 22
)

// Ordered returns rows for methods that only sweep over them all: as they are, or copied in
// the order of their lengths where that pays, which depends on the rows alone. ordered tells
// which.
func (r Labelled) Ordered(pool *sparse.Pool) (rows Labelled, ordered bool) {
	n, entries := r.X.Rows(), r.X.NNZ()
	if n < LeastOrdered || entries > mostOrdered || entries > LongOrdered*int64(n) {
		return r, false
	}
	list := r.X.RowsByLength(pool)
	if list == nil {
		return r, false
	}
	return r.Pick(pool, list), true
}

// Pick writes the listed elements to a vector.
func Pick(pool *sparse.Pool, to, from []float64, list []uint32) {
	pool.Run((len(list)+pickBlock-1)/pickBlock, &pickTask{to, from, list})
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
