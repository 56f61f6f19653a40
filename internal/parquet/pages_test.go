package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

func doubles(v ...float64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// Numbers have exponents below 1e-6 and from 1e21 on, as JSON of Go and JavaScript has them.
func TestExponents(t *testing.T) {
	values := []float64{1e-6, 2e-6, 9.5e-7, -1e-5, 1e20, 1e21, -123456789012}
	want := []string{"0.000001", "0.000002", "9.5e-07", "-0.00001", "100000000000000000000", "1e+21", "-123456789012"}
	got, err := oneColumn(parquettest.Flat("a", format.Double, false, nil), format.Uncompressed, int64(len(values)), parquettest.Data(format.Plain, len(values), nil, doubles(values...)))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

// Pages of kinds that few writers make.
func TestRarePages(t *testing.T) {
	var entries []int64
	for i := range int64(300) {
		entries = append(entries, i)
	}
	described := parquettest.Data(format.Plain, 2, nil, longs(5, 6))
	described.Header.DataPageHeader.V.Statistics.MaxValue = []byte(strings.Repeat("z", 5000)) // a header beyond its first window
	index := parquettest.Page{Data: []byte("index"), Header: format.PageHeader{Type: format.IndexPage, UncompressedPageSize: 5, IndexPageHeader: thrift.New(format.IndexPageHeader{})}}
	second := parquettest.Page{Data: append([]byte{6, 1}, longs(7, 8, 9)...), Header: format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: 26,
		DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{NumValues: 3, NumRows: 3, Encoding: format.Plain, DefinitionLevelsByteLength: 2, IsCompressed: thrift.New(false)})}}
	for name, c := range map[string]struct {
		codec    format.CompressionCodec
		optional bool
		pages    []parquettest.Page
		want     []string
	}{
		"a run of a place of 9 bits": {format.Uncompressed, false, []parquettest.Page{parquettest.Dictionary(300, longs(entries...)), parquettest.Data(format.RLEDictionary, 5, nil, []byte{9, 10, 43, 1})}, []string{"299", "299", "299", "299", "299"}},
		"a long header":              {format.Uncompressed, false, []parquettest.Page{described}, []string{"5", "6"}},
		"an index":                   {format.Uncompressed, false, []parquettest.Page{index, described, index, parquettest.Data(format.Plain, 1, nil, longs(7))}, []string{"5", "6", "7"}},
		"a page that is not packed":  {format.Snappy, true, []parquettest.Page{second}, []string{"7", "8", "9"}},
		"a page without compression": {format.Uncompressed, true, []parquettest.Page{second}, []string{"7", "8", "9"}},
	} {
		for _, step := range []int{0, 1} {
			b := parquettest.File([]int64{int64(len(c.want))}, parquettest.Column{Schema: parquettest.Flat("a", format.Int64, c.optional, nil), Codec: c.codec, Groups: [][]parquettest.Page{c.pages}})
			f, err := Open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := readAll(f, []int{0}, step); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q %v, want %q", name, got, err, c.want)
			}
		}
	}
}
