package softmax

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// formed is the matrix of a model's second derivatives for some of its weights, those of whole columns or
// not. The others stay where they are.
type formed struct {
	places []uint32 // of the weights in the vectors of a part
	index  []int32  // of the weight of a place; -1 for none
	live   []uint32 // the columns of the weights, as places of the list
	whole  []bool   // for each place of the list: all classes are in
	gram   []float64
	start  []float64 // slopes at origin, without the squares of the penalty
	origin []float64
	slope  []float64       // at present
	along  []float64       // a direction
	factor cholesky.Picked // of the matrix with the squares, for the free weights
}

// newFormed lists the weights that are not 0, and those that may leave 0 if slopes move by slack. It
// returns nil if there are too many of them.
func (s *part) newFormed(slack float64) *formed {
	m := &formed{index: make([]int32, len(s.to)), whole: make([]bool, len(s.list))}
	v := s.row(s.room, 0)
	for a, j := range s.list {
		g, w, bend := s.row(s.slope, a), s.row(s.to, a), s.row(s.bend, a)
		all := s.normed.free(int(j))
		if !all && s.grouped != nil {
			all = kernels.MaxAbs(w) > 0 || s.violation(int(j), v, g, w) > 0
		}
		count := 0
		for c := range g {
			in := all
			if s.single != nil && !all {
				_, _, stays := s.single.Step(int(j)*s.k+c, g[c], w[c], bend[c], slack)
				in = !stays
			}
			at := a*s.k + c
			if m.index[at] = -1; in {
				m.index[at] = int32(len(m.places))
				m.places = append(m.places, uint32(at))
				count++
			}
		}
		if count > 0 {
			m.live = append(m.live, uint32(a))
		}
		m.whole[a] = count == s.k
	}
	if len(m.places) > cost.Columns {
		return nil
	}
	return m
}

// classes returns the index of the weight of each class of a column, -1 for one that is not in.
func (m *formed) classes(a, k int) []int32 { return m.index[a*k : (a+1)*k] }

// formedCost is what the matrix costs with a factor of it.
func (s *part) formedCost(m *formed) int64 {
	counts := make([]int32, s.n)
	for _, a := range m.live {
		classes := int32(0)
		for _, at := range m.classes(int(a), s.k) {
			if at >= 0 {
				classes++
			}
		}
		for i := range s.columns.Column(int(a)) {
			counts[i] += classes
		}
	}
	products := int64(0)
	for _, v := range counts {
		products += int64(v) * int64(v+1) / 2
	}
	return products + cost.Factor(len(m.places))
}

// form computes the matrix. The element of two weights, of columns a and b and classes c and e, is the sum
// over the rows of s_i/n x_a x_b p_c ([c = e] - p_e), in the order of the rows.
func (s *part) form(m *formed) {
	const chunk = 1 << 15 // entries
	size := len(m.places)
	m.gram = make([]float64, size*size)
	t := &outer{formed: m, ptr: []int32{0}, of: make([]int32, size+1)}
	last := make([]int32, s.k)
	for i := range s.n {
		for c := range last {
			last[c] = -1
		}
		weight, p := direct.Weight(s.p.SampleWeight, i)/float64(s.n), s.row(s.prob, i)
		for a, x := range s.rows.Row(i) {
			for c, at := range m.classes(a, s.k) {
				if at >= 0 {
					t.index, t.before = append(t.index, at), append(t.before, last[c])
					t.plain, t.values = append(t.plain, x), append(t.values, float64(x*p[c]))
					last[c] = int32(len(t.index)) - 1
				}
			}
		}
		t.ptr, t.weights = append(t.ptr, int32(len(t.index))), append(t.weights, weight)
		if len(t.index) >= chunk || i == s.n-1 {
			t.add(s.x.Pool)
		}
	}
	direct.Mirror(m.gram, size, 0)
	m.start, m.origin, m.slope = make([]float64, size), make([]float64, size), make([]float64, size)
	m.along = make([]float64, size)
	for i, at := range m.places {
		m.origin[i] = s.to[at]
		m.start[i] = s.slope[at] - float64(s.lambda(int(at)/s.k)*s.to[at])
	}
	copy(m.slope, m.start)
}

// outer is a chunk of rows, with the entries that the weights of a matrix see: x_a p_c in values and x_a in
// plain for the weight of column a and class c. before has the place of the entry of the same class
// before it in the row, or -1.
type outer struct {
	*formed
	ptr           []int32 // of the rows
	weights       []float64
	index, before []int32
	plain, values []float64
	of            []int32 // the entries of weight e are list[of[e]:of[e+1]], by rows
	list          []entry
}

// entry is the place of an entry, and its row.
type entry struct{ at, row int32 }

// add adds the rows to the matrix, and leaves them out.
func (t *outer) add(pool *matrix.Pool) {
	clear(t.of)
	for _, e := range t.index {
		t.of[e+1]++
	}
	for e := range t.places {
		t.of[e+1] += t.of[e]
	}
	t.list = slices.Grow(t.list[:0], len(t.index))[:len(t.index)]
	for i := range t.weights {
		for at := t.ptr[i]; at < t.ptr[i+1]; at++ {
			e := t.index[at]
			t.list[t.of[e]] = entry{at, int32(i)}
			t.of[e]++
		}
	}
	copy(t.of[1:], t.of)
	t.of[0] = 0
	matrix.Run(pool, (len(t.places)+weightsPerBlock-1)/weightsPerBlock, t)
	t.ptr, t.weights, t.index, t.before, t.plain, t.values = t.ptr[:1], t.weights[:0], t.index[:0], t.before[:0], t.plain[:0], t.values[:0]
}

