package faults

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// kindsOf are the faults that can happen at a call.
func kindsOf(c Call) (reads, writes, alters []Kind) {
	switch c.Name {
	case "read", "pread64":
		reads = []Kind{IO, Short, Again}
	case "openat":
		reads = []Kind{IO, Denied, Again}
	case "stat", "fstat", "getdents64", "lseek":
		reads = []Kind{IO}
	case "write", "pwrite64":
		writes = []Kind{IO, Full, Stays, Short, Again}
	case "create":
		writes = []Kind{IO, Denied, Full, Stays}
	case "rename", "fsync", "ftruncate", "copy_file_range":
		writes = []Kind{IO, Full, Stays}
	case "close", "fchmod", "fchown":
		writes = []Kind{IO}
	}
	if strings.HasPrefix(c.Path, inputs+"/") && c.Name != "close" {
		alters = changes
	}
	return reads, writes, alters
}

// may tells whether a fault can happen at a call.
func (c Call) may(kind Kind) bool {
	reads, writes, alters := kindsOf(c)
	return slices.Contains(slices.Concat(reads, writes, alters), kind)
}

// Cases returns n of all cases, chosen by a seed: as many of each run, and of failing reads, failing
// writes, changed files and limits there.
func (j *Judge) Cases(runs []*Run, n int, seed uint64) ([]Case, error) {
	var groups [][]Case
	for _, r := range runs {
		ref, err := j.reference(r, "", None)
		if err != nil {
			return nil, err
		}
		var own [4][]Case
		for at, call := range ref.calls {
			reads, writes, alters := kindsOf(call)
			for k, kinds := range [][]Kind{reads, writes, alters} {
				for _, kind := range kinds {
					own[k] = append(own[k], Case{Run: r, Fault: Fault{kind, at}})
				}
			}
		}
		longest := len(ref.stdout.text())
		for _, t := range ref.files {
			longest = max(longest, len(t.text()))
		}
		for at := range longest {
			own[3] = append(own[3], Case{Run: r, Fault: Fault{Limited, at}})
		}
		groups = append(groups, own[:]...)
	}
	random := rand.New(rand.NewPCG(seed, 41))
	for _, g := range groups {
		random.Shuffle(len(g), func(a, b int) { g[a], g[b] = g[b], g[a] })
	}
	random.Shuffle(len(groups), func(a, b int) { groups[a], groups[b] = groups[b], groups[a] })
	var list []Case
	for turn, more := 0, true; more && len(list) < n; turn++ {
		more = false
		for _, g := range groups {
			if turn < len(g) && len(list) < n {
				c := g[turn]
				c.Old = random.IntN(2) == 0 && len(c.Run.files(outputs)) > 0
				list, more = append(list, c), true
			}
		}
	}
	return list, nil
}
