//go:build mpi

// Command lanes-mpi is lanes on several processes, of one machine or of many:
//
//	mpirun -np 4 lanes-mpi train --C 1 --model m rows.lanes
//
// It has the flags of lanes. train shares the rows among the processes; the weights have the bits
// that one process computes with the same number of shards.
package main

import (
	"fmt"
	"os"

	"github.com/lanes-go/lanes/cmd/lanes/command"
	"github.com/lanes-go/lanes/distributed"
)

func main() {
	ranks, stop, err := distributed.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lanes-mpi:", err)
		os.Exit(1)
	}
	status := command.RunOn(ranks, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "lanes-mpi:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}
