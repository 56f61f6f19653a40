package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/sparse"
)

// file is one of the files of a source.
type file struct {
	path  string      // "" for a stream
	was   stamp.Stamp // of a path, before anything was read
	name  string      // for errors
	whole sized       // of a stream that can be read anywhere
	spool *spool
}

// sized is what can be read anywhere, as a bytes.Reader.
type sized interface {
	io.ReaderAt
	io.Seeker
	Size() int64
}

// filesOf returns the files that a path names, in the order of their names.
func filesOf(path string, o *Options) ([]file, error) {
	if path == "-" {
		f, err := stream(o.Stdin, cmp.Or(o.StdinName, "standard input"))
		return []file{f}, err
	}
	paths := []string{path}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) && strings.ContainsAny(path, "*?[") {
		if paths, err = filepath.Glob(path); err != nil {
			return nil, fmt.Errorf("table: %s: %w", path, err)
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("table: %s: no file has such a name", path)
		}
		slices.Sort(paths)
	}
	var files []file
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return files, err
		}
		f := file{path: path, was: stamp.From(info), name: path}
		switch {
		case info.IsDir():
			return files, fmt.Errorf("%s is a directory, not a table", path)
		case !info.Mode().IsRegular():
			pipe, err := os.Open(path)
			if err != nil {
				return files, err
			}
			if f, err = stream(pipe, path); err != nil {
				return files, err
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// stream returns a file of a stream, which is kept in a temporary file unless it can be read
// anywhere.
func stream(r io.Reader, name string) (file, error) {
	if f, ok := r.(*os.File); ok {
		held, err := stamp.Hold(f)
		if err != nil {
			return file{}, fmt.Errorf("%s: %w", name, err)
		}
		info, err := f.Stat()
		at, failed := f.Seek(0, io.SeekCurrent)
		if err == nil && failed == nil && at == 0 && info.Mode().IsRegular() {
			return file{name: name, whole: io.NewSectionReader(held, 0, info.Size())}, nil
		}
	}
	if f, ok := r.(sized); ok {
		if at, err := f.Seek(0, io.SeekCurrent); err == nil && at == 0 {
			return file{name: name, whole: f}, nil
		}
	}
	s, err := newSpool(r)
	return file{name: name, spool: s}, err
}

// open opens a file for one reader. Reads of a stream wait for what is to come until ctx is done;
// reads of a path fail once the file was changed.
func (f *file) open(ctx context.Context) (io.ReadCloser, error) {
	switch {
	case f.spool != nil:
		return io.NopCloser(&spoolReader{ctx: ctx, s: f.spool}), nil
	case f.whole != nil:
		return io.NopCloser(io.NewSectionReader(f.whole, 0, f.whole.Size())), nil
	}
	return stamp.Open(f.path, f.was)
}

// randomFile is an open file whose bytes can be read in any order.
type randomFile interface {
	io.ReaderAt
	io.Closer
}

// random opens a file for readers of any place in it, packed as it is, and returns its size. It
// waits for the end of a stream until ctx is done. Close it when done.
func (f *file) random(ctx context.Context) (r randomFile, size int64, err error) {
	type kept struct {
		io.ReaderAt
		io.Closer
	}
	if f.spool != nil {
		size, err := f.spool.wait(ctx, math.MaxInt64)
		if err != io.EOF {
			return nil, 0, err
		}
		return kept{f.spool.file, io.NopCloser(nil)}, size, nil
	}
	if f.whole != nil {
		return kept{f.whole, io.NopCloser(nil)}, f.whole.Size(), nil
	}
	opened, err := stamp.Open(f.path, f.was)
	if err != nil {
		return nil, 0, err
	}
	return opened, f.was.Size, nil
}

// textReader reads the text of a file: unpacked, in UTF-8, without a byte-order mark.
type textReader struct {
	io.Reader
	encoding         string // of the file
	unpacked, packed io.Closer
}

// text opens the text of a file for one pass. The bytes that it reads, packed as they are, count
// for Options.Progress.
func (s *Source) text(ctx context.Context, k int) (*textReader, error) {
	packed, err := s.files[k].open(ctx)
	if err != nil {
		return nil, err
	}
	unpacked, err := sparse.Decompress(&counter{packed, &s.read})
	if err != nil {
		packed.Close()
		return nil, s.readTrouble(k, err)
	}
	t := &textReader{unpacked: unpacked, packed: packed}
	begin := make([]byte, 64)
	n, err := readFull(unpacked, begin)
	if err != nil && err != io.EOF {
		t.Close()
		return nil, s.readTrouble(k, err)
	}
	encoding, mark, err := s.encodingOf(k, begin[:n])
	if err == nil {
		t.Reader, err = decoded(io.MultiReader(bytes.NewReader(begin[mark:n]), unpacked), encoding)
		t.encoding = encoding
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// readTrouble names the file in an error of reading it.
func (s *Source) readTrouble(k int, err error) error {
	var path *os.PathError
	if err == nil || err == io.EOF || errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s: %w", s.files[k].name, err)
}

func (t *textReader) Close() error {
	return errors.Join(t.unpacked.Close(), t.packed.Close())
}

// counter counts the bytes that are read.
type counter struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(max(n, 0)))
	return n, err
}

// readFull reads until b is full or r ends.
func readFull(r io.Reader, b []byte) (n int, err error) {
	for idle := 0; n < len(b) && err == nil; {
		m := 0
		m, err = r.Read(b[n:])
		n += m
		if idle++; m > 0 {
			idle = 0
		} else if idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
	}
	return n, err
}
