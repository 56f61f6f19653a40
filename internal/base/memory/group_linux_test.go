package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGroupBytes: what files of a control group keep in memory can be given up, and is not
// taken for used.
func TestGroupBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	room := func() (int64, bool) { return groupFree(dir, "memory.max", "memory.current", "file ") }
	if left, known := room(); known {
		t.Errorf("a group without files leaves %d", left)
	}
	write("memory.max", "1000\n")
	write("memory.current", "900\n")
	for stat, want := range map[string]int64{"": 100, "anon 7\nfile 600\nfile_mapped 5\n": 700, "file 2000\n": 1000} {
		write("memory.stat", stat)
		if left, known := room(); !known || left != want {
			t.Errorf("%q leaves %d, %v; want %d", stat, left, known, want)
		}
	}
	for _, none := range []string{"max\n", "9223372036854771712\n"} {
		write("memory.max", none)
		if left, known := room(); known {
			t.Errorf("a group with the limit %q leaves %d", none, left)
		}
	}
}
