// Package asm holds the table of kernels of every CPU path. The packages below it hold the kernels,
// one package for each kind of operand. They are rows for sparse rows, element for elementwise
// functions, and dense for dense vectors. Package single has sums of float32 vectors in float64,
// and vector has vectors of float32, int8 and bits. Each kernel has a portable Go twin, which
// defines its result bit for bit. Each CPU path has assembly, which agrees with the twin on every
// input.
//
// # Unchecked
//
// The tables check nothing, as in package unsafe: a wrong call reads or writes memory that is not
// its own. (The entry points of package kernels, functions of package dense, do check.) Package
// kernels checks lengths and indices and then calls the tables. Package sparse checks its
// matrices when they are built. Use one of them. This package is for programs that measure or
// compare the kernels of single paths. It is also for code that makes the same checks once for
// many calls. The caller of a kernel promises that
//
//   - this CPU can run it: package dispatch tells, and only Generic runs everywhere;
//   - all slices have the lengths that the kernel's comment gives, most often one;
//   - every column index, row number and position lies within what it is an index of
//     (VectorKernels check their indices, and say so);
//   - slices overlap only where the comment allows it, and no other goroutine writes
//     them meanwhile.
//
// In return no kernel keeps a slice, allocates, or touches memory outside its slices; NaN
// and infinities are values like any others. Names and signatures follow the needs of the
// packages above; they may change with any version.
package asm

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lanes-go/lanes/asm/dense"
	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/asm/single"
	"github.com/lanes-go/lanes/asm/vector"
)

// Table is one complete implementation of every kernel, for one CPU path.
// Tables are built once and never change.
type Table struct {
	// Path names the CPU path: generic, avx2, avx2-vnni, avx512, avx512-vnni, neon or neon-dot.
	Path    string
	Rows    rows.Kernels
	Element element.Kernels
	Dense   dense.Kernels
	Single  single.Kernels
	Vector  vector.Kernels

	base   int // the index of the path in Paths of each kernel package but vector
	number int // its index in vector.Paths
}

// Tables lists the implementations compiled into this binary, in ascending order of
// preference. The first one is portable. Whether the CPU can run one is dispatch's
// business.
var Tables = tables()

// tables joins the lists of the kernel packages. Only package vector has kernels for paths with a
// feature more, such as avx512-vnni. The others have the kernels of the path before the hyphen.
func tables() []*Table {
	list := make([]*Table, len(vector.Paths))
	for number, v := range vector.Paths {
		base, _, _ := strings.Cut(v.Path, "-")
		i := slices.IndexFunc(rows.Paths, func(k *rows.Kernels) bool { return k.Path == base })
		list[number] = &Table{v.Path, *rows.Paths[i], *element.Paths[i], *dense.Paths[i], *single.Paths[i], *v, i, number}
	}
	return list
}

// Generic is the portable table: the definition of every kernel.
var Generic = Tables[0]

var active atomic.Pointer[Table]

func init() { active.Store(Generic) }

// Active returns the table in use.
func Active() *Table { return active.Load() }

// Use makes t, one of Tables or a changed copy of one, the table in use. Doors call the
// kernels of its path. Package dispatch calls Use once at start; tests call it through
// dispatch.Force.
func Use(t *Table) {
	active.Store(t)
	rows.Use(t.base)
	element.Use(t.base)
	dense.Use(t.base)
	vector.Use(t.number)
}

// UseCache tells the kernels how large the last cache is, in bytes; 0 or less where nobody
// knows. Package dispatch calls it once at start. Results do not depend on it.
func UseCache(bytes int) { dense.UseCache(bytes) }
