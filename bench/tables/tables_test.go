//go:build linux

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestPicture draws made-up runs.
func TestPicture(t *testing.T) {
	runs := []headline{{rows: 1_000_000, train: 9, auc: 0.80, planted: 0.823}, {rows: 10_000_000, train: 100, auc: 0.81, planted: 0.823}, {rows: 100_000_000, train: 1200, auc: 0.818, planted: 0.823}}
	for _, name := range []string{"x.png", "x.svg"} {
		path := filepath.Join(t.TempDir(), name)
		if err := draws(path, runs, "generated clicks, lanes v0.1.0\n--target click --hash 22 --bins 32\n--C 0.05 --memory 4GB"); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 5000 {
			t.Errorf("%s: %v", name, err)
		}
		if keep := os.Getenv("LANES_KEEP"); keep != "" {
			text, _ := os.ReadFile(path)
			os.WriteFile(filepath.Join(keep, name), text, 0o666)
		}
	}
}

// TestSlope takes times that grow as the square of the rows.
func TestSlope(t *testing.T) {
	if got := slope(headline{rows: 1_000_000, train: 3}, headline{rows: 10_000_000, train: 300}); math.Abs(got-2) > 1e-12 {
		t.Errorf("slope %v, want 2", got)
	}
}
