//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package aside

import (
	"errors"
	"os"
)

// hold does nothing: the standard library knows no locks of this system that end with the
// process.
func hold(*os.File) (release func(), err error) { return func() {}, errors.ErrUnsupported }
