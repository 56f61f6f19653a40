package asm

// VectorKernels work on one sparse vector given as raw slices.
type VectorKernels struct{}

var vectorGeneric = VectorKernels{}
