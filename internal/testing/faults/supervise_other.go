//go:build !(linux && amd64)

package faults

import "errors"

var errSystem = errors.New("calls of the system are stopped on Linux on amd64 alone")

// Child returns: nothing starts processes here.
func Child() {}

// Supported tells why runs cannot be disturbed here; nil if they can.
func Supported() error { return errSystem }

func execute(dir string, args []string, fault Fault, change func(name string, kind Kind) error) (*outcome, error) {
	return nil, errSystem
}
