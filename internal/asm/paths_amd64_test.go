package asm

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// runnable returns the tables that this CPU can run, the portable one left out.
func runnable(t testing.TB) []*Table {
	var tables []*Table
	for _, table := range Tables[1:] {
		switch {
		case !cpu.X86.HasAVX2 || !cpu.X86.HasFMA,
			table.Path == "avx512" && !(cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW):
			t.Logf("this CPU cannot run %s", table.Path)
		default:
			tables = append(tables, table)
		}
	}
	return tables
}
