package solvetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// Listed is a solver beside the listing of its paper.
type Listed[M any] struct {
	Solver string
	// Set holds the parameters that are given, as in step=2. The listing has its own copy
	// of them, and of the defaults of all others.
	Set []string
	// Follows compares iterates of the solver with iterates of the listing.
	Follows func(m M) error
}

// EveryParameter wants every solver to follow its listing, and every parameter of the family
// to count: for each there is a run that no longer follows once that parameter is left out.
// free names parameters that change no iterate, as in newton/forcing.
func EveryParameter[M any](t *testing.T, family []solvers.Solver, byName func(string, map[string]string) (M, error), runs []Listed[M], free ...string) {
	t.Helper()
	counts := map[string]bool{}
	for _, name := range free {
		counts[name] = true
	}
	for _, run := range runs {
		set := map[string]string{}
		for _, text := range run.Set {
			key, value, _ := strings.Cut(text, "=")
			set[key] = value
		}
		m, err := byName(run.Solver, set)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Follows(m); err != nil {
			t.Errorf("%s %v: %v", run.Solver, run.Set, err)
		}
		for key := range set {
			if counts[run.Solver+"/"+key] {
				continue
			}
			fewer := maps.Clone(set)
			delete(fewer, key)
			if m, err := byName(run.Solver, fewer); err == nil && run.Follows(m) != nil {
				counts[run.Solver+"/"+key] = true
			}
		}
	}
	for _, d := range family {
		if !slices.ContainsFunc(runs, func(r Listed[M]) bool { return r.Solver == d.Name }) && len(d.Parameters) > 0 {
			t.Errorf("%s has no listing", d.Name)
		}
		for _, p := range d.Parameters {
			if !counts[d.Name+"/"+p.Name] {
				t.Errorf("%s: no listing notices that %s is left out", d.Name, p.Name)
			}
		}
	}
}
