package precise

// MinimiseIn is Minimise in numbers of so many bits.
var MinimiseIn = minimise

// WidthAt is the bound of P(w) - P* that the gradient at w gives, in numbers of so many bits.
func WidthAt(p Problem, bits uint, w []float64) float64 {
	width, _ := begin(p, bits, w).width().Float64()
	return width
}
