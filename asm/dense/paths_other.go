//go:build purego || (!amd64 && !arm64)

package dense

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic}
