package sparse

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
)

// hesitant is a reader that returns no bytes and no error before every piece of its text.
type hesitant struct {
	from  io.Reader
	empty int // reads without bytes
	turn  int
}

func (h *hesitant) Read(to []byte) (int, error) {
	if h.turn++; h.turn%3 != 0 || len(to) == 0 {
		h.empty++
		return 0, nil
	}
	return h.from.Read(to[:min(len(to), 7)])
}

// TestEmptyReads: reads that return nothing and no error are tried again, and are no end of the rows.
func TestEmptyReads(t *testing.T) {
	text := strings.Repeat("1 1:2 3:0.5\n-1 2:1\n", 50)
	want, err := Read(context.Background(), strings.NewReader(text), "whole", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	from := &hesitant{from: strings.NewReader(text)}
	got, err := Read(context.Background(), from, "pieces", ReadOptions{})
	if err != nil || got.X.Rows() != want.X.Rows() || got.X.NNZ() != want.X.NNZ() || !slices.Equal(got.Y, want.Y) {
		t.Errorf("read in pieces: %v, %v", got, err)
	}
	if from.empty < 20 {
		t.Errorf("%d empty reads", from.empty)
	}
}
