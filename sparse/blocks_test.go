package sparse

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestBlocks: blocks of any size hold the rows that Read reads, in their order.
func TestBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("\ufeff")
	for i := range 300 {
		fmt.Fprintf(&text, "%d", i%5)
		for j := 1; j <= 40; j += 1 + random.IntN(20) {
			fmt.Fprintf(&text, " %d:%.3g", j, random.NormFloat64())
		}
		text.WriteString([]string{"\n", "\r\n", "\n\n \n", " # a comment\n"}[random.IntN(4)])
	}
	plain := text.String() + "2 40:0.5"
	var packed, cache bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write([]byte(plain))
	zip.Close()
	whole, err := Read(context.Background(), strings.NewReader(plain), "whole", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteCache(&cache, whole); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{"plain": plain, "packed": packed.String(), "cache": cache.String()} {
		for _, size := range []int{1, 17, 300, 5000, 0} {
			for _, chunk := range []int{8, 100, 0} {
				at, blocks := 0, 0
				var y []float64
				for block, err := range Blocks(context.Background(), strings.NewReader(source), name, ReadOptions{Columns: 40, DropBeyond: true, chunk: chunk}, size) {
					if err != nil {
						t.Fatalf("%s, blocks of %d: %v", name, size, err)
					}
					if block.X.Cols() != 40 || block.X.Rows() == 0 {
						t.Fatalf("%s, blocks of %d: %d x %d", name, size, block.X.Rows(), block.X.Cols())
					}
					for i := range block.X.Rows() {
						got, want := map[int]float64{}, map[int]float64{}
						for j, v := range block.X.Row(i) {
							got[j] = v
						}
						for j, v := range whole.X.Row(at) {
							want[j] = v
						}
						if fmt.Sprint(got) != fmt.Sprint(want) {
							t.Fatalf("%s, blocks of %d: row %d is %v, not %v", name, size, at, got, want)
						}
						at++
					}
					y = append(y, block.Y...)
					blocks++
				}
				if !slices.Equal(y, whole.Y) {
					t.Errorf("%s, blocks of %d: %d labels", name, size, len(y))
				}
				if want := map[int]int{1: 301, 0: 1}[size]; name == "plain" && want > 0 && blocks != want {
					t.Errorf("%d blocks of %d, not %d", blocks, size, want)
				}
			}
		}
	}
	for block, err := range Blocks(context.Background(), strings.NewReader(plain), "first", ReadOptions{}, 1) {
		if err != nil || block.X.Rows() != 1 {
			t.Error(err)
		}
		break
	}
}

func TestBlocksRefuses(t *testing.T) {
	good := strings.Repeat("1 1:1\n\n", 50)
	for _, c := range []struct {
		text, says string
		line       int64
		size, rows int
	}{
		{good + "1 2:x\n" + good, "value \"x\" of index 2", 101, 20, 48},
		{good + "1 2:x\n" + good, "value \"x\" of index 2", 101, 0, 0},
		{good + strings.Repeat("#", 2000) + "\n", "longer than 1000", 101, 20, 48},
		{"", "empty", 0, 20, 0},
		{"\n\n# nothing\n\n", "no rows", 0, 2, 0},
		{good, "a block of -1 bytes", 0, -1, 0},
	} {
		rows := 0
		var err error
		for block, wrong := range Blocks(context.Background(), strings.NewReader(c.text), "x", ReadOptions{maxLine: 1000, chunk: 8}, c.size) {
			if err != nil {
				t.Error("a block after an error")
			}
			if err = wrong; err == nil {
				rows += block.X.Rows()
			}
		}
		var format *FormatError
		if err == nil || !strings.Contains(err.Error(), c.says) || rows != c.rows || c.size >= 0 && (!errors.As(err, &format) || format.Line != c.line) {
			t.Errorf("%.20q: %d rows and error %v, want %d and %q in line %d", c.text, rows, err, c.rows, c.says, c.line)
		}
	}
}

// A block of any size takes the memory of what is there.
func TestBlocksOfAnySize(t *testing.T) {
	for _, size := range []int{math.MaxInt, math.MaxInt / 2, 1 << 30} {
		rows := 0
		taken := allocated(func() {
			for data, err := range Blocks(context.Background(), strings.NewReader("1 1:1\n2 2:1\n"), "text", ReadOptions{Workers: 1, chunk: 16}, size) {
				if err != nil {
					t.Fatal(err)
				}
				rows += data.X.Rows()
			}
		})
		if rows != 2 || taken > 1<<29 {
			t.Errorf("blocks of %d: %d rows, %d bytes", size, rows, taken)
		}
	}
}
