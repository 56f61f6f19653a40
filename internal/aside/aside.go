// Package aside writes files so that their names always hold something whole:
// the old content until the new one is complete and on the disk.
package aside

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write gives path the content that fill writes. The content goes to a file
// beside it first, which is synced and renamed; after an error nothing is left
// of it. A symbolic link is followed. A path that is no regular file, such as
// /dev/stdout, is written directly.
func Write(path string, fill func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a directory", path)
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return finish(file, fill, false)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	file, err := create(path)
	if err != nil {
		return err
	}
	err = finish(file, fill, true)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return err
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // makes the new name last; not every system can
		dir.Close()
	}
	return nil
}

// create opens a new file beside path, with the permissions that a file at path
// would get.
func create(path string) (*os.File, error) {
	for k := 0; ; k++ {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), k)
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !os.IsExist(err) || k == 100 {
			return file, err
		}
	}
}

func finish(file *os.File, fill func(io.Writer) error, sync bool) error {
	buffer := bufio.NewWriterSize(file, 1<<16)
	err := fill(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil && sync {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// Check tells whether Write could begin to write path. It leaves nothing behind.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a directory", path)
		}
		if info.Mode()&os.ModeNamedPipe != 0 {
			return nil // opening it would wait for its reader
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return file.Close()
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	file, err := create(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
