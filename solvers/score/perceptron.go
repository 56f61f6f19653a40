package score

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// Perceptron is the model of a network over the rows of a matrix:
//
//	a_1 = activation(W_1'x + b_1), a_2 = activation(W_2'a_1 + b_2), s(x) = v'a + c
//
// with the last a. The first layer costs the non-zeros of the rows times its width,
// the second the product of the two widths a row. It computes with package
// kernels and not with a BLAS, whose sums depend on the processor. It serves one goroutine at a
// time.
type Perceptron struct {
	net    Network
	x      *sparse.Matrix
	layers []layer
	output int
	batch  layerValues // of the last call of Scores
	trans  []float64
}

// NewPerceptron returns the model of a network over the rows of x. A bias column of x
// is left out: the units have biases of their own.
func NewPerceptron(x *sparse.Matrix, net Network) (*Perceptron, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, errors.New("score: a perceptron without a matrix")
	}
	if x = x.WithBias(0); x.Cols() != net.Features {
		return nil, fmt.Errorf("score: a network for %d columns over a matrix of %d", net.Features, x.Cols())
	}
	m := &Perceptron{net: net, x: x}
	m.layers, m.output = net.layers(nil)
	return m, nil
}

// X returns the rows, without a bias.
func (m *Perceptron) X() *sparse.Matrix { return m.x }

// Network returns the network.
func (m *Perceptron) Network() Network { return m.net }

// String tells the network's shape.
func (m *Perceptron) String() string { return m.net.String() }

// Parameters returns the number of parameters.
func (m *Perceptron) Parameters() int { return m.net.Parameters() }

// Constant returns the place of the output's bias.
func (m *Perceptron) Constant() int { return m.net.Parameters() - 1 }

// layerValues holds what some rows leave in the hidden layers, row after row: the sums,
// what the activation made of them, and the gradients.
type layerValues struct {
	rows          int
	z, out, delta [2][]float64
}

// resize makes p fit for a number of rows.
func (p *layerValues) resize(layers []layer, rows int) {
	p.rows = rows
	for k, l := range layers {
		if n := rows * l.width; cap(p.z[k]) < n {
			p.z[k], p.out[k], p.delta[k] = make([]float64, n), make([]float64, n), make([]float64, n)
		} else {
			p.z[k], p.out[k], p.delta[k] = p.z[k][:n], p.out[k][:n], p.delta[k][:n]
		}
	}
}

func (n Network) checkPoint(w []float64) error {
	if len(w) != n.Parameters() {
		return fmt.Errorf("score: %d parameters for a %s, which has %d", len(w), n, n.Parameters())
	}
	return nil
}

// Scores computes dst[k] = s(x_rows[k]).
func (m *Perceptron) Scores(dst []float64, rows []uint32, w []float64) error {
	if err := m.net.checkPoint(w); err != nil {
		return err
	}
	if len(dst) != len(rows) {
		return fmt.Errorf("score: %d scores for %d rows", len(dst), len(rows))
	}
	p := &m.batch
	p.resize(m.layers, len(rows))
	l := m.layers[0]
	spread(p.z[0], l.biases(w))
	if err := matrix.AddMulMatrix(m.x, p.z[0], rows, l.matrix(w), l.width); err != nil {
		p.rows = -1
		return err
	}
	m.net.forward(p, m.layers, dst, w)
	return nil
}

// Scores computes the scores of all rows of x, which has Features columns and no bias, with
// parameters w. dst has an element a row. The workers of pool share the rows. Any number of
// goroutines may call it. It allocates nothing but memory that later calls use again.
func (n Network) Scores(pool *sparse.Pool, dst []float64, x *sparse.Matrix, w []float64) error {
	if err := n.Check(); err != nil {
		return err
	}
	if x == nil || x.Cols() != n.Features || x.Bias() != 0 {
		return fmt.Errorf("score: a %s needs a matrix of %d columns without a bias", n, n.Features)
	}
	return n.scores(pool, dst, x, w)
}

func (n Network) scores(pool *sparse.Pool, dst []float64, x *sparse.Matrix, w []float64) error {
	if err := n.checkPoint(w); err != nil {
		return err
	}
	if len(dst) != x.Rows() {
		return fmt.Errorf("score: %d scores for a matrix of %d rows", len(dst), x.Rows())
	}
	t := scoreTasks.Get().(*scoreTask)
	*t = scoreTask{n, x, dst, w}
	matrix.Run(pool, (len(dst)+blockRows-1)/blockRows, t)
	*t = scoreTask{}
	scoreTasks.Put(t)
	return nil
}

