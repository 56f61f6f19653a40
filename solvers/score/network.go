package score

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

// Activation is what a hidden unit makes of its sum z. It is safe for concurrent use.
type Activation uint8

const (
	// Tanh is tanh(z), as 2 sigmoid(2z) - 1.
	Tanh Activation = iota
	// ReLU is max(z, 0), with the slope 0 at 0.
	ReLU
	// Softplus is log(1+exp(z)).
	Softplus
	// identity makes the network linear, for tests; Check refuses it.
	identity
)

var activationNames = [identity]string{"tanh", "relu", "softplus"}

// String returns tanh, relu or softplus.
func (a Activation) String() string {
	if a >= identity {
		return fmt.Sprintf("Activation(%d)", uint8(a))
	}
	return activationNames[a]
}

// ParseActivation is the inverse of String.
func ParseActivation(name string) (Activation, error) {
	if k := slices.Index(activationNames[:], name); k >= 0 {
		return Activation(k), nil
	}
	return 0, fmt.Errorf("score: unknown activation %q; want one of: %s", name, strings.Join(activationNames[:], ", "))
}

// apply computes dst = activation(z). dst may not be z.
func (a Activation) apply(dst, z []float64) {
	switch a {
	case Tanh:
		direct.Scale(dst, 2, z)
		direct.Sigmoid(dst, dst)
		direct.Scale(dst, 2, dst)
		direct.AddScalar(dst, -1, dst)
	case ReLU:
		direct.Box(dst, z, 0, math.Inf(1))
	case Softplus:
		direct.Softplus(dst, z)
	default:
		copy(dst, z)
	}
}

// backward multiplies delta by the activation's slopes, given what apply read and
// wrote, which it overwrites.
func (a Activation) backward(delta, z, out []float64) {
	switch a {
	case Tanh: // 1 - out^2
		direct.Mul(out, out, out)
		direct.Mul(out, out, delta)
		direct.Axpy(-1, out, delta)
	case ReLU:
		for i, v := range out {
			if !(v > 0) {
				delta[i] = 0
			}
		}
	case Softplus:
		direct.Sigmoid(z, z)
		direct.Mul(delta, delta, z)
	}
}

// Network is the shape of a perceptron: what its parameters mean.
//
// They lie layer after layer. First comes the matrix of the first hidden layer, a row of
// Hidden[0] weights for each column of the data, then its Hidden[0] biases. A second hidden layer
// has Hidden[0] rows of Hidden[1] weights and its biases. Last come the weights of the output and
// its bias. It is safe for concurrent reading.
type Network struct {
	// Features is the number of columns of the data, without a bias: the units have
	// biases of their own.
	Features int
	// Hidden holds the widths of one or two hidden layers, 1 to 4096 each.
	Hidden []int
	// Activation belongs to all hidden units.
	Activation Activation
}

// mostWidth is the largest width of a hidden layer.
const mostWidth = 4096

// ParseHidden reads widths as in 32 or 32,16.
func ParseHidden(text string) ([]int, error) {
	var widths []int
	for _, part := range strings.Split(text, ",") {
		width, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("score: hidden layers %q: give one or two widths, as in 32 or 32,16", text)
		}
		widths = append(widths, width)
	}
	return widths, Network{Features: 1, Hidden: widths}.Check()
}

// Check says what is wrong with a network, if anything.
func (n Network) Check() error {
	if n.Features < 1 || n.Features > sparse.MaxColumns {
		return fmt.Errorf("score: a network for %d columns; there must be 1 to %d", n.Features, sparse.MaxColumns)
	}
	if len(n.Hidden) < 1 || len(n.Hidden) > 2 {
		return fmt.Errorf("score: %d hidden layers; there must be one or two", len(n.Hidden))
	}
	for _, width := range n.Hidden {
		if width < 1 || width > mostWidth {
			return fmt.Errorf("score: a hidden layer of %d units; there must be 1 to %d", width, mostWidth)
		}
	}
	if n.Activation >= identity {
		return fmt.Errorf("score: there is no %v", n.Activation)
	}
	if int64(n.Features)*int64(n.Hidden[0]) > math.MaxInt/32 {
		return fmt.Errorf("score: %d columns times %d units are more weights than can be held here", n.Features, n.Hidden[0])
	}
	return nil
}

// Parameters returns the number of parameters of a network that Check passes.
func (n Network) Parameters() int {
	inputs, total := n.Features, 0
	for _, width := range n.Hidden {
		total += (inputs + 1) * width
		inputs = width
	}
	return total + inputs + 1
}

// String tells the shape, as in perceptron 22-32-1 tanh.
func (n Network) String() string {
	text := "perceptron " + strconv.Itoa(n.Features)
	for _, width := range n.Hidden {
		text += "-" + strconv.Itoa(width)
	}
	return text + "-1 " + n.Activation.String()
}

// layer is a hidden layer's part of the parameters.
type layer struct {
	inputs, width int
	weights, bias int // where they begin
}

// layers returns the hidden layers, in the memory of list, and where the output's weights
// begin.
func (n Network) layers(list []layer) ([]layer, int) {
	list = list[:0]
	inputs, output := n.Features, 0
	for _, width := range n.Hidden {
		list = append(list, layer{inputs: inputs, width: width, weights: output, bias: output + inputs*width})
		output += (inputs + 1) * width
		inputs = width
	}
	return list, output
}

func (l layer) matrix(w []float64) []float64 { return w[l.weights:l.bias] }
func (l layer) biases(w []float64) []float64 { return w[l.bias : l.bias+l.width] }
