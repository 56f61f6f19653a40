package penalty

import "fmt"

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
func (p Ridge) Value(w []float64) float64 { return ElasticNet{L2: p.Lambda}.Value(w) }

// Prox divides every weight by 1 + step Lambda.
func (p Ridge) Prox(w []float64, step float64) { ElasticNet{L2: p.Lambda}.Prox(w, step) }

// Compensated is Value in double length.
func (p Ridge) Compensated(w []float64) (value, err float64) {
	return ElasticNet{L2: p.Lambda}.Compensated(w)
}

func (p Ridge) rules() Rules { return ElasticNet{L2: p.Lambda} }
