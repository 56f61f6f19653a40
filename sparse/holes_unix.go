//go:build unix

package sparse

import (
	"io"
	"syscall"
)

// hasHoles tells whether a file takes less space on its disk than its length, as one with holes
// does, or one that the disk compresses.
func hasHoles(r io.ReaderAt) bool {
	file, ok := r.(seekable)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil {
		return true
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int64(stat.Blocks) < info.Size()/512
}
