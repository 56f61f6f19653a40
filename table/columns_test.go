package table

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestMaxColumns: a table of too many columns is refused while its first row is cut, in whatever
// format, and a larger limit takes it.
func TestMaxColumns(t *testing.T) {
	t.Parallel()
	wide := func(columns int) string {
		return strings.Repeat(strings.Repeat("1,", columns-1)+"1\n", 2)
	}
	keys := `{"a":1,"b":2,"c":3}` + "\n"
	for _, c := range []struct {
		text string
		most int
		want string // "" where it is taken
	}{
		{wide(maxColumns), 0, ""}, {wide(maxColumns + 1), 0, "more than 65536 columns"}, {wide(maxColumns + 1), maxColumns + 1, ""},
		{wide(3), 3, ""}, {wide(4), 3, "more than 3 columns"}, {"a\tb\tc\n" + "1\t2\t3\n", 2, "more than 2 columns"},
		{"\"a,b\",c\n1,2\n", 2, ""}, {keys, 3, ""}, {keys, 2, "more than 2 different keys"}, {wide(3), -1, "MaxColumns is -1"},
	} {
		s, err := Open("-", Options{Stdin: strings.NewReader(c.text), MaxColumns: c.most})
		if err == nil {
			s.Close()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d bytes, at most %d columns: error %v, want %s", len(c.text), c.most, err, c.want)
		}
	}
}

// A row of millions of cells takes memory for its text alone. What is inferred of a column takes
// less than half of columnBytes, which plans it with as much garbage.
func TestBytesOfColumns(t *testing.T) {
	repeat.Skip(t)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	text := strings.Repeat(strings.Repeat("1,", 1<<20)+"1\n", 2)
	if bytes := allocated(func() {
		if s, err := Open("-", Options{Stdin: strings.NewReader(text)}); err == nil {
			s.Close()
			t.Error("a million columns were taken")
		}
	}); bytes > 1<<28 {
		t.Errorf("opening a table of a million columns allocates %d bytes", bytes)
	}
	const columns = 20000
	text = strings.Repeat(strings.Repeat("1,", columns-1)+"2\n", 2) + strings.Repeat("2,", columns-1) + "1\n"
	s, err := Open("-", Options{Stdin: strings.NewReader(text), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := Infer(context.Background(), s, Wanted{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int64(after.HeapAlloc-before.HeapAlloc) / columns; each > columnBytes/2 {
		t.Errorf("%d bytes a column stay", each)
	} else {
		t.Logf("%d bytes a column stay", each)
	}
	runtime.KeepAlive(r)
}
