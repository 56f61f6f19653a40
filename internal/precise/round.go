package precise

import (
	"math"
	"math/big"
)

// nearest returns the weights of m, each rounded; negligible weights become 0.
func (m *minimiser) nearest() []float64 {
	rounded := make([]float64, len(m.w))
	for j, v := range m.sparse() {
		rounded[j], _ = v.Float64()
	}
	return rounded
}

// together returns float64 weights near the weights of m that compensate each other's rounding.
// It is the nearest-plane method of Babai 1986, "On Lovasz' lattice reduction and the nearest
// lattice point problem". With the Hessian's factors in some order of the columns,
//
//	d'Md = sum_k D_k (d_k + sum_{i>k} L_ik d_i)^2,
//
// the weights are rounded from the last to the first, each from where the sum is 0. The weights
// that matter least per unit of their last place are rounded last, so they are eliminated first.
func (m *minimiser) together() []float64 {
	rounded := m.nearest()
	d, a := len(rounded), m.hessian()
	at := func(i, j int) *big.Float { return a[max(i, j)][min(i, j)] }
	last := make([]*big.Float, d) // units of the last place, squared
	left := make([]int, 0, d)
	for j, v := range rounded {
		size := math.Abs(v)
		if math.IsInf(size, 0) {
			return rounded
		}
		last[j] = m.of(math.Nextafter(size, math.Inf(1)) - size)
		last[j].Mul(last[j], last[j])
		if v != 0 || m.norms == nil || j >= m.held { // a weight of 0 stays
			left = append(left, j)
		}
	}
	order, factors := make([]int, 0, d), make([][]*big.Float, 0, d)
	for len(left) > 0 {
		best, least := 0, (*big.Float)(nil)
		for k, j := range left {
			if cost := new(big.Float).Mul(at(j, j), last[j]); least == nil || cost.Cmp(least) < 0 {
				best, least = k, cost
			}
		}
		j := left[best]
		if at(j, j).Sign() <= 0 {
			return rounded
		}
		left = append(left[:best], left[best+1:]...)
		column := m.zeros(d)
		for _, i := range left {
			column[i].Quo(at(i, j), at(j, j))
		}
		for k, i := range left {
			for _, l := range left[:k+1] {
				m.subtract(at(i, l), column[i], at(l, j))
			}
		}
		order, factors = append(order, j), append(factors, column)
	}
	moved := m.zeros(d)
	for k := len(order) - 1; k >= 0; k-- {
		j := order[k]
		for _, i := range order[k+1:] {
			m.subtract(moved[j], factors[k][i], moved[i])
		}
		goal := new(big.Float).Add(m.w[j], moved[j])
		rounded[j], _ = goal.Float64()
		if v := rounded[j]; v-v != 0 {
			return m.nearest()
		}
		moved[j].Sub(m.of(rounded[j]), m.w[j])
	}
	return rounded
}
