package inference

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
)

// filled returns the options with what they leave open.
func (o Options) filled() Options {
	if o.Covariance == "" {
		o.Covariance = Fisher
		if o.Clusters != nil {
			o.Covariance = Cluster
		}
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	return o
}

// Check refuses options that rows and columns of these numbers cannot have, an intercept included.
func (o Options) Check(rows, columns int) error {
	o = o.filled()
	switch {
	case !slices.Contains(Covariances(), o.Covariance):
		return fmt.Errorf("inference: there is no covariance %q; there are %s", o.Covariance, strings.Join(Covariances(), ", "))
	case (o.Covariance == Cluster) != (o.Clusters != nil):
		return fmt.Errorf("inference: the covariance %q and groups of rows go together", Cluster)
	case o.Clusters != nil && len(o.Clusters) != rows:
		return fmt.Errorf("inference: groups of %d rows for %d rows", len(o.Clusters), rows)
	case !(o.Level > 0 && o.Level < 1):
		return fmt.Errorf("inference: the level %v: want a share above 0 and below 1", o.Level)
	case columns > cost.Columns:
		return fmt.Errorf("inference: %d columns; errors of at most %d are computed: leave columns out", columns, cost.Columns)
	}
	for _, set := range o.Sets {
		if err := checkColumns("the set "+set.Name, set.Columns, columns); err != nil {
			return err
		}
	}
	return nil
}

// shape returns the number of rows and of columns, an intercept included.
func (p *Problem) shape() (rows, columns int) {
	if p.Rows != nil {
		return p.Rows.Stream.Rows(), p.Rows.Stream.Cols()
	}
	return p.X.Rows(), p.X.Cols()
}

// check refuses a problem without rows, or with numbers that cannot be. It does not look at the weights.
func (p *Problem) check() error {
	var err error
	switch {
	case p == nil || p.X == nil && (p.Rows == nil || p.Rows.Stream == nil):
		return errors.New("inference: the problem has no rows")
	case p.Rows == nil:
		err = risk.Check(&p.Problem)
	case p.X != nil || p.Y != nil || p.SampleWeight != nil || p.Offset != nil:
		return errors.New("inference: the rows are in a file: leave X, Y, SampleWeight and Offset out")
	case p.Intercept && p.Rows.Stream.Bias() != 1:
		return errors.New("inference: an intercept is the weight of a bias column of ones: Stream.WithBias(1) adds it")
	case p.Loss != nil && p.Loss.Labels() && p.Rows.Labels == nil:
		return fmt.Errorf("inference: the %v loss needs labels of two classes: set Rows.Labels", p.Loss)
	case p.Rows.Memory < 0 || p.Rows.Beside < 0:
		return errors.New("inference: Rows.Memory and Rows.Beside are 0 or more")
	default:
		err = risk.CheckNumbers(&p.Problem, p.Rows.Stream.Cols())
	}
	if err != nil {
		return fmt.Errorf("inference: %w", err)
	}
	n, d := p.shape()
	if most := shards.Most(n); p.Shards < 0 || p.Shards > most || p.Shards&(p.Shards-1) != 0 {
		return fmt.Errorf("inference: %d shards of %d rows: give a power of two, at most %d", p.Shards, n, most)
	}
	for j := range d {
		if j < len(p.Width) && !(p.Width[j] > 0) || j < len(p.Shift) && p.Shift[j]-p.Shift[j] != 0 {
			return fmt.Errorf("inference: column %d has no width above 0, or no finite shift", j+1)
		}
	}
	return checkColumns("Last", p.Last, d)
}

// checkWeights refuses weights that are no minimum whatever the rows.
func (p *Problem) checkWeights(d int) error {
	if len(p.W) != d {
		return fmt.Errorf("inference: %d weights of %d columns", len(p.W), d)
	}
	if p.Penalty != nil && p.Penalty.Value(risk.Held(&p.Problem, p.W)) != 0 {
		return fmt.Errorf("inference: the penalty %v pulls weights off: errors of weights are for models without a penalty", p.Penalty)
	}
	for j, w := range p.W {
		if w-w != 0 {
			return fmt.Errorf("inference: the weight of column %d is %v", j+1, w)
		}
	}
	return nil
}

func checkColumns(what string, columns []int, d int) error {
	for k, j := range columns {
		if j < 0 || j >= d || slices.Contains(columns[:k], j) {
			return fmt.Errorf("inference: %s has column %d, counted from 0, of %d columns: name each once", what, j, d)
		}
	}
	return nil
}
