package sparse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// endless yields rows without end and cancels its context after some of them.
type endless struct {
	line  []byte
	after int
	stop  func(error)
}

func (r *endless) Read(b []byte) (int, error) {
	n := 0
	for n+len(r.line) <= len(b) {
		n += copy(b[n:], r.line)
	}
	if r.after -= n; r.after < 0 {
		r.stop(errEnough)
	}
	return n, nil
}

var errEnough = errors.New("enough")

// Reading ends with its context: in the midst of text, where the source keeps it
// waiting, before it begins, and in a cache.
func TestReadEndsWithItsContext(t *testing.T) {
	for name, line := range map[string]string{"text": "1 1:1 7:0.5\n", "one line": "1 1:1 # long"} {
		ctx, stop := context.WithCancelCause(context.Background())
		data, err := Read(ctx, &endless{[]byte(line), 5 << 20, stop}, name, ReadOptions{Workers: 2})
		if data != nil || !errors.Is(err, errEnough) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	silent, writer := io.Pipe()
	defer writer.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Read(ctx, silent, "pipe", ReadOptions{}); !errors.Is(err, context.Canceled) || err.Error() != "pipe: context canceled" {
		t.Errorf("error %v", err)
	}
	path := filepath.Join(t.TempDir(), "cache")
	set := sampleData(t, rand.New(rand.NewPCG(1, 2)), 100, 20, Storage{}, func(int) float64 { return 0.5 }, false)
	if err := WriteCacheFile(path, set); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(ctx, path, ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := read(ctx, file, path, ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cache: error %v", err)
	}
	live, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, ctx := range []context.Context{live, nil} {
		got, err := ReadFile(ctx, path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, set)
	}
}

// TestBlocksEndWithTheirContext: blocks end in the midst of text, in a block that is read.
func TestBlocksEndWithTheirContext(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	blocks, last := 0, error(nil)
	for block, err := range Blocks(ctx, &endless{[]byte("1 1:1 7:0.5\n"), 5 << 20, stop}, "text", ReadOptions{Workers: 2}, 1<<20) {
		if last = err; err == nil && block.X.Rows() > 0 {
			blocks++
		}
	}
	if blocks < 4 || blocks > 6 || !errors.Is(last, errEnough) || !errors.Is(last, context.Canceled) {
		t.Errorf("%d blocks, then %v", blocks, last)
	}
}

// counted is a context that is done once it has been asked a number of times.
type counted struct {
	context.Context
	left atomic.Int64
}

func (c *counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestConvertEndsWithItsContext: a conversion that is cancelled anywhere leaves the files of the
// folder as they were.
func TestConvertEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	path, before := filepath.Join(dir, "cache"), "what was there before"
	if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("1 1:1 7:0.5\n"), 1000)
	asked := int64(0)
	for {
		ctx := &counted{Context: t.Context()}
		ctx.left.Store(asked)
		_, err := ConvertCacheFile(ctx, path, bytes.NewReader(text), "text", ReadOptions{})
		if err == nil && ctx.left.Load() >= 0 {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled after %d looks: error %v", asked, err)
		}
		kept, err := os.ReadFile(path)
		if list, _ := os.ReadDir(dir); string(kept) != before || err != nil || len(list) != 1 {
			t.Fatalf("cancelled after %d looks: the file holds %.20q, error %v, and the folder %v", asked, kept, err, list)
		}
		asked++
	}
	if asked < 3 {
		t.Errorf("the context was looked at %d times", asked)
	}
	if data, err := ReadFile(t.Context(), path, ReadOptions{}); err != nil || data.X.Rows() != 1000 {
		t.Errorf("%v", err)
	}
}

// TestStreamsEndWithTheirContext: what reads all rows of a stream ends with its context.
func TestStreamsEndWithTheirContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	set := sampleData(t, rand.New(rand.NewPCG(1, 2)), 100, 20, Storage{}, func(int) float64 { return 0.5 }, false)
	if err := WriteCacheFile(path, set); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	done, stop := context.WithCancel(t.Context())
	stop()
	for name, f := range map[string]func(context.Context) error{
		"OpenStream":   func(ctx context.Context) error { s, err := OpenStream(ctx, path); return closed(s, err) },
		"FitMinMax":    func(ctx context.Context) error { _, err := s.FitMinMax(ctx); return err },
		"Ranges":       func(ctx context.Context) error { _, err := s.Ranges(ctx, 3, 50); return err },
		"Fingerprint":  func(ctx context.Context) error { _, err := s.Fingerprint(ctx); return err },
		"CountClasses": func(ctx context.Context) error { _, _, err := s.CountClasses(ctx, 3, 50, 10); return err },
	} {
		if err := f(done); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v of a context that is done", name, err)
		}
		for _, ctx := range []context.Context{t.Context(), nil} {
			if err := f(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func closed(s *Stream, err error) error {
	if s != nil {
		err = errors.Join(err, s.Close())
	}
	return err
}

// Three rows of which one names the largest column take no memory for the columns
// between, however they are read, described and written.
func TestFewOfManyColumns(t *testing.T) {
	text := []byte("+1 2147483646:1\n-1 1:0.5 2147483645:2\n+1 7:1\n")
	var cache bytes.Buffer
	taken := allocated(func() {
		data, err := Read(context.Background(), bytes.NewReader(text), "text", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteCache(&cache, data); err != nil {
			t.Fatal(err)
		}
		again, err := Read(context.Background(), &cache, "cache", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, again, data)
		about := again.X.Describe()
		if about.Columns != MaxColumns || about.UsedColumns != 4 || about.FirstColumn != 0 || about.LastColumn != MaxColumns-1 || about.EmptyRows != 0 {
			t.Errorf("%+v", about)
		}
	})
	if most := uint64(60+10*runtime.GOMAXPROCS(0)) << 20; taken > most {
		t.Errorf("%d bytes taken, at most %d expected", taken, most)
	}
}
