//go:build unix

package asmtest

import (
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Guarded returns n elements, all zero, that end right before a page that may be neither read nor
// written. If n fills whole pages, they also begin right after such a page.
func Guarded[T any](t testing.TB, n int) []T { return guardedAt[T](t, n, true) }

// GuardedFront is Guarded with the elements right behind an unreadable page.
func GuardedFront[T any](t testing.TB, n int) []T { return guardedAt[T](t, n, false) }

// spare has the memory of tests that have ended, by its size: mapping it takes longer than
// most of what is tested in it.
var spare struct {
	sync.Mutex
	memory map[int][][]byte
}

// mapped is memory between two pages that may not be touched, all zero.
func mapped(t testing.TB, mappedSize, page int) []byte {
	t.Helper()
	spare.Lock()
	defer spare.Unlock()
	var memory []byte
	if list := spare.memory[mappedSize]; len(list) > 0 {
		memory, spare.memory[mappedSize] = list[len(list)-1], list[:len(list)-1]
		clear(memory[page : page+mappedSize])
	} else {
		var err error
		if memory, err = unix.Mmap(-1, 0, mappedSize+2*page, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mprotect(memory[page:page+mappedSize], unix.PROT_READ|unix.PROT_WRITE); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		spare.Lock()
		defer spare.Unlock()
		if spare.memory == nil {
			spare.memory = make(map[int][][]byte)
		}
		spare.memory[mappedSize] = append(spare.memory[mappedSize], memory)
	})
	return memory
}

func guardedAt[T any](t testing.TB, n int, atEnd bool) []T {
	t.Helper()
	var element T
	size := n * int(unsafe.Sizeof(element))
	page := unix.Getpagesize()
	mappedSize := max(1, (size+page-1)/page) * page
	memory := mapped(t, mappedSize, page)
	start := page
	if atEnd {
		start = page + mappedSize - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory[start:]))), n)[:n:n]
}