const weightsPerBlock = 32

// Block adds to the rows of a block of weights.
func (t *outer) Block(b int) {
	size := len(t.places)
	for e := b * weightsPerBlock; e < min((b+1)*weightsPerBlock, size); e++ {
		to := t.gram[e*size:][:e+1]
		for _, of := range t.list[t.of[e]:t.of[e+1]] {
			first := t.ptr[of.row]
			by := float64(t.weights[of.row] * t.values[of.at])
			values := t.values[first : of.at+1]
			if len(values) == len(to) { // the row has all of them
				direct.Axpy(-by, values, to)
			} else {
				index := t.index[first:][:len(values)]
				for k, v := range values {
					to[index[k]] -= float64(by * v)
				}
			}
			for at := of.at; at >= 0; at = t.before[at] {
				to[t.index[at]] += float64(by * t.plain[at])
			}
		}
	}
}

// at writes the slopes of the weights of a column to g, 0 for those that are not in.
func (m *formed) at(g []float64, a int) {
	for c, i := range m.classes(a, len(g)) {
		if g[c] = 0; i >= 0 {
			g[c] = m.slope[i]
		}
	}
}

// shift adds changes of the weights of a column to the slopes.
func (m *formed) shift(a int, by []float64) {
	size := len(m.places)
	for c, i := range m.classes(a, len(by)) {
		if i >= 0 && by[c] != 0 {
			direct.Axpy(by[c], m.gram[int(i)*size:][:size], m.slope)
		}
	}
}

// times writes the product of the matrix with a direction to product, 0 for weights that are not in.
func (m *formed) times(product, direction []float64) {
	size := len(m.places)
	for i, at := range m.places {
		m.along[i] = direction[at]
	}
	clear(product)
	for i, at := range m.places {
		product[at] = direct.Dot(m.gram[i*size:][:size], m.along)
	}
}

// renew computes the slopes anew from the weights.
func (m *formed) renew(to []float64) {
	size := len(m.places)
	for i, at := range m.places {
		m.along[i] = to[at] - m.origin[i]
	}
	for i, v := range m.start {
		m.slope[i] = v + direct.Dot(m.gram[i*size:][:size], m.along)
	}
}

// factorise makes the factor for the free weights.
func (s *part) factorise(m *formed, free []bool) {
	m.factor.Order = m.factor.Order[:0]
	for i, at := range m.places {
		if free[at] {
			m.factor.Order = append(m.factor.Order, uint32(i))
		}
	}
	m.factor.Pick(m.gram, len(m.places))
	d := len(m.factor.Order)
	for k, i := range m.factor.Order {
		m.factor.U[k*d+k] += s.lambda(int(m.places[i]) / s.k)
	}
	m.factor.Factor(s.rows.Pool)
}

// solve writes the solution for the factor's weights to scaled, and 0 for others.
func (m *formed) solve(scaled, residual []float64) {
	rest := m.factor.Solve(func(i uint32) float64 { return residual[m.places[i]] })
	clear(scaled)
	for k, i := range m.factor.Order {
		scaled[m.places[i]] = rest[k]
	}
}

// mostMatrices bounds the matrices in turn for a model, mostSettling the epochs on one of them, and mostIdle
// those of them in turn whose largest violation is no smaller than all before.
const mostMatrices, mostSettling, mostIdle = 4, 300, 100

// byMatrix minimises the model by matrices for the weights that are not 0 or may leave it, until the
// largest violation of all is at most target. It tells whether it is: it gives up where a matrix costs
// more than it is worth.
func (s *part) byMatrix(c *run.Control, target float64) bool {
	for turn := range mostMatrices {
		s.pull(s.slope, s.slopes, 1, s.to)
		most := s.worst()
		if most <= target {
			return turn > 0
		}
		m := s.newFormed(most)
		if s.given = m == nil; s.given || s.formedCost(m) > int64(s.worth)*s.productCost() {
			return false
		}
		s.form(m)
		from := append([]float64(nil), s.to...)
		s.matrix = m
		s.given = !s.settle(c, float64(0.5*target))
		s.matrix = nil
		direct.ScaleAdd(s.direction, -1, from, 1, s.to)
		s.times(s.product, s.direction)
		direct.Axpy(1/float64(s.n), s.work, s.slopes)
		if c.Over() {
			return true
		}
		if s.given {
			return false
		}
	}
	return false
}

// productCost is what a product by rows costs, in the unit of package cost.
func (s *part) productCost() int64 { return s.entries * int64(s.k+16) / 2 }

// settle minimises the model over the weights of a matrix, and tells whether the largest violation is at
// most target. Rounding may be in the way.
func (s *part) settle(c *run.Control, target float64) bool {
	least, idle := math.Inf(1), 0
	for epoch := 1; epoch <= mostSettling && idle < mostIdle && !c.Over(); epoch++ {
		worst := 0.0
		for _, a := range s.matrix.live {
			violation, _ := s.move(int(a), math.Inf(1))
			worst = max(worst, violation)
		}
		if worst <= target {
			return true
		}
		if idle++; worst < least {
			least, idle = worst, 0
		}
		for range s.matrix.places {
			if _, hit := s.extrapolate(float64(stepShare*target), len(s.matrix.places)); !hit || c.Over() {
				break
			}
		}
	}
	return false
}
