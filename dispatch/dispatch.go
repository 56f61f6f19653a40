// Package dispatch decides which CPU path the kernels run on.
//
// The choice is made once, when the program starts: the best path that this CPU
// and operating system can run, or the one that the environment variable
// LANES_CPU names. Every path computes the same bits, so the choice changes
// speed and nothing else.
package dispatch

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/asm"
)

// Env is the environment variable that forces a CPU path.
const Env = "LANES_CPU"

// Path describes one CPU path compiled into this binary.
type Path struct {
	Name      string `json:"name"`              // generic, avx2, avx2-vnni, avx512, avx512-vnni, neon or neon-dot
	Available bool   `json:"available"`         // whether this CPU and operating system can run it
	Missing   string `json:"missing,omitempty"` // the first feature that is missing, where not available
}

// refused is why the path that Env names is not in use.
var refused error

func init() {
	asm.Use(best())
	c := caches()
	asm.UseCache(max(c.L2, c.L3))
	if name := os.Getenv(Env); name != "" {
		_, refused = Force(name)
	}
}

// Err reports whether LANES_CPU named a path that cannot run here. The best
// available path is in use then; a command should refuse to go on.
func Err() error {
	if refused != nil {
		return fmt.Errorf("%s: %w", Env, refused)
	}
	return nil
}

// Current returns the name of the path in use.
func Current() string { return asm.Active().Path }

// Paths lists the paths compiled into this binary, in ascending preference.
func Paths() []Path {
	paths := make([]Path, len(asm.Tables))
	for i, t := range asm.Tables {
		missing := missingFeature(t.Path)
		paths[i] = Path{Name: t.Path, Available: missing == "", Missing: missing}
	}
	return paths
}

var forceMu sync.Mutex

// Force makes the named path the one in use and returns a function that puts
// the former one back. It is meant for tests and benchmarks: calls already
// running finish on the path they began with.
func Force(name string) (restore func(), err error) {
	forceMu.Lock()
	defer forceMu.Unlock()
	names := make([]string, 0, len(asm.Tables))
	for _, t := range asm.Tables {
		if t.Path == name {
			if missing := missingFeature(name); missing != "" {
				return nil, fmt.Errorf("CPU path %q needs %s, which this CPU or operating system does not have", name, missing)
			}
			former := asm.Active()
			asm.Use(t)
			return func() { asm.Use(former) }, nil
		}
		names = append(names, t.Path)
	}
	return nil, fmt.Errorf("unknown CPU path %q; this binary has: %s", name, strings.Join(names, ", "))
}

func best() *asm.Table {
	for i := len(asm.Tables) - 1; i > 0; i-- {
		if missingFeature(asm.Tables[i].Path) == "" {
			return asm.Tables[i]
		}
	}
	return asm.Generic
}
