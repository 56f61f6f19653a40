package solvers

import (
	"fmt"
	"sort"
	"sync"
)

// Description tells what a solver is called and what can be set.
type Description struct {
	Name   string // as in ai-sarah
	Family string // the package that holds it, as in erm
	About  string // one line
	// Parameters lists what can be set by name, with defaults.
	Parameters []Parameter
}

// Parameter is one setting of a solver.
type Parameter struct {
	Name, Default, About string
}

var catalog struct {
	sync.Mutex
	entries []Description
}

// Register adds a family's solvers to the catalog. It panics on a name that is
// already there: names are program text, not input.
func Register(entries ...Description) {
	catalog.Lock()
	defer catalog.Unlock()
	for _, e := range entries {
		for _, known := range catalog.entries {
			if known.Name == e.Name {
				panic(fmt.Sprintf("solvers: %q registered by %s and by %s", e.Name, known.Family, e.Family))
			}
		}
		catalog.entries = append(catalog.entries, e)
	}
}

// Catalog lists the registered solvers, family after family, each in the order
// in which its package gave them.
func Catalog() []Description {
	catalog.Lock()
	defer catalog.Unlock()
	list := append([]Description(nil), catalog.entries...)
	sort.SliceStable(list, func(i, k int) bool { return list[i].Family < list[k].Family })
	return list
}
