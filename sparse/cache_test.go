package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// sampleData has the given kind of values, in rows of which some are empty.
func sampleData(t testing.TB, random *rand.Rand, n, d int, storage Storage, value func(row int) float64, query bool) *Data {
	s := matrix.NewStore(storage.inner())
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
		if err := s.Add([]int{len(columns)}, columns, values, d); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, float64(random.IntN(5)))
		if query {
			data.Query = append(data.Query, int64(i/3))
		}
	}
	data.X = s.Matrix(d)
	return data
}

func sampleSet(t testing.TB) map[string]*Data {
	random := rand.New(rand.NewPCG(7, 8))
	normal := func(int) float64 { return random.NormFloat64() }
	large.once.Do(func() {
		own := rand.New(rand.NewPCG(8, 9))
		large.data = sampleData(t, own, repeat.Size(300000, 120000), 40, Storage{}, func(int) float64 { return own.NormFloat64() }, false)
	})
	table := sampleData(t, random, 60, 300, Storage{}, normal, true)
	for i := range table.Y {
		table.Y[i] = 4 - table.Y[i] // words do not come in their order
		table.Weight, table.Offset = append(table.Weight, float64(i%4)), append(table.Offset, normal(i))
	}
	table.LabelNames, table.Encoding = []string{"1-5", "<=50K", ">50K", "never", "very good: Ä"}, []byte("{\"version\": 1,\n\"columns\":[]}")
	blocks := *large.data
	blocks.Y = slices.Clone(blocks.Y) // a test writes labels
	return map[string]*Data{
		"ones":    sampleData(t, random, 50, 20, Storage{}, func(int) float64 { return 1 }, false),
		"scale":   sampleData(t, random, 50, 90000, Storage{}, func(i int) float64 { return 1 / float64(i+1) }, true),
		"float32": sampleData(t, random, 50, 20, Storage{}, func(int) float64 { return float64(random.IntN(9)) }, true),
		"float64": sampleData(t, random, 50, 20, Storage{}, normal, false),
		"wide32":  sampleData(t, random, 50, 90000, Storage{Float32: true}, normal, false),
		"wide64":  sampleData(t, random, 50, 90000, Storage{}, normal, true),
		"empty":   sampleData(t, random, 3, 1, Storage{}, normal, false),
		"blocks":  &blocks,
		"table":   table,
	}
}

