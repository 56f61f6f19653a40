package decimal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestPlain compares plain decimals, and texts with a byte that makes them something else, with strconv.
func TestPlain(t *testing.T) {
	repeat.Skip(t)
	form := regexp.MustCompile(`^-?(\d+|\d+\.\d*|\.\d+)$`)
	random := rand.New(rand.NewPCG(11, 12))
	seen := map[Written]int{}
	check := func(text string) {
		t.Helper()
		digits := strings.TrimPrefix(text, "-")
		plain := form.MatchString(text) && len(digits) <= 24 && len(strings.Replace(digits, ".", "", 1)) <= 19
		for _, tail := range []string{"", "9", ".5", "\xff", ",7"} {
			v, w, ok := Plain(padded(text+tail), len(text))
			if ok != plain {
				t.Fatalf("%q: plain is %t, want %t", text, ok, plain)
			}
			if !ok {
				continue
			}
			want, _ := strconv.ParseFloat(text, 64)
			before, after, point := strings.Cut(digits, ".")
			written := Written{len(before), len(after)}
			if !point {
				written.After = -1
			}
			if math.Float64bits(v) != math.Float64bits(want) || w != written {
				t.Fatalf("%q: %v, %v; want %v, %v", text, v, w, want, written)
			}
			seen[w]++
		}
	}
	for _, text := range []string{"-", ".", "-.", "0", "-0", "00", "--1", "+1", "1-", "1.2.3", "1..2", "1e5", " 1", "1 ", "\x00", "9007199254740993", "9007199254740993.0", "18446744073709551615", "9999999999999999999", ".9999999999999999999", "-0.00000000000000000"} {
		check(text)
	}
	for range 400_000 {
		n := 1 + random.IntN(25)
		text := make([]byte, n)
		for k := range text {
			text[k] = byte('0' + random.IntN(10))
		}
		switch random.IntN(8) {
		case 0:
			text[random.IntN(n)] = byte(random.IntN(256))
		case 1, 2, 3, 4, 5:
			text[random.IntN(n)] = '.'
		case 6:
			text[random.IntN(n)], text[random.IntN(n)] = '.', ".-+e,:/"[random.IntN(7)]
		}
		sign := []string{"", "-"}[random.IntN(2)]
		check(sign + string(text))
		check(fmt.Sprint(random.NormFloat64()))
	}
	if len(seen) < 190 {
		t.Errorf("%d ways of writing were tried", len(seen))
	}
}

func BenchmarkPlain(b *testing.B) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, format := range []string{"%.6f", "%.3f", "%.12f", "%.17g", "%.0f"} {
		var text []byte
		var ends []int
		for range 1000 {
			text = fmt.Appendf(text, format, random.NormFloat64()*10)
			ends = append(ends, len(text))
			text = append(text, ',')
		}
		text = append(text, make([]byte, Pad)...)
		b.Run(format, func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				from := 0
				for _, end := range ends {
					v, _, _ := Plain(text[from:], end-from)
					sum += v
					from = end + 1
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/number")
		})
	}
}
