package sparse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// blocksOf cuts data into blocks, each with the words of its own rows.
func blocksOf(t *testing.T, data *Data, sizes ...int) iter.Seq2[*Data, error] {
	t.Helper()
	return func(yield func(*Data, error) bool) {
		for first, k := 0, 0; first < len(data.Y); k++ {
			end := min(first+sizes[k%len(sizes)], len(data.Y))
			list := make([]uint32, end-first)
			for i := range list {
				list[i] = uint32(first + i)
			}
			block := *data
			var err error
			if block.X, err = data.X.PickRows(nil, list); err != nil {
				t.Fatal(err)
			}
			block.Y = data.Y[first:end]
			if data.Query != nil {
				block.Query = data.Query[first:end]
			}
			if data.Weight != nil {
				block.Weight, block.Offset = data.Weight[first:end], data.Offset[first:end]
			}
			if data.LabelNames != nil {
				var names []string
				for _, y := range block.Y {
					names = append(names, data.LabelNames[int(y)])
				}
				slices.Sort(names)
				names = slices.Compact(names)
				block.Y = slices.Clone(block.Y)
				for i, y := range block.Y {
					place, _ := slices.BinarySearch(names, data.LabelNames[int(y)])
					block.Y[i] = float64(place)
				}
				block.LabelNames = names
			}
			if !yield(&block, nil) {
				return
			}
			first = end
		}
	}
}

// tableData returns more rows than a group has, with word labels as from a table: the words appear
// in another order than sorted, and one word has no row.
func tableData(t *testing.T) *Data {
	t.Helper()
	data := new(Data)
	b := NewBuilder(BuilderOptions{Columns: 5000})
	for i := range 30000 {
		if err := b.AddRow([]int{i % 4999, 4999}, []float64{1, float64(i%3) / 2}); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, float64(4-i%3-i/20000))
		data.Weight, data.Offset, data.Query = append(data.Weight, float64(i%4)), append(data.Offset, math.Sin(float64(i))), append(data.Query, int64(i/7))
	}
	data.LabelNames, data.Encoding = []string{"1-5", "<=50K", ">50K", "a b", "x", "y", "z", "Ä"}, []byte(`{"version":1,"columns":[{"name":"a\"<b"}]}`)
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// Blocks of any size make a cache of the rows at once, and streams have all that rows have.
func TestCacheOfBlocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := tableData(t)
	want := fingerprint(t, data)
	for k, sizes := range repeat.Size([][]int{{30000}, {1, 700}, {16384, 5}, {29999}}, [][]int{{30000}, {16384, 5}}) {
		path := filepath.Join(dir, fmt.Sprint(k))
		blocks := blocksOf(t, data, sizes...)
		c, err := WriteCacheBlocks(t.Context(), path, func(yield func(*Data, error) bool) {
			for block, err := range blocks {
				if !yield(block, err) {
					return
				}
			}
			// The word that no row has is from the first block in data, and from a last block
			// without rows here.
			yield(&Data{X: mustGet(data.X.PickRows(nil, nil)), Y: []float64{}, Query: []int64{}, Weight: []float64{}, Offset: []float64{}, LabelNames: data.LabelNames, Encoding: data.Encoding}, nil)
		}, Storage{})
		if err != nil || c != (Converted{30000, 5000, 60000}) {
			t.Fatalf("blocks of %v: %+v, %v", sizes, c, err)
		}
		got, err := ReadFile(t.Context(), path, ReadOptions{WordLabels: true})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, data)
		if k == 0 { // groups end where blocks do
			var whole bytes.Buffer
			if err := WriteCache(&whole, data); err != nil {
				t.Fatal(err)
			}
			if content := mustGet(os.ReadFile(path)); !bytes.Equal(content, whole.Bytes()) {
				t.Error("one block makes other bytes than WriteCache")
			}
		}
		s, err := OpenStream(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if sum, err := s.Fingerprint(t.Context()); err != nil || sum != want || fingerprint(t, got) != want {
			t.Errorf("blocks of %v: other fingerprints (%v)", sizes, err)
		}
		requireTable(t, s, data)
	}
}

