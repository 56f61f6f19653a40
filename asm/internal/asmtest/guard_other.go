//go:build !unix

package asmtest

import "testing"

// Systems without mprotect test without the guard pages.
func Guarded[T any](_ testing.TB, n int) []T { return make([]T, n) }

func GuardedFront[T any](_ testing.TB, n int) []T { return make([]T, n) }
