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
