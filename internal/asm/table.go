// Package asm holds the kernels: for each one a portable Go twin, which is the
// definition of its result bit for bit, and hand-written assembly per CPU path
// that must agree with the twin on every input.
//
// Nothing here checks lengths or indices. Package kernels and package sparse
// check at their doors; that is why this package is internal.
package asm

import "sync/atomic"

// Table is one complete implementation of every kernel, for one CPU path.
// Tables are built once and never change; no entry is nil.
type Table struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path      string
	Rows      RowsKernels
	Vector    VectorKernels
	Lazy      LazyKernels
	Element   ElementKernels
	Dense     DenseKernels
	Pairs     PairKernels
	Wide      WideKernels
	PairBlock PairBlockKernels
	Threshold ThresholdKernels
}

var active atomic.Pointer[Table]

func init() { active.Store(&Generic) }

// Active returns the table in use.
func Active() *Table { return active.Load() }

// Use makes t the table in use. Package dispatch calls it once at start; tests
// call it through dispatch.Force.
func Use(t *Table) { active.Store(t) }

// Generic is the portable table: the definition of every kernel.
var Generic = Table{
	Path:      "generic",
	Rows:      rowsGeneric,
	Vector:    vectorGeneric,
	Lazy:      lazyGeneric,
	Element:   elementGeneric,
	Dense:     denseGeneric,
	Pairs:     pairsGeneric,
	Wide:      wideGeneric,
	PairBlock: pairBlockGeneric,
	Threshold: thresholdGeneric,
}
