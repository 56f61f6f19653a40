package input

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestLoadingFits asks for lines of all widths about files of all sizes.
func TestLoadingFits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 3000 {
		l := newLoading(strings.Repeat("a long näme\n", random.IntN(4)) + "x")
		l.start = l.start.Add(-time.Duration(random.Int64N(1 << 55)))
		if random.IntN(10) > 0 {
			l.total = random.Int64()
			l.record(random.Int64(), random.Int64())
		}
		width := random.IntN(100)
		if line := l.line(width); len(line) > width || strings.ContainsAny(line, "\r\n") {
			t.Fatalf("%d columns for %d: %q", len(line), width, line)
		}
	}
}

// TestLoadingTells looks for what may not be left out on 79 columns.
func TestLoadingTells(t *testing.T) {
	l := newLoading("-")
	l.start, l.total = time.Now().Add(-20*time.Second), 90e6
	l.record(30e6, 12345)
	line := l.line(79)
	for _, want := range []string{"reading standard input", "30.0 MB of 90.0 MB", "12345 rows", "1.5 MB/s", "20s", "40s left"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}
