package sparse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestFileChangesWhileRead: a file that becomes longer, shorter or is written anew while its blocks
// are read is an error. The same change at the first byte that Progress speaks of is an error too.
func TestFileChangesWhileRead(t *testing.T) {
	repeat.Skip(t)
	var text bytes.Buffer
	for k := range 40000 {
		fmt.Fprintf(&text, "%d 1:%d.5 7:2\n", k%2, k%9)
	}
	data, err := Read(context.Background(), bytes.NewReader(text.Bytes()), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string][]byte{"text": text.Bytes(), "cache": cacheBytes(t, data)} {
		for how, change := range map[string]func(path string) error{
			"nothing": func(string) error { return nil },
			"longer": func(path string) error {
				file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					return err
				}
				_, err = file.WriteString("1 1:1\n")
				return errors.Join(err, file.Close())
			},
			"shorter": func(path string) error { return os.Truncate(path, 100) },
			"anew":    func(path string) error { return os.WriteFile(path, content, 0o666) },
		} {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			rows, failed := 0, error(nil)
			for block, err := range Blocks(context.Background(), file, path, ReadOptions{}, 1000) {
				if failed = err; err != nil {
					break
				}
				if rows == 0 {
					if err := change(path); err != nil {
						t.Fatal(err)
					}
				}
				rows += block.X.Rows()
			}
			file.Close()
			if how == "nothing" && (failed != nil || rows != 40000) || how != "nothing" && (failed == nil || !strings.Contains(failed.Error(), "changed while it was read") || !strings.Contains(failed.Error(), path)) {
				t.Errorf("%s, %s: %d rows, error %v", what, how, rows, failed)
			}
			if how == "nothing" {
				continue
			}
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			changed := false
			_, err = ReadFile(context.Background(), path, ReadOptions{chunk: 1 << 10, Workers: 1, Progress: func(_, rows int64) {
				if !changed && rows < 30000 {
					changed = true
					if err := change(path); err != nil {
						t.Error(err)
					}
				}
			}})
			if changed && (err == nil || !strings.Contains(err.Error(), "changed while it was read")) {
				t.Errorf("%s, %s: ReadFile's error is %v", what, how, err)
			}
			if what == "text" && !changed {
				t.Errorf("%s, %s: Progress was not called in time", what, how)
			}
		}
	}
}
