package sparse

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// hostileSizes lie where sums and products of sizes wrap round in 32 and in 64 bits,
// and where a size stops fitting into memory.
func hostileSizes() []uint64 {
	list := []uint64{0, 1, 3, 1 << 20}
	for _, bit := range []int{16, 28, 29, 30, 31, 32, 33, 56, 57, 58, 59, 60, 61, 62, 63} {
		for _, less := range []uint64{0, 1, 2, 7} {
			list = append(list, 1<<bit-less, 1<<bit+less)
		}
	}
	for divisor := uint64(2); divisor < 64; divisor++ {
		list = append(list, math.MaxUint64/divisor, math.MaxUint64/divisor+1)
	}
	return append(list, math.MaxUint64, math.MaxUint64-1)
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Headers with fitting checksums whose sizes are nonsense, in files of just the length
// that they come to when it wraps round: an error, and no memory for what is not there.
func TestCacheRefusesHostileSizes(t *testing.T) {
	repeat.Skip(t)
	const most = 40 << 20 // buffers, and the least that is reserved for a stream
	random := rand.New(rand.NewPCG(5, 6))
	sizes := hostileSizes()
	path := filepath.Join(t.TempDir(), "cache")
	trials, fitting := 1500, 0
	if testing.Short() {
		trials /= 10
	}
	for range trials {
		shape := cacheShape{
			layout: rows.Layout(random.IntN(rows.Layouts)), flags: uint8(random.IntN(2)),
			n: sizes[random.IntN(len(sizes))], d: 1 + random.Uint64N(MaxColumns), entries: sizes[random.IntN(len(sizes))],
			// The index, or what wraps round of it, ends with a short file.
			groups: sizes[random.IntN(len(sizes))], index: cacheHeader + random.Uint64N(1<<10),
		}
		if random.IntN(2) == 0 {
			shape.groups = random.Uint64N(1 << 10)
		} else if random.IntN(2) == 0 {
			shape.index = random.Uint64N(1<<14) - cacheIndexing*shape.groups
		}
		if shape.layout == rows.I32Ones || shape.layout == rows.I16Ones {
			shape.flags |= uint8(random.IntN(2)) * cacheScales
		}
		length := shape.length()
		if bits.UintSize == 32 && random.IntN(2) == 0 {
			length = uint64(uint32(length))
		}
		if length < cacheHeader || length > 1<<16 {
			if random.IntN(20) != 0 {
				continue
			}
			length = uint64(cacheHeader + random.IntN(100))
		} else {
			fitting++
		}
		header := shape.encode()
		whole := append(header, make([]byte, length-min(length, uint64(len(header))))...)
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		var fileErr, streamErr error
		if bytes := allocated(func() { _, fileErr = ReadFile(context.Background(), path, ReadOptions{Workers: 1}) }); bytes > most {
			t.Fatalf("%+v: a file of %d bytes takes %d", shape, length, bytes)
		}
		if bytes := allocated(func() {
			_, streamErr = Read(context.Background(), bytes.NewReader(whole), "stream", ReadOptions{Workers: 1})
		}); bytes > most {
			t.Fatalf("%+v: a stream of %d bytes takes %d", shape, length, bytes)
		}
		var openErr error
		if bytes := allocated(func() { _, openErr = OpenStream(context.Background(), path) }); bytes > most {
			t.Fatalf("%+v: opening a file of %d bytes takes %d", shape, length, bytes)
		}
		for _, err := range []error{fileErr, streamErr, openErr} {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("%+v in %d bytes: error %v", shape, length, err)
			}
		}
	}
	t.Logf("%d of %d headers fit a short file", fitting, trials)
	if fitting < trials/4 {
		t.Errorf("only %d of %d headers fit a short file", fitting, trials)
	}
}

// A file that consists of holes has its length without its bytes: it is refused before
// memory is taken for what it promises.
func TestCacheWithHoles(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("a matrix of this size does not fit in 32 bits")
	}
	path := filepath.Join(t.TempDir(), "holes")
	shape := cacheShape{layout: rows.I16F64, n: 1 << 36, d: 8, entries: 1 << 38, groups: 1 << 30, index: 1 << 40}
	if err := os.WriteFile(path, shape.encode(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(shape.length())); err != nil {
		t.Skipf("no file of %d bytes here: %v", shape.length(), err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !hasHoles(file) {
		t.Skip("the file system does not tell holes")
	}
	var format *FormatError
	if bytes := allocated(func() { _, err = Read(context.Background(), file, path, ReadOptions{}) }); bytes > 40<<20 || !errors.As(err, &format) {
		t.Errorf("%d bytes taken, error %v", bytes, err)
	}
}
