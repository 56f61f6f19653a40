package penalty

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Ridge is the penalty (Lambda/2) ||w||^2. Lambda is 0 or more; 0 is no penalty. It is safe for
// concurrent use.
type Ridge struct{ Lambda float64 }

// String returns the name with Lambda.
func (p Ridge) String() string { return fmt.Sprintf("ridge %v", p.Lambda) }

// Check wants Lambda finite and 0 or more.
func (p Ridge) Check(int) error { return checkWeight("lambda", p.Lambda) }

// Squared returns Lambda and true.
func (p Ridge) Squared() (lambda float64, alone bool) { return p.Lambda, true }

// Value returns (Lambda/2) ||w||^2.
func (p Ridge) Value(w []float64) float64 {
	if p.Lambda == 0 {
		return 0
	}
	return float64(0.5 * p.Lambda * kernels.SquaredNorm(w))
}

// Prox divides every weight by 1 + step Lambda.
func (p Ridge) Prox(w []float64, step float64) {
	direct.Scale(w, 1/(1+float64(step*p.Lambda)), w)
}
