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
	"testing"
	"time"
)

// endless gives rows for ever and ends its context after some of them.
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
		data, err := ReadContext(ctx, &endless{[]byte(line), 5 << 20, stop}, name, ReadOptions{Workers: 2})
		if data != nil || !errors.Is(err, errEnough) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	silent, writer := io.Pipe()
	defer writer.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := ReadContext(ctx, silent, "pipe", ReadOptions{}); !errors.Is(err, context.Canceled) || err.Error() != "pipe: context canceled" {
		t.Errorf("error %v", err)
	}
	path := filepath.Join(t.TempDir(), "cache")
	set := sampleData(t, rand.New(rand.NewPCG(1, 2)), 100, 20, Storage{}, func(int) float64 { return 0.5 }, false)
	if err := WriteCacheFile(path, set); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFileContext(ctx, path, ReadOptions{}); !errors.Is(err, context.Canceled) {
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
		got, err := ReadFileContext(ctx, path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, set)
	}
}

// Three rows of which one names the largest column take no memory for the columns
// between, however they are read, described and written.
func TestFewOfManyColumns(t *testing.T) {
	text := []byte("+1 2147483646:1\n-1 1:0.5 2147483645:2\n+1 7:1\n")
	var cache bytes.Buffer
	taken := allocated(func() {
		data, err := Read(bytes.NewReader(text), "text", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteCache(&cache, data); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&cache, "cache", ReadOptions{})
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
