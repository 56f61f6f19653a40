//go:build linux && (amd64 || arm64)

package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
)

// fuzzedColumns is the most columns of a cache whose products are computed.
const fuzzedColumns = 1 << 17

// fenced returns n numbers. No index of 32 bits beyond them leads to memory that may be touched.
func fenced(t testing.TB, n int) []float64 {
	const fence = 1 << 35
	page := unix.Getpagesize()
	size := (8*n + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, page+size+fence, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err == nil {
		err = unix.Mprotect(memory[page:page+size], unix.PROT_READ|unix.PROT_WRITE)
	}
	if err != nil {
		t.Fatal(err)
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&memory[page+size-8*n])), n)
}

// mend makes all checksums of a cache fit, as far as its parts can be found.
func mend(b []byte) {
	if len(b) < cacheHeader {
		return
	}
	binary.LittleEndian.PutUint32(b[cacheHeader-4:], crc32.Checksum(b[:cacheHeader-4], castagnoli))
	var s cacheShape
	if message, err := s.read(bytes.NewReader(b), MaxColumns); err != nil || message != "" {
		return
	}
	from, size := s.index, uint64(len(b))
	if s.groups > size || from > size || s.tableAt() > size {
		return
	}
	at := uint64(cacheHeader)
	for k := range s.groups {
		entry := b[from+cacheIndexing*k:][:cacheIndexing]
		var g cacheGroup
		if !g.decodeIndex(entry, &s) || uint64(g.size(s.extra())) > size-at {
			break
		}
		group := b[at:][:g.size(s.extra())]
		g.sum = groupSum(int64(k), group[:len(group)-4])
		binary.LittleEndian.PutUint32(group[len(group)-4:], g.sum)
		binary.LittleEndian.PutUint32(entry[12:], g.sum)
		at += uint64(len(group))
	}
	end := from + cacheIndexing*s.groups
	binary.LittleEndian.PutUint32(b[end:], crc32.Checksum(b[from:end], castagnoli))
}

// FuzzCache changes bytes of caches and makes their checksums fit. Every path refuses such a cache,
// or multiplies it with vectors before pages that may not be touched.
func FuzzCache(f *testing.F) {
	var caches [][]byte
	for _, text := range []string{
		"1 1:1 3:1 9:1\n-1 2:1\n1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1 13:1 14:1 15:1 16:1 17:1\n",
		"1 1:2 3:2 9:2\n-1 2:0.1\n1 5:3\n", "1 1:2 3:1.5 9:2.25\n-1 2:1 4:3\n1 5:3\n", "1 1:0.1 3:0.2 90000:0.3\n-1 2:0.3 4:7\n1 5:0.7\n",
		"1 qid:1 1:1 70000:1\n0 qid:1 2:1\n2 qid:2 1:1 2:1 3:1\n", "1 90000:0.5 90001:2\n0 7:1 8:3 9:4 10:5 11:6 12:7 13:8 14:9\n",
		strings.Repeat("1 1:1 2:1 3:1 4:1\n0 5:1\n", 12000),
	} {
		data, err := Read(context.Background(), strings.NewReader(text), "text", ReadOptions{})
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteCache(&b, data); err != nil {
			f.Fatal(err)
		}
		caches = append(caches, b.Bytes())
	}
	for k := range caches {
		f.Add([]byte{byte(k)})
		f.Add([]byte{byte(k), 109, 0, 255}) // an index, where all are 1
		f.Add([]byte{byte(k), 70, 0, 255, 90, 0, 3, 120, 0, 128})
	}
	path := filepath.Join(f.TempDir(), "cache")
	w, sums := fenced(f, fuzzedColumns), fenced(f, fuzzedColumns)
	f.Fuzz(func(t *testing.T, change []byte) {
		if len(change) == 0 {
			return
		}
		b := bytes.Clone(caches[int(change[0])%len(caches)])
		for change = change[1:]; len(change) >= 3; change = change[3:] {
			b[int(binary.LittleEndian.Uint16(change))%len(b)] ^= change[2]
		}
		mend(b)
		multiply := func(m *Matrix) {
			d := m.Cols()
			if d > fuzzedColumns {
				return
			}
			x, c := m.inner(), make([]float64, m.Rows())
			for range pathtest.Paths(t) {
				if err := x.MulRun(c, 0, w[fuzzedColumns-d:]); err != nil {
					t.Fatal(err)
				}
				if err := x.AddRun(sums[fuzzedColumns-d:], 0, c); err != nil {
					t.Fatal(err)
				}
			}
		}
		if data, err := Read(context.Background(), bytes.NewReader(b), "cache", ReadOptions{}); err == nil {
			multiply(data.X)
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(context.Background(), path)
		if err != nil {
			return
		}
		defer s.Close()
		group := new(StreamGroup)
		for k := range s.Groups() {
			if s.Load(group, k) == nil {
				multiply(group.Rows())
			}
		}
	})
}
