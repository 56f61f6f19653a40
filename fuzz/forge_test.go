package fuzz

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// forged returns a cache whose checksums fit whatever its content became, by the sizes
// that its groups give: what damage cannot do, malice can. The index follows the groups.
func forged(cache []byte) []byte {
	const header, head, indexing = 60, 12, 16
	if len(cache) < header+indexing+4 {
		return cache
	}
	b := bytes.Clone(cache)
	table := crc32.MakeTable(crc32.Castagnoli)
	text := []byte("\n") // of the table of version 3
	if size := uint64(len(b)); b[8] == 3 && size > header {
		behind := binary.LittleEndian.Uint64(b[48:]) + indexing*binary.LittleEndian.Uint64(b[40:]) + 4 + 8
		if behind < size-4 && size-4-behind < size {
			text = bytes.Clone(b[behind : size-4])
		}
	}
	at, groups := uint64(header), min(binary.LittleEndian.Uint64(b[40:]), uint64(len(b)))
	var index []byte
	for number := range groups {
		if at+head > uint64(len(b)) {
			break
		}
		g := b[at:]
		rows, entries := uint64(binary.LittleEndian.Uint32(g)), uint64(binary.LittleEndian.Uint32(g[4:]))
		width := []uint64{8, 4, 0}[g[8]%3] + []uint64{4, 2}[g[8]/3%2]
		size := head + rows*(12+8*uint64(bits.OnesCount8(b[13]&(1|8|16)))+8*uint64(g[9]>>1&1)) + entries*width
		if size+4 > uint64(len(g)) {
			break
		}
		sum := crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint64(nil, number), table), table, g[:size])
		binary.LittleEndian.PutUint32(g[size:], sum)
		index = append(append(index, g[:8]...), g[8], g[9], 0, 0)
		index = binary.LittleEndian.AppendUint32(index, sum)
		at += size + 4
	}
	binary.LittleEndian.PutUint64(b[40:], uint64(len(index)/indexing))
	binary.LittleEndian.PutUint64(b[48:], at)
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[:header-4], table))
	b = binary.LittleEndian.AppendUint32(append(b[:at], index...), crc32.Checksum(index, table))
	if b[8] != 3 {
		return b
	}
	text = append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	return binary.LittleEndian.AppendUint32(append(b, text...), crc32.Checksum(text, table))
}

// FuzzForgedSizes makes cache headers of any sizes with checksums that fit. Files and streams
// have the length that the sizes give when they wrap round in 64 or 32 bits. It wants an error or
// a sound matrix, and no memory for what is not there.
func FuzzForgedSizes(f *testing.F) {
	group := []byte("\x02\x00\x00\x00\x01\x00\x00\x00")
	for _, near := range []uint64{0, 2, 1 << 31, 1 << 32, math.MaxUint64 / 28, math.MaxUint64 / 40, math.MaxInt64 / 16, 1 << 59, 1 << 63, math.MaxUint64} {
		for _, entries := range []uint64{0, 3, near, math.MaxInt64 / 16, 1 << 32} {
			f.Add(near, uint64(3), entries, near, uint64(60), byte(near), byte(entries%3), group, false)
			f.Add(near, uint64(sparse.MaxColumns), entries, near, 100-16*near, byte(3), byte(1), []byte{}, true)
		}
	}
	path := filepath.Join(f.TempDir(), "cache")
	f.Fuzz(func(t *testing.T, n, d, entries, groups, index uint64, layout, flags byte, body []byte, narrow bool) {
		b := append([]byte("LANESCSR"), 2, 0, 0, 0, layout%7, flags, 0, 0)
		for _, v := range []uint64{n, d, entries, groups, index} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
		header := uint64(len(b))
		b = append(b, body...)
		length := index + 16*groups + 4 // as sparse/cache.go has it
		if narrow {
			length = uint64(uint32(length))
		}
		if length >= header && length <= 1<<16 {
			b = append(b, make([]byte, length)...)[:length]
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for _, r := range []io.Reader{file, bytes.NewReader(b)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			data, err := sparse.Read(context.Background(), r, "input", sparse.ReadOptions{Workers: 1})
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 64<<20 {
				t.Fatalf("%d bytes of input take %d", len(b), bytes)
			}
			var format *sparse.FormatError
			switch {
			case err == nil && len(data.Y) != data.X.Rows():
				t.Fatalf("%d labels of %d rows", len(data.Y), data.X.Rows())
			case err != nil && !errors.As(err, &format):
				t.Fatal(err)
			}
		}
	})
}
