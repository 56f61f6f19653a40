package fuzz

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// FuzzReadWords: texts with labels that are words, and with indices from 0, come back as
// they were written, whatever the number of workers.
func FuzzReadWords(f *testing.F) {
	f.Add([]byte("spam 1:0.3\nham 2:1 3:4\n"), byte(0))
	f.Add([]byte("1 0:1 1:2\n-1 5:-1e-3\n"), byte(1))
	f.Add([]byte("\xc3\x84rger qid:3 2:1 0:4 # x\r\nham qid:4\n"), byte(3))
	f.Fuzz(func(t *testing.T, text []byte, choice byte) {
		options := sparse.ReadOptions{WordLabels: true, ZeroBased: choice&1 != 0, Merge: choice&2 != 0, Workers: 1, MaxColumns: 1 << 20}
		first, err := sparse.Read(context.Background(), bytes.NewReader(text), "fuzz", options)
		if err != nil || first.Cached {
			return
		}
		for _, y := range first.Y {
			if first.LabelNames != nil && (y != math.Trunc(y) || y < 0 || int(y) >= len(first.LabelNames)) {
				t.Fatalf("label %v of %q", y, first.LabelNames)
			}
		}
		if !slices.IsSorted(first.LabelNames) {
			t.Fatalf("names %q", first.LabelNames)
		}
		var written, again bytes.Buffer
		if err := sparse.WriteLIBSVM(&written, first); err != nil {
			t.Fatal(err)
		}
		second, err := sparse.Read(context.Background(), bytes.NewReader(written.Bytes()), "written", sparse.ReadOptions{WordLabels: true, Workers: 2})
		if err != nil {
			t.Fatalf("%q: %v", &written, err)
		}
		if err := sparse.WriteLIBSVM(&again, second); err != nil || !bytes.Equal(written.Bytes(), again.Bytes()) {
			t.Fatalf("%q became %q, %v", &written, &again, err)
		}
	})
}
