package asm_test

import (
	"fmt"

	"github.com/lanes-go/lanes/asm"
	_ "github.com/lanes-go/lanes/dispatch" // chooses the path
)

// The kernels of the active path, and the portable kernels. They do not check that the slices have
// equal lengths: the caller does.
func Example() {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	fast, plain := asm.Active().Dense.Dot(x, y), asm.Generic.Dense.Dot(x, y)
	fmt.Println(fast, fast == plain)
	// Output: 32 true
}
