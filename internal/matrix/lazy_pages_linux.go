package matrix

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// preferHugePages asks the kernel to back rec by 2 MB pages. Records are read in random order,
// and with 4 kB pages most reads miss the translation buffer. A refusal changes only the speed.
func preferHugePages(rec []Record) {
	const page = 2 << 20
	base := unsafe.Pointer(unsafe.SliceData(rec))
	size := uintptr(len(rec)) * unsafe.Sizeof(Record{})
	skip := -uintptr(base) & (page - 1)
	if size < skip+page {
		return
	}
	whole := unsafe.Slice((*byte)(unsafe.Add(base, skip)), (size-skip)&^(page-1))
	if unix.Madvise(whole, unix.MADV_HUGEPAGE) == nil {
		unix.Madvise(whole, unix.MADV_COLLAPSE)
	}
}
