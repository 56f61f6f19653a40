//go:build !mpi

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "lanes-mpi was built without MPI: build it by 'make build-mpi' (Debian: libopenmpi-dev, openmpi-bin)")
	os.Exit(2)
}
