package sparse

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// What is converted block after block is what is read at once, in its layout, and is
// streamed; of what fails nothing stays.
func TestConvertCacheFile(t *testing.T) {
	repeat.Skip(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "cache")
	for name, data := range sampleSet(t) {
		if data.Weight != nil {
			continue // which text does not have
		}
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, data); err != nil {
			t.Fatal(err)
		}
		if name == "blocks" { // a late row that needs another layout
			text.WriteString("1 200000:0.1 200001:3\n")
			if data.Query != nil {
				t.Fatal("queries")
			}
		}
		options := ReadOptions{Columns: data.X.Cols()}
		want, err := Read(context.Background(), bytes.NewReader(text.Bytes()), name, options)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ConvertCacheFile(context.Background(), path, bytes.NewReader(text.Bytes()), name, options)
		if err != nil || c.Rows != want.X.Rows() || c.Columns != want.X.Cols() || c.NonZeros != want.X.NNZ() {
			t.Fatalf("%s: %v, %v", name, c, err)
		}
		got, err := ReadFile(context.Background(), path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, want)
		if got.X.Values() != want.X.Values() {
			t.Errorf("%s: layout %s, not %s", name, got.X.Layout(), want.X.Layout())
		}
		if err := streamed(path); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(path)
	for _, text := range []string{"", "# none\n", "1 1:1\n2 2:x\n", "spam 1:1\n3 2:1\n"} {
		if _, err := ConvertCacheFile(context.Background(), path, strings.NewReader(text), "text", ReadOptions{WordLabels: true}); err == nil {
			t.Errorf("%q was converted", text)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// TestConvertColumnsOfAllBlocks: a cache has the columns of the widest block of text,
// wherever that stands.
func TestConvertColumnsOfAllBlocks(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	path, long := filepath.Join(t.TempDir(), "cache"), "#"+strings.Repeat("x", 1<<22)+"\n"
	for _, rows := range [][]string{{"1 9:1\n", "2 3:1\n", "1 5:1\n"}, {"2 3:1\n", "1 9:1\n", "1 5:1\n"}, {"2 3:1\n", "1 5:1\n", "1 9:1\n"}} {
		c, err := ConvertCacheFile(context.Background(), path, strings.NewReader(strings.Join(rows, long)), "text", ReadOptions{})
		if err != nil || c != (Converted{3, 9, 3}) {
			t.Fatalf("%v: %+v, error %v", rows, c, err)
		}
		got, err := ReadFile(context.Background(), path, ReadOptions{})
		if err != nil || got.X.Cols() != 9 || got.X.NNZ() != 3 {
			t.Errorf("%v: error %v, %+v", rows, err, got)
		}
	}
}
