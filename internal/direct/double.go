package direct

import "math"

// Double is a sum of products in double length.
type Double struct {
	High, Low float64
	Absolute  float64 // the sum of the absolute values
}

// AddProduct adds x y.
func (d *Double) AddProduct(x, y float64) {
	product := float64(x * y)
	d.High, d.Low = Plus(d.High, d.Low, product, math.FMA(x, y, -product))
	d.Absolute += math.Abs(product)
}

// Value returns the sum.
func (d *Double) Value() float64 { return d.High + d.Low }

// Plus adds a product and its rest to a sum and what that lost (Knuth's TwoSum).
func Plus(high, low, product, rest float64) (float64, float64) {
	sum := high + product
	back := sum - high
	return sum, low + (((high - (sum - back)) + (product - back)) + rest)
}

// Lost bounds the error of a compensated sum of terms, without its last rounding: with k terms,
// k^2 u^2 times the sum of their absolute values.
func Lost(terms int, absolute float64) float64 {
	k := float64(terms + 4)
	return float64(float64(4*float64(k*Unit)*float64(k*Unit))*absolute) + float64(2*Tiny*k)
}
