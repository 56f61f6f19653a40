package synthetic

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestPlantedByPairs compares what a tally says with all pairs of rows, one by one.
func TestPlantedByPairs(t *testing.T) {
	t.Parallel()
	var counts tally
	rows := []struct {
		margin float64
		click  int
	}{{-2.5, 0}, {-2.5, 0}, {-2.5, 1}, {0, 0}, {0, 1}, {0, 1}, {1.25, 1}, {3, 0}, {3, 1}, {-16, 0}}
	for _, r := range rows {
		counts[r.click][int((r.margin+reach)*unit)]++
	}
	won, pairs, loss, clicks := 0.0, 0.0, 0.0, int64(0)
	for _, a := range rows {
		loss += math.Log1p(math.Exp(a.margin*float64(1-2*a.click))) / float64(len(rows))
		clicks += int64(a.click)
		for _, b := range rows {
			if a.click == 1 && b.click == 0 {
				pairs++
				if a.margin > b.margin {
					won++
				} else if a.margin == b.margin {
					won += 0.5
				}
			}
		}
	}
	p, err := counts.planted()
	if err != nil || math.Abs(p.AUC-won/pairs) > 1e-14 || math.Abs(p.LogLoss-loss) > 1e-14 || p.Rows != int64(len(rows)) || p.Clicks != clicks {
		t.Errorf("%+v, %v; want AUC %v, log loss %v", p, err, won/pairs, loss)
	}
	var one tally
	one[0][5] = 3
	if p, err := one.planted(); err != nil || p.AUC != 0.5 || p.Rows != 3 || p.Clicks != 0 {
		t.Errorf("rows without a click: %+v, %v", p, err)
	}
}

// TestClicksFollowModel: rows of equal margins have the share of clicks that the logistic
// function says.
func TestClicksFollowModel(t *testing.T) {
	t.Parallel()
	m := newClickModel(Clicks{Seed: 3, Share: 0.2})
	const rows = 200000
	var expected, clicks, square [16]float64
	text := make([]byte, 0, mostRowBytes)
	for number := range int64(rows) {
		_, cell, click := m.row(text, 1<<40+number)
		p := 1 / (1 + math.Exp(-marginOf(cell)))
		k := int(p * 16)
		expected[k] += p
		square[k] += p * (1 - p)
		if click {
			clicks[k]++
		}
	}
	for k := range expected {
		if math.Abs(clicks[k]-expected[k]) > 5*math.Sqrt(square[k]+1) {
			t.Errorf("probabilities about %.2f: %v clicks, not %.0f", (float64(k)+0.5)/16, clicks[k], expected[k])
		}
	}
}

// TestRowsWithoutAllocation: rows fit into the text that is made for them.
func TestRowsWithoutAllocation(t *testing.T) {
	m := newClickModel(Clicks{Seed: 1, Share: 0.5})
	text := make([]byte, 0, mostRowBytes)
	number := int64(0)
	if n := testing.AllocsPerRun(20000, func() { m.row(text, number); number++ }); n > 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// TestNumbersAsText compares digits with package fmt's, and words with the finaliser of
// MurmurHash3 as its author writes it.
func TestNumbersAsText(t *testing.T) {
	t.Parallel()
	for _, v := range []uint64{0, 1, 9, 10, 99, 100, 101, 5, 50, 12345, 99999999, 1 << 20} {
		if got, want := string(appendNumber(nil, v, false)), fmt.Sprint(v); got != want {
			t.Errorf("%s, not %s", got, want)
		}
		if got, want := string(appendNumber(nil, v, true)), fmt.Sprintf("%d.%02d", v/100, v%100); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	seen := map[string]bool{}
	for rank := range uint32(3000) {
		h := rank ^ 7<<26
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		h ^= h >> 16
		word := string(appendWord(nil, rank, 7))
		if seen[word] = true; word != fmt.Sprintf("%08x", h) {
			t.Fatalf("%s, not %08x", word, h)
		}
	}
	if len(seen) != 3000 || strings.Contains(string(appendWord(nil, 1, 2)), string(appendWord(nil, 1, 3))) {
		t.Error("words are not distinct")
	}
}

func BenchmarkClickRow(b *testing.B) {
	m := newClickModel(Clicks{Seed: 1, Share: 0.1})
	text := make([]byte, 0, mostRowBytes)
	number := int64(0)
	for b.Loop() {
		row, _, _ := m.row(text, number)
		b.SetBytes(int64(len(row)))
		number++
	}
}
