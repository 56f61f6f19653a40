package elasticnet

import (
	"slices"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// cachedModel is a quadratic model of the losses that serves many steps: the matrix of the second
// derivatives at some weights, for columns to which others may be added. The one that is
// not stored, of an intercept or a bias, comes last.
type cachedModel struct {
	order   []uint32 // stored columns, in the order in which they came in
	in      []bool   // the columns of order
	whole   bool     // order is all columns
	at      []float64
	caution float64 // of the curvatures at these weights
	spent   float64 // multiplications of steps with this model, beyond the steps that a new model would take
	fresh   bool    // at is where the run is

	h       []float64
	formed  int           // columns of order that gram has
	rows    direct.Matrix // of the columns of order
	columns *matrix.ByColumns
	entries int64
	cost    int64
	gram    []float64 // both triangles, with lambda on the diagonal
	pure    []float64 // the diagonal without
	exact   bool      // of a loss that equals its model
	means   []float64 // of the columns that gram has, where an intercept was taken out of it
}

// add takes a column in.
func (k *cachedModel) add(j uint32) {
	if !k.in[j] {
		k.in[j] = true
		k.order = append(k.order, j)
	}
}

// drop leaves out all columns, and the model.
func (k *cachedModel) drop() {
	for _, j := range k.order {
		k.in[j] = false
	}
	k.order, k.columns = k.order[:0:0], nil
	k.rows.Matrix = nil
	k.forget()
}

// forget leaves out the model.
func (k *cachedModel) forget() {
	k.at, k.formed, k.gram, k.means, k.spent, k.fresh = nil, 0, nil, nil, 0, false
}

// pick copies the columns of order from X, by rows and by columns.
func (k *cachedModel) pick(o *objective) {
	switch {
	case k.whole:
		if k.rows.Matrix == nil {
			k.rows.Matrix, k.entries = o.x.Matrix, o.x.NNZ()
		}
	case k.columns == nil || k.columns.Cols() != len(k.order):
		k.columns = direct.Value(o.byColumns().PickColumns(k.order))
		k.rows.Matrix = k.columns.ByRows(k.rows.Pool).WithBias(o.x.Bias())
		k.entries = k.rows.NNZ()
	default:
		return
	}
	k.cost = gramCost(k.rows.Matrix)
}

// gramCost is what the matrix of the model of all columns costs.
func gramCost(x *sparse.Matrix) int64 {
	return costOf(matrix.GramCost(x), x.Rows(), x.Cols())
}

// costOf is gramCost where GramCost is known.
func costOf(products int64, n, d int) int64 {
	return cost.Gram(products, n, d) + int64(d)*int64(d)
}

// form computes the model of curvatures h for the columns that it lacks.
func (k *cachedModel) form(o *objective) {
	size, old := k.rows.Cols(), k.formed
	last := size - len(k.order) // 1 for a column that is not stored
	if k.gram == nil || len(k.gram) != size*size {
		gram := make([]float64, size*size)
		for a := range old {
			copy(gram[a*size:], k.gram[a*(old+last):][:old])
		}
		k.gram, k.pure = gram, append(k.pure[:old:old], make([]float64, size-old)...)
	}
	if k.formed < len(k.order) || old == 0 {
		if k.whole {
			k.rows.Gram(k.gram, k.h)
		} else {
			direct.Must(matrix.GramFrom(k.rows.Matrix, k.rows.Pool, k.gram, k.h, old))
		}
		if k.exact && o.p.Intercept {
			k.means = withoutLast(k.gram, size, old, k.means)
		}
		for a := old; a < size; a++ {
			k.pure[a] = k.gram[a*size+a]
		}
		direct.Mirror(k.gram, size, old)
		k.formed = len(k.order)
	}
	for a := range size {
		j := o.d - 1 // of a bias; the intercept's is set by the caller
		if a < len(k.order) {
			j = int(k.order[a])
		}
		k.gram[a*size+a] = k.pure[a] + o.square(j)
	}
}

// list is the columns of the model that are regularised.
func (k *cachedModel) list(o *objective) []uint32 {
	list := slices.Clone(k.order)
	if features(o.p).Bias() != 0 {
		list = append(list, uint32(o.d-1))
	}
	return list
}
