package direct

import "sync"

// spare are vectors that ended runs have left to those to come. The collector empties it.
var spare sync.Pool

// Borrow returns a vector of n elements with any numbers in it, for Return. Many short runs,
// one after the other, need no new memory then, whose first use costs more than that of what
// is still in the caches.
func Borrow(n int) []float64 {
	if v, ok := spare.Get().(*[]float64); ok && cap(*v) >= n {
		return (*v)[:n]
	}
	return make([]float64, n)
}

// Return gives back a vector of Borrow, nil for none, that nothing looks at any more.
func Return(v []float64) {
	if v != nil {
		spare.Put(&v)
	}
}

// Room is one borrowed vector that several are cut from: a loop of many short vectors takes
// memory once. The zero value has none, and makes every vector anew.
type Room struct{ all, left []float64 }

// NewRoom has so many elements.
func NewRoom(elements int) Room {
	all := Borrow(elements)
	return Room{all, all}
}

// Take returns n zeros.
func (r *Room) Take(n int) []float64 {
	if n > len(r.left) {
		return make([]float64, n)
	}
	v := r.left[:n:n]
	r.left = r.left[n:]
	clear(v)
	return v
}

// Release gives everything back: nothing looks at it any more.
func (r *Room) Release() {
	Return(r.all)
	*r = Room{}
}
