package fuzz

import (
	"bytes"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/parquet"
	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// FuzzTableParquet reads hostile files: b is one, or the pages of a column in a file that is
// right otherwise. How many rows are taken at once changes nothing.
func FuzzTableParquet(f *testing.F) {
	words := []byte("\x03\x00\x00\x00one\x03\x00\x00\x00two\x00\x00\x00\x00")
	column := parquettest.Column{Schema: parquettest.Flat("a", format.ByteArray, true, nil), Groups: [][]parquettest.Page{{
		parquettest.Dictionary(3, words), parquettest.Data(format.RLEDictionary, 4, []byte{3, 7}, []byte{2, 6, 1}),
	}}}
	f.Add(parquettest.File([]int64{4}, column), false, uint8(0), uint8(0), uint8(0), uint16(0), uint16(0), uint8(0))
	number := parquettest.Column{Schema: parquettest.Flat("b", format.Int32, false, &format.DateType{}), Groups: [][]parquettest.Page{{parquettest.Data(format.Plain, 2, nil, []byte("abcdefgh"))}}}
	f.Add(parquettest.File([]int64{2}, number), false, uint8(0), uint8(0), uint8(0), uint16(0), uint16(0), uint8(0))
	for _, c := range []struct {
		kind     format.Type
		encoding format.Encoding
		codec    format.CompressionCodec
		b        string
		values   uint16
		size     uint16
		how      uint8
	}{
		{format.ByteArray, format.Plain, format.Uncompressed, string(words), 3, 18, 0},
		{format.Boolean, format.RLE, format.Uncompressed, "\x02\x00\x00\x00\x08\x01", 4, 6, 0},
		{format.Int64, format.DeltaBinaryPacked, format.Uncompressed, "\x80\x01\x04\x05\x02\x02\x01\x00\x00\x00\x0f\x00\x00\x00", 5, 14, 0},
		{format.ByteArray, format.DeltaByteArray, format.Uncompressed, "\x80\x01\x04\x02\x00\x02\x00\x00\x00\x00\x80\x01\x04\x02\x02\x00\x00\x00\x00\x00ab", 2, 22, 0},
		{format.ByteArray, format.DeltaLengthByteArray, format.Snappy, "\x0c\x2c\x80\x01\x04\x02\x02\x00\x00\x00\x00\x00ab", 2, 12, 0},
		{format.Double, format.ByteStreamSplit, format.Gzip, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 1, 8, 1},
		{format.Float, format.Plain, format.Zstd, "\x28\xb5\x2f\xfd\x04\x00\x21\x00\x00abcd", 1, 4, 2},
		{format.FixedLenByteArray, format.DeltaByteArray, format.Lz4Raw, "\x40abcd", 1, 4, 3},
		{format.Int96, format.Plain, format.Uncompressed, "abcdefghijkl", 1, 12, 1},
	} {
		f.Add([]byte(c.b), true, uint8(c.kind), uint8(c.encoding), uint8(c.codec), c.values, c.size, c.how)
	}
	f.Fuzz(func(t *testing.T, b []byte, assemble bool, kind, encoding, codec uint8, values, size uint16, how uint8) {
		if assemble {
			b = assembled(b, format.Type(kind%8), format.Encoding(encoding), format.CompressionCodec(codec%8), int32(values), int32(size), how)
		}
		file, err := parquet.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		whole, ended := cellsOf(file, 0)
		for _, rows := range []int{1, 3} {
			if some, good := cellsOf(file, rows); ended && (!good || !bytes.Equal(some, whole)) {
				t.Fatalf("by %d rows: %q, else %q", rows, some, whole)
			}
		}
	})
}

// assembled returns a file with a column of one page.
func assembled(b []byte, kind format.Type, encoding format.Encoding, codec format.CompressionCodec, values, size int32, how uint8) []byte {
	logical := []format.LogicalTypeValue{
		nil, &format.DecimalType{Scale: 2, Precision: 9}, &format.TimestampType{Unit: format.TimeUnit{Value: &format.MilliSeconds{}}}, &format.TimeType{Unit: format.TimeUnit{Value: &format.NanoSeconds{}}},
		&format.Float16Type{}, &format.UUIDType{}, &format.IntType{BitWidth: 32}, &format.DateType{},
	}[how>>1&7]
	optional := how&1 == 1
	schema := parquettest.Flat("a", kind, optional, logical)
	schema.TypeLength = thrift.New(int32(how >> 4))
	page := parquettest.Page{Data: b, NoSum: true, Header: format.PageHeader{UncompressedPageSize: size}}
	if how&16 == 0 {
		page.Header.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: values, Encoding: encoding, DefinitionLevelEncoding: format.RLE})
	} else {
		page.Header.Type = format.DataPageV2
		page.Header.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{NumValues: values, Encoding: encoding, DefinitionLevelsByteLength: int32(how >> 6)})
	}
	pages := []parquettest.Page{page}
	if how&32 != 0 {
		pages = []parquettest.Page{parquettest.Dictionary(3, []byte("abcdefghijklmnopqrstuvwxyzabcdefghij")), page}
	}
	return parquettest.File([]int64{int64(values)}, parquettest.Column{Schema: schema, Codec: codec, Groups: [][]parquettest.Page{pages}})
}

// cellsOf returns the first cells of all columns that can be read, and whether the file ended
// before these were many, and without an error.
func cellsOf(file *parquet.File, rows int) (all []byte, ended bool) {
	for k := range file.Names() {
		s, err := file.Scan([]int{k}, rows)
		if err != nil {
			continue
		}
		for seen := 0; ; {
			var r parquet.Rows
			n, err := s.Take(&r)
			if err == io.EOF {
				break
			}
			if seen += n; err != nil || seen > 1000 {
				return nil, false
			}
			text, at, err := r.Append(nil, nil)
			if err != nil {
				return nil, false
			}
			for i := range n {
				all = append(append(all, text[at[2*i]:at[2*i+1]]...), '\n')
			}
		}
	}
	return all, true
}
