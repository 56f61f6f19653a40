package solvers

import (
	"cmp"
	"slices"
)

// Thinned is a Recorder for runs of any length, in bounded memory. It keeps every point until
// there are more than Most, then every second, every fourth and so on. It always keeps the first,
// the best and the last point. It serves one run at a time; read it when the run has ended.
type Thinned struct {
	// Most bounds the number of points, but for the best and the last; 0 means 4096.
	Most int
	// Better tells which of two points is the better one, nil by the objective.
	Better func(p, q Point) bool

	kept       []numbered
	every      int
	count      int
	best, last numbered
}

// numbered is a point with its place among all.
type numbered struct {
	Point
	place int
}

const usualMost = 4096

// Record keeps p, or not.
func (t *Thinned) Record(p Point) error {
	now := numbered{p, t.count}
	t.count++
	if t.last = now; now.place == 0 || t.better(p, t.best.Point) {
		t.best = now
	}
	t.every = max(t.every, 1)
	if now.place%t.every != 0 {
		return nil
	}
	t.kept = append(t.kept, now)
	most := cmp.Or(t.Most, usualMost)
	if len(t.kept) > most {
		t.every *= 2
		t.kept = slices.DeleteFunc(t.kept, func(k numbered) bool { return k.place%t.every != 0 })
	}
	return nil
}

func (t *Thinned) better(p, q Point) bool {
	if t.Better != nil {
		return t.Better(p, q)
	}
	return p.Objective < q.Objective
}

// Count is the number of points that were recorded.
func (t *Thinned) Count() int { return t.count }

// Points lists what was kept, in the order in which it was recorded.
func (t *Thinned) Points() []Point {
	if t.count == 0 {
		return nil
	}
	list := make([]Point, 0, len(t.kept)+2)
	add := func(p numbered) { list = append(list, p.Point) }
	best := t.best
	for k, p := range t.kept {
		if k > 0 && t.kept[k-1].place < best.place && best.place < p.place {
			add(best)
		}
		add(p)
	}
	end := t.kept[len(t.kept)-1].place
	if best.place > end && best.place < t.last.place {
		add(best)
	}
	if t.last.place > end {
		add(t.last)
	}
	return list
}
