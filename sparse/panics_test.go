package sparse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/matrix"
)

var errSentinel = errors.New("the caller's own panic")

// repeated tells whether f panics with the sentinel on this goroutine.
func repeated(f func()) (did bool) {
	defer func() {
		if value := recover(); value != nil {
			err, _ := value.(error)
			did = errors.Is(err, errSentinel)
		}
	}()
	f()
	return false
}

// settled fails if there are more goroutines than before and stay.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			buffer := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before: %s", runtime.NumGoroutine(), before, buffer[:runtime.Stack(buffer, true)])
		}
	}
}

// reader returns a number of bytes, and then does something else.
type reader struct {
	text []byte
	then func(b []byte) (int, error)
}

func (r *reader) Read(b []byte) (int, error) {
	if len(r.text) == 0 {
		return r.then(b)
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	return n, nil
}

// TestReaderPanics: panics of a reader or of a progress function reach the caller's goroutine,
// wherever they happen, and leave no goroutine behind. Impossible counts of a reader are errors.
func TestReaderPanics(t *testing.T) {
	plain := []byte(strings.Repeat("1 1:0.5 3:2\n-1 2:1.25 4:7\n", 700))
	var gz, zst bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(plain)
	w.Close()
	z, _ := zstd.NewWriter(&zst)
	z.Write(plain)
	z.Close()
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	before := runtime.NumGoroutine()
	for name, content := range map[string][]byte{"plain": plain, "gzip": gz.Bytes(), "zstd": zst.Bytes()} {
		for _, share := range []int{0, 1, 2, 4} {
			for _, ctx := range []context.Context{context.Background(), cancellable} {
				given := func(then func(b []byte) (int, error)) io.Reader { return &reader{content[:len(content)*share/4], then} }
				options := ReadOptions{Workers: 3, chunk: 1 << 10}
				fails := func([]byte) (int, error) { panic(errSentinel) }
				if !repeated(func() { Read(ctx, given(fails), "rows", options) }) {
					t.Errorf("%s, %d/4: the reader's panic is lost", name, share)
				}
				if !repeated(func() {
					for range Blocks(context.Background(), given(fails), "rows", options, 1<<12) {
					}
				}) {
					t.Errorf("%s, %d/4: the reader's panic is lost by blocks", name, share)
				}
				for _, count := range []int{-1, 1 << 30} {
					wrong := func([]byte) (int, error) { return count, nil }
					if _, err := Read(ctx, given(wrong), "rows", options); err == nil || !strings.Contains(err.Error(), "count of") {
						t.Errorf("%s, %d/4: a count of %d: error %v", name, share, count, err)
					}
				}
				options.Progress = func(int64, int64) { panic(errSentinel) }
				whole := func() io.Reader { return bytes.NewReader(content) }
				if !repeated(func() { Read(ctx, whole(), "rows", options) }) {
					t.Errorf("%s: the panic about progress is lost", name)
				}
				blocks := 0
				if !repeated(func() {
					for range Blocks(context.Background(), whole(), "rows", options, 1<<12) {
						blocks++
					}
				}) || blocks > 0 {
					t.Errorf("%s: the panic about progress is lost by blocks, of which there are %d", name, blocks)
				}
			}
		}
	}
	settled(t, before)
}

// panicking is a task. One of its blocks panics, on any worker.
type panicking struct{ at int }

func (p panicking) Block(i int) {
	if i == p.at {
		panic(errSentinel)
	}
	time.Sleep(10 * time.Microsecond)
}

// A panic of a block comes to the caller of Run, and the pool serves on.
func TestPoolPanics(t *testing.T) {
	before := runtime.NumGoroutine()
	pool := matrix.NewPool(4)
	for at := range 60 {
		if !repeated(func() { matrix.Run(pool, 60, panicking{at}) }) {
			t.Fatalf("the panic of block %d is lost", at)
		}
		if repeated(func() { matrix.Run(pool, 60, panicking{-1}) }) {
			t.Fatal("a panic is repeated twice")
		}
	}
	pool.Close()
	settled(t, before)
}
