//go:build linux && (amd64 || arm64)

package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/internal/matrix"
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

// keepSums changes the groups of an opened cache back to the checksums that the stream knows: the last
// label and the first value of a group take the bits that this needs.
func keepSums(s *Stream, whole, changed []byte) {
	extra := s.shape.extra()
	for k := range s.groups {
		g := &s.groups[k]
		was, own := whole[s.offset[k]:][:g.size(extra)], changed[s.offset[k]:][:g.size(extra)]
		if bytes.Equal(was, own) {
			continue
		}
		values, end := g.values(extra), len(own)-4
		message := append(binary.LittleEndian.AppendUint64(nil, uint64(k)), own[:end]...)
		forge(message[:8+values], 8+groupHeader+4*g.rows+8*(g.rows-1), groupSum(int64(k), was[:values]))
		if values < end {
			forge(message, 8+values, g.sum)
		}
		copy(own, message[8:])
		copy(own[end:], was[end:])
	}
}

// change changes bytes of b: the bytes at the places of two bytes each, by the third, up to a change
// by nothing. It returns the changes behind that.
func change(b, changes []byte) (rest []byte) {
	for ; len(changes) >= 3; changes = changes[3:] {
		if changes[2] == 0 {
			return changes[3:]
		}
		b[int(binary.LittleEndian.Uint16(changes))%len(b)] ^= changes[2]
	}
	return nil
}

// fuzzedCaches are small caches of every layout; the last has two groups.
func fuzzedCaches(t testing.TB) (caches [][]byte) {
	var long strings.Builder
	long.WriteString("1")
	for j := 1; j < groupWeight; j++ {
		fmt.Fprintf(&long, " %d:1", j)
	}
	for _, text := range []string{
		"1 1:1 3:1 9:1\n-1 2:1\n1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1 13:1 14:1 15:1 16:1 17:1\n",
		"1 1:2 3:2 9:2\n-1 2:0.1\n1 5:3\n", "1 1:2 3:1.5 9:2.25\n-1 2:1 4:3\n1 5:3\n", "1 1:0.1 3:0.2 90000:0.3\n-1 2:0.3 4:7\n1 5:0.7\n",
		"1 qid:1 1:1 70000:1\n0 qid:1 2:1\n2 qid:2 1:1 2:1 3:1\n", "1 90000:0.5 90001:2\n0 7:1 8:3 9:4 10:5 11:6 12:7 13:8 14:9\n",
		long.String() + "\n0 5:0.5\n1 2:0.5 7:0.5\n",
	} {
		data, err := Read(context.Background(), strings.NewReader(text), "text", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteCache(&b, data); err != nil {
			t.Fatal(err)
		}
		caches = append(caches, b.Bytes())
	}
	return caches
}

// indicesEnd is where the indices of the first group of a cache end.
func indicesEnd(t testing.TB, b []byte) int {
	var s cacheShape
	var g cacheGroup
	if message, err := s.read(bytes.NewReader(b), MaxColumns); err != nil || message != "" || !g.decodeHeader(b[cacheHeader:], &s) {
		t.Fatalf("no cache: %s, error %v", message, err)
	}
	return cacheHeader + g.values(s.extra())
}

// FuzzCache changes bytes of caches and makes their checksums fit. It changes them again once they
// are open and all groups were loaded, and keeps the checksums. Every path refuses such a group, or
// multiplies it with vectors before pages that may not be touched.
func FuzzCache(f *testing.F) {
	caches := fuzzedCaches(f)
	for k := range caches {
		f.Add([]byte{byte(k)})
		f.Add([]byte{byte(k), 109, 0, 255}) // an index, where all are 1
		f.Add([]byte{byte(k), 70, 0, 255, 90, 0, 3, 120, 0, 128})
		f.Add([]byte{byte(k), 0, 0, 0, 109, 0, 255, 72, 0, 1})
		last := indicesEnd(f, caches[k]) - 1 // of the last index, once the file is open
		f.Add([]byte{byte(k), 0, 0, 0, byte(last), byte(last >> 8), 0x7f})
	}
	// A file in memory: the disk would take most of the time.
	fd, err := unix.MemfdCreate("cache", unix.MFD_CLOEXEC)
	if err != nil {
		f.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), fmt.Sprintf("/proc/self/fd/%d", fd))
	f.Cleanup(func() { file.Close() })
	rewrite := func(t testing.TB, b []byte) {
		_, err := file.WriteAt(b, 0)
		if err := errors.Join(err, file.Truncate(int64(len(b)))); err != nil {
			t.Fatal(err)
		}
	}
	w, sums := fenced(f, fuzzedColumns), fenced(f, fuzzedColumns)
	var c [2][]float64
	multiply := func(t testing.TB, m *Matrix) {
		d := m.Cols()
		if d > fuzzedColumns {
			return
		}
		for k := range c {
			c[k] = matrix.Sized(c[k], m.Rows())
		}
		x, w, sums := m, w[fuzzedColumns-d:], sums[fuzzedColumns-d:]
		err := errors.Join(matrix.RunsOf(x).MulRun(c[0], 0, w), matrix.RunsOf(x).MulRun2(c[0], c[1], 0, w, w), matrix.RunsOf(x).AddRun(sums, 0, c[0]), matrix.RunsOf(x).AddSquaresRun(sums, 0, c[0]))
		if err != nil {
			t.Fatal(err)
		}
	}
	group := new(StreamGroup)
	load := func(t testing.TB, s *Stream) {
		for k := range s.Groups() {
			if s.Load(group, k) == nil {
				multiply(t, group.Rows())
			}
		}
	}
	f.Fuzz(func(t *testing.T, changes []byte) {
		if len(changes) == 0 {
			return
		}
		b := bytes.Clone(caches[int(changes[0])%len(caches)])
		changes = change(b, changes[1:])
		mend(b)
		rewrite(t, b)
		for range pathtest.Paths(t) {
			if data, err := Read(context.Background(), bytes.NewReader(b), "cache", ReadOptions{Workers: 1}); err == nil {
				multiply(t, data.X)
			}
			s, err := OpenStream(context.Background(), file.Name())
			if err != nil {
				continue
			}
			load(t, s)
			if len(changes) > 0 {
				now := bytes.Clone(b)
				change(now, changes)
				keepSums(s, b, now)
				rewrite(t, now)
				// As a system would that does not tell.
				if s.pieces[0].stamp, err = stamp.Of(s.pieces[0].file); err != nil {
					t.Fatal(err)
				}
				load(t, s)
				rewrite(t, b)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
