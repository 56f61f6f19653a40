package lanes

import (
	"github.com/lanes-go/lanes/penalty"
)

// posed makes a penalty of the weights of both norms.
func (p *Problem) posed(l1, l2 float64) penalty.Penalty {
	switch {
	case p.bounds != nil:
		box := &penalty.Bounded{Factored: penalty.Factored{L1: l1, L2: l2, Factors: p.factors}}
		for _, b := range p.bounds {
			box.Lower, box.Upper = append(box.Lower, b.Lower), append(box.Upper, b.Upper)
		}
		return box
	case p.factors != nil:
		return &penalty.Factored{L1: l1, L2: l2, Factors: p.factors}
	case p.groups != nil:
		return &penalty.GroupLasso{Weight: l1, Groups: p.groups, Lambda: l2}
	case l1 > 0:
		return penalty.ElasticNet{L1: l1, L2: l2}
	}
	return penalty.Ridge{Lambda: l2}
}

// group puts every penalised column into a group, if the penalty is Grouped.
func (p *Problem) group() error {
	lists := p.o.ColumnGroups
	switch {
	case !p.o.Penalty.Grouped && lists != nil:
		return badOption("ColumnGroups", lists, "they go with a {Penalty.L1} that is {Penalty.Grouped}")
	case !p.o.Penalty.Grouped:
		return nil
	case lists == nil && p.o.Kind == Softmax: // a column with all its classes is a group
	case lists == nil && p.data.Encoding == nil:
		return badOption("Penalty.Grouped", true, "only a table tells which columns belong together: list them in {ColumnGroups}")
	case lists == nil:
		e, err := p.encoder()
		if err != nil {
			return err
		}
		lists = e.Groups()
	}
	columns := p.columns
	if p.o.Intercept == PenalisedIntercept {
		columns++
	}
	in := make([]int, columns)
	p.groups = make([][]int, 0, columns)
	for k, list := range lists {
		if len(list) == 0 {
			return badOption("ColumnGroups", list, "group %d is empty", k+1)
		}
		for _, j := range list {
			switch {
			case j < 0 || j >= p.columns:
				return badOption("ColumnGroups", list, "group %d has column %d, counted from 0, of %d columns", k+1, j, p.columns)
			case in[j] != 0:
				return badOption("ColumnGroups", list, "groups %d and %d have column %d, counted from 0; a column is in one group", in[j], k+1, j)
			}
			in[j] = k + 1
		}
		p.groups = append(p.groups, list)
	}
	for j, k := range in {
		if k == 0 {
			p.groups = append(p.groups, []int{j})
		}
	}
	return nil
}

// Groups returns the number of groups of columns whose norms the L1 norm is the sum of, 0 for single
// weights.
func (p *Problem) Groups() int { return len(p.groups) }