// requireTable compares what streams have of rows with data.
func requireTable(t *testing.T, s *Stream, data *Data) {
	t.Helper()
	if !slices.Equal(s.LabelNames(), data.LabelNames) || !bytes.Equal(s.Encoding(), data.Encoding) || s.HasWeights() != (data.Weight != nil) || s.HasOffsets() != (data.Offset != nil) {
		t.Errorf("the stream has the words %q, the encoder %s, weights %v, offsets %v", s.LabelNames(), s.Encoding(), s.HasWeights(), s.HasOffsets())
	}
	g := new(StreamGroup)
	for k := range s.Groups() {
		for range 2 { // checked in full, and then in part
			if err := s.Load(g, k); err != nil {
				t.Fatal(err)
			}
		}
		first, end := s.GroupRows(k)
		if !slices.Equal(g.Y, data.Y[first:end]) || g.Weight != nil && !slices.Equal(g.Weight, data.Weight[first:end]) || g.Offset != nil && !slices.Equal(g.Offset, data.Offset[first:end]) ||
			(g.Weight == nil) != (data.Weight == nil) || (g.Offset == nil) != (data.Offset == nil) {
			t.Fatalf("group %d has other labels, weights or offsets", k)
		}
	}
	classes, all, err := s.CountClasses(t.Context(), 0, s.Rows(), 9)
	if err != nil || !all || !slices.Equal(classes, CountClasses(data.Y)) {
		t.Errorf("classes %v, want %v (%v)", classes, CountClasses(data.Y), err)
	}
}

