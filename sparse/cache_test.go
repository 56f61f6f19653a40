package sparse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleData has the given kind of values, in rows of which some are empty.
func sampleData(t testing.TB, random *rand.Rand, n, d int, storage Storage, value func(row int) float64, query bool) *Data {
	s := newStore(storage)
	data := new(Data)
	for i := range n {
		var columns []uint32
		var values []float64
		j := random.IntN(d)
		for range random.IntN(6) {
			if j >= d {
				break
			}
			columns, values = append(columns, uint32(j)), append(values, value(i))
			j += 1 + random.IntN(d)
		}
		if err := s.add([]int{len(columns)}, columns, values, d); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, float64(random.IntN(5)))
		if query {
			data.Query = append(data.Query, int64(i/3))
		}
	}
	data.X = s.matrix(d)
	return data
}

func sampleSet(t testing.TB) map[string]*Data {
	random := rand.New(rand.NewPCG(7, 8))
	normal := func(int) float64 { return random.NormFloat64() }
	return map[string]*Data{
		"ones":    sampleData(t, random, 50, 20, Storage{}, func(int) float64 { return 1 }, false),
		"scale":   sampleData(t, random, 50, 90000, Storage{}, func(i int) float64 { return 1 / float64(i+1) }, true),
		"float32": sampleData(t, random, 50, 20, Storage{}, func(int) float64 { return float64(random.IntN(9)) }, true),
		"float64": sampleData(t, random, 50, 20, Storage{}, normal, false),
		"wide32":  sampleData(t, random, 50, 90000, Storage{Float32: true}, normal, false),
		"wide64":  sampleData(t, random, 50, 90000, Storage{}, normal, true),
		"empty":   sampleData(t, random, 3, 1, Storage{}, normal, false),
		"blocks":  sampleData(t, random, 300000, 40, Storage{}, normal, false),
	}
}

