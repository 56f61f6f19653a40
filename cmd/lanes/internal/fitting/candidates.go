package fitting

import (
	"maps"
	"slices"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
)

// MostRuns bounds the runs of a comparison.
const MostRuns = 1000

// Candidate is a solver of a comparison, with every combination of its parameters.
type Candidate struct {
	Name    string
	Choices []Choice
}

// Choice is a solver with one combination of its parameters.
type Choice struct {
	Set map[string]string // of the parameters that have several values
	solvers.Ready
}

// String has the parameters of several values, as in inner=3 step=0.1; "" for none.
func (c *Choice) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		parts = append(parts, name+"="+c.Set[name])
	}
	return strings.Join(parts, " ")
}

// Candidates finds the solvers with the parameters meant for each, in all combinations of their
// values. Each choice runs with as many seeds.
func Candidates(names []string, parameters map[string]string, seeds int) ([]Candidate, error) {
	used, runs := make(map[string]bool), 0
	var list []Candidate
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, console.BadFlag("solvers", strings.Join(names, ","), "%s is named twice; name it once", name)
		}
		if _, err := findSolver("solvers", name, nil); err != nil {
			return nil, err
		}
		if lanes.Solver(name).Objective != lanes.Solver(names[0]).Objective {
			return nil, console.BadFlag("solvers", strings.Join(names, ","), "the objectives of %s and %s cannot be compared. Train them, and compare models with lanes eval", names[0], name)
		}
		grid, count, err := gridOf(lanes.Solver(name), parameters, used)
		if err != nil {
			return nil, err
		}
		if runs += count * seeds; runs > MostRuns {
			return nil, tooMany(name, parameters, count, seeds)
		}
		one := Candidate{Name: name, Choices: make([]Choice, count)}
		for k := range one.Choices {
			if one.Choices[k], err = grid.choice(name, k); err != nil {
				return nil, err
			}
		}
		list = append(list, one)
	}
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if !used[key] {
			return nil, console.BadFlag("set", key+"="+parameters[key], "none of these solvers has such a parameter (train --list shows them)")
		}
	}
	if len(list) == 0 {
		return nil, console.BadFlag("solvers", "", "name a solver at least; train --list shows them")
	}
	return list, nil
}

// tooMany says which runs are more than a comparison makes.
func tooMany(name string, parameters map[string]string, count, seeds int) error {
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if value := parameters[key]; count > 1 && strings.Contains(value, ",") {
			return console.BadFlag("set", key+"="+value, "%d combinations of %s with %d seeds each are too many: a comparison makes at most %d runs in all; give fewer values",
				count, name, seeds, MostRuns)
		}
	}
	return console.BadFlag("seeds", seeds, "a comparison makes at most %d runs in all; give fewer seeds, solvers or values", MostRuns)
}

// grid has the values of the parameters of a solver.
type grid []axis

type axis struct {
	name   string
	values []string
}

// gridOf finds the values that a solver's parameters have, and how many combinations they make. It
// notes the settings that it used.
func gridOf(d solvers.Description, parameters map[string]string, used map[string]bool) (g grid, count int, err error) {
	count = 1
	for _, p := range d.Parameters {
		var own axis
		for _, key := range []string{p.Name, d.Name + "." + p.Name} {
			text, found := parameters[key]
			if !found {
				continue
			}
			used[key] = true
			own = axis{p.Name, strings.Split(text, ",")}
			for k, value := range own.values {
				switch {
				case value == "" && len(own.values) > 1:
					return nil, 0, console.BadFlag("set", key+"="+text, "value %d of the list is empty; write values between commas, as in step=0.1,0.2", k+1)
				case slices.Contains(own.values[:k], value):
					return nil, 0, console.BadFlag("set", key+"="+text, "%s stands in the list twice; name each value once", value)
				case p.Name == "paper" && k > 0:
					return nil, 0, console.BadFlag("set", key+"="+text, "it poses the problem, which all runs have in common; give one value")
				}
			}
		}
		if own.values != nil {
			g = append(g, own)
			count = min(count*len(own.values), mostCounted)
		}
	}
	return g, count, nil
}

// mostCounted bounds the combinations that are counted: their product may overflow.
const mostCounted = 1 << 20

// choice returns the k-th combination: the last parameter changes first.
func (g grid) choice(name string, k int) (c Choice, err error) {
	all := make(map[string]string)
	for _, a := range slices.Backward(g) {
		value := a.values[k%len(a.values)]
		k /= len(a.values)
		if all[a.name] = value; len(a.values) > 1 {
			if c.Set == nil {
				c.Set = make(map[string]string)
			}
			c.Set[a.name] = value
		}
	}
	c.Ready, err = findSolver("solvers", name, all)
	return c, err
}
