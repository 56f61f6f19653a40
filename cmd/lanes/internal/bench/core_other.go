//go:build !linux

package bench

import (
	"errors"
	"runtime"
)

func threadTime() (int64, bool) { return 0, false }

// pin locks the caller to its thread; there is no way to keep that on a core.
func pin(int) (pinned int, release func(), err error) {
	runtime.LockOSThread()
	return -1, runtime.UnlockOSThread, errors.New("only Linux lets a program choose")
}

func toldCaches() (sizes [4]int) { return sizes }
