package direct

import (
	"math/bits"
	"sync"
	"unsafe"
)

// spare are vectors that ended runs have left to those to come, by the bits of their
// capacity. The collector empties it.
var spare [bits.UintSize + 1]sync.Pool

// headers point to nothing, until Return needs one: it then allocates nothing.
var headers = sync.Pool{New: func() any { return new([]float64) }}

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
			return take(v, n)
		}
		short[k] = v
	}
	giveBack(short[:])
	if v, ok := spare[size+1].Get().(*[]float64); ok {
		return take(v, n)
	}
	return make([]float64, n)
}

// BorrowToKeep returns a vector of n zeros that need not come back: it has no elements to spare.
func BorrowToKeep(n int) []float64 {
	v := Borrow(n)
	if cap(v) > n+n/8+8 {
		Return(v)
		return make([]float64, n)
	}
	clear(v)
	return v
}

// take returns n elements of a spare vector, and keeps its header.
func take(v *[]float64, n int) []float64 {
	vector := (*v)[:n]
	*v = nil
	headers.Put(v)
	return vector
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
		header := headers.Get().(*[]float64)
		*header = v
		giveBack([]*[]float64{header})
	}
}

// Workspace lends vectors to a run, until Release takes all of them back. A nil Workspace makes
// new vectors. It serves one goroutine.
type Workspace struct{ lent [][]float64 }

// Vector returns a vector of n elements with arbitrary contents.
func (s *Workspace) Vector(n int) []float64 {
	if s == nil {
		return make([]float64, n)
	}
	v := Borrow(n)
	s.lent = append(s.lent, v)
	return v
}

// Zeros returns a vector of n zeros.
func (s *Workspace) Zeros(n int) []float64 {
	v := s.Vector(n)
	if s != nil {
		clear(v)
	}
	return v
}

// Lend returns n zero values, of a type without pointers and of a multiple of 8 bytes.
func Lend[T any](s *Workspace, n int) []T {
	size := int(unsafe.Sizeof(*new(T)) / unsafe.Sizeof(0.0))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(s.Zeros(size*n)))), n)
}

// Release takes back what was lent: nothing may look at it any more.
func (s *Workspace) Release() {
	for k := range s.lent {
		Return(s.lent[k])
	}
	s.lent = nil
}