// blockRows is how many rows a worker takes at once.
const blockRows = 128

// scoreTask scores all rows of a matrix, whose shape was checked.
type scoreTask struct {
	net    Network
	x      *matrix.Matrix
	dst, w []float64
}

var scoreTasks = sync.Pool{New: func() any { return new(scoreTask) }}

// Block scores a block of rows.
func (t *scoreTask) Block(i int) {
	work := workspaces.Get().(*workspace)
	first := i * blockRows
	dst := t.dst[first:min(first+blockRows, len(t.dst))]
	layers, _ := t.net.layers(work.layers[:0])
	p, l := &work.passes, layers[0]
	p.resize(layers, len(dst))
	spread(p.z[0], l.biases(t.w))
	direct.Must(matrix.AddMulMatrixFrom(t.x, p.z[0], first, l.matrix(t.w), l.width))
	t.net.forward(p, layers, dst, t.w)
	workspaces.Put(work)
}

// workspace is the memory of a block.
type workspace struct {
	passes layerValues
	layers [2]layer
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// spread writes v to every row of dst.
func spread(dst, v []float64) {
	for ; len(dst) > 0; dst = dst[len(v):] {
		copy(dst, v)
	}
}

// forward goes from the sums of the first layer to the scores.
func (n Network) forward(p *layerValues, layers []layer, dst, w []float64) {
	var inputs []float64
	for k, l := range layers {
		if k > 0 {
			spread(p.z[k], l.biases(w))
			direct.AddMatMul(p.z[k], inputs, l.matrix(w), l.inputs, l.width)
		}
		inputs = p.out[k]
		n.Activation.apply(inputs, p.z[k])
	}
	v, c := w[len(w)-1-layers[len(layers)-1].width:len(w)-1], w[len(w)-1]
	for k := range dst {
		dst[k] = direct.Dot(inputs[k*len(v):(k+1)*len(v)], v) + c
	}
}

// AddGradient computes g += sum over k of c[k] grad s(x_rows[k]) by backpropagation.
// It takes the rows and the w of the call of Scores before, and each call of Scores serves
// once.
func (m *Perceptron) AddGradient(g []float64, rows []uint32, c, w []float64) error {
	if err := errors.Join(m.net.checkPoint(w), m.net.checkPoint(g)); err != nil {
		return err
	}
	p := &m.batch
	if len(rows) != p.rows || len(c) != len(rows) {
		return fmt.Errorf("score: the gradient of %d rows with %d coefficients; the scores before were of %d rows", len(rows), len(c), p.rows)
	}
	p.rows = -1
	last := len(m.layers) - 1
	width := m.layers[last].width
	v, gv := w[m.output:len(w)-1], g[m.output:len(g)-1]
	for k, ck := range c {
		at := k * width
		direct.Axpy(ck, p.out[last][at:at+width], gv)
		direct.Scale(p.delta[last][at:at+width], ck, v)
	}
	g[len(g)-1] += kernels.Sum(c)
	for k := last; k >= 0; k-- {
		l, delta := m.layers[k], p.delta[k]
		m.net.Activation.backward(delta, p.z[k], p.out[k])
		for at, bias := 0, l.biases(g); at < len(delta); at += l.width {
			direct.Axpy(1, delta[at:at+l.width], bias)
		}
		if k == 0 {
			return matrix.AddOuter(m.x, l.matrix(g), rows, delta, l.width)
		}
		direct.AddMatTransMul(l.matrix(g), p.out[k-1], delta, l.inputs, l.width)
		m.transpose(l, w)
		clear(p.delta[k-1])
		direct.AddMatMul(p.delta[k-1], delta, m.trans, l.width, l.inputs)
	}
	return nil
}

// transpose writes the transposed matrix of a layer to m.trans.
func (m *Perceptron) transpose(l layer, w []float64) {
	if m.trans == nil {
		m.trans = make([]float64, l.inputs*l.width)
	}
	from := l.matrix(w)
	for i := range l.inputs {
		for j := range l.width {
			m.trans[j*l.inputs+i] = from[i*l.width+j]
		}
	}
}

// All computes the scores of all rows.
func (m *Perceptron) All(pool *sparse.Pool, dst, w []float64) error {
	return m.net.scores(pool, dst, m.x, w)
}
