package lanes

import (
	"context"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/softmax"
)

// wholeProblem poses the softmax of rows with a penalty of weights of columns: norms of columns take the
// weights of all classes.
func (p *Problem) wholeProblem(x *softmax.Problem, of penalty.Penalty) *softmax.Problem {
	x.Count, x.Intercept = len(p.several.labels), p.Intercept
	l1, l2 := penalty.Multiples(of)
	switch {
	case l1 == 0:
		x.Lambda = l2
	case p.o.Penalty.Grouped:
		x.Penalty = &penalty.GroupLasso{Weight: l1, Groups: x.ByColumn(), Lambda: l2}
	default:
		x.Penalty = penalty.ElasticNet{L1: l1, L2: l2}
	}
	return x
}

// wholeSolver is the name of the solver of the softmax.
func (p *Problem) wholeSolver() string {
	if p.sparse() {
		return softmax.ProximalNewton{}.Name()
	}
	return softmax.Newton{}.Name()
}

func solveWhole(ctx context.Context, q *softmax.Problem, s solvers.Settings) (*solvers.Result, error) {
	if q.Penalty != nil {
		return softmax.SolveSparse(ctx, q, softmax.ProximalNewton{}, s)
	}
	return softmax.Solve(ctx, q, softmax.Newton{}, s)
}

// softmax trains one model of all classes.
func (p *Problem) softmax(ctx context.Context, s solvers.Settings) (*Fitted, error) {
	if p.stream != nil {
		return p.softmaxInFile(ctx, s)
	}
	q := p.wholeProblem(&softmax.Problem{X: p.X, Class: p.several.of, SampleWeight: p.classWeights()}, p.Penalty)
	m := solvers.Ready{Description: solvers.Description{Name: p.wholeSolver()}, Text: p.wholeSolver()}
	return p.alone(ctx, m.Name, m, s, func(s solvers.Settings) (*solvers.Result, error) { return solveWhole(ctx, q, s) })
}

// solveNumbered solves the softmax of a problem whose labels are the numbers of the classes.
func (p *Problem) solveNumbered(ctx context.Context, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	class := make([]uint32, len(q.Y))
	for i, k := range q.Y {
		class[i] = uint32(k)
	}
	return solveWhole(ctx, p.wholeProblem(&softmax.Problem{X: q.X, Class: class, SampleWeight: q.SampleWeight}, q.Penalty), s)
}
