package table

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// wholeNumber is what number accepts, with a point.
var wholeNumber = regexp.MustCompile(`^[ \t]*([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)[ \t]*$`)

// plainNumber is number by a pattern and strconv.
func plainNumber(text string, comma bool) (float64, bool) {
	if comma {
		text = strings.NewReplacer(",", ".", ".", ",").Replace(text)
	}
	m := wholeNumber.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, err == nil
}

// TestNumber: cells of all kinds, before all kinds of bytes, are what the pattern says.
func TestNumber(t *testing.T) {
	repeat.Skip(t)
	cells := []string{
		"", " ", "0", "-0", "+5", "5.", ".5", ".", "-", "+-1", "1 2", " 7", "7 ", "\t-2.5e-3 \t", "1e5", "1e", "e5", "1e400", "-1e400", "1e-400",
		"nan", "NaN", "inf", "-Infinity", "0x10", "1_000", "1,5", "1.5", "1,234.5", "1.234,5", "-,5", "12abc", "12345678", "123456789012345678901234567890",
		strings.Repeat("9", 70), strings.Repeat("1", 400), "0." + strings.Repeat("3", 80), strings.Repeat("1", 63), strings.Repeat("1", 64), strings.Repeat("1", 65), "٣", "1\x00",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, random.IntN(12))
		for k := range b {
			b[k] = "0123456789.,+-eE \tx"[random.IntN(19)]
		}
		cells = append(cells, string(b))
	}
	for _, cell := range cells {
		for _, tail := range []string{"\n", ",", ";", "0", ".", "e5", "-", " ", "\x00"} {
			for _, comma := range []bool{false, true} {
				text := []byte(cell + tail + strings.Repeat("7", pad))
				got, ok := number(text[:len(cell)], comma)
				want, is := plainNumber(cell, comma)
				if ok != is || is && math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%q before %q, comma %v: %v %v, want %v %v", cell, tail, comma, got, ok, want, is)
				}
			}
		}
	}
}

func TestNumberAllocatesNothing(t *testing.T) {
	text := []byte("12,5;-3.25;" + strings.Repeat("1", 40) + strings.Repeat(" ", pad))
	if n := testing.AllocsPerRun(100, func() {
		number(text[:4], true)
		number(text[5:10], false)
		number(text[11:51], true)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
