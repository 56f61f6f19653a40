package related

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
)

// ErrFewRows is why rows cannot be dealt into folds.
var ErrFewRows = errors.New("too few rows")

// Folds deals rows into folds by a seed and returns the fold of each: of every class
// each fold holds as many rows as any other, up to one, and of all rows too. A nil
// class deals them without regard to classes.
//
// It is an error if a class has fewer rows than there are folds: some fold would not
// know it (ErrFewRows).
func Folds(rows int, class []uint32, folds int, seed uint64) ([]uint32, error) {
	if folds < 2 {
		return nil, fmt.Errorf("related: %d folds; there must be two at least", folds)
	}
	if rows < 0 || class != nil && len(class) != rows {
		return nil, fmt.Errorf("related: classes of %d rows, and %d rows", len(class), rows)
	}
	if uint64(rows) > math.MaxUint32 {
		return nil, fmt.Errorf("related: %d rows cannot be numbered in 32 bits", rows)
	}
	if class == nil {
		class = make([]uint32, rows)
	}
	order := make([]uint32, rows)
	for i := range order {
		order[i] = uint32(i)
	}
	random.Shuffle(random.New(seed), order)
	order = byClass(order, class)
	out := make([]uint32, rows)
	for k := 0; k < rows; {
		end := k
		for end < rows && class[order[end]] == class[order[k]] {
			out[order[end]] = uint32(end % folds)
			end++
		}
		if end-k < folds {
			return nil, fmt.Errorf("related: %w: a class has %d rows, fewer than the %d folds", ErrFewRows, end-k, folds)
		}
		k = end
	}
	return out, nil
}

// byClass returns the listed rows sorted by class, in their order within a class.
func byClass(order, class []uint32) []uint32 {
	largest := uint32(0)
	for _, k := range class {
		largest = max(largest, k)
	}
	if int64(largest) >= int64(len(class)) { // too many to count
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(class[a], class[b]) })
		return order
	}
	next := make([]int, int(largest)+2)
	for _, k := range class {
		next[k+1]++
	}
	for k := range next[1:] {
		next[k+1] += next[k]
	}
	out := make([]uint32, len(order))
	for _, i := range order {
		out[next[class[i]]] = i
		next[class[i]]++
	}
	return out
}
