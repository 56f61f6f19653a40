// Package aside writes files so that their names always hold something whole:
// the old content until the new one is complete and on the disk.
package aside

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write gives path the content that fill writes. The content goes to a file
// beside it first, which is synced and renamed; after an error nothing is left
// of it. A file that is replaced keeps its permissions, and its owner and group where the system
// lets the process give them; nobody else can read the new file before. A symbolic link is
// followed, whether its target is there or not. A path that is no regular file, such as
// /dev/stdout, is written directly.
func Write(path string, fill func(io.Writer) error) error {
	asked := path
	old, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !old.Mode().IsRegular() {
		if old.IsDir() {
			return fmt.Errorf("%s is a directory", path)
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return finish(file, fill, false)
	}
	mode := os.FileMode(0o666)
	if err == nil {
		mode = 0o600
	}
	path, err = Target(path)
	if err != nil {
		return named(err, "", asked)
	}
	file, release, err := create(path, mode)
	if err != nil {
		return named(err, "", asked)
	}
	defer release()
	defer beside.remove(file.Name()) // also where fill panics
	err = finish(file, func(w io.Writer) error {
		if err := fill(w); err != nil || old == nil {
			return err
		}
		return keep(file, old)
	}, true)
	if err == nil {
		err = beside.rename(file.Name(), path)
	}
	if err != nil {
		return named(err, file.Name(), asked)
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // makes the new name last; not every system can
		dir.Close()
	}
	return nil
}

// named puts the name that was asked for in the place of the name of the file beside it, "" for any.
func named(err error, beside, asked string) error {
	var failed *fs.PathError
	var moved *os.LinkError
	if errors.As(err, &failed) && (beside == "" || failed.Path == beside) {
		return &fs.PathError{Op: failed.Op, Path: asked, Err: failed.Err}
	}
	if errors.As(err, &moved) && moved.Old == beside {
		return &fs.PathError{Op: moved.Op, Path: asked, Err: moved.Err}
	}
	return err
}

// mostLinks bounds the symbolic links from a path to its target.
const mostLinks = 40

// Target returns the path of a file, which may not be there, with symbolic links followed.
func Target(path string) (string, error) {
	for range mostLinks {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target, nil
		}
		target, err := os.Readlink(path)
		if err != nil { // no link
			if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
				path = filepath.Join(dir, filepath.Base(path))
			}
			return path, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: more than %d symbolic links lead to it", path, mostLinks)
}

// mostBeside is the most files that are written at the same time for one path.
const mostBeside = 100

// create opens a new file beside path, with the permissions of mode that the system leaves to
// new files. The file is held until release is called, or the process ends.
func create(path string, mode os.FileMode) (file *os.File, release func(), err error) {
	for k := range mostBeside {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), k)
		file, err = beside.open(name, mode)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if release, err = hold(file); !errors.Is(err, errHeld) {
			return file, release, nil
		}
		file.Close() // Clean was quicker
		beside.forget(name)
	}
	return nil, nil, fmt.Errorf("%s: %d files beside it are in the way; remove %s.*.tmp", path, mostBeside, path)
}

// errHeld is why a file cannot be held: another process holds it, or has removed it.
var errHeld = errors.New("another process has the file")

// Clean removes the files that killed processes have left beside path: nobody holds them.
// Systems without locks keep them.
func Clean(path string) {
	path, err := Target(path)
	if err != nil {
		return
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		var process, k int
		middle, found := strings.CutPrefix(name, filepath.Base(path)+".")
		if !found {
			continue
		}
		if count, _ := fmt.Sscanf(middle, "%d-%d", &process, &k); count != 2 || middle != fmt.Sprintf("%d-%d.tmp", process, k) {
			continue
		}
		left := filepath.Join(filepath.Dir(path), name)
		if info, err := os.Lstat(left); err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.OpenFile(left, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		if release, err := hold(file); err == nil {
			os.Remove(left)
			release()
		}
		file.Close()
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

// Check tells whether Write could begin to write path. It leaves nothing behind, nor what
// killed processes have left.
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
	path, err := Target(path)
	if err != nil {
		return err
	}
	file, release, err := create(path, 0o600)
	if err != nil {
		return err
	}
	defer release()
	Clean(path)
	return errors.Join(file.Close(), beside.remove(file.Name()))
}
