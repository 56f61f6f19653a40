// Command lanes trains linear models on sparse data, applies and measures them,
// and compares solvers. Run lanes --help.
package main

import (
	"os"

	"github.com/lanes-go/lanes/cmd/lanes/command"
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
