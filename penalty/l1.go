package penalty

import "fmt"

// L1 is the penalty Lambda ||w||_1, whose models are sparse: the lasso. Lambda is 0 or more. It is
// safe for concurrent use.
type L1 struct{ Lambda float64 }

// String returns the name with Lambda.
func (p L1) String() string { return fmt.Sprintf("l1 %v", p.Lambda) }

// Check wants Lambda finite and 0 or more.
func (p L1) Check(int) error { return checkWeight("the weight of the L1 norm", p.Lambda) }

// Squared returns 0, and whether Lambda is 0.
func (p L1) Squared() (lambda float64, alone bool) { return 0, p.Lambda == 0 }

// Value returns Lambda ||w||_1.
func (p L1) Value(w []float64) float64 { return ElasticNet{L1: p.Lambda}.Value(w) }

// Prox moves every weight towards 0 by step Lambda.
func (p L1) Prox(w []float64, step float64) { ElasticNet{L1: p.Lambda}.Prox(w, step) }

// Compensated is Value in double length.
func (p L1) Compensated(w []float64) (value, err float64) {
	return ElasticNet{L1: p.Lambda}.Compensated(w)
}

func (p L1) rules() Rules { return ElasticNet{L1: p.Lambda} }
