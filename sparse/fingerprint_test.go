package sparse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

func readText(t *testing.T, text string, options ReadOptions) *Data {
	t.Helper()
	d, err := Read(context.Background(), strings.NewReader(text), "text", options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func fingerprint(t *testing.T, d *Data) string {
	t.Helper()
	sum, err := d.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestFingerprintEncoding holds the fingerprint against bytes written by hand.
func TestFingerprintEncoding(t *testing.T) {
	d := readText(t, "2 qid:3 1:0.5 4:-1\n-1 qid:3\n", ReadOptions{})
	var want bytes.Buffer
	want.WriteString("lanes data 1\n")
	for _, v := range []uint64{
		2, 4, 0, 1,
		math.Float64bits(2), 3, 2, 0, math.Float64bits(0.5), 3, math.Float64bits(-1),
		math.Float64bits(-1), 3, 0,
	} {
		for k := range 8 {
			want.WriteByte(byte(v >> (8 * k)))
		}
	}
	sum := sha256.Sum256(want.Bytes())
	if got := fingerprint(t, d); got != hex.EncodeToString(sum[:]) {
		t.Errorf("the fingerprint is %s", got)
	}
}

// TestFingerprintOfLayouts: the same rows have the same fingerprint however they are
// stored and wherever they come from.
func TestFingerprintOfLayouts(t *testing.T) {
	const text = "1 1:1 3:1 7000:1\n-1 2:1\n1\n-1 1:1 2:1\n"
	data := readText(t, text, ReadOptions{})
	want := fingerprint(t, data)
	layouts := map[string]bool{}
	for _, storage := range []Storage{{}, {Float32: true}, {Values: ValuesPerRow}, {Values: ValuesFloat32}, {Values: ValuesFloat64}, {indices32: true}} {
		d := readText(t, text, ReadOptions{Storage: storage})
		layouts[d.X.Layout()] = true
		if got := fingerprint(t, d); got != want {
			t.Errorf("%s: another fingerprint", d.X.Layout())
		}
	}
	if len(layouts) < 4 {
		t.Errorf("only the layouts %v were tried", layouts)
	}
	again, err := Read(context.Background(), bytes.NewReader(cacheBytes(t, data)), "cache", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !again.Cached || fingerprint(t, again) != want {
		t.Error("the cache has another fingerprint")
	}
	zero := readText(t, "1 0:1 2:1 6999:1\n-1 1:1\n1\n-1 0:1 1:1\n", ReadOptions{ZeroBased: true})
	if fingerprint(t, zero) != want {
		t.Error("indices from 0 give another fingerprint")
	}
}

// TestFingerprintTellsApart: whatever differs in the rows differs in the fingerprint.
func TestFingerprintTellsApart(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct {
		text    string
		columns int
	}{
		{"1 1:1 2:2\n-1 1:1\n", 0},
		{"1 1:1 2:2\n-1 1:1\n", 3},
		{"1 1:1 2:2.0000000000000004\n-1 1:1\n", 0},
		{"1 1:1 2:-2\n-1 1:1\n", 0},
		{"1 1:1\n-1 1:1 2:2\n", 0},
		{"1 1:1 2:2 \n-1 2:1\n", 0},
		{"-1 1:1 2:2\n-1 1:1\n", 0},
		{"1 1:1 2:2\n-1 1:1\n-1\n", 0},
		{"-1 1:1\n1 1:1 2:2\n", 0},
		{"1 qid:1 1:1 2:2\n-1 qid:1 1:1\n", 0},
		{"1 qid:1 1:1 2:2\n-1 qid:2 1:1\n", 0},
		{"yes 1:1 2:2\nno 1:1\n", 0},
		{"yes 1:1 2:2\nnot 1:1\n", 0},
	} {
		sum := fingerprint(t, readText(t, c.text, ReadOptions{Columns: c.columns, WordLabels: true}))
		if before, found := seen[sum]; found {
			t.Errorf("%q has the fingerprint of %q", c.text, before)
		}
		seen[sum] = c.text
	}
	d := readText(t, "1 1:1\n-1 1:1\n", ReadOptions{})
	if fingerprint(t, &Data{X: d.X.WithBias(1), Y: d.Y}) == fingerprint(t, d) {
		t.Error("the bias changes nothing")
	}
}

func TestFingerprintOfNonsense(t *testing.T) {
	x := readText(t, "1 1:1\n", ReadOptions{}).X
	for _, d := range []*Data{nil, {}, {X: x}, {X: x, Y: []float64{1, 2}}, {X: x, Y: []float64{1}, Query: []int64{1, 2}}} {
		if sum, err := d.Fingerprint(); err == nil {
			t.Errorf("%v has the fingerprint %s", d, sum)
		}
	}
	if _, err := (&Data{X: new(Matrix)}).Fingerprint(); err != nil {
		t.Error(err)
	}
}
