// Command lsvrg is the command lanes with one more solver, l-svrg:
//
//	go run ./examples/lsvrg compare a9a.xz --solvers l-svrg,svrg,ai-sarah --set step=0.05,0.2,1 --seeds 5
package main

import (
	"fmt"
	"os"

	"github.com/lanes-go/lanes/cmd/lanes/command"
	"github.com/lanes-go/lanes/solvers/registry"
)

func main() {
	s, err := solver()
	if err == nil {
		err = registry.Add(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lsvrg:", err)
		os.Exit(1)
	}
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
