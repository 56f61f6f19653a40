//go:build unix

package asmtest

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Guarded returns n elements, all zero, that end right before a page which may
// be neither read nor written, and, where n fills whole pages, begin right
// after one.
func Guarded[T any](t testing.TB, n int) []T { return guardedAt[T](t, n, true) }

// GuardedFront is Guarded with the elements right behind an unreadable page.
func GuardedFront[T any](t testing.TB, n int) []T { return guardedAt[T](t, n, false) }

func guardedAt[T any](t testing.TB, n int, atEnd bool) []T {
	t.Helper()
	var element T
	size := n * int(unsafe.Sizeof(element))
	page := unix.Getpagesize()
	room := max(1, (size+page-1)/page) * page
	memory, err := unix.Mmap(-1, 0, room+2*page, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	if err := unix.Mprotect(memory[page:page+room], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	start := page
	if atEnd {
		start = page + room - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory[start:]))), n)[:n:n]
}
