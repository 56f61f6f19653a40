package asm

// LazyKernels work on the lazily updated records of the solvers.
type LazyKernels struct{}

var lazyGeneric = LazyKernels{}
