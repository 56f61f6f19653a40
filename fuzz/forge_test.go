package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// forged returns a cache whose checksums fit whatever its content became: what
// damage cannot do, malice can. The sizes follow sparse/cache.go.
func forged(cache []byte) []byte {
	const header, block = 44, 1 << 20
	if len(cache) < header {
		return cache
	}
	if cache[8] == 2 {
		return forgedGroups(cache)
	}
	b := bytes.Clone(cache)
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[:header-4], table))
	n, entries := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[32:])
	index, value := uint64(4), []uint64{8, 4, 0}[b[12]%3]
	if b[12] >= 3 {
		index = 2
	}
	sizes := []uint64{4 * n, 8 * n, 8 * n * uint64(b[13]&1), 8 * n * uint64(b[13]>>1&1), index * entries, value * entries}
	if n > block || entries > block {
		return b
	}
	at, number := uint64(header), uint64(0)
	for _, size := range sizes {
		if size == 0 {
			continue
		}
		if size > block || at+size+4 > uint64(len(b)) {
			return b
		}
		sum := crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint64(nil, number), table), table, b[at:at+size])
		binary.LittleEndian.PutUint32(b[at+size:], sum)
		at += size + 4
		number++
	}
	return b
}

// forgedGroups is forged for caches of version 2, by the sizes that the groups themselves
// give; the index follows them.
func forgedGroups(cache []byte) []byte {
	const header, head, indexing = 60, 12, 16
	if len(cache) < header+indexing+4 {
		return cache
	}
	b := bytes.Clone(cache)
	table := crc32.MakeTable(crc32.Castagnoli)
	at, groups := uint64(header), min(binary.LittleEndian.Uint64(b[40:]), uint64(len(b)))
	var index []byte
	for number := range groups {
		if at+head > uint64(len(b)) {
			break
		}
		g := b[at:]
		rows, entries := uint64(binary.LittleEndian.Uint32(g)), uint64(binary.LittleEndian.Uint32(g[4:]))
		width := []uint64{8, 4, 0}[g[8]%3] + []uint64{4, 2}[g[8]/3%2]
		size := head + rows*(12+8*uint64(b[13]&1)+8*uint64(g[9]>>1&1)) + entries*width
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
	return binary.LittleEndian.AppendUint32(append(b[:at], index...), crc32.Checksum(index, table))
}

// FuzzForgedSizes makes cache headers of any sizes with checksums that fit, in files
// and streams of the length that the sizes come to when they wrap round in 64 or 32
// bits: an error or a sound matrix, and no memory for what is not there.
func FuzzForgedSizes(f *testing.F) {
	for _, near := range []uint64{0, 2, 1 << 31, 1 << 32, math.MaxUint64 / 28, math.MaxUint64 / 40, math.MaxInt64 / 16, 1 << 59, 1 << 63, math.MaxUint64} {
		for _, entries := range []uint64{0, 3, near, math.MaxInt64 / 16, 1 << 32} {
			f.Add(near, uint64(3), entries, byte(near), byte(entries%3), []byte("\x02\x00\x00\x00\x01\x00\x00\x00"), false)
			f.Add(near, uint64(sparse.MaxColumns), entries, byte(3), byte(1), []byte{}, true)
		}
	}
	path := filepath.Join(f.TempDir(), "cache")
	f.Fuzz(func(t *testing.T, n, d, entries uint64, layout, flags byte, body []byte, narrow bool) {
		b := append([]byte("LANESCSR"), 1, 0, 0, 0, layout%7, flags, 0, 0)
		for _, v := range []uint64{n, d, entries} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		b = append(append(b, 0, 0, 0, 0), body...)
		if length := cacheLength(b, narrow); length >= 44 && length <= 1<<16 {
			b = append(b, make([]byte, length)...)[:length]
		}
		b = forged(b)
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
			data, err := sparse.Read(r, "input", sparse.ReadOptions{Workers: 1})
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

// cacheLength is the length that a cache's header promises, as it wraps round in 64
// bits or, narrow, in 32.
func cacheLength(b []byte, narrow bool) uint64 {
	n, entries := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[32:])
	length := uint64(44)
	add := func(count, width uint64) {
		each := uint64(1<<20) / width
		length += count*width + 4*((count+each-1)/each)
	}
	add(n, 4)
	for range 1 + b[13]&1 + b[13]>>1&1 {
		add(n, 8)
	}
	add(entries, []uint64{4, 2}[b[12]/3%2])
	if width := []uint64{8, 4, 0}[b[12]%3]; width > 0 {
		add(entries, width)
	}
	if narrow {
		return uint64(uint32(length))
	}
	return length
}
