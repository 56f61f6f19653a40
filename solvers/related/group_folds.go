package related

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
)

// GroupFolds deals rows into folds as Folds does, and keeps the rows of a group together: rows
// with the same number in group. The largest groups are dealt first, groups of equal size in an
// order that the seed decides. Each goes to the fold that has the smallest share of its classes,
// and of all rows. A nil class deals groups without regard to classes.
//
// The error is ErrFewRows if there are fewer groups than folds, or a class has rows in fewer
// groups than folds. It is ErrFewRows also if some fold gets no row of a class. It costs, for
// each fold, a number a group and class of its rows.
func GroupFolds(group []int64, class []uint32, folds int, seed uint64) ([]uint32, error) {
	rows := len(group)
	if folds < 2 || folds > rows || class != nil && len(class) != rows {
		return Folds(rows, class, folds, seed) // which says what is wrong
	}
	if class == nil {
		class = make([]uint32, rows)
	}
	d := newDealing(group, class, folds)
	for _, g := range d.order(random.New(seed)) {
		d.deal(g)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	out := make([]uint32, rows)
	for i, g := range d.of {
		out[i] = d.fold[g]
	}
	return out, nil
}

// share is the number of rows of a class, by its place, that a group has.
type share struct{ class, rows int }

// dealing deals groups into folds.
type dealing struct {
	folds  int
	of     []int     // group of each row, in the order of their first rows
	shares [][]share // of each group, by class
	sizes  []int     // rows of each group
	total  []int     // rows of each class
	groups []int     // groups with rows of each class
	fold   []uint32  // of each group
	given  [][]int   // rows of each fold and class
	filled []int     // rows of each fold
}

func newDealing(group []int64, class []uint32, folds int) *dealing {
	d := &dealing{folds: folds, of: make([]int, len(group)), given: make([][]int, folds), filled: make([]int, folds)}
	numbers, places, at := make(map[int64]int), make(map[uint32]int), make(map[[2]int]int)
	for i, name := range group {
		g, known := numbers[name]
		if !known {
			g = len(d.sizes)
			numbers[name] = g
			d.sizes, d.shares = append(d.sizes, 0), append(d.shares, nil)
		}
		k, known := places[class[i]]
		if !known {
			k = len(d.total)
			places[class[i]] = k
			d.total, d.groups = append(d.total, 0), append(d.groups, 0)
		}
		d.of[i] = g
		d.sizes[g]++
		d.total[k]++
		s, known := at[[2]int{g, k}]
		if !known {
			s = len(d.shares[g])
			at[[2]int{g, k}] = s
			d.shares[g] = append(d.shares[g], share{class: k})
			d.groups[k]++
		}
		d.shares[g][s].rows++
	}
	d.fold = make([]uint32, len(d.sizes))
	for f := range d.given {
		d.given[f] = make([]int, len(d.total))
	}
	return d
}

// order lists the groups, the largest first.
func (d *dealing) order(source *random.Source) []int {
	list := make([]int, len(d.sizes))
	for g := range list {
		list[g] = g
	}
	random.Shuffle(source, list)
	slices.SortStableFunc(list, func(a, b int) int { return d.sizes[b] - d.sizes[a] })
	return list
}

// deal gives a group to the fold where the sum of the squared shares, of classes and of all rows,
// grows least.
func (d *dealing) deal(g int) {
	best, least := 0, 0.0
	for f := range d.folds {
		growth := portion(d.filled[f], d.sizes[g], len(d.of))
		for _, s := range d.shares[g] {
			growth += portion(d.given[f][s.class], s.rows, d.total[s.class])
		}
		if f == 0 || growth < least {
			best, least = f, growth
		}
	}
	d.fold[g] = uint32(best)
	d.filled[best] += d.sizes[g]
	for _, s := range d.shares[g] {
		d.given[best][s.class] += s.rows
	}
}

// portion is the product of two shares of a total.
func portion(a, b, total int) float64 {
	return float64(float64(a) / float64(total) * (float64(b) / float64(total)))
}

func (d *dealing) check() error {
	if len(d.sizes) < d.folds {
		return fmt.Errorf("related: %w: there are %d groups, fewer than the %d folds", ErrFewRows, len(d.sizes), d.folds)
	}
	for k, groups := range d.groups {
		if groups < d.folds {
			return fmt.Errorf("related: %w: a class has rows in %d groups, fewer than the %d folds", ErrFewRows, groups, d.folds)
		}
		for f := range d.folds {
			if d.given[f][k] == 0 {
				return fmt.Errorf("related: %w: with whole groups, fold %d has no row of a class: take fewer folds", ErrFewRows, f+1)
			}
		}
	}
	return nil
}
