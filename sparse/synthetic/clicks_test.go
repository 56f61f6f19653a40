package synthetic_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// clicks writes a log as text.
func clicks(t *testing.T, c synthetic.Clicks, workers int) (string, synthetic.Planted) {
	t.Helper()
	var text bytes.Buffer
	planted, err := c.WriteCSV(t.Context(), &text, synthetic.ClickOptions{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), planted
}

// TestClicksByNumber: a row depends on its number and the seed alone, on every CPU.
func TestClicksByNumber(t *testing.T) {
	t.Parallel()
	const rows = 40000 // two blocks and a part of one
	whole, planted := clicks(t, synthetic.Clicks{Rows: rows, Seed: 1, Share: 0.1}, 1)
	if again, same := clicks(t, synthetic.Clicks{Rows: rows, Seed: 1, Share: 0.1}, 3); again != whole || same != planted {
		t.Error("three workers write another log than one")
	}
	header, body, _ := strings.Cut(whole, "\n")
	if header != strings.Join(synthetic.ClickColumns(), ",") || strings.Count(body, "\n") != rows {
		t.Errorf("%d rows below %s", strings.Count(body, "\n"), header)
	}
	part, _ := clicks(t, synthetic.Clicks{First: 17000, Rows: 100, Seed: 1, Share: 0.1}, 2)
	if lines := strings.SplitAfter(body, "\n"); strings.Join(lines[17000:17100], "") != part[len(header)+1:] {
		t.Error("rows 17000 to 17099 by themselves are other rows")
	}
	if other, _ := clicks(t, synthetic.Clicks{Rows: 10, Seed: 2, Share: 0.1}, 1); strings.HasPrefix(whole, other) {
		t.Error("the seed changes nothing")
	}
	const want = "5c2a6277b065f6fc"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(whole)))[:16]; got != want {
		t.Errorf("the log has the hash %s, not %s", got, want)
	}
}

// TestClicksPacked compares files of all compressions with the text.
func TestClicksPacked(t *testing.T) {
	t.Parallel()
	log := synthetic.Clicks{Rows: 20000, Seed: 5, Share: 0.2}
	want, _ := clicks(t, log, 2)
	for _, name := range []string{"clicks.csv", "clicks.csv.gz", "clicks.csv.zst"} {
		path := filepath.Join(t.TempDir(), name)
		rows := int64(0)
		if _, err := log.WriteCSVFile(t.Context(), path, synthetic.ClickOptions{Progress: func(n int64) { rows = n }}); err != nil {
			t.Fatal(err)
		}
		packed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := sparse.Decompress(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(text); string(got) != want || err != nil || rows != log.Rows {
			t.Errorf("%s holds other rows; %d rows in all; %v", name, rows, err)
		}
		if name != "clicks.csv" && len(packed) > len(want)/2 {
			t.Errorf("%s has %d bytes of %d", name, len(packed), len(want))
		}
	}
}

// TestClicksShape counts values, missing cells and clicks.
func TestClicksShape(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	const rows = 50000
	names := synthetic.ClickColumns()
	for _, share := range []float64{0.03, 0.25} {
		text, planted := clicks(t, synthetic.Clicks{Rows: rows, Seed: 9, Share: share}, 0)
		counts := make([]map[string]int, len(names))
		for k := range counts {
			counts[k] = map[string]int{}
		}
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			cells := strings.Split(line, ",")
			if len(cells) != len(names) {
				t.Fatalf("%d cells: %s", len(cells), line)
			}
			for k, cell := range cells {
				counts[k][cell]++
			}
		}
		if got := float64(counts[0]["1"]) / rows; planted.Clicks != int64(counts[0]["1"]) || planted.Rows != rows || math.Abs(got/share-1) > 0.1 {
			t.Errorf("a share of clicks of %.3f, not %v; planted %+v", got, share, planted)
		}
		if planted.AUC < 0.75 || planted.AUC > 0.9 {
			t.Errorf("the planted AUC is %v", planted.AUC)
		}
		for k, name := range names[1:] {
			values := counts[k+1]
			for value := range values {
				_, err := strconv.ParseFloat(value, 64)
				if word := name[0] == 'c'; value != "" && (word && len(strings.Trim(value, "0123456789abcdef")) > 0 || word && len(value) != 8 || !word && err != nil) {
					t.Fatalf("column %s has the value %q", name, value)
				}
			}
		}
		// c9 has 10 values: in each of the octaves {1}, {2, 3}, {4..7}, {8, 9, 10} a quarter.
		var share9 []float64
		for _, count := range counts[slices.Index(names, "c9")] {
			share9 = append(share9, float64(count)/rows)
		}
		slices.Sort(share9)
		slices.Reverse(share9)
		for k, want := range []float64{1. / 4, 1. / 8, 1. / 8, 1. / 12, 1. / 12, 1. / 12, 1. / 16, 1. / 16, 1. / 16, 1. / 16} {
			if k >= len(share9) || math.Abs(share9[k]-want) > 0.01 {
				t.Fatalf("the values of c9 have the shares %.3f", share9)
			}
		}
		if got := float64(counts[slices.Index(names, "i10")][""]) / rows; math.Abs(got-29700./65536) > 0.01 {
			t.Errorf("a share of %.3f of i10 is missing", got)
		}
		if many := len(counts[slices.Index(names, "c3")]); many < 5000 || many > rows {
			t.Errorf("c3 has %d values", many)
		}
	}
}

// TestClicksRefuse: bad settings, writers that fail, and a context that is done.
func TestClicksRefuse(t *testing.T) {
	t.Parallel()
	good := synthetic.Clicks{Rows: 100000, Share: 0.1}
	for _, c := range []synthetic.Clicks{
		{Rows: 0, Share: 0.1}, {Rows: 10}, {Rows: 10, Share: 1}, {Rows: 10, Share: math.NaN()}, {Rows: 10, First: -1, Share: 0.1}, {Rows: math.MaxInt64, Share: 0.1},
	} {
		if _, err := c.WriteCSV(t.Context(), io.Discard, synthetic.ClickOptions{}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
	full := errors.New("full")
	if _, err := good.WriteCSV(t.Context(), failing{full}, synthetic.ClickOptions{Workers: 3}); !errors.Is(err, full) {
		t.Errorf("the writer fails, and the error is %v", err)
	}
	if _, err := good.WriteCSV(t.Context(), nil, synthetic.ClickOptions{}); err == nil {
		t.Error("nothing to write to is taken")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("ended")
	rows := int64(0)
	_, err := good.WriteCSV(ctx, io.Discard, synthetic.ClickOptions{Workers: 2, Progress: func(n int64) { rows = n; cancel(ended) }})
	if !errors.Is(err, ended) || rows >= good.Rows {
		t.Errorf("%d rows were written of a log that was to end: %v", rows, err)
	}
	path := filepath.Join(t.TempDir(), "clicks.csv.xz")
	if _, err := good.WriteCSVFile(t.Context(), path, synthetic.ClickOptions{}); err == nil || !strings.Contains(err.Error(), ".zst") {
		t.Errorf("a name that ends in .xz: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the panic of a listener is gone")
		}
	}()
	good.WriteCSV(t.Context(), io.Discard, synthetic.ClickOptions{Workers: 2, Progress: func(int64) { panic("no") }})
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
