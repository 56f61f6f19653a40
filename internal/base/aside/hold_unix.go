//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package aside

import (
	"errors"
	"os"
	"syscall"
)

// hold locks an open file until release is called, even if the file is closed before, or the
// process ends. It is errHeld if another process holds the file, or it has lost its name;
// other errors are of systems that have no locks for it, or do not tell.
func hold(file *os.File) (release func(), err error) {
	release = func() {}
	fd, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		return release, err
	}
	syscall.CloseOnExec(fd)
	if err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		mine, err1 := file.Stat()
		there, err2 := os.Stat(file.Name())
		if err = errors.Join(err1, err2); err == nil && os.SameFile(mine, there) {
			return func() { syscall.Close(fd) }, nil
		}
		if err == nil || os.IsNotExist(err2) {
			err = errHeld
		}
	}
	if err == syscall.EWOULDBLOCK {
		err = errHeld
	}
	syscall.Close(fd)
	return release, err
}