// large is made once.
var large struct {
	once sync.Once
	data *Data
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
			got, err := ReadFile(context.Background(), path, ReadOptions{Workers: workers, WordLabels: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			requireSameData(t, got, data)
		}
		got, err := Read(context.Background(), bytes.NewReader(cacheBytes(t, data)), name, ReadOptions{WordLabels: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		requireSameData(t, got, data)
	}
}

func TestCacheTakesReadOptions(t *testing.T) {
	data, err := Read(context.Background(), strings.NewReader("1 1:1 3:0.1\n-1 2:1\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b := cacheBytes(t, data)
	for _, options := range []ReadOptions{{Columns: 2}, {Columns: 7}, {Columns: 2, DropBeyond: true}, {Columns: 9, DropBeyond: true}, {Storage: Storage{Float32: true, indices32: true}}} {
		want, err := Read(context.Background(), strings.NewReader("1 1:1 3:0.1\n-1 2:1\n"), "text", options)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(context.Background(), bytes.NewReader(b), "cache", options)
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, want)
	}
	if _, err := Read(context.Background(), bytes.NewReader(b), "cache", ReadOptions{MaxColumns: 2}); err == nil || err.Error() != "cache: 3 columns are too many: at most 2 are allowed" {
		t.Errorf("error %v", err)
	}
}

// damageStep is the distance of damages: 17 meets every bit and every place in a number.
func damageStep() int { return repeat.Size(17, 17*7) }

// Every damaged byte and every truncation is noticed, in files and in streams.
func TestCacheRefusesDamage(t *testing.T) {
	repeat.Skip(t)
	dir := t.TempDir()
	for name, data := range sampleSet(t) {
		if name == "blocks" {
			continue
		}
		whole, words := cacheBytes(t, data), data.LabelNames != nil
		try := func(what string, b []byte) {
			t.Helper()
			path := filepath.Join(dir, "cache")
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			_, fileErr := ReadFile(context.Background(), path, ReadOptions{WordLabels: words})
			_, streamErr := Read(context.Background(), bytes.NewReader(b), "stream", ReadOptions{WordLabels: words})
			for _, err := range []error{fileErr, streamErr} {
				var format *FormatError
				if !errors.As(err, &format) {
					t.Fatalf("%s, %s: error %v", name, what, err)
				}
			}
		}
		for k := range whole {
			if k%damageStep() != 0 && k > cacheHeader {
				continue
			}
			b := bytes.Clone(whole)
			b[k] ^= 1 << (k % 8)
			try("a bit changed", b)
			if !words || k == 0 || k >= len(cacheMagic) { // the letters of the magic are a word
				try(fmt.Sprint("truncated to ", k, " of ", len(whole)), whole[:k])
			}
		}
		try("with a tail", append(bytes.Clone(whole), 0))
	}
}

// resum recomputes the checksums of a cache of one group whose lengths fit size bytes.
func resum(b []byte, size int) []byte {
	group := b[cacheHeader : cacheHeader+size]
	sum := groupSum(0, group[:size-4])
	binary.LittleEndian.PutUint32(group[size-4:], sum)
	index := b[cacheHeader+size : cacheHeader+size+cacheIndexing]
	binary.LittleEndian.PutUint32(index[12:], sum)
	binary.LittleEndian.PutUint32(b[cacheHeader-4:], crc32.Checksum(b[:cacheHeader-4], castagnoli))
	resumIndex(b, index)
	return b
}

// resumIndex makes the checksum of the index fit again, which is at the end of a cache.
func resumIndex(b, index []byte) {
	binary.LittleEndian.PutUint32(b[len(b)-4:], crc32.Checksum(index, castagnoli))
}

// A cache with fitting checksums is still validated.
func TestCacheRefusesHostileContent(t *testing.T) {
	data, err := Read(context.Background(), strings.NewReader("1 1:0.1 3:0.2\n-1 2:0.3\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := cacheBytes(t, data)
	size := len(whole) - cacheHeader - cacheIndexing - 4
	group := cacheHeader
	lengths := group + groupHeader
	labels := lengths + 2*4
	indices := labels + 2*8
	values := indices + 3*2
	index := cacheHeader + size
	if _, err := Read(context.Background(), bytes.NewReader(resum(bytes.Clone(whole), size)), "cache", ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	put64 := func(at int, v uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], v) }
	}
	put := func(at ...int) func([]byte) { // the last is the value
		return func(b []byte) {
			for _, k := range at[:len(at)-1] {
				b[k] = byte(at[len(at)-1])
			}
		}
	}
	path := filepath.Join(t.TempDir(), "cache")
	for _, c := range []struct {
		want  string
		spoil func(b []byte)
	}{
		{"the cache has version 1, this program reads versions 2 and 3: convert the text again (lanes convert)", put(8, 1)},
		{"the cache has version 4, this program reads versions 2 and 3", put(8, 4)},
		{"the cache is truncated", put(8, 3)},
		{"names a layout that does not exist", put(12, 6)},
		{"names a layout that does not exist", put(13, 8)},
		{"names a layout that does not exist", put(13, cacheScales)},
		{"a checksum does not fit", put(12, int(rows.I16F32))}, // float64 values in a cache of float32
		{"a checksum does not fit", put(12, int(rows.I16Ones))},
		{"columns are too many", put64(24, 1<<40)},
		{"which is impossible", put64(16, 1<<62)},
		{"which is impossible", put64(32, 1<<62)},
		{"which is impossible", put64(24, 0)},
		{"which is impossible", put64(40, 0)},
		{"which is impossible", put64(48, 3)},
		{"a checksum does not fit", put(group, index, 3)},
		{"a checksum does not fit", put(group, index, 0)},
		{"a checksum does not fit", put(group+4, index+4, 9)},
		{"a checksum does not fit", put(group+8, index+8, 0)}, // 32-bit indices in a cache of 16
		{"a checksum does not fit", put(group+9, index+9, 1)},
		{"a checksum does not fit", put(group, 1)}, // the index says otherwise
		{"the rows of a group have 2 entries, its header speaks of 3", put(lengths, 1)},
		{"its header speaks of 3", put(lengths+3, 0xff)},
		{"the label of row 1 is NaN", put64(labels+8, math.Float64bits(math.NaN()))},
		{"row 0: column 0 after column 0; columns must ascend", put(indices+2, 0)},
		{"row 0: column 3 of a matrix of 3 columns", put(indices+2, 3)},
		{"row 0: column 0 holds +Inf", put64(values, math.Float64bits(math.Inf(1)))},
	} {
		b := bytes.Clone(whole)
		c.spoil(b)
		resum(b, size)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, fileErr := ReadFile(context.Background(), path, ReadOptions{})
		_, streamErr := Read(context.Background(), bytes.NewReader(b), "cache", ReadOptions{})
		if format := (*FormatError)(nil); !errors.As(streamed(path), &format) {
			t.Errorf("streamed, with no error for %s", c.want)
		}
		for k, err := range []error{fileErr, streamErr} {
			want := c.want
			if k == 0 && strings.HasPrefix(want, "which is") && strings.Contains(err.Error(), "where its header promises") {
				continue
			}
			if format := (*FormatError)(nil); !errors.As(err, &format) || !strings.Contains(err.Error(), "cache: ") || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}

// streamed opens a cache and reads all of it by groups.
func streamed(path string) error {
	s, err := OpenStream(context.Background(), path)
	if err != nil {
		return err
	}
	defer s.Close()
	for k := range s.Groups() {
		err = errors.Join(err, s.Load(new(StreamGroup), k))
	}
	return err
}

// A float32 that is not finite is refused like a float64.
func TestCacheRefusesInfiniteFloat32(t *testing.T) {
	data, err := Read(context.Background(), strings.NewReader("1 1:0.5 3:2\n-1 2:0.25\n"), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := cacheBytes(t, data)
	size := len(whole) - cacheHeader - cacheIndexing - 4
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(-1))} {
		binary.LittleEndian.PutUint32(whole[cacheHeader+groupHeader+2*12+3*2+8:], math.Float32bits(v))
		_, err := Read(context.Background(), bytes.NewReader(resum(whole, size)), "cache", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "row 1: column 1 holds") {
			t.Errorf("%v: error %v", v, err)
		}
	}
}

// twoGroups returns a cache of two groups of equal size, with rows of one entry each.
func twoGroups(t *testing.T) (whole []byte, rows, size int) {
	t.Helper()
	rows = (groupWeight + 2) / 3
	ptr, columns, data := []int64{0}, []uint32{}, &Data{}
	for i := range 2 * rows {
		ptr, columns, data.Y = append(ptr, int64(i+1)), append(columns, uint32(i%7)), append(data.Y, float64(i))
	}
	var err error
	if data.X, err = NewCSR(7, ptr, columns, nil); err != nil {
		t.Fatal(err)
	}
	whole = cacheBytes(t, data)
	return whole, rows, (len(whole) - cacheHeader - 2*cacheIndexing - 4) / 2
}

// Groups that change places, each with its checksum, are damage.
func TestCacheGroupsKeepTheirPlaces(t *testing.T) {
	whole, _, size := twoGroups(t)
	swapped := bytes.Clone(whole)
	copy(swapped[cacheHeader:], whole[cacheHeader+size:cacheHeader+2*size])
	copy(swapped[cacheHeader+size:], whole[cacheHeader:cacheHeader+size])
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, swapped, 0o666); err != nil {
		t.Fatal(err)
	}
	_, fileErr := ReadFile(context.Background(), path, ReadOptions{})
	_, streamErr := Read(context.Background(), bytes.NewReader(swapped), "stream", ReadOptions{})
	for _, err := range []error{fileErr, streamErr} {
		if err == nil || !strings.Contains(err.Error(), "a checksum does not fit") {
			t.Errorf("error %v", err)
		}
	}
}

// TestStreamChecksGroupsAfterKnownOnes: a group with fitting checksums and a column too many is
// found behind a group that was looked through before.
func TestStreamChecksGroupsAfterKnownOnes(t *testing.T) {
	whole, _, size := twoGroups(t)
	group, index := whole[cacheHeader+size:cacheHeader+2*size], whole[cacheHeader+2*size:]
	binary.LittleEndian.PutUint16(group[size-4-2:], 7)
	sum := groupSum(1, group[:size-4])
	binary.LittleEndian.PutUint32(group[size-4:], sum)
	binary.LittleEndian.PutUint32(index[cacheIndexing+12:], sum)
	resumIndex(whole, index[:2*cacheIndexing])
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g := new(StreamGroup)
	if err := s.Load(g, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Load(g, 1); err == nil || !strings.Contains(err.Error(), "column 7 of a matrix of 7 columns") {
		t.Errorf("error %v", err)
	}
}

// TestCacheOfTheFirstWideColumn: 16 bits hold the columns up to 65535.
func TestCacheOfTheFirstWideColumn(t *testing.T) {
	for _, column := range []uint32{1<<16 - 1, 1 << 16} {
		x, err := NewCSR(1<<16+1, []int64{0, 1}, []uint32{column}, []float64{3})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteCache(&b, &Data{X: x, Y: []float64{1}}); err != nil {
			t.Fatal(err)
		}
		data, err := Read(context.Background(), &b, "cache", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range data.X.Row(0) {
			if j != int(column) || v != 3 {
				t.Errorf("column %d is read as %d with the value %v", column, j, v)
			}
		}
	}
}

// A group is stored in the layout of its own rows, and read in the layout of all rows.
func TestCacheGroupsOfOwnLayouts(t *testing.T) {
	repeat.Skip(t)
	values := []func(i, e int) float64{
		func(int, int) float64 { return 1 },
		func(i, _ int) float64 { return 1 / float64(i%5+2) },
		func(_, e int) float64 { return float64(e) / 4 },
		func(i, e int) float64 { return 1 / float64(i%5+e+2) },
		func(i, _ int) float64 { return float64(i%5) / 2 },
	}
	for first := range values {
		for second := range values {
			for _, wide := range []bool{false, true} {
				s, data := matrix.NewStore(matrix.Storage{}), &Data{}
				for i := range 3 * groupWeight / 10 {
					value, d := values[first], 20
					if i > 2*groupWeight/10 {
						if value = values[second]; wide {
							d = 1 << 17
						}
					}
					columns, list := make([]uint32, 3), make([]float64, 3)
					for e := range columns {
						columns[e], list[e] = uint32(d-9+3*e), value(i, e)
					}
					if err := s.Add([]int{3}, columns, list, 1<<17); err != nil {
						t.Fatal(err)
					}
					data.Y = append(data.Y, float64(i%2))
				}
				data.X = s.Matrix(1 << 17)
				whole := cacheBytes(t, data)
				got, err := Read(context.Background(), bytes.NewReader(whole), "stream", ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				requireSameData(t, got, data)
				path := filepath.Join(t.TempDir(), "cache")
				if err := os.WriteFile(path, whole, 0o666); err != nil {
					t.Fatal(err)
				}
				if got, err = ReadFile(context.Background(), path, ReadOptions{}); err != nil {
					t.Fatal(err)
				}
				requireSameData(t, got, data)
			}
		}
	}
}

func TestWriteRefusesUnfitData(t *testing.T) {
	data, err := Read(context.Background(), strings.NewReader("1 1:1\n"), "text", ReadOptions{})
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

// TestRowThatIsNotFinite: a row is counted from the first of all, whatever block it is in.
func TestRowThatIsNotFinite(t *testing.T) {
	x, err := NewCSR(2, []int64{0, 1, 2, 4}, []uint32{0, 1, 0, 1}, []float64{0.1, 0.2, 0.3, 0.7})
	if err != nil {
		t.Fatal(err)
	}
	x = x.WithValues(ValuesFloat64)
	if matrix.Stored(x).Val64 == nil {
		t.Fatal("no float64 values are kept")
	}
	matrix.Stored(x).Val64[3] = math.NaN()
	for first := range 3 {
		if got := checkEntries(x, first, 3, 10); got != "row 12: column 1 holds NaN" {
			t.Errorf("from row %d on: %q", first, got)
		}
	}
}
