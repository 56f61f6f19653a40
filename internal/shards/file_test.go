package shards_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/sparse"
)

// live returns the bytes on the heap that are reachable.
func live() int64 {
	runtime.GC()
	runtime.GC() // what pools kept of the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// streamOf writes rows of one entry to a file and opens it.
func streamOf(t *testing.T, n int) *sparse.Stream {
	t.Helper()
	ptr, columns, y := []int64{0}, []uint32{}, []float64{}
	for i := range n {
		ptr, columns, y = append(ptr, int64(i+1)), append(columns, uint32(i%9)), append(y, float64(i%2))
	}
	x, err := sparse.NewCSR(9, ptr, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: x, Y: y}); err != nil {
		t.Fatal(err)
	}
	s, err := sparse.OpenStream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestFileTakesWhatIsPlanned compares the memory of a worker's blocks, and of the rows that stay
// in memory, with the memory that a File was given. Of the least memory a third is left, for a
// group that both blocks may share, and half is used. Weights take no more than planned.
func TestFileTakesWhatIsPlanned(t *testing.T) {
	const n = 60000
	s := streamOf(t, n)
	var planned, taken int64 // without weights
	for _, weigh := range []bool{false, true} {
		o := shards.FileOptions{Shards: 2, Ranks: 1, Workers: 1, MemoryBytes: 1, Weigh: weigh, Label: func(_ int, _, weight []float64) error {
			for i := range weight {
				weight[i] = 2
			}
			return nil
		}}
		_, err := shards.NewFile(s, o)
		short := new(shards.MemoryError)
		if !errors.As(err, &short) {
			t.Fatal(err)
		}
		for _, more := range []int64{0, 9 * n, 200 * n} {
			o.MemoryBytes = short.Need + more
			before := live()
			f, err := shards.NewFile(s, o)
			if err != nil {
				t.Fatal(err)
			}
			var worker any
			blocks, next, most := [2]shards.Block{{Worker: &worker}, {Worker: &worker}}, 0, int64(0)
			for shard := range o.Shards {
				for block := range f.Blocks(shard) {
					if err := f.Load(&blocks[next], shard, block); err != nil {
						t.Fatal(err)
					}
					next = 1 - next
					most = max(most, live()-before)
				}
			}
			if t.Logf("weights %v: room for %d, %d taken", weigh, o.MemoryBytes, most); most > o.MemoryBytes || more == 0 && (3*most > 2*o.MemoryBytes || 2*most < o.MemoryBytes) {
				t.Errorf("weights %v: room for %d, %d taken", weigh, o.MemoryBytes, most)
			}
			if more == 0 {
				if weigh && most-taken > short.Need-planned {
					t.Errorf("weights take %d bytes, %d are planned", most-taken, short.Need-planned)
				}
				planned, taken = short.Need, most
			}
			runtime.KeepAlive(f)
			runtime.KeepAlive(&blocks)
		}
	}
}

// TestFileOfWorkers: with no more memory than the blocks of three workers take, nothing is kept:
// neither a number a row nor a group.
func TestFileOfWorkers(t *testing.T) {
	t.Parallel()
	s := streamOf(t, 60000)
	of := func(room int64) *shards.File {
		f, err := shards.NewFile(s, shards.FileOptions{Shards: 4, Ranks: 1, Workers: 3, MemoryBytes: room})
		if err != nil {
			return nil
		}
		return f
	}
	low, high := int64(0), int64(1<<30)
	for high-low > 1 {
		if room := low + (high-low)/2; of(room) != nil && of(room).Workers() == 3 {
			high = room
		} else {
			low = room
		}
	}
	f, before := of(high), int64(0)
	var worker any
	for range 2 {
		_, begun := s.Progress()
		for shard := range 4 {
			for block := range f.Blocks(shard) {
				b := shards.Block{Worker: &worker}
				if err := f.Load(&b, shard, block); err != nil {
					t.Fatal(err)
				}
				if b.Kept != nil {
					t.Fatalf("room for %d, all of which blocks may take, and numbers are kept", high)
				}
			}
		}
		_, bytes := s.Progress()
		if bytes -= begun; bytes < before {
			t.Errorf("room for %d, all of which blocks may take: %d bytes are read again, not %d", high, bytes, before)
		}
		before = bytes
	}
}

// TestNumbersTakeRoom: with no more memory than the blocks and a number a row take, no group is
// kept beside the numbers.
func TestNumbersTakeRoom(t *testing.T) {
	t.Parallel()
	s := streamOf(t, 60000)
	// sweep loads all rows, and tells whether numbers are kept and how many bytes were read.
	sweep := func(f *shards.File) (numbers bool, read int64) {
		var worker any
		_, begun := s.Progress()
		for block := range f.Blocks(0) {
			b := shards.Block{Worker: &worker}
			if err := f.Load(&b, 0, block); err != nil {
				t.Fatal(err)
			}
			numbers = b.Kept != nil
		}
		_, end := s.Progress()
		return numbers, end - begun
	}
	of := func(room int64) *shards.File {
		f, err := shards.NewFile(s, shards.FileOptions{Shards: 1, Ranks: 1, Workers: 1, MemoryBytes: room})
		if err != nil {
			return nil
		}
		return f
	}
	low, high := int64(0), int64(1<<30)
	for high-low > 1 {
		room := low + (high-low)/2
		if f := of(room); f == nil {
			low = room
		} else if numbers, _ := sweep(f); numbers {
			high = room
		} else {
			low = room
		}
	}
	f := of(high)
	if _, first := sweep(f); first > 0 {
		if _, again := sweep(f); again != first {
			t.Errorf("room for %d: %d bytes are read again, not %d", high, again, first)
		}
	}
}
