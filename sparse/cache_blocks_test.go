package sparse

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestCacheBlocks: a file of a cache comes in blocks that keep its layout, a group at least.
func TestCacheBlocks(t *testing.T) {
	for name, data := range sampleSet(t) {
		groups := 0
		for first := 0; first < data.X.Rows(); groups++ {
			first, _ = cut(data.X, first)
		}
		testCacheBlocks(t, name, data, cacheBytes(t, data), groups)
	}
}

func testCacheBlocks(t *testing.T, name string, data *Data, cache []byte, most int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, cache, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 100, 1 << 20} {
		if name == "blocks" && size <= 100 {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var y []float64
		var query []int64
		var weight, offset []float64
		at, blocks := 0, 0
		for block, err := range Blocks(context.Background(), file, path, ReadOptions{WordLabels: true}, size) {
			if err != nil {
				t.Fatalf("%s, blocks of %d: %v", name, size, err)
			}
			x := block.X
			if x.Values() != data.X.Values() || x.Cols() != data.X.Cols() || x.Rows() == 0 || !block.Cached {
				t.Fatalf("%s: a block has the layout %s, %d x %d", name, x.Layout(), x.Rows(), x.Cols())
			}
			for i := range x.Rows() {
				if got, want := rowText(x, i), rowText(data.X, at); got != want {
					t.Fatalf("%s, blocks of %d: row %d is %s, not %s", name, size, at, got, want)
				}
				at++
			}
			weight, offset = append(weight, block.Weight...), append(offset, block.Offset...)
			if !slices.Equal(block.LabelNames, data.LabelNames) || string(block.Encoding) != string(data.Encoding) {
				t.Errorf("%s: a block has the words %q and the encoder %s", name, block.LabelNames, block.Encoding)
			}
			y, query, blocks = append(y, block.Y...), append(query, block.Query...), blocks+1
		}
		file.Close()
		if !slices.Equal(weight, data.Weight) || !slices.Equal(offset, data.Offset) {
			t.Errorf("%s, blocks of %d: other weights or offsets", name, size)
		}
		if !slices.Equal(y, data.Y) || !slices.Equal(query, data.Query) || size == 1 && blocks != most || name == "blocks" && blocks < 3 {
			t.Errorf("%s, blocks of %d: %d labels, %d queries in %d blocks", name, size, len(y), len(query), blocks)
		}
	}
}

func rowText(x *Matrix, i int) string {
	var text strings.Builder
	for j, v := range x.Row(i) {
		fmt.Fprintf(&text, " %d:%x", j, v)
	}
	return text.String()
}

// TestDamagedCacheBlocks: what Read refuses, blocks refuse as well, with the same message.
func TestDamagedCacheBlocks(t *testing.T) {
	data := sampleSet(t)["scale"]
	good := cacheBytes(t, data)
	path := filepath.Join(t.TempDir(), "cache")
	refused := func(what string, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		_, want := ReadFile(context.Background(), path, ReadOptions{})
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var got error
		for _, err := range Blocks(context.Background(), file, path, ReadOptions{}, 64) {
			if got != nil {
				t.Errorf("%s: a block after an error", what)
			}
			got = err
		}
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("%s: %v, and ReadFile says %v", what, got, want)
		}
	}
	for k := 0; k < len(good); k += 1 + k/8 {
		changed := slices.Clone(good)
		changed[k] ^= 0x10
		refused(fmt.Sprintf("byte %d", k), changed)
	}
	refused("cut", good[:len(good)-1])
	refused("longer", append(slices.Clone(good), 0))
	refused("empty", cacheBytes(t, &Data{X: matrix.Widened(new(matrix.Matrix), 3)}))
	// What the checksums find right.
	for what, change := range map[string]func(d *Data){
		"descending": func(d *Data) {
			for i := d.X.Rows() - 1; ; i-- {
				if begin := matrix.Stored(d.X).Begin[i]; matrix.Stored(d.X).End[i] > begin+1 {
					matrix.Stored(d.X).Idx32[begin+1] = matrix.Stored(d.X).Idx32[begin]
					return
				}
			}
		},
		"infinite": func(d *Data) { matrix.Stored(d.X).Scale[47] = math.Inf(1) },
		"beyond":   func(d *Data) { matrix.Stored(d.X).Idx32[len(matrix.Stored(d.X).Idx32)-1] = 90000 },
		"query":    func(d *Data) { d.Query[45] = -1 },
	} {
		forged := sampleSet(t)["scale"]
		query := forged.Query
		change(forged)
		if what == "query" { // WriteCache would refuse it
			forged.Query[45] = 15
			text := cacheBytes(t, forged)
			forged.Query = query
			refused(what, withQuery(text, forged, 45, -1))
			continue
		}
		refused(what, cacheBytes(t, forged))
	}
}

