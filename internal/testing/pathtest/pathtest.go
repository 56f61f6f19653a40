// Package pathtest lets tests run on every CPU path.
package pathtest

import (
	"iter"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// Paths yields the names of the CPU paths that this machine has, each while it is in
// force.
func Paths(t testing.TB) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, path := range dispatch.Paths() {
			if path.Available && !on(t, path.Name, yield) {
				return
			}
		}
	}
}

func on(t testing.TB, path string, yield func(string) bool) bool {
	t.Helper()
	restore, err := dispatch.Force(path)
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	return yield(path)
}
