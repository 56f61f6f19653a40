package penalty

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/base/arguments"
	"github.com/lanes-go/lanes/internal/direct"
)

// Ball restricts weights to ||x||_2 <= Radius. Prox costs two passes over x. It is safe for
// concurrent use.
type Ball struct{ Radius float64 }

// Check wants a positive, finite radius.
func (r Ball) Check(int) error { return arguments.Positive("the radius of the ball", r.Radius) }

// Prox scales x down to the ball's radius where it is longer.
func (r Ball) Prox(x []float64, _ float64) {
	if norm := direct.Norm(x); norm > r.Radius {
		direct.Scale(x, r.Radius/norm, x)
	}
}

// Value returns 0.
func (Ball) Value([]float64) float64 { return 0 }

// String returns the name with all parameters.
func (r Ball) String() string { return fmt.Sprintf("ball %v", r.Radius) }

// Descent returns Radius ||g||.
func (r Ball) Descent(g []float64) float64 { return r.Radius * direct.Norm(g) }

// Reach returns Radius + ||x||.
func (r Ball) Reach(x []float64) float64 { return r.Radius + direct.Norm(x) }
