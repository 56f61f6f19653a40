package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// fewOfMany writes three rows. The first names a very large index.
func fewOfMany(t *testing.T, index int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "few.txt")
	if err := os.WriteFile(path, fmt.Appendf(nil, "-1 1:0.5 3:2\n+1 %d:1\n+1 7:1\n", index), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Data that use few of very many columns are refused by what would take memory for all
// of them, and served by the rest.
func TestFewOfManyColumns(t *testing.T) {
	t.Parallel()
	for _, index := range []int{sparse.MaxColumns, 200000000} {
		path := fewOfMany(t, index)
		cache := filepath.Join(t.TempDir(), "few.lanes")
		succeed(t, "convert", path, cache)
		for _, args := range [][]string{
			{"train"}, {"train", "--normalize", "minmax"}, {"train", "--normalize", "std"}, {"train", "--loss", "squared", "--solver", "svrg"},
			{"train", "--solver", "soap"}, {"train", "--path", "--cv", "3"}, {"train", "--hidden", "4", "--solver", "soap"},
			{"compare", "--epochs", "2"}, {"info", "--lipschitz"},
		} {
			for _, data := range []string{path, cache} {
				o := lanes(t, append(args, data)...)
				if o.status != exitData || !strings.Contains(o.stderr, fmt.Sprintf("%d columns (row 2 has the index %d), with entries in 4 of them", index, index)) ||
					!strings.Contains(o.stderr, "--max-memory") {
					t.Errorf("%v: exit status %d, %s", args, o.status, o.stderr)
				}
			}
		}
		if out := succeed(t, "info", cache); !strings.Contains(out, fmt.Sprintf("%d (4 used)", index)) {
			t.Errorf("info: %s", out)
		}
		model := filepath.Join(t.TempDir(), "model")
		small := fewOfMany(t, 9)
		succeed(t, "train", "--quiet", "--model", model, small)
		if out := succeed(t, "predict", "--model", model, path); strings.Count(out, "\n") != 3 {
			t.Errorf("predict: %s", out)
		}
		succeed(t, "eval", "--model", model, path)
		succeed(t, "train", "--valid", path, "--epochs", "2", small)
	}
}

func TestMaxMemory(t *testing.T) {
	t.Parallel()
	path := fewOfMany(t, 100000)
	const need = 8 * 12 * 100000 // and a few bytes for three rows
	if o := lanes(t, "train", "--max-memory", fmt.Sprint(need), path); o.status != exitData || !strings.Contains(o.stderr, "10 MB of memory, more than the 10 MB that --max-memory allows") {
		t.Errorf("exit status %d, %s", o.status, o.stderr)
	}
	succeed(t, "train", "--max-memory", fmt.Sprint(need+1000), path)
}

// Under a limit on its memory the command says that it does not suffice; it does not
// end in the runtime's stack trace.
func TestUnderAMemoryLimit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("a limit is set on Linux, not in short tests")
	}
	const kib = 6000000
	limited := func(args ...string) (string, error) {
		out, err := invocation{args: args}.limited(fmt.Sprintf("-v %d", kib)).CombinedOutput()
		return string(out), err
	}
	if out, err := limited("cpu"); err != nil {
		t.Skipf("nothing runs under the limit: %v\n%s", err, out)
	}
	for _, index := range []int{sparse.MaxColumns, 200000000, 1000 * kib / (8 * 12)} {
		path := fewOfMany(t, index)
		out, err := limited("train", "--quiet", path)
		if err == nil || strings.Contains(out, "goroutine ") || !strings.Contains(out, "of memory, more than the") {
			t.Errorf("index %d: %v, %s", index, err, out)
		}
		if out, err := limited("info", path); err != nil {
			t.Errorf("index %d: %v, %s", index, err, out)
		}
	}
}
