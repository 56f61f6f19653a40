//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package checkpoint

// lockFile does nothing: this system has no locks that end with the process and
// that the standard library knows.
func lockFile(string) (unlock func(), err error) { return func() {}, nil }
