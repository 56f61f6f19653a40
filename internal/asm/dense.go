package asm

// DenseKernels work on dense vectors.
type DenseKernels struct{}

var denseGeneric = DenseKernels{}
