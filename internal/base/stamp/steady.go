package stamp

import (
	"errors"
	"os"
	"sync/atomic"
)

var errChanged = errors.New("the file was changed while it was read: read it again when nothing writes to it, or read a copy")

// Steady reads a regular file that has to stay as it was. Bytes from before a change are never
// returned beside bytes from after it. Calls of ReadAt may be concurrent.
type Steady struct {
	file *os.File
	was  Stamp
	free bool // not regular: it has no content to stay
	// failed is why all further reads fail: bytes were read and not returned.
	failed atomic.Pointer[error]
}

// Open opens a file that has had a stamp.
func Open(path string, was Stamp) (*Steady, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &Steady{file: file, was: was}
	if err := s.check(); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

// OpenNow opens a file that has to stay as it is now. Files that are not regular may change.
func OpenNow(path string) (*Steady, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := Hold(file)
	if err != nil {
		file.Close()
	}
	return s, err
}

// Hold is OpenNow of an open file. The file may have been read in part.
func Hold(file *os.File) (*Steady, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &Steady{file: file, was: From(info), free: !info.Mode().IsRegular()}, nil
}

// check compares the file with what it was. A program that writes sets the date first: bytes that
// were read before an equal stamp are the old ones.
func (s *Steady) check() error {
	if s.free {
		return nil
	}
	now, err := Of(s.file)
	if err == nil && now != s.was {
		err = &os.PathError{Op: "read", Path: s.file.Name(), Err: errChanged}
	}
	return err
}

func (s *Steady) Read(b []byte) (int, error) { return s.checked(s.file.Read(b)) }

func (s *Steady) ReadAt(b []byte, at int64) (int, error) { return s.checked(s.file.ReadAt(b, at)) }

func (s *Steady) checked(n int, err error) (int, error) {
	if changed := s.check(); changed != nil {
		s.failed.CompareAndSwap(nil, &changed)
	}
	if failed := s.failed.Load(); failed != nil {
		return 0, *failed
	}
	return n, err
}

// Seek is Seek of the file.
func (s *Steady) Seek(offset int64, whence int) (int64, error) { return s.file.Seek(offset, whence) }

// Stat is Stat of the file.
func (s *Steady) Stat() (os.FileInfo, error) { return s.file.Stat() }

func (s *Steady) Close() error { return s.file.Close() }
