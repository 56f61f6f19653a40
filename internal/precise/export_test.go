package precise

// MinimiseIn is Minimise in numbers of the given bits.
var MinimiseIn = minimise

// WidthAt is the bound of P(w) - P* that the gradient at w gives, in numbers of the given bits.
func WidthAt(p *Problem, bits uint, w []float64) float64 {
	width, _ := begin(p, bits, w).width().Float64()
	return width
}
