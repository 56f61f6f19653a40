//go:build !amd64

package asm

import "testing"

// runnable returns the tables that this CPU can run, the portable one left out.
func runnable(testing.TB) []*Table { return Tables[1:] }
