package score

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
)

// Initial draws a point to start from. Weights are uniform. Their variance gives the sum of a
// unit a variance of about 1 (2 for ReLU, whose units are silent half of the time). For column j
// it is 1/(k q_j). Here k is the mean number of non-zeros of a row and q_j the mean square of the
// column's non-zeros. In later layers it is one over the width of the layer before. Empty columns
// have weights 0, and biases are 0. It costs a pass over the matrix.
func (m *Perceptron) Initial(seed uint64) []float64 {
	squares, counts := make([]float64, m.net.Features), make([]int, m.net.Features)
	for i := range m.x.Rows() {
		for j, x := range m.x.Row(i) {
			squares[j] += float64(x * x)
			counts[j]++
		}
	}
	gain := 1.0
	if m.net.Activation == ReLU {
		gain = 2
	}
	uniform := random.New(seed)
	draw := func(w []float64, variance float64) {
		half := math.Sqrt(3 * variance) // a uniform number in [-h, h] has the variance h^2/3
		for k := range w {
			w[k] = float64(half * (2*uniform.Float64() - 1))
		}
	}
	w := make([]float64, m.Parameters())
	first := m.layers[0]
	perRow := float64(m.x.NNZ()) / float64(max(m.x.Rows(), 1))
	for j, square := range squares {
		if square > 0 {
			at := j * first.width
			draw(w[at:at+first.width], float64(gain*float64(counts[j]))/float64(square*perRow))
		}
	}
	for _, l := range m.layers[1:] {
		draw(l.matrix(w), gain/float64(l.inputs))
	}
	output := w[m.output : len(w)-1]
	draw(output, gain/float64(len(output)))
	return w
}
