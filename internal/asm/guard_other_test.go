//go:build !unix

package asm

import "testing"

// Systems without mprotect test without the guard pages.
func guarded[T any](_ testing.TB, n int) []T { return make([]T, n) }

func guardedFront[T any](_ testing.TB, n int) []T { return make([]T, n) }
