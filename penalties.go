package lanes

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/table"
)

// columnNames are the names by which options find a column of the rows.
type columnNames [2]string

// namesOf returns the names of all columns.
func (p *Problem) namesOf() ([]columnNames, error) {
	names := make([]columnNames, p.columns)
	e, err := p.encoder()
	if err != nil {
		return nil, err
	}
	for j := range names {
		switch first := 1; {
		case e != nil:
			names[j] = columnNames{e.Name(j), e.Column(j)}
		case p.o.FeatureNames != nil:
			names[j] = columnNames{p.o.FeatureNames[j]}
		default:
			if p.o.ZeroBased {
				first = 0
			}
			names[j] = columnNames{strconv.Itoa(j + first)}
		}
	}
	return names, nil
}

// matches tells whether a pattern matches one of the names.
func (n *columnNames) matches(pattern string) bool {
	return slices.ContainsFunc(n[:], func(name string) bool { return name != "" && table.Matches(pattern, name) })
}

// factor finds the factor of each penalised weight.
func (p *Problem) factor() error {
	given := p.o.PenaltyFactors
	if len(given) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if factor := given[name]; !(factor >= 0) || math.IsInf(factor, 0) {
			return badOption("PenaltyFactors", p.o.factorText(), "the factor of %q is %v; it must be finite, and 0 or more", name, factor)
		}
	}
	values, found, err := byName(p, "PenaltyFactors", p.o.factorText(), "the factor", given)
	if err != nil {
		return err
	}
	p.factors = make([]float64, p.columns, p.columns+1)
	for j := range p.factors {
		if p.factors[j] = 1; found[j] {
			p.factors[j] = values[j]
		}
	}
	if p.o.Intercept == PenalisedIntercept {
		p.factors = append(p.factors, 1)
	}
	if !slices.ContainsFunc(p.factors, func(c float64) bool { return c > 0 }) {
		return badOption("PenaltyFactors", p.o.factorText(), "all columns have the factor 0: give no {Penalty}")
	}
	return p.factorGroups()
}

// byName finds what names and patterns give columns, for an option. A name that is no pattern counts before patterns.
func byName[T comparable](p *Problem, option, text, what string, given map[string]T) (values []T, found []bool, err error) {
	names, err := p.namesOf()
	if err != nil {
		return nil, nil, err
	}
	values, found = make([]T, p.columns), make([]bool, p.columns)
	by := make([]string, p.columns) // what gave the value
	known := allNames(names)
	places := map[string][]int{}
	for j, both := range names {
		for _, name := range slices.Compact(slices.Clone(both[:])) {
			if name != "" {
				places[name] = append(places[name], j)
			}
		}
	}
	for _, stars := range []bool{true, false} {
		clear(by)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			value, some := given[name], false
			if (strings.Contains(name, "*") && !slices.Contains(known, name)) != stars {
				continue
			}
			columns := places[name]
			if stars {
				columns = nil
				for j := range names {
					if names[j].matches(name) {
						columns = append(columns, j)
					}
				}
			}
			for _, j := range columns {
				if some = true; by[j] != "" && values[j] != value {
					return nil, nil, badOption(option, text, "column %s has %s %v by %q, and %v by %q", names[j][0], what, values[j], by[j], value, name)
				}
				values[j], found[j], by[j] = value, true, name
			}
			if !some {
				return nil, nil, badOption(option, text, "no column is named %q%s", name, nearest.Suggest(strings.Trim(name, "*"), "", known))
			}
		}
	}
	return values, found, nil
}

// allNames lists the different names of columns.
func allNames(names []columnNames) (list []string) {
	seen := map[string]bool{"": true}
	for _, n := range names {
		for _, name := range n {
			if !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// factorText writes factors as in "age=0, region*=2".
func (o *Options) factorText() string { return byNameText(o.PenaltyFactors) }

// byNameText writes what names give columns, as in "age=0, region*=2".
func byNameText[T any](given map[string]T) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		list = append(list, fmt.Sprintf("%s=%v", name, given[name]))
	}
	return strings.Join(list, ", ")
}

// Factors returns the number of penalised weights whose factor in the penalty is not 1, and of those that
// are unpenalised.
func (p *Problem) Factors() (other, none int) {
	for _, c := range p.factors {
		if c != 1 {
			other++
		}
		if c == 0 {
			none++
		}
	}
	return other, none
}

// Ridge returns the weight of the squares in the penalty, whatever factors they have; 0 for none.
func (p *Problem) Ridge() float64 {
	_, l2 := penalty.Multiples(p.Penalty)
	return l2
}
