package command

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// At an end of the frontier the portfolio's variance term is at most endShare of its mean. A mean
// of at most endShare of the variance term is an end too. A risk of at most endShare of the
// largest risk is an end too. The search for an end changes the risk weight eightfold at most
// endSteps times.
const (
	endSteps = 7
	endShare = 0.02
)

// traceFrontier finds portfolios of the efficient frontier: one for each risk weight of
// --frontier, or --points of them at about equal distances from the least to the largest risk.
func traceFrontier(ctx context.Context, a *console.App, s *study, f *portfolioFlags, method compositional.Method) error {
	solve := func(risk float64, from *optimised) (*optimised, error) {
		p, err := optimise(ctx, a, s, f, method, risk, from.Weights)
		if err == nil && p.Status != solvers.Cancelled { // such a point is not on the frontier
			s.frontier = append(s.frontier, p)
		}
		return p, err
	}
	last := s.main
	if f.frontier != nil {
		for _, risk := range f.frontier {
			if ctx.Err() != nil {
				break
			}
			var err error
			if last, err = solve(risk, last); err != nil {
				return err
			}
		}
		return nil
	}
	s.frontier = []*optimised{s.main}
	most := s.main.inside.deviation()
	for _, factor := range []float64{1. / 8, 8} { // of the largest risk first
		last := s.main
		for range endSteps {
			if ctx.Err() != nil {
				return nil
			}
			next, err := solve(fourDigits(last.risk*factor), last)
			if err != nil {
				return err
			}
			most, last = max(most, next.inside.deviation()), next
			mean, cost := math.Abs(next.inside.mean), next.risk*next.inside.variance
			if factor < 1 && cost <= endShare*mean || factor > 1 && (mean <= endShare*cost || next.inside.deviation() <= endShare*most) {
				break
			}
		}
	}
	// Where the distance is largest, a point is put between.
	for len(s.frontier) < 3*f.points+2*endSteps && ctx.Err() == nil {
		byRisk(s.frontier)
		low, high := s.frontier[0].inside.deviation(), s.frontier[len(s.frontier)-1].inside.deviation()
		widest, at := 0.0, -1
		for k, p := range s.frontier[1:] {
			if d := p.inside.deviation() - s.frontier[k].inside.deviation(); d > widest && p.risk*1.001 < s.frontier[k].risk {
				widest, at = d, k
			}
		}
		if at < 0 || widest <= 0.75*(high-low)/float64(f.points-1) {
			break
		}
		if _, err := solve(midway(s.frontier[at+1].risk, s.frontier[at].risk), s.frontier[at]); err != nil {
			return err
		}
	}
	byRisk(s.frontier)
	s.solved = s.frontier
	s.frontier = evenly(s.frontier, f.points, func(p *optimised) float64 { return p.inside.deviation() })
	return nil
}

// midway is a risk weight between two. Where no limit binds the risk is as one over
// the weight, which their harmonic mean halves; weights far apart are halved in size.
func midway(low, high float64) float64 {
	if high > 16*low {
		return fourDigits(math.Sqrt(low * high))
	}
	return fourDigits(2 * low * high / (low + high))
}

// fourDigits rounds to what a person would pass to --risk again.
func fourDigits(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return rounded
}

func byRisk(list []*optimised) {
	slices.SortStableFunc(list, func(p, q *optimised) int {
		return cmp.Or(cmp.Compare(p.inside.deviation(), q.inside.deviation()), cmp.Compare(q.risk, p.risk))
	})
}

// evenly keeps count members of a list that is in ascending order of its values: the first,
// the last, and between them the members nearest to equally spaced values.
func evenly[T any](list []T, count int, value func(T) float64) []T {
	if len(list) <= count {
		return list
	}
	low, high := value(list[0]), value(list[len(list)-1])
	var out []T
	next := 0
	for k := range count {
		target := low + (high-low)*float64(k)/float64(count-1)
		best := next
		for j := next; j <= len(list)-(count-k); j++ {
			if math.Abs(value(list[j])-target) <= math.Abs(value(list[best])-target) {
				best = j
			}
		}
		out = append(out, list[best])
		next = best + 1
	}
	return out
}
