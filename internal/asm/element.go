package asm

// ElementKernels map vectors element by element.
type ElementKernels struct{}

var elementGeneric = ElementKernels{}