func mustGet[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Files with words of their own are one data set.
func TestStreamOfTables(t *testing.T) {
	t.Parallel()
	data := tableData(t)
	data.LabelNames = data.LabelNames[1:5] // rows have all of them
	for i := range data.Y {
		data.Y[i]--
	}
	var paths []string
	dir := t.TempDir()
	for block := range blocksOf(t, data, 12000, 15000) {
		paths = append(paths, filepath.Join(dir, fmt.Sprint(len(paths))))
		if err := WriteCacheFile(paths[len(paths)-1], block); err != nil {
			t.Fatal(err)
		}
	}
	s, err := OpenStream(t.Context(), paths[0], paths[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	requireTable(t, s, data)
	if sum, err := s.Fingerprint(t.Context()); err != nil || sum != fingerprint(t, data) {
		t.Errorf("another fingerprint (%v)", err)
	}
	one, err := OpenStream(t.Context(), paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	identity := one.Identity()
	for want, change := range map[string]func(*Data){
		"only one of the two has weights":     func(d *Data) { d.Weight = nil },
		"only one of the two has offsets":     func(d *Data) { d.Offset = nil },
		"only one of the two has groups":      func(d *Data) { d.Query = nil },
		"labels are words in only one":        func(d *Data) { d.LabelNames = nil },
		"encoded from tables otherwise":       func(d *Data) { d.Encoding = []byte(`{"version":2}`) },
		"from tables otherwise; encode both ": func(d *Data) { d.Encoding = nil },
		"":                                    func(d *Data) { d.LabelNames = append(slices.Clone(d.LabelNames), "Ö") },
	} {
		other := *data
		change(&other)
		path := filepath.Join(dir, "other")
		if err := WriteCacheFile(path, &other); err != nil {
			t.Fatal(err)
		}
		joined, err := OpenStream(t.Context(), paths[0], path)
		if want == "" && err == nil {
			if joined.Identity() == identity {
				t.Error("words change no identity")
			}
			joined.Close()
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), paths[0]) {
			t.Errorf("want %s: %v", want, err)
		}
	}
}

// Words and encoders are part of what tells files apart.
func TestIdentityOfTables(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, change := range []func(*Data){
		func(*Data) {}, func(d *Data) { d.LabelNames = []string{"1-5", "<=50K", ">50K", "a b", "x", "y", "z", "Ö"} },
		func(d *Data) { d.Encoding = []byte("{}") }, func(d *Data) { d.Encoding = nil }, func(d *Data) { d.Weight = nil }, func(d *Data) { d.LabelNames = nil },
	} {
		data := tableData(t)
		change(data)
		path := filepath.Join(t.TempDir(), "cache")
		if err := WriteCacheFile(path, data); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		seen[s.Identity()] = true
		s.Close()
	}
	if len(seen) != 6 {
		t.Errorf("6 files have %d identities", len(seen))
	}
}

// Blocks that do not fit together are refused, and leave no file.
func TestMixedBlocks(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "cache")
	ends := errors.New("no more")
	cancelled, cancel := context.WithCancel(t.Context())
	for want, change := range map[string]func(*Data) error{
		"only some of the rows have weights":             func(d *Data) error { d.Weight = nil; return nil },
		"only some of the rows have offsets and weights": func(d *Data) error { d.Weight, d.Offset = nil, nil; return nil },
		"only some of the rows have groups":              func(d *Data) error { d.Query = nil; return nil },
		"labels of only some of the rows are words":      func(d *Data) error { d.LabelNames = nil; return nil },
		"by several encoders":                            func(d *Data) error { d.Encoding = []byte("{}"); return nil },
		"the weight of row 25000 is -1":                  func(d *Data) error { d.Weight[5000] = -1; return nil },
		"the offset of row 25001 is NaN":                 func(d *Data) error { d.Offset[5001] = math.NaN(); return nil },
		"20000 weights and":                              func(d *Data) error { d.Weight = make([]float64, 20000); return nil },
		"control characters":                             func(d *Data) error { d.LabelNames = []string{"a\nb", "c", "d", "e"}; return nil },
		"no data":                                        func(d *Data) error { d.X = nil; return nil },
		"no more":                                        func(d *Data) error { return ends },
		"context canceled":                               func(d *Data) error { cancel(); return nil },
	} {
		data := tableData(t)
		number := 0
		_, err := WriteCacheBlocks(cancelled, path, func(yield func(*Data, error) bool) {
			for block := range blocksOf(t, data, 20000, 10000) {
				var err error
				if number++; number == 2 {
					err = change(block)
				}
				if !yield(block, err) {
					return
				}
			}
		}, Storage{})
		if cancelled.Err() != nil {
			cancelled, cancel = context.WithCancel(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) || want == "no more" && !errors.Is(err, ends) {
			t.Errorf("want %s: %v", want, err)
		}
	}
	cancel()
	if _, err := WriteCacheBlocks(t.Context(), path, nil, Storage{}); err == nil {
		t.Error("a cache without blocks")
	}
	if _, err := WriteCacheBlocks(t.Context(), path, func(func(*Data, error) bool) {}, Storage{}); err == nil {
		t.Error("a cache without rows")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// Text of words is converted in blocks that know other words each.
func TestConvertWords(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	pad := "#" + strings.Repeat("x", 1<<22) + "\n" // a block
	text := "spam 1:1\nham 2:1\n" + pad + "eggs 3:1\nham 1:2\n" + pad + "spam 2:2\n"
	want := readText(t, text, ReadOptions{WordLabels: true})
	path := filepath.Join(t.TempDir(), "cache")
	if _, err := ConvertCacheFile(t.Context(), path, strings.NewReader(text), "text", ReadOptions{WordLabels: true}); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(t.Context(), path, ReadOptions{WordLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	requireSameData(t, got, want)
	if fingerprint(t, got) != fingerprint(t, want) {
		t.Error("another fingerprint")
	}
	if _, err := ReadFile(t.Context(), path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), `words, as "eggs"`) {
		t.Errorf("words where numbers are expected: %v", err)
	}
}

// TestCachesOfVersion2: caches without a table have the bytes that they always had.
func TestCachesOfVersion2(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1 1:0.1 3:0.2\n-1 2:0.3\n":          "c04e476044101c0fb874dada0d5ce381b7df187ea2a7a8ebd8c78dbdf847a88a",
		"2 qid:1 1:1 3:1\n0 qid:2 70000:1\n": "3a74451cf14205a578ac13fee18f6d655edd52c1f9ba566437fd6ae66429e0b0",
	} {
		b := cacheBytes(t, readText(t, text, ReadOptions{}))
		if sum := fmt.Sprintf("%x", sha256.Sum256(b)); sum != want {
			t.Errorf("%q: %s", text, sum)
		}
	}
}

// TestFingerprintOfTables holds the fingerprint against bytes written by hand.
func TestFingerprintOfTables(t *testing.T) {
	t.Parallel()
	x := readText(t, "2 1:0.5 4:-1\n-1\n", ReadOptions{}).X
	number := func(to *bytes.Buffer, list ...uint64) {
		for _, v := range list {
			binary.Write(to, binary.LittleEndian, v)
		}
	}
	bits := math.Float64bits
	for has := range uint64(16) {
		d := &Data{X: x, Y: []float64{2, -1}}
		var want bytes.Buffer
		want.WriteString("lanes data 1\n")
		number(&want, 2, 4, 0, has)
		if has&8 != 0 {
			d.Encoding = []byte("{ }")
			number(&want, 3)
			want.WriteString("{ }")
		}
		if has&1 != 0 {
			d.Query = []int64{3, 4}
		}
		if has&2 != 0 {
			d.Weight = []float64{5, 6}
		}
		if has&4 != 0 {
			d.Offset = []float64{7, 8}
		}
		for i, y := range d.Y {
			number(&want, bits(y))
			for k := range 3 {
				if has>>k&1 != 0 {
					number(&want, []uint64{uint64(3 + i), bits(float64(5 + i)), bits(float64(7 + i))}[k])
				}
			}
			if number(&want, uint64(2-2*i)); i == 0 {
				number(&want, 0, bits(0.5), 3, bits(-1))
			}
		}
		if got := fingerprint(t, d); got != fmt.Sprintf("%x", sha256.Sum256(want.Bytes())) {
			t.Errorf("with %d: %s", has, got)
		}
	}
	for _, d := range []*Data{{X: x, Y: []float64{1, 2}, Weight: []float64{1}}, {X: x, Y: []float64{1, 2}, Offset: []float64{1}}} {
		if sum, err := d.Fingerprint(); err == nil {
			t.Errorf("%v has the fingerprint %s", d, sum)
		}
	}
}

// hostile writes a table as it stands, whatever stands there.
func hostile(text string) []byte {
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Whatever a checksum finds right is looked at: numbers of words, weights, offsets, words and JSON.
func TestCacheRefusesHostileTables(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	data := readText(t, "0 1:0.1 3:0.2\n1 2:0.3\n", ReadOptions{})
	data.Weight, data.Offset, data.LabelNames, data.Encoding = []float64{1, 2}, []float64{3, 4}, []string{"a", "b"}, []byte(`{"v":1}`)
	const good = "a\nb\n\n{\"v\":1}"
	whole := cacheBytes(t, data)
	body := whole[:len(whole)-len(good)-tableFrame]
	if !bytes.Equal(whole, append(bytes.Clone(body), hostile(good)...)) {
		t.Fatalf("the table is %q", whole[len(body):])
	}
	for k := range len(whole) - len(body) {
		spoilt := bytes.Clone(whole)
		spoilt[len(body)+k] ^= 1
		for what, b := range map[string][]byte{"changed": spoilt, "cut": whole[:len(body)+k]} {
			_, err := Read(t.Context(), bytes.NewReader(b), "cache", ReadOptions{WordLabels: true})
			if format := (*FormatError)(nil); !errors.As(err, &format) {
				t.Errorf("byte %d of the table %s: %v", k, what, err)
			}
		}
	}
	size := len(body) - cacheHeader - cacheIndexing - 4
	labels := cacheHeader + groupHeader + 2*4
	weights, offsets := labels+2*8, labels+4*8
	number := func(at int, v float64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], math.Float64bits(v)) }
	}
	path := filepath.Join(t.TempDir(), "cache")
	nan := math.NaN()
	for _, c := range []struct {
		want  string
		spoil func([]byte)
		table string
	}{
		{"", nil, good}, {"", nil, "\n{\"v\":1}"}, {"", nil, "b\na\n\n"}, {"", nil, "\n"},
		{"the label of row 1 is 2, and there are 2 names of labels", number(labels+8, 2), good},
		{"the label of row 0 is 0.5", number(labels, 0.5), good}, {"the label of row 0 is -1", number(labels, -1), good}, {"the label of row 0 is NaN", number(labels, nan), good},
		{"the label of row 0 is +Inf", number(labels, math.Inf(1)), good}, {"the label of row 1 is 1, and there are 1 names", nil, "a\n\n{}"},
		{"the weight of row 1 is -2", number(weights+8, -2), good}, {"the weight of row 0 is NaN", number(weights, nan), good}, {"the weight of row 0 is +Inf", number(weights, math.Inf(1)), good},
		{"the offset of row 1 is -Inf", number(offsets+8, math.Inf(-1)), good}, {"the offset of row 0 is NaN", number(offsets, nan), good},
		{"do not ascend", nil, "a\na\n\n"}, {"control characters", nil, "a\x01\nb\n\n"}, {"control characters", nil, "a\nb\xff\n\n"},
		{"do not end", nil, "a\nb\n"}, {"do not end", nil, "a"}, {"a checksum does not fit", nil, ""}, {"a checksum does not fit", nil, "a\nb\n\n{\"\x00\":1}"},
		{"no JSON object", nil, "a\nb\n\n{\"v\":1"}, {"no JSON object", nil, "a\nb\n\n[]"}, {"no JSON object", nil, "\n\n{}"},
	} {
		b := bytes.Clone(body)
		if c.spoil != nil {
			c.spoil(b)
		}
		resum(b, size)
		b = append(b, hostile(c.table)...)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, fileErr := ReadFile(t.Context(), path, ReadOptions{WordLabels: true})
		_, pipeErr := Read(t.Context(), struct{ io.Reader }{bytes.NewReader(b)}, "cache", ReadOptions{WordLabels: true})
		for k, err := range []error{fileErr, pipeErr, streamed(path)} {
			if c.want == "" && err == nil {
				continue
			}
			if format := (*FormatError)(nil); c.want == "" || !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d, %q: %v, want %s", k, c.table, err, c.want)
			}
		}
	}
}

// A table that promises much is refused before it has filled memory.
func TestTableBombs(t *testing.T) {
	repeat.Skip(t)
	shape := cacheShape{layout: rows.I32F64, later: true, index: cacheHeader}
	head := binary.LittleEndian.AppendUint32(shape.encode(), crc32.Checksum(nil, castagnoli))
	for _, length := range []uint64{1 << 29, MaxEncoding, MaxEncoding + 1, math.MaxUint64, math.MaxInt64} {
		promise := binary.LittleEndian.AppendUint64(bytes.Clone(head), length)
		promise = append(promise, "\n{"...)
		var err error
		took := allocated(func() {
			_, err = Read(t.Context(), io.MultiReader(bytes.NewReader(promise), zeros{}), "bomb", ReadOptions{Workers: 1})
		})
		if format := (*FormatError)(nil); !errors.As(err, &format) || took > 3*streamStep {
			t.Errorf("a table of %d bytes: %d bytes taken, error %v", length, took, err)
		}
		if length > MaxEncoding {
			continue
		}
		path := filepath.Join(t.TempDir(), "holes")
		if os.WriteFile(path, promise, 0o666) != nil || os.Truncate(path, int64(len(head))+int64(length)+tableFrame) != nil {
			continue
		}
		took = allocated(func() {
			_, err = ReadFile(t.Context(), path, ReadOptions{Workers: 1})
			var other error
			if _, other = OpenStream(t.Context(), path); other == nil {
				t.Error("holes are a table")
			}
		})
		if format := (*FormatError)(nil); !errors.As(err, &format) || took > 6*streamStep {
			t.Errorf("holes of %d bytes: %d bytes taken, error %v", length, took, err)
		}
	}
}
