//go:build !mpi

// Command scaling needs MPI: go build -tags mpi, with CC=mpicc.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "scaling was built without MPI: 'make bench-scaling' builds it with (Debian: libopenmpi-dev, openmpi-bin)")
	os.Exit(2)
}
