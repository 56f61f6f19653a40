//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package checkpoint

import (
	"errors"
	"os"
	"syscall"

	"github.com/lanes-go/lanes/solvers"
)

// lockFile makes a file and locks it for this process alone; what it returns
// removes the file. The lock ends with the process, so that a file that is left
// behind hinders nobody.
func lockFile(path string) (unlock func(), err error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			file.Close()
			switch {
			case errors.Is(err, syscall.EINTR):
				continue
			case errors.Is(err, syscall.EWOULDBLOCK):
				return nil, solvers.ErrCheckpointInUse
			}
			return nil, err
		}
		// The run that had it before may have removed it between the two calls.
		var mine syscall.Stat_t
		if err = syscall.Fstat(int(file.Fd()), &mine); err == nil && mine.Nlink > 0 {
			return func() {
				if mine.Size == 0 { // otherwise it is something else
					os.Remove(path)
				}
				file.Close()
			}, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}
