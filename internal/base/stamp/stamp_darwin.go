package stamp

import (
	"os"
	"syscall"
)

func changed(info os.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return syscall.TimespecToNsec(stat.Ctimespec)
	}
	return 0
}
