package parquet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// group is the schema of a group of some children.
func group(name string, repetition format.FieldRepetitionType, children int32) format.SchemaElement {
	return format.SchemaElement{Name: name, RepetitionType: thrift.New(repetition), NumChildren: thrift.New(children)}
}

// Fields of groups are columns called a.b; a value that its group or itself lacks is missing. Lists
// and maps are one column each, which says why it cannot be read.
func TestGroups(t *testing.T) {
	optional := parquettest.Flat("c", format.Int64, true, nil)
	required := parquettest.Flat("d", format.Int64, false, nil)
	list := group("tags", format.Optional, 1)
	list.ConvertedType = thrift.New(deprecated.List)
	pairs := group("pairs", format.Optional, 1)
	pairs.LogicalType = format.LogicalType{Value: &format.MapType{}}
	word := func(name string) format.SchemaElement { return parquettest.Flat(name, format.Int64, false, nil) }
	page := func(levels []byte, values ...int64) [][]parquettest.Page {
		rows := 4
		return [][]parquettest.Page{{parquettest.Data(format.Plain, rows, levels, longs(values...))}}
	}
	b := parquettest.File([]int64{4},
		// a and b are optional: c has level 3. Levels 3, 0, 2, 1 of two bits each, packed.
		parquettest.Column{Schema: optional, Within: []format.SchemaElement{group("a", format.Optional, 2), group("b", format.Optional, 1)}, Path: []string{"a", "b", "c"},
			Groups: page([]byte{3, 3 | 0<<2 | 2<<4 | 1<<6, 0}, 7)},
		// d has level 1, the level of a.
		parquettest.Column{Schema: required, Path: []string{"a", "d"}, Groups: page([]byte{3, 0b1101}, 1, 2, 3)},
		parquettest.Column{Schema: word("element"), Within: []format.SchemaElement{list, group("list", format.Repeated, 1)}, Path: []string{"tags", "list", "element"}, Groups: page(nil, 1, 2, 3, 4)},
		parquettest.Column{Schema: word("key"), Within: []format.SchemaElement{pairs, group("key_value", format.Repeated, 1)}, Path: []string{"pairs", "key_value", "key"}, Groups: page(nil, 1, 2, 3, 4)},
		parquettest.Column{Schema: word("last"), Groups: page(nil, 5, 6, 7, 8)},
	)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if names := f.Names(); !slices.Equal(names, []string{"a.b.c", "a.d", "tags", "pairs", "last"}) {
		t.Fatal(names)
	}
	for k, want := range []string{"", "", "it is a list", "it is a map, or a group that is repeated", ""} {
		if f.Refused(k) != want {
			t.Errorf("column %d: %q, want %q", k, f.Refused(k), want)
		}
	}
	for _, rows := range []int{0, 1, 3} {
		got, err := readAll(f, []int{0, 1, 4}, rows)
		if want := []string{"7", "1", "5", "", "", "6", "", "2", "7", "", "3", "8"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, want %q: %v", got, want, err)
		}
	}
	if _, err := f.Scan([]int{2}, 0); err == nil || !strings.Contains(err.Error(), `column "tags" cannot be read: it is a list; write its values as columns of their own, or ignore it`) {
		t.Error(err)
	}
}

// Blocks of LZ4 are read as Hadoop frames them, of one piece or several, and without a frame.
// Damaged ones are errors.
func TestHadoopLZ4(t *testing.T) {
	var numbers []int64
	for k := range int64(1000) {
		numbers = append(numbers, k%7)
	}
	pack := func(plain []byte) []byte {
		packed := make([]byte, lz4.CompressBlockBound(len(plain)))
		n, err := lz4.CompressBlock(plain, packed, nil)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		return packed[:n]
	}
	size := func(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }
	plain := longs(numbers...)
	piece := func(b, plain []byte) []byte {
		packed := pack(plain)
		return append(size(b, len(packed)), packed...)
	}
	read := func(packed []byte) ([]string, error) {
		p := parquettest.Data(format.Plain, len(numbers), nil, packed)
		p.Header.UncompressedPageSize = int32(len(plain))
		return oneColumn(parquettest.Flat("a", format.Int64, false, nil), format.Lz4, int64(len(numbers)), p)
	}
	want, err := oneColumn(parquettest.Flat("a", format.Int64, false, nil), format.Uncompressed, int64(len(numbers)), parquettest.Data(format.Plain, len(numbers), nil, plain))
	if err != nil || len(want) != 1000 {
		t.Fatal(err)
	}
	one := piece(size(nil, len(plain)), plain)
	two := piece(size(piece(size(nil, 3000), plain[:3000]), len(plain)-3000), plain[3000:])
	pieces := piece(piece(size(nil, len(plain)), plain[:3000]), plain[3000:])
	for name, packed := range map[string][]byte{"one block": one, "two blocks": two, "a block of two pieces": pieces, "no frame": pack(plain)} {
		if got, err := read(packed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d cells, %v", name, len(got), err)
		}
	}
	for name, packed := range map[string][]byte{"short": one[:len(one)-1], "longer": append(slices.Clone(one), 0), "other size": piece(size(nil, len(plain)+1), plain), "no data": {0, 0, 0, 0}} {
		if got, err := read(packed); err == nil {
			t.Errorf("%s: %d cells", name, len(got))
		}
	}
}
