// Package gctest makes a test binary collect garbage seldom. Tests make much garbage and keep
// little of it. Test files import this package for its effect alone.
package gctest

import (
	"os"
	"runtime/debug"
)

// percent is what a heap grows by between two collections.
const percent = 800

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
