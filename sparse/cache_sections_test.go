package sparse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
)

// encode1 is a header of version 1.
func (s *cacheShape) encode1() []byte {
	b := append([]byte(cacheMagic), 1, 0, 0, 0, uint8(s.layout), s.flags, 0, 0)
	for _, v := range []uint64{s.n, s.d, s.entries} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// cacheBytes1 is a cache of version 1, as programs before version 2 wrote it.
func cacheBytes1(data *Data) []byte {
	m, r := data.X, &data.X.rows
	shape := shapeOf(data)
	out, number := shape.encode1(), int64(0)
	section := func(width int, b []byte) {
		for len(b) > 0 {
			part := b[:min(len(b), cacheBlock/width*width)]
			out = binary.LittleEndian.AppendUint32(append(out, part...), blockSum(number, part))
			b = b[len(part):]
			number++
		}
	}
	var lengths, labels, queries, scales, indices, values []byte
	put32, put64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	for i := range m.n {
		lengths = put32(lengths, uint32(r.End[i]-r.Begin[i]))
		labels = put64(labels, math.Float64bits(data.Y[i]))
		if data.Query != nil {
			queries = put64(queries, uint64(data.Query[i]))
		}
		if shape.flags&cacheScales != 0 {
			scales = put64(scales, math.Float64bits(r.Scale[i]))
		}
		for e := r.Begin[i]; e < r.End[i]; e++ {
			if m.rows.Layout >= rows.I16F64 {
				indices = binary.LittleEndian.AppendUint16(indices, uint16(r.Column(e)))
			} else {
				indices = put32(indices, uint32(r.Column(e)))
			}
			switch {
			case r.Val64 != nil:
				values = put64(values, math.Float64bits(r.Val64[e]))
			case r.Val32 != nil:
				values = put32(values, math.Float32bits(r.Val32[e]))
			}
		}
	}
	section(4, lengths)
	section(8, labels)
	section(8, queries)
	section(8, scales)
	section(entryBytes(rows.I32Ones+rows.Layout(3*(m.rows.Layout/3))), indices)
	section(max(1, entryBytes(m.rows.Layout)-entryBytes(rows.I32Ones+rows.Layout(3*(m.rows.Layout/3)))), values)
	return out
}

// Caches of version 1 are read, whole and damaged, from files and streams.
func TestCacheOfVersion1(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache")
	try := func(b []byte) (fileData, streamData *Data, fileErr, streamErr error) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		fileData, fileErr = ReadFile(path, ReadOptions{})
		streamData, streamErr = Read(bytes.NewReader(b), "stream", ReadOptions{})
		return fileData, streamData, fileErr, streamErr
	}
	for name, data := range sampleSet(t) {
		whole := cacheBytes1(data)
		fileData, streamData, fileErr, streamErr := try(whole)
		if fileErr != nil || streamErr != nil {
			t.Fatalf("%s: %v, %v", name, fileErr, streamErr)
		}
		requireSameData(t, fileData, data)
		requireSameData(t, streamData, data)
		if name == "blocks" {
			continue
		}
		for k := 0; k < len(whole); k += damageStep() {
			b := bytes.Clone(whole)
			b[k] ^= 1 << (k % 8)
			for _, b := range [][]byte{b, whole[:k], append(bytes.Clone(whole), 0)} {
				_, _, fileErr, streamErr := try(b)
				for _, err := range []error{fileErr, streamErr} {
					if format := (*FormatError)(nil); !errors.As(err, &format) {
						t.Fatalf("%s, byte %d: error %v", name, k, err)
					}
				}
			}
		}
	}
	// Blocks that change places, each with its checksum, are damage.
	data := sampleSet(t)["blocks"]
	for i := range data.Y {
		data.Y[i] = float64(i) // no two blocks are alike
	}
	whole := cacheBytes1(data)
	first := cacheHeader1 + 4*len(data.Y) + 2*4 // of the labels' blocks, behind two of lengths
	second := first + cacheBlock + 4
	swapped := bytes.Clone(whole)
	copy(swapped[first:second], whole[second:second+cacheBlock+4])
	copy(swapped[second:], whole[first:second])
	_, _, fileErr, streamErr := try(swapped)
	for _, err := range []error{fileErr, streamErr} {
		if err == nil || !strings.Contains(err.Error(), "a checksum does not fit") {
			t.Errorf("error %v", err)
		}
	}
}
