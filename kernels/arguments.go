package kernels

import "github.com/lanes-go/lanes/internal/base/arguments"

func lengths(kernel, nameA string, a int, nameB string, b int) error {
	return arguments.Lengths(kernel, nameA, a, nameB, b)
}

func pair(kernel, nameDst string, dst []float64, nameX string, x []float64) error {
	return arguments.Pair(kernel, nameDst, dst, nameX, x)
}

func apart(kernel string, names []string, slices ...[]float64) error {
	return arguments.Apart(kernel, names, slices...)
}

func overlap(a, b []float64) bool { return arguments.Overlap(a, b) }
