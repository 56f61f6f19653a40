package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// zeros is a stream of zeros without end, as a few compressed bytes can be.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestCacheBombs: a stream that promises large groups is refused before it has filled memory
// with what only looks like one.
func TestCacheBombs(t *testing.T) {
	repeat.Skip(t)
	for what, g := range map[string]cacheGroup{
		"many rows":       {rows: 1 << 30, layout: rows.I32Ones},
		"a long row":      {rows: 1, entries: 1 << 30, layout: rows.I32F64},
		"rows and a long": {rows: 3, entries: 1 << 30, layout: rows.I32F32},
	} {
		shape := cacheShape{layout: rows.I32F64, n: 1 << 31, d: MaxColumns, entries: 1 << 31, groups: 2, index: 1 << 40}
		head := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(shape.encode(), uint32(g.rows)), uint32(g.entries))
		head = append(head, uint8(g.layout), g.flags, 0, 0)
		if g.entries > 0 {
			head = append(head, make([]byte, 4*(g.rows-1))...)
			head = binary.LittleEndian.AppendUint32(head, uint32(g.entries))
		}
		var err error
		most := uint64(3 * streamStep)
		took := allocated(func() {
			_, err = Read(context.Background(), io.MultiReader(bytes.NewReader(head), zeros{}), "bomb", ReadOptions{Workers: 1})
		})
		if format := (*FormatError)(nil); !errors.As(err, &format) || took > most {
			t.Errorf("%s: %d bytes taken, error %v", what, took, err)
		}
	}
}

// TestLongRowInAStream: a row longer than what is read at a time arrives whole, and one whose
// columns do not ascend far behind does not.
func TestLongRowInAStream(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	const entries = streamStep/4 + streamStep/8
	columns, lengths := make([]uint32, entries+2), []int{2, entries}
	columns[1] = 7
	for e := range entries {
		columns[2+e] = uint32(2 * e)
	}
	s := matrix.NewStore(matrix.Storage{})
	if err := s.Add(lengths, columns, nil, 2*entries); err != nil {
		t.Fatal(err)
	}
	whole := cacheBytes(t, &Data{X: s.Matrix(2 * entries), Y: []float64{1, 2}})
	read := func() (*Data, error) {
		return Read(context.Background(), struct{ io.Reader }{bytes.NewReader(whole)}, "stream", ReadOptions{Workers: 1})
	}
	data, err := read()
	if err != nil || data.X.NNZ() != entries+2 || matrix.Stored(data.X).Column(entries+1) != 2*entries-2 {
		t.Fatalf("%v, error %v", data, err)
	}
	size := len(whole) - cacheHeader - cacheIndexing - 4
	copy(whole[cacheHeader+size-12:], whole[cacheHeader+size-8:][:4])
	resum(whole, size)
	if _, err := read(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("columns do not ascend: error %v", err)
	}
}

// TestLineWithoutEnd: a line is given up before it has filled memory.
func TestLineWithoutEnd(t *testing.T) {
	repeat.Skip(t)
	var err error
	took := allocated(func() {
		_, err = Read(context.Background(), io.MultiReader(strings.NewReader("1 1:1\n1 1:"), zeros{}), "text", ReadOptions{Workers: 1})
	})
	if err == nil || !strings.HasPrefix(err.Error(), "text:2: the line is longer than 67108864 bytes") || took > 320<<20 {
		t.Errorf("%d bytes taken, error %v", took, err)
	}
}
