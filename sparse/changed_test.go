package sparse

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestChangedFile: a file that is rewritten in place, with as many bytes, while it is read gives an
// error, not rows of two versions.
func TestChangedFile(t *testing.T) {
	repeat.Skip(t)
	text := func(label string) string {
		var out strings.Builder
		for i := range 40000 {
			fmt.Fprintf(&out, "%s %d:1 %d:0.5\n", label, i%7+1, i%1000+9)
		}
		return out.String()
	}
	packed := func(text string) []byte {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	ctx := context.Background()
	for name, old := range map[string][]byte{"text": []byte(text("1")), "gzip": packed(text("1"))} {
		path := filepath.Join(t.TempDir(), "rows")
		fresh := []byte(text("2"))
		if name == "gzip" {
			fresh = packed(text("2"))
		}
		change := func() {
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Write(fresh); err != nil || file.Close() != nil {
				t.Fatal(err)
			}
		}
		// begin writes the old version, and returns a listener that writes the new one once.
		begin := func() ReadOptions {
			if err := os.WriteFile(path, old, 0o600); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond) // more than a tick of the file system's clock
			changed := false
			return ReadOptions{chunk: 1 << 12, Workers: 1, Progress: func(bytes, rows int64) {
				if !changed && rows > 0 {
					changed = true
					change()
				}
			}}
		}
		opened := func() *os.File {
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { file.Close() })
			return file
		}
		for way, read := range map[string]func() (*Data, error){
			"ReadFile": func() (*Data, error) { o := begin(); return ReadFile(ctx, path, o) },
			"Read":     func() (*Data, error) { o := begin(); return Read(ctx, opened(), "rows", o) },
			"Blocks": func() (*Data, error) {
				o := begin()
				var last *Data
				for block, err := range Blocks(ctx, opened(), "rows", o, 1<<14) {
					if err != nil {
						return nil, err
					}
					if last = block; block.Y[0] != block.Y[len(block.Y)-1] {
						return last, nil
					}
				}
				return last, nil
			},
			"ConvertCacheFile": func() (*Data, error) {
				o := begin()
				cache := filepath.Join(t.TempDir(), "x.lanes")
				_, err := ConvertCacheFile(ctx, cache, opened(), "rows", o)
				if _, there := os.Stat(cache); err != nil && there == nil {
					t.Error("a cache of a changed file is there")
				}
				return nil, err
			},
		} {
			_, err := read()
			if err == nil || !strings.Contains(err.Error(), "the file was changed while it was read") {
				t.Errorf("%s of %s: error %v", way, name, err)
			}
		}
	}
}
