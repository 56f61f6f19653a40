package table

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestManyColumns reads, fits, encodes and searches a table of 100,000 columns: a cost of columns
// by columns would not end.
func TestManyColumns(t *testing.T) {
	repeat.Skip(t)
	const columns, rows = 100000, 6
	var text strings.Builder
	text.WriteString("y")
	for j := range columns {
		fmt.Fprintf(&text, ",c%d", j)
	}
	for i := range rows {
		fmt.Fprintf(&text, "\n%d", i%2)
		for j := range columns {
			fmt.Fprintf(&text, ",%d", (i+1)*(j%7+1))
		}
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := Open(path, Options{MaxColumns: columns + 1})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	ctx := context.Background()
	recipe, err := Infer(ctx, source, Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(ctx, source, recipe)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(ctx, source)
	if err != nil {
		t.Fatal(err)
	}
	if data.X.Rows() != rows || data.X.Cols() != e.Width() || e.Width() != columns {
		t.Fatalf("%d x %d, %d", data.X.Rows(), data.X.Cols(), e.Width())
	}
	leaks, err := e.Leaks(data, nil)
	if err != nil || len(leaks) > 0 {
		t.Fatal(len(leaks), err)
	}
}

// TestLongRow refuses a row that is longer than a row may be, without its memory.
func TestLongRow(t *testing.T) {
	repeat.Skip(t)
	for name, cell := range map[string]string{"plain": "", "quoted": `"`} {
		path := filepath.Join(t.TempDir(), "long.csv")
		if err := os.WriteFile(path, []byte("a,y\n1,0\n"+cell+strings.Repeat("x", 65<<20)+cell+",1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		source, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Infer(context.Background(), source, Wanted{Target: "y"}); err == nil || !strings.Contains(err.Error(), "long.csv:3") {
			t.Errorf("%s: %v", name, err)
		}
		source.Close()
	}
}
