package lanes

import (
	"github.com/lanes-go/lanes/penalty"
)

// posed makes a penalty of the weights of both norms.
func (p *Problem) posed(l1, l2 float64) penalty.Penalty {
	var lower, upper []float64
	for _, b := range p.bounds {
		lower, upper = append(lower, b.Lower), append(upper, b.Upper)
	}
	switch {
	case p.groups != nil && (p.bounds != nil || p.factors != nil):
		return &penalty.UnevenGroups{Weight: l1, Lambda: l2, Groups: p.groups, Factors: p.factors, Lower: lower, Upper: upper}
	case p.bounds != nil:
		return &penalty.Bounded{Factored: penalty.Factored{L1: l1, L2: l2, Factors: p.factors}, Lower: lower, Upper: upper}
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

// factorGroups takes columns with the factor 0 out of their groups. The others of a group need one factor.
func (p *Problem) factorGroups() error {
	if p.groups == nil {
		return nil
	}
	names, err := p.namesOf()
	if err != nil {
		return err
	}
	var groups [][]int
	for _, group := range p.groups {
		var list []int
		for _, j := range group {
			if p.factors[j] == 0 {
				groups = append(groups, []int{j})
				continue
			}
			if list = append(list, j); p.factors[j] != p.factors[list[0]] {
				return badOption("PenaltyFactors", p.o.factorText(), "columns %s and %s are in one group, and have the factors %v and %v: give a group one factor, and 0 to columns without a penalty", names[list[0]][0], names[j][0], p.factors[list[0]], p.factors[j])
			}
		}
		if list != nil {
			groups = append(groups, list)
		}
	}
	p.groups = groups
	return nil
}

// boundGroups wants 0 within the bounds of grouped weights.
func (p *Problem) boundGroups() error {
	if p.groups == nil {
		return nil
	}
	names, err := p.namesOf()
	if err != nil {
		return err
	}
	for j := range names {
		if b := p.bounds[j]; b.Lower > 0 || b.Upper < 0 {
			return badOption("Bounds", p.o.boundText(), "the weight of %s is to be within %v, and weights of groups need 0 there: leave {Penalty.Grouped} out", names[j][0], b)
		}
	}
	return nil
}
