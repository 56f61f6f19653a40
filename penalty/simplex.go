package penalty

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/arguments"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Simplex restricts w to X = {x >= 0: sum of x = Total}: the long-only portfolios of a
// wealth Total. Prox sorts: O(d log d). It is safe for concurrent use.
type Simplex struct{ Total float64 }

// Check wants a positive, finite total.
func (r Simplex) Check(int) error {
	return arguments.Positive("the total of the simplex", r.Total)
}

// Prox projects by the threshold theta at which the sum of max(x - theta, 0) is Total
// (Held, Wolfe and Crowder 1974).
func (r Simplex) Prox(x []float64, _ float64) {
	sorted := direct.Borrow(len(x))
	defer direct.Return(sorted)
	copy(sorted, x)
	slices.Sort(sorted)
	sum, theta := 0.0, math.Inf(-1)
	for count := 1; count <= len(x); count++ {
		v := sorted[len(x)-count]
		sum += v
		next := (sum - r.Total) / float64(count)
		if v <= next {
			break
		}
		theta = next
	}
	for j, v := range x {
		x[j] = max(v-theta, 0)
	}
}

// Value returns 0.
func (Simplex) Value([]float64) float64 { return 0 }

// String returns the name with all parameters.
func (r Simplex) String() string { return fmt.Sprintf("simplex %v", r.Total) }

// Descent returns -Total times the smallest element of g.
func (r Simplex) Descent(g []float64) float64 { return -r.Total * least(g) }

// Reach returns the distance of the farthest corner.
func (r Simplex) Reach(x []float64) float64 {
	square := kernels.SquaredNorm(x) + float64(r.Total*r.Total)
	return math.Sqrt(max(square-float64(float64(2*r.Total)*least(x)), 0))
}

// least returns the smallest element, 0 of an empty slice.
func least(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Min(x)
}
