package direct

import (
	"math/bits"
	"sync"
)

// spare are vectors that ended runs have left to those to come, by the bits of their
// capacity. The collector empties it.
var spare [bits.UintSize + 1]sync.Pool

// Borrow returns a vector of n elements with arbitrary contents; Return gives it back. Successive
// short runs then reuse vectors that are still in the caches, in place of new memory.
func Borrow(n int) []float64 {
	size := bits.Len(uint(n))
	// Of as many bits some may be too short, of one more none is; of more they are better
	// kept for others.
	var short [4]*[]float64
	for k := range short {
		v, _ := spare[size].Get().(*[]float64)
		if v == nil {
			break
		}
		if cap(*v) >= n {
			giveBack(short[:k])
			return (*v)[:n]
		}
		short[k] = v
	}
	giveBack(short[:])
	if v, ok := spare[size+1].Get().(*[]float64); ok {
		return (*v)[:n]
	}
	return make([]float64, n)
}

func giveBack(short []*[]float64) {
	for _, v := range short {
		if v != nil {
			spare[bits.Len(uint(cap(*v)))].Put(v)
		}
	}
}

// Return gives back a vector of Borrow, nil for none, that nothing looks at any more.
func Return(v []float64) {
	if cap(v) > 0 {
		giveBack([]*[]float64{&v})
	}
}