// withQuery changes a query of a cache of one group and mends the checksums.
func withQuery(text []byte, data *Data, row int, query int64) []byte {
	n := data.X.Rows()
	binary.LittleEndian.PutUint64(text[cacheHeader+groupHeader+12*n+8*row:], uint64(query))
	return resum(text, len(text)-cacheHeader-cacheIndexing-4)
}

// TestBlocksMixKinds: blocks differ in nothing that one text may not mix.
func TestBlocksMixKinds(t *testing.T) {
	for _, text := range []string{
		"spam 1:1\nham 2:1\n\n# none\n1 3:1\nspam 1:1\n", "1 1:1\n2 2:1\nspam 1:1\n", "1 qid:1 1:1\n2 qid:1 2:1\n1 1:1\n", "1 1:1\n2 2:1\n1 qid:3 1:1\n", "spam 1:1\n\nham 2:x\n",
	} {
		options := ReadOptions{WordLabels: true}
		_, want := Read(context.Background(), strings.NewReader(text), "text", options)
		for size := range len(text) {
			var got error
			for _, err := range Blocks(context.Background(), strings.NewReader(text), "text", options, size+1) {
				got = err
			}
			if want == nil || got == nil || got.Error() != want.Error() {
				t.Errorf("blocks of %d: %v, and Read says %v", size+1, got, want)
			}
		}
	}
}

// TestKeep: rows of a part have the products that they have in the whole matrix, if both keep
// their values in the same type. This holds unscaled and scaled.
func TestKeep(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	const d = 60
	scaler := &Scaler{Shift: make([]float64, d), Width: slices.Repeat([]float64{0.75}, d)}
	w := make([]float64, d)
	for j := range w {
		w[j] = random.NormFloat64()
	}
	products := func(x *Matrix) []float64 {
		out := make([]float64, x.Rows())
		if err := x.MulVec(nil, out, w); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, value := range map[string]func(int) float64{
		"ones": func(int) float64 { return 1 }, "row": func(i int) float64 { return 0.1 * float64(i+1) }, "single": func(int) float64 { return float64(float32(random.ExpFloat64())) },
	} {
		x := sampleData(t, random, 30, d, Storage{}, value, false).X
		for _, least := range []Values{ValuesNone, ValuesPerRow, ValuesFloat32, ValuesFloat64, 9} {
			restored, err := matrix.Restored(x, matrix.Storage{Values: least}, d)
			if err != nil {
				t.Fatal(err)
			}
			kept, whole := x.WithValues(least), restored
			if kept.Layout() != whole.Layout() || fmt.Sprint(kept.Describe()) != fmt.Sprint(whole.Describe()) {
				t.Errorf("%s keeps %s, a whole matrix %s", name, kept.Layout(), whole.Layout())
			}
			scaled, err1 := scaler.Apply(kept)
			wholly, err2 := scaler.Apply(whole)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			for _, pair := range [][2]*Matrix{{kept, whole}, {kept.NormalizeUnit(), whole.NormalizeUnit()}, {scaled, wholly}} {
				if pair[0].Values() < min(least, ValuesFloat64) || pair[0].Layout() != pair[1].Layout() || !slices.Equal(products(pair[0]), products(pair[1])) {
					t.Errorf("%s, at least %d: %s and %s", name, least, pair[0].Layout(), pair[1].Layout())
				}
			}
		}
	}
	if (*Matrix)(nil).WithValues(ValuesFloat64) != nil || (*Matrix)(nil).Values() != ValuesNone || new(Matrix).WithValues(ValuesFloat64).Rows() != 0 {
		t.Error("of nothing, something is kept")
	}
}
