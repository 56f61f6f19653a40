package parquet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// oneColumn reads a file with one column of one row group.
func oneColumn(schema format.SchemaElement, codec format.CompressionCodec, rows int64, pages ...parquettest.Page) ([]string, error) {
	b := parquettest.File([]int64{rows}, parquettest.Column{Schema: schema, Codec: codec, Groups: [][]parquettest.Page{pages}})
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	return readAll(f, []int{0}, 0)
}

func longs(v ...int64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	return b
}

func ints(v ...int32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func TestTypes(t *testing.T) {
	millis, micros, nanos := &format.MilliSeconds{}, &format.MicroSeconds{}, &format.NanoSeconds{}
	unit := func(v format.TimeUnitValue) format.TimeUnit { return format.TimeUnit{Value: v} }
	converted := func(kind format.Type, as deprecated.ConvertedType) format.SchemaElement {
		e := parquettest.Flat("a", kind, false, nil)
		e.ConvertedType = thrift.New(as)
		return e
	}
	fixed := func(width int32, logical format.LogicalTypeValue) format.SchemaElement {
		e := parquettest.Flat("a", format.FixedLenByteArray, false, logical)
		e.TypeLength = thrift.New(width)
		return e
	}
	flat := func(kind format.Type, logical format.LogicalTypeValue) format.SchemaElement {
		return parquettest.Flat("a", kind, false, logical)
	}
	for _, c := range []struct {
		schema format.SchemaElement
		data   []byte
		want   []string
	}{
		{flat(format.Int32, nil), ints(-1, 2147483647), []string{"-1", "2147483647"}},
		{flat(format.Int32, &format.IntType{BitWidth: 32}), ints(-1), []string{"4294967295"}},
		{flat(format.Int64, &format.IntType{BitWidth: 64}), longs(-1), []string{"18446744073709551615"}},
		{converted(format.Int64, deprecated.Uint64), longs(-2), []string{"18446744073709551614"}},
		{flat(format.Int32, &format.DateType{}), ints(0, -1, 20781), []string{"1970-01-01", "1969-12-31", "2026-11-24"}},
		{converted(format.Int32, deprecated.Date), ints(365), []string{"1971-01-01"}},
		{flat(format.Int64, &format.TimestampType{Unit: unit(millis), IsAdjustedToUTC: true}), longs(0, -1, 1500), []string{"1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:01.5Z"}},
		{flat(format.Int64, &format.TimestampType{Unit: unit(micros)}), longs(-1, 60000001), []string{"1969-12-31T23:59:59.999999", "1970-01-01T00:01:00.000001"}},
		{flat(format.Int64, &format.TimestampType{Unit: unit(nanos)}), longs(1), []string{"1970-01-01T00:00:00.000000001"}},
		{converted(format.Int64, deprecated.TimestampMicros), longs(1), []string{"1970-01-01T00:00:00.000001Z"}},
		{flat(format.Int32, &format.TimeType{Unit: unit(millis)}), ints(86399999), []string{"23:59:59.999"}},
		{flat(format.Int64, &format.TimeType{Unit: unit(nanos)}), longs(3600000000001), []string{"01:00:00.000000001"}},
		{flat(format.Int32, &format.DecimalType{Scale: 3, Precision: 9}), ints(5, -5, -12345), []string{"0.005", "-0.005", "-12.345"}},
		{flat(format.Int64, &format.DecimalType{Precision: 9}), longs(-7), []string{"-7"}},
		{fixed(3, &format.DecimalType{Scale: 1, Precision: 6}), []byte{0xff, 0xff, 0xff, 0x7f, 0xff, 0xff}, []string{"-0.1", "838860.7"}},
		{fixed(16, &format.UUIDType{}), []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"), []string{"00112233-4455-6677-8899-aabbccddeeff"}},
		{fixed(2, &format.Float16Type{}), []byte("\x00\x3c\x01\x00\x00\xfc\xff\x7b"), []string{"1", "5.9604645e-08", "-inf", "65504"}},
		{flat(format.Float, nil), []byte("\xcd\xcc\xcc\x3d\x00\x00\x80\x7f"), []string{"0.1", "inf"}},
		{flat(format.Double, nil), []byte("\x9a\x99\x99\x99\x99\x99\xb9\x3f\x00\x00\x00\x00\x00\x00\x00\x80"), []string{"0.1", "-0"}},
		{flat(format.Int96, nil), append(longs(1500000000), ints(2440588)...), []string{"1970-01-01T00:00:01.5"}},
		{flat(format.Boolean, nil), []byte{0x05}, []string{"true", "false", "true"}},
		{flat(format.ByteArray, nil), []byte("\x02\x00\x00\x00\x00\xff\x00\x00\x00\x00"), []string{"\x00\xff", ""}},
	} {
		got, err := oneColumn(c.schema, format.Uncompressed, int64(len(c.want)), parquettest.Data(format.Plain, len(c.want), nil, c.data))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %q %v, want %q", c.schema.LogicalType.Value, got, err, c.want)
		}
	}
}

func TestEncodings(t *testing.T) {
	number, word, truth := format.Int64, format.ByteArray, format.Boolean
	// By hand: 5 values from 7 on, and 4 deltas of 2 bits above -2: 0, 1, 2, 3.
	deltas := append([]byte{0x80, 1, 4, 5, 14, 3, 2, 0, 0, 0, 0xe4}, make([]byte, 7)...)
	for name, c := range map[string]struct {
		kind     format.Type
		optional bool
		pages    []parquettest.Page
		want     []string
	}{
		"deltas":     {number, false, []parquettest.Page{parquettest.Data(format.DeltaBinaryPacked, 5, nil, deltas)}, []string{"7", "5", "4", "4", "5"}},
		"nulls":      {number, true, []parquettest.Page{parquettest.Data(format.Plain, 4, []byte{3, 0x0a}, longs(8, 9))}, []string{"", "8", "", "9"}},
		"no values":  {number, true, []parquettest.Page{parquettest.Data(format.Plain, 3, []byte{6, 0}, nil)}, []string{"", "", ""}},
		"dictionary": {word, true, []parquettest.Page{parquettest.Dictionary(2, []byte("\x01\x00\x00\x00a\x02\x00\x00\x00bc")), parquettest.Data(format.RLEDictionary, 4, []byte{3, 0x0d}, []byte{1, 4, 1, 2, 0})}, []string{"bc", "", "bc", "a"}},
		"two pages":  {number, false, []parquettest.Page{parquettest.Data(format.Plain, 1, nil, longs(1)), parquettest.Data(format.Plain, 0, nil, nil), parquettest.Data(format.Plain, 2, nil, longs(2, 3))}, []string{"1", "2", "3"}},
		"truths":     {truth, false, []parquettest.Page{parquettest.Data(format.RLE, 10, nil, []byte("\x04\x00\x00\x00\x03\x81\x04\x01"))}, []string{"true", "false", "false", "false", "false", "false", "false", "true", "true", "true"}},
		"lengths":    {word, false, []parquettest.Page{parquettest.Data(format.DeltaLengthByteArray, 2, nil, append([]byte{0x80, 1, 4, 2, 2, 2, 0, 0, 0, 0}, "abc"...))}, []string{"a", "bc"}},
	} {
		for _, step := range []int{0, 1} {
			schema := parquettest.Flat("a", c.kind, c.optional, nil)
			b := parquettest.File([]int64{int64(len(c.want))}, parquettest.Column{Schema: schema, Groups: [][]parquettest.Page{c.pages}})
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

// What a file claims takes no memory before it is there.
func TestHostile(t *testing.T) {
	number := parquettest.Flat("a", format.Int64, false, nil)
	optional := parquettest.Flat("a", format.Int64, true, nil)
	sized := func(p parquettest.Page, size int32) parquettest.Page {
		p.Header.UncompressedPageSize = size
		return p
	}
	read := func(schema format.SchemaElement, codec format.CompressionCodec, rows int64, pages ...parquettest.Page) func() error {
		return func() error { _, err := oneColumn(schema, codec, rows, pages...); return err }
	}
	nested := append([]byte(Magic), bytes.Repeat([]byte{0x1c}, 1<<20)...)
	nested = append(binary.LittleEndian.AppendUint32(nested, 1<<20), Magic...)
	list := append([]byte(Magic), 0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 7)
	list = append(binary.LittleEndian.AppendUint32(list, 7), Magic...)
	for message, f := range map[string]func() error{
		"thrift":         func() error { _, err := Open(bytes.NewReader(nested), int64(len(nested))); return err },
		"unexpected EOF": func() error { _, err := Open(bytes.NewReader(list), int64(len(list))); return err },
		"a page of 2147483647 values; a page may have 33554432":  read(number, 0, 1<<31-1, parquettest.Data(format.Plain, 1<<31-1, nil, longs(1))),
		"ends before its values do":                              read(number, 0, 1<<20, parquettest.Data(format.Plain, 1<<20, nil, longs(1))),
		"deltas of 1048576 values":                               read(number, 0, 3, parquettest.Data(format.DeltaBinaryPacked, 3, nil, []byte{0x80, 1, 4, 0x80, 0x80, 0x40, 0})),
		"the definition levels: unexpected EOF":                  read(optional, 0, 3, parquettest.Data(format.Plain, 3, []byte{2, 1}, nil)),
		"index 3 into a dictionary of 1 values":                  read(number, 0, 3, parquettest.Dictionary(1, longs(1)), parquettest.Data(format.RLEDictionary, 3, nil, []byte{2, 6, 3})),
		"the dictionary is missing":                              read(number, 0, 3, parquettest.Data(format.RLEDictionary, 3, nil, []byte{2, 6, 3})),
		"in the place of 2147483647":                             read(number, format.Snappy, 1, sized(parquettest.Data(format.Plain, 1, nil, []byte("\xff\xff\xff\xff\x07aaa")), 1<<31-1)),
		"cannot unpack to 2147483647":                            read(number, format.Lz4Raw, 1, sized(parquettest.Data(format.Plain, 1, nil, []byte("aaa")), 1<<31-1)),
		"compression BROTLI, which lanes does not read":          read(number, format.Brotli, 1, parquettest.Data(format.Plain, 1, nil, longs(1))),
		"the pages have 3 rows or more, and the row group has 2": read(number, 0, 2, parquettest.Data(format.Plain, 3, nil, longs(1, 2, 3))),
		"the pages end after 3 rows":                             read(number, 0, 4, parquettest.Data(format.Plain, 3, nil, longs(1, 2, 3))),
	} {
		wants(t, message, 16<<20, f)
	}
}