func cacheBytes(t testing.TB, data *Data) []byte {
	var b bytes.Buffer
	if err := WriteCache(&b, data); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCacheRoundTrip(t *testing.T) {
	for name, data := range sampleSet(t) {
		path := filepath.Join(t.TempDir(), "cache")
		if err := WriteCacheFile(path, data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, workers := range []int{1, 3} {
			got, err := ReadFile(path, ReadOptions{Workers: workers})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			requireSameData(t, got, data)
		}
		got, err := Read(bytes.NewReader(cacheBytes(t, data)), name, ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		requireSameData(t, got, data)
	}
}

func TestCacheTakesReadOptions(t *testing.T) {
	data, err := Read(strings.NewReader("1 1:1 3:0.1\n-1 2:1\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b := cacheBytes(t, data)
	for _, options := range []ReadOptions{{Columns: 2}, {Columns: 7}, {Columns: 2, DropBeyond: true}, {Columns: 9, DropBeyond: true}, {Storage: Storage{Float32: true, Indices32: true}}} {
		want, err := Read(strings.NewReader("1 1:1 3:0.1\n-1 2:1\n"), "text", options)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b), "cache", options)
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, want)
	}
	if _, err := Read(bytes.NewReader(b), "cache", ReadOptions{MaxColumns: 2}); err == nil || err.Error() != "cache: 3 columns are too many: at most 2 are allowed" {
		t.Errorf("error %v", err)
	}
}

// Every damaged byte and every truncation is noticed, in files and in streams.
func TestCacheRefusesDamage(t *testing.T) {
	dir := t.TempDir()
	for name, data := range sampleSet(t) {
		if name == "blocks" {
			continue
		}
		whole := cacheBytes(t, data)
		try := func(what string, b []byte) {
			t.Helper()
			path := filepath.Join(dir, "cache")
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			_, fileErr := ReadFile(path, ReadOptions{})
			_, streamErr := Read(bytes.NewReader(b), "stream", ReadOptions{})
			for _, err := range []error{fileErr, streamErr} {
				var format *FormatError
				if !errors.As(err, &format) {
					t.Fatalf("%s, %s: error %v", name, what, err)
				}
			}
		}
		for k := range whole {
			if k%17 != 0 && k > 64 { // 17 meets every bit and every place in a number
				continue
			}
			b := bytes.Clone(whole)
			b[k] ^= 1 << (k % 8)
			try("a bit changed", b)
			try("truncated", whole[:k])
		}
		try("with a tail", append(bytes.Clone(whole), 0))
	}
}

// resum makes the checksums of a cache with one block a section fit again.
func resum(b []byte, sizes ...int) []byte {
	binary.LittleEndian.PutUint32(b[40:], crc32.Checksum(b[:40], castagnoli))
	at := cacheHeader
	for k, size := range sizes {
		binary.LittleEndian.PutUint32(b[at+size:], blockSum(int64(k), b[at:at+size]))
		at += size + 4
	}
	return b
}

// A cache with fitting checksums is still validated.
func TestCacheRefusesHostileContent(t *testing.T) {
	data, err := Read(strings.NewReader("1 1:0.1 3:0.2\n-1 2:0.3\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := cacheBytes(t, data)
	sizes := []int{8, 16, 6, 24}
	lengths, labels, indices, values := cacheHeader, cacheHeader+12, cacheHeader+32, cacheHeader+42
	if _, err := Read(bytes.NewReader(resum(bytes.Clone(whole), sizes...)), "cache", ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	put64 := func(at int, v uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], v) }
	}
	for _, c := range []struct {
		want  string
		spoil func(b []byte)
	}{
		{"the cache has version 2, this program reads version 1", func(b []byte) { b[8] = 2 }},
		{"names a layout that does not exist", func(b []byte) { b[12] = 6 }},
		{"names a layout that does not exist", func(b []byte) { b[13] = 4 }},
		{"names a layout that does not exist", func(b []byte) { b[13] = cacheScales }},
		{"columns are too many", put64(24, 1<<40)},
		{"which is impossible", put64(16, 1<<62)},
		{"which is impossible", put64(32, 1<<62)},
		{"which is impossible", put64(24, 0)},
		{"truncated", put64(16, 1<<24)}, // as many as 32 bits can hold too
		{"2 entries, its header speaks of 3", func(b []byte) { b[lengths] = 1 }},
		{"more than the 3 entries", func(b []byte) { b[lengths+3] = 0xff }},
		{"the label of row 1 is NaN", put64(labels+8, math.Float64bits(math.NaN()))},
		{"row 0: column 0 after column 0; columns must ascend", func(b []byte) { b[indices+2] = 0 }},
		{"row 0: column 3 of a matrix of 3 columns", func(b []byte) { b[indices+2] = 3 }},
		{"row 0: column 0 holds +Inf", put64(values, math.Float64bits(math.Inf(1)))},
	} {
		b := bytes.Clone(whole)
		c.spoil(b)
		_, err := Read(bytes.NewReader(resum(b, sizes...)), "cache", ReadOptions{})
		var format *FormatError
		if !errors.As(err, &format) || !strings.HasPrefix(err.Error(), "cache: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// A float32 that is not finite is refused like a float64.
func TestCacheRefusesInfiniteFloat32(t *testing.T) {
	data, err := Read(strings.NewReader("1 1:0.5 3:2\n-1 2:0.25\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := cacheBytes(t, data)
	sizes := []int{8, 16, 6, 12}
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(-1))} {
		binary.LittleEndian.PutUint32(whole[cacheHeader+42+8:], math.Float32bits(v))
		_, err := Read(bytes.NewReader(resum(whole, sizes...)), "cache", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "row 1: column 1 holds") {
			t.Errorf("%v: error %v", v, err)
		}
	}
}

// Blocks that change places, each with its checksum, are damage.
func TestCacheBlocksKeepTheirPlaces(t *testing.T) {
	data := sampleSet(t)["blocks"]
	for i := range data.Y {
		data.Y[i] = float64(i) // no two blocks are alike
	}
	whole := cacheBytes(t, data)
	first := cacheHeader + 4*len(data.Y) + 2*4 // of the labels' blocks, behind two of lengths
	second := first + cacheBlock + 4
	swapped := bytes.Clone(whole)
	copy(swapped[first:second], whole[second:second+cacheBlock+4])
	copy(swapped[second:], whole[first:second])
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, swapped, 0o666); err != nil {
		t.Fatal(err)
	}
	_, fileErr := ReadFile(path, ReadOptions{})
	_, streamErr := Read(bytes.NewReader(swapped), "stream", ReadOptions{})
	for _, err := range []error{fileErr, streamErr} {
		if err == nil || !strings.Contains(err.Error(), "a checksum does not fit") {
			t.Errorf("error %v", err)
		}
	}
}

func TestWriteRefusesUnfitData(t *testing.T) {
	data, err := Read(strings.NewReader("1 1:1\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, spoilt := range map[string]*Data{
		"2 labels and 0 queries for 1 rows": {X: data.X, Y: []float64{1, 2}},
		"1 labels and 2 queries for 1 rows": {X: data.X, Y: []float64{1}, Query: []int64{1, 2}},
		"the label of row 0 is +Inf":        {X: data.X, Y: []float64{math.Inf(1)}},
		"the query of row 0 is -1":          {X: data.X, Y: []float64{1}, Query: []int64{-1}},
	} {
		for _, err := range []error{WriteCache(new(bytes.Buffer), spoilt), WriteLIBSVM(new(bytes.Buffer), spoilt)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}
