package inference

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/risk"
)

// check refuses a problem that is none.
func (p *Problem) check() error {
	if p == nil || p.X == nil {
		return errors.New("inference: the problem has no rows")
	}
	d := p.X.Cols()
	if d > cost.Columns {
		return fmt.Errorf("inference: %d columns; errors of at most %d are computed: leave columns out", d, cost.Columns)
	}
	if len(p.W) != d {
		return fmt.Errorf("inference: %d weights of %d columns", len(p.W), d)
	}
	if err := risk.Check(&p.Problem); err != nil {
		return fmt.Errorf("inference: %w", err)
	}
	if p.Penalty != nil && p.Penalty.Value(risk.Held(&p.Problem, p.W)) != 0 {
		return fmt.Errorf("inference: the penalty %v pulls weights off: errors of weights are for models without a penalty", p.Penalty)
	}
	for j := range d {
		switch w := p.W[j]; {
		case w-w != 0:
			return fmt.Errorf("inference: the weight of column %d is %v", j+1, w)
		case j < len(p.Width) && !(p.Width[j] > 0), j < len(p.Shift) && p.Shift[j]-p.Shift[j] != 0:
			return fmt.Errorf("inference: column %d has no width above 0, or no finite shift", j+1)
		}
	}
	return checkColumns("Last", p.Last, d)
}

func checkColumns(what string, columns []int, d int) error {
	for k, j := range columns {
		if j < 0 || j >= d || slices.Contains(columns[:k], j) {
			return fmt.Errorf("inference: %s has column %d, counted from 0, of %d columns: name each once", what, j, d)
		}
	}
	return nil
}
