package dispatch_test

import (
	"fmt"
	"log"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// Every path that this machine has computes the same bits.
func ExampleForce() {
	x := []float64{0.1, 0.2, 0.3}
	sums := map[float64]bool{}
	for _, path := range dispatch.Paths() {
		if !path.Available {
			continue
		}
		restore, err := dispatch.Force(path.Name)
		if err != nil {
			log.Fatal(err)
		}
		sums[kernels.Sum(x)] = true
		restore()
	}
	fmt.Println(len(sums))
	// Output: 1
}

// What a program may write into its log.
func ExampleReport() {
	machine := dispatch.Report()
	for _, path := range machine.Paths {
		if path.Name == "generic" {
			fmt.Println(path.Name, path.Available)
		}
	}
	// Output: generic true
}
