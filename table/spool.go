package table

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/panics"
)

// spool keeps a stream in a temporary file, which a goroutine fills while others read it. It
// serves any number of goroutines.
type spool struct {
	file *os.File

	mu     sync.Mutex
	grown  *sync.Cond
	size   int64
	err    error // io.EOF if the stream is complete
	done   bool  // the goroutine has ended
	closed bool
	panics panics.Catcher // of the stream
}

var errClosed = errors.New("the source is closed")

// newSpool begins to copy a stream. The file has no name where the system allows it, so nothing
// stays of it after a kill.
func newSpool(r io.Reader) (*spool, error) {
	file, err := os.CreateTemp("", "lanes-*.tmp")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	s := &spool{file: file}
	s.grown = sync.NewCond(&s.mu)
	go s.fill(r)
	return s, nil
}

func (s *spool) fill(r io.Reader) {
	defer s.end()
	buffer := make([]byte, 1<<18)
	for at, idle := int64(0), 0; ; {
		n, err := 0, io.ErrUnexpectedEOF
		s.panics.Do(func() { n, err = r.Read(buffer) })
		if n < 0 || n > len(buffer) {
			n, err = 0, errors.New("a reader returned an impossible count")
		}
		if idle++; n > 0 {
			idle = 0
		} else if idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if n > 0 {
			if _, failed := s.file.WriteAt(buffer[:n], at); failed != nil {
				n, err = 0, failed
			}
		}
		at += int64(n)
		s.mu.Lock()
		s.size = at
		if s.err == nil {
			s.err = err
		}
		ended := s.err != nil
		s.grown.Broadcast()
		s.mu.Unlock()
		if ended {
			return
		}
	}
}

// end removes the file if Close has left that to the goroutine.
func (s *spool) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done = true; s.closed {
		s.remove()
	}
}

func (s *spool) remove() error {
	err := s.file.Close()
	os.Remove(s.file.Name()) // where it could not be removed while it was open
	return err
}

// Close ends all reading. A call of Read of the stream may still be under way.
func (s *spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed, s.err = true, errClosed
	s.grown.Broadcast()
	if s.done {
		return s.remove()
	}
	return nil
}

// wait returns how many bytes there are once there are more than at, or why there are not. It
// returns early once ctx is done.
func (s *spool) wait(ctx context.Context, at int64) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size > at && !s.closed {
		return s.size, nil
	}
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.grown.Broadcast()
	})
	defer stop()
	for s.size <= at && s.err == nil && ctx.Err() == nil {
		s.grown.Wait()
	}
	s.panics.Repeat()
	switch {
	case s.size > at && !s.closed:
		return s.size, nil
	case s.err != nil:
		return s.size, s.err
	}
	return s.size, contexts.Err(ctx)
}

// spoolReader reads a spool from its beginning, and waits for what is to come until ctx is done.
type spoolReader struct {
	ctx context.Context
	s   *spool
	at  int64
}

func (r *spoolReader) Read(b []byte) (int, error) {
	size, err := r.s.wait(r.ctx, r.at)
	if err != nil {
		return 0, err
	}
	n, err := r.s.file.ReadAt(b[:min(int64(len(b)), size-r.at)], r.at)
	r.at += int64(n)
	return n, err
}
