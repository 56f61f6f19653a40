// Package registry finds every solver by its name. Find returns a solvers.Solver, which says
// what the solver minimises, what it accepts and what can be set. Its New returns a
// solvers.Ready, which solves a solvers.Task. All lists the solvers.
package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/sdca"
)

func init() { risk.Registered = All } // for messages of solvers that lack what others have

// families has a line for each family. One is made when it is first asked for: a program
// that needs few of them starts sooner.
var families = []func() []solvers.Solver{
	sync.OnceValue(ap.Solvers),
	sync.OnceValue(compositional.Solvers),
	sync.OnceValue(elasticnet.Solvers),
	ofMeans,
	sync.OnceValue(pauc.Solvers),
	sync.OnceValue(sdca.Solvers),
}

// ofMeans are the solvers that most are asked for.
var ofMeans = sync.OnceValue(erm.Solvers)

// All lists the solvers, family after family.
func All() []solvers.Solver {
	var list []solvers.Solver
	for _, f := range families {
		list = append(list, f()...)
	}
	added.RLock()
	defer added.RUnlock()
	return append(list, added.list...)
}

// added are the solvers of the program.
var added struct {
	sync.RWMutex
	list []solvers.Solver
}

// Add makes a solver of the program known by its name: to Find and All, and with them to lanes.Train
// and to the command that a program makes of package cmd/lanes/command. erm.OwnSolver returns such
// solvers. It is an error if the solver has no name or no New, or if another one has the name.
// Goroutines may call it at any time.
func Add(s solvers.Solver) error {
	if s.Name == "" || s.New == nil {
		return errors.New("registry: a solver needs a name and a function New")
	}
	others := All()
	added.Lock()
	defer added.Unlock()
	if slices.ContainsFunc(append(others, added.list...), func(other solvers.Solver) bool { return other.Name == s.Name }) {
		return fmt.Errorf("registry: there is a solver %s: give another name", s.Name)
	}
	added.list = append(added.list, s)
	return nil
}

// Find returns the solver of a name.
func Find(name string) (solvers.Solver, error) {
	for _, s := range ofMeans() {
		if s.Name == name {
			return s, nil
		}
	}
	var known []string
	for _, f := range families {
		for _, s := range f() {
			if s.Name == name {
				return s, nil
			}
			known = append(known, s.Name)
		}
	}
	added.RLock()
	defer added.RUnlock()
	for _, s := range added.list {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return solvers.Solver{}, fmt.Errorf("registry: unknown solver %q; want one of: %s", name, strings.Join(known, ", "))
}
