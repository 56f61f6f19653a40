package lanes

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
)

// Costs are what wrong decisions of two classes cost, in any unit: of a row that is called positive and
// is not, and of a positive row that is called negative. Both are above 0 and finite; zeros ask for none.
type Costs struct {
	FalsePositive float64 `json:"false_positive,omitempty"`
	FalseNegative float64 `json:"false_negative,omitempty"`
}

func (c Costs) given() bool { return c != Costs{} }

// Check returns an error that says what is wrong, if anything.
func (c Costs) Check() error {
	for _, v := range []float64{c.FalsePositive, c.FalseNegative} {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("both costs are numbers above 0, not %v and %v", c.FalsePositive, c.FalseNegative)
		}
	}
	return nil
}

// Odds returns the logarithm of the odds of a row above which it costs less to call it positive, if the
// odds are right: log(FalsePositive / FalseNegative). Elkan 2001, "The foundations of cost-sensitive
// learning", equation 2.
func (c Costs) Odds() float64 {
	return kernels.LogOf(c.FalsePositive) - kernels.LogOf(c.FalseNegative)
}

// checkCosts refuses costs that cannot be, or that decide nothing; without says why, "" where they do.
func (o *EvaluateOptions) checkCosts(without string) error {
	if !o.Costs.given() {
		return nil
	}
	if err := o.Costs.Check(); err != nil {
		return badOption("Costs", o.Costs, "%v", err)
	}
	if without != "" {
		return badOption("Costs", o.Costs, "%s", without)
	}
	return nil
}

// price measures the costs of decisions by odds, of rows with labels 1 and -1.
func (r *Report) price(c Costs, odds, y, weight []float64) error {
	ranking, err := metrics.Rank(odds, y, weight)
	if err != nil {
		return err
	}
	total := ranking.Positives + ranking.Negatives
	r.Cost = (float64(c.FalsePositive*r.Confusion.FalsePositive) + float64(c.FalseNegative*r.Confusion.FalseNegative)) / total
	r.BaseCost = min(float64(c.FalsePositive*ranking.Negatives), float64(c.FalseNegative*ranking.Positives)) / total
	least, score := ranking.LeastCost(c.FalsePositive, c.FalseNegative)
	r.LeastCost, r.LeastCostProbability = least, kernels.SigmoidOf(score)
	return nil
}
