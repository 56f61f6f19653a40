//go:build unix

package aside

import (
	"os"
	"syscall"
)

// keep gives a file the permissions, the owner and the group of another. The group's permissions
// go where the system refuses the group: they were for others.
func keep(file *os.File, old os.FileInfo) error {
	mode := old.Mode().Perm()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	was, known := old.Sys().(*syscall.Stat_t)
	is, also := info.Sys().(*syscall.Stat_t)
	if known && also && (was.Uid != is.Uid || was.Gid != is.Gid) {
		gid := int(was.Gid)
		if file.Chown(int(was.Uid), gid) != nil && file.Chown(-1, gid) != nil {
			mode &^= 0o070
		}
	}
	if info.Mode().Perm() == mode {
		return nil
	}
	return file.Chmod(mode)
}
