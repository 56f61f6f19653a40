package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// begin prepares the intercepts as setIntercept does, and begins every class as balancedStart
// does. With dual variables t (1-p) and t p, w is t/(lambda n) times S_j - p S. S is the sum of
// all rows and S_j the sum of the rows of class j.
func (s *together) begin() error {
	n, k := len(s.q), s.Count
	rho := rhoOf(n, loss.Logistic{}.Peak(), func(i int) (weight, q float64) { return 1, s.q[i] })
	s.ratio = ratioOf(rho, s.unit)
	all, ones := make([]float64, s.features.Cols()), make([]float64, n)
	rows := make([]float64, k)
	for i := range s.q {
		s.q[i] = min(s.q[i]+1/rho, math.MaxFloat64)
		ones[i] = 1
		if j := int(s.Class[i]) - s.First; j >= 0 && j < k {
			rows[j]++
			for c, v := range s.features.Row(i) {
				s.held[c*k+j] += v
			}
		}
	}
	(direct.Matrix{Matrix: s.features}).AddTrans(all, ones)
	square := kernels.SquaredNorm(all)
	for j := range k {
		weight := [2]float64{float64(n) - rows[j], rows[j]}
		if weight[0] == 0 || weight[1] == 0 {
			return fmt.Errorf("sdca: %v of %d rows are of class %d: its intercept would be infinite", rows[j], n, s.First+j)
		}
		p := shares(weight)
		own := s.column(s.held, j)
		ownSquare, across := kernels.SquaredNorm(own), direct.Dot(own, all)
		positive := float64((ownSquare-float64(p[0]*across))*s.unit) / weight[1]
		negative := float64((across-ownSquare-float64(p[0]*(square-across)))*s.unit) / weight[0]
		t := evenStart(p, positive-negative, 0)
		a := [2]float64{float64(t * p[0]), float64(t * p[1])}
		u := [2]float64{logit(a[0]), logit(a[1])}
		for i := range n {
			class := 0
			if int(s.Class[i]) == s.First+j {
				class = 1
			}
			s.a[i*k+j], s.u[i*k+j] = a[class], u[class]
		}
		s.b[j] = -u[1] - float64(t*positive)
		direct.ScaleAdd(own, float64(t*s.unit), own, -float64(a[0]*s.unit), all)
		for c, v := range own {
			s.held[c*k+j] = v
		}
	}
	return nil
}

// recentre moves the centres to the intercepts between passes, and the intercepts with them.
func (s *together) recentre() {
	if s.b == nil {
		return
	}
	clear(s.z)
	for i := range s.q {
		a := s.a[i*s.Count:][:s.Count]
		for j, v := range a {
			s.z[j] -= v
		}
		if own := int(s.Class[i]) - s.First; own >= 0 && own < s.Count {
			s.z[own] += 2 * a[own]
		}
	}
	for j := range s.b {
		s.b[j] += float64(float64(s.z[j]*s.unit) * s.ratio)
	}
}

// balance writes the shares that the dual variables of a class keep to sum to 0: of its rows,
// which are positive, and of the others. rest is as certificate.Balance has it.
func (s *together) balance(c *certified, class int) {
	c.keep = [2]float64{1, 1}
	if s.b == nil {
		return
	}
	alpha := s.column(s.a, class)
	for i := range alpha {
		alpha[i] *= s.label(i, class)
	}
	c.keep[1], c.keep[0], c.rest = certificate.Balance(alpha)
}
