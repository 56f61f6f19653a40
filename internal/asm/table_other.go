//go:build purego || (!amd64 && !arm64)

package asm

// Tables lists the implementations compiled into this binary.
var Tables = []*Table{&Generic}
