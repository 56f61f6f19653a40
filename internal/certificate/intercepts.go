package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Intercepts describes a point of a problem of several classes with an unpenalised intercept for
// each class. The gap needs these values beside norms.
type Intercepts struct {
	// Slopes are the derivatives of P along the intercepts, as computed, and Errors bound their
	// errors. The exact slopes have a sum of 0.
	Slopes, Errors []float64
	// Ties holds a lower bound for each pair of classes a and b, at [a*k+b] and [b*k+a]. It bounds
	// (1/n) sum s_i p_ia p_ib over the rows.
	Ties []float64
	// Longest bounds (1/2n) sum s_i ||x_i||^2 from above.
	Longest float64
}

// mostPull is the largest product of the two norms below for which something is known of the best
// intercepts. They are within a distance of log 2 then.
const mostPull = 0.5

// leastTie is the least tie that counts. Underflow has no part in larger ones.
const leastTie = 1e-290

// Beside bounds what the distance of the intercepts from the best ones for the same weights costs:
// below is by how much P falls on the way there, and swing by how much the gradient along the
// weights changes in norm. Both are +Inf if the curvature is too small to tell. It costs O(k^2)
// for k classes. Derived in docs/certificates.md.
//
// The curvature H along the intercepts is the Laplacian of a graph, whose edges are the ties. The
// edges of a tree bound h'H^-1 h, where each edge carries the slopes of all classes behind it. They
// also bound the difference between two classes at a distance of 1 in the metric H.
func (t *Intercepts) Beside() (below, swing float64) {
	k := len(t.Slopes)
	parent, order := t.tree()
	if parent == nil {
		return math.Inf(1), math.Inf(1)
	}
	buffer := make([]float64, 4*k)
	flow, errs, size, far := buffer[:k], buffer[k:2*k], buffer[2*k:3*k], buffer[3*k:]
	for a, h := range t.Slopes {
		flow[a], errs[a], size[a] = h, t.Errors[a], math.Abs(h)
	}
	pull := 0.0 // h'H^-1 h
	for at := k - 1; at > 0; at-- {
		a := order[at]
		b := parent[a]
		carried := math.Abs(flow[a]) + errs[a] + float64(float64(k)*direct.Unit*size[a])
		pull += float64(carried * (carried / t.Ties[a*k+b]))
		flow[b] += flow[a]
		errs[b] += errs[a]
		size[b] += size[a]
	}
	first, second := 0.0, 0.0 // the two largest resistances from the root
	for _, a := range order[1:] {
		b := parent[a]
		far[a] = far[b] + 1/t.Ties[a*k+b]
		if v := far[a]; v > first {
			first, second = v, first
		} else {
			second = max(second, v)
		}
	}
	reach := float64(math.Sqrt(slack*pull) * math.Sqrt(first+second))
	if !(slack*reach <= mostPull) {
		return math.Inf(1), math.Inf(1)
	}
	reach = float64(slack*reach) / (1 - float64(slack*reach)) // at least the range of the difference
	below = float64(slack * float64(pull*(1+reach)))
	swing = float64(slack * float64(float64(math.Sqrt(pull)+Underflow(k))*(1+reach)*(1+reach)*math.Sqrt(t.Longest)))
	if below-below != 0 || swing-swing != 0 {
		return math.Inf(1), math.Inf(1)
	}
	return below, swing
}

// Gap bounds P - P* if the norm of the whole gradient, whose number of elements is weights, is at
// most norm. It is +Inf if Beside is.
func (t *Intercepts) Gap(norm, lambda float64, weights int) float64 {
	below, swing := t.Beside()
	if math.IsInf(below, 1) {
		return below
	}
	return FromNorm(norm+swing, lambda, weights) + below
}

// tree returns the parent of each class in a tree of the largest ties, by Prim's method from class
// 0. It also returns the classes in the order in which they joined. It returns nil if no tie
// reaches a class.
func (t *Intercepts) tree() (parent, order []int) {
	k := len(t.Slopes)
	parent, order = make([]int, k), make([]int, 1, k)
	best := make([]float64, k)
	copy(best, t.Ties[:k])
	best[0] = math.NaN() // joined
	for len(order) < k {
		next, most := -1, leastTie
		for a, v := range best {
			if v >= most {
				next, most = a, v
			}
		}
		if next < 0 {
			return nil, nil
		}
		order = append(order, next)
		best[next] = math.NaN()
		for a, v := range best {
			if tie := t.Ties[next*k+a]; tie > v {
				best[a], parent[a] = tie, next
			}
		}
	}
	return parent, order
}

// Tie makes ties of sums over n rows, in place. sums holds at [a*k+b] the sum of s_i p_ia p_ib over
// rows of class a, with a relative error of at most lost. The diagonal does not count.
func Tie(sums []float64, k, n int, lost float64) {
	share := max(0, 1-float64(slack*lost)) / float64(slack*float64(n))
	for a := range k {
		for b := range a {
			v := float64((sums[a*k+b] + sums[b*k+a]) * share)
			sums[a*k+b], sums[b*k+a] = v, v
		}
	}
}
