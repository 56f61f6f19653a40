//go:build !linux

package contest

import (
	"os"
	"time"
)

var begun = time.Now()

// Seconds returns the wall-clock time since the start: other systems do not report processor time.
func Seconds() float64 { return time.Since(begun).Seconds() }

func forget() {}

// PeakMB is known on Linux alone.
func PeakMB(*os.ProcessState) (mb float64, known bool) { return 0, false }
