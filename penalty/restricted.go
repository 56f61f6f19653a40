package penalty

import (
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
)

// Restrict returns p, which is the same for every weight.
func (p ElasticNet) Restrict([]uint32) Penalty { return p }

// Restrict returns p, which is the same for every weight.
func (p *own) Restrict([]uint32) Penalty { return p }

// Restrict picks the factors of the listed weights.
func (p *Factored) Restrict(columns []uint32) Penalty {
	q := *p
	q.Factors = direct.Listed(p.Factors, columns)
	return &q
}

// Restrict picks the factors and the bounds of the listed weights.
func (p *Bounded) Restrict(columns []uint32) Penalty {
	return &Bounded{*p.Factored.Restrict(columns).(*Factored), direct.Listed(p.Lower, columns), direct.Listed(p.Upper, columns)}
}

// Restrict picks the groups of the listed weights.
func (p *GroupLasso) Restrict(columns []uint32) Penalty {
	q := &GroupLasso{Weight: p.Weight, Lambda: p.Lambda}
	var numbers []uint32
	q.Groups, numbers = restricted(p.Groups, columns)
	q.Factors = direct.Listed(p.Factors, numbers)
	return q
}

// Restrict picks the groups, the factors and the bounds of the listed weights.
func (p *UnevenGroups) Restrict(columns []uint32) Penalty {
	groups, _ := restricted(p.Groups, columns)
	return &UnevenGroups{p.Weight, p.Lambda, groups, direct.Listed(p.Factors, columns), direct.Listed(p.Lower, columns), direct.Listed(p.Upper, columns)}
}

// restricted returns the groups of listed columns, by their places in the list, and their numbers.
func restricted(groups [][]int, columns []uint32) (list [][]int, numbers []uint32) {
	for k, group := range groups {
		own := make([]int, 0, len(group))
		for _, j := range group {
			if a, is := slices.BinarySearch(columns, uint32(j)); is {
				own = append(own, a)
			}
		}
		if len(own) > 0 {
			list, numbers = append(list, own), append(numbers, uint32(k))
		}
	}
	return list, numbers
}
