package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// wants calls f. Its error must have the message, and it may allocate most bytes.
func wants(t *testing.T, message string, most uint64, f func() error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), message) {
		t.Errorf("%v, want %s", err, message)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
		t.Errorf("%s: %d bytes of memory", message, taken)
	}
}

// deltasOf are count numbers from first on, each larger than the one before by step.
func deltasOf(block, count, first, step int64) (b []byte) {
	b = binary.AppendUvarint(b, uint64(block))
	b = binary.AppendUvarint(append(b, 1), uint64(count))
	b = binary.AppendVarint(b, first)
	for ; count > 1; count -= block {
		b = append(binary.AppendVarint(b, step), 0)
	}
	return b
}

// The bytes of a page bound the memory, whatever they claim or unpack to.
func TestPagesBoundMemory(t *testing.T) {
	words := parquettest.Flat("a", format.ByteArray, false, nil)
	number := parquettest.Flat("a", format.Int64, false, nil)
	read := func(schema format.SchemaElement, codec format.CompressionCodec, rows int64, pages ...parquettest.Page) func() error {
		return func() error { _, err := oneColumn(schema, codec, rows, pages...); return err }
	}
	sized := func(size int32, data []byte) parquettest.Page {
		p := parquettest.Data(format.Plain, 1, nil, data)
		p.Header.UncompressedPageSize = size
		return p
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 64<<20))
	z.Close()
	claim := parquettest.Data(format.Plain, 1, nil, longs(1))
	claim.Claim = 1<<31 - 1
	header := parquettest.Data(format.Plain, 1, nil, longs(1))
	header.Header.DataPageHeader.V.Statistics.MaxValue = make([]byte, maxHeader)
	const few, many = 16 << 20, 200 << 20
	wants(t, "the page has 9 bytes in the place of 8", few, read(number, format.Gzip, 1, sized(8, bomb.Bytes())))
	// A frame with a window of 1 GB, and a block of 8 bytes.
	wants(t, "window size", few, read(number, format.Zstd, 1, sized(8, append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3, 8<<3 | 1, 0, 0}, longs(1)...))))
	wants(t, "deltas of 33554432 values, by 1 blocks of 4611686018427387904", few,
		read(number, 0, maxPageRows, parquettest.Data(format.DeltaBinaryPacked, maxPageRows, nil, deltasOf(1<<62, maxPageRows, 0, 0))))
	wants(t, "unexpected EOF", few, read(number, 0, maxPageRows, parquettest.Data(format.DeltaBinaryPacked, maxPageRows, nil, deltasOf(128, maxPageRows, 0, 0)[:9])))
	wants(t, "ends before its values do", few, read(words, 0, 1<<24, parquettest.Data(format.Plain, 1<<24, nil, make([]byte, 100))))
	wants(t, "claims 2147483647 bytes", few, read(number, 0, 1, claim))
	wants(t, "the header of a page: unexpected EOF", many, read(number, 0, 1, header))
}

// The footer bounds the memory, too.
func TestFooterBoundsMemory(t *testing.T) {
	open := func(b []byte) func() error {
		return func() error { _, err := Open(bytes.NewReader(b), int64(len(b))); return err }
	}
	wants(t, "the footer claims 4294967295 bytes of a file of 12", 1<<20, open([]byte(Magic+"\xff\xff\xff\xff"+Magic)))
	group := parquettest.Flat("a", format.Int64, false, nil)
	group.NumChildren = thrift.New(int32(1<<31 - 1))
	wants(t, `"a" has 2147483647 children`, 1<<20, open(parquettest.File(nil, parquettest.Column{Schema: group})))
}

// Short pages whose text is long are refused beyond 256 MB of text.
func TestLongText(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a GB of memory")
	}
	words := parquettest.Flat("a", format.ByteArray, false, nil)
	const n, rows = 1 << 15, 1 << 13
	// Each word is the word before and a byte more.
	prefixes := append(append(deltasOf(1<<20, n, 0, 1), deltasOf(1<<20, n, 1, 0)...), make([]byte, n)...)
	wants(t, "bytes of text", 2<<30, func() error {
		_, err := oneColumn(words, 0, n, parquettest.Data(format.DeltaByteArray, n, nil, prefixes))
		return err
	})
	// All rows have the one word of the dictionary that is long.
	dictionary := append(binary.LittleEndian.AppendUint32(nil, 1<<16), make([]byte, 1<<16+4<<16)...)
	wants(t, "bytes of text", 2<<30, func() error {
		_, err := oneColumn(words, 0, rows, parquettest.Dictionary(1<<16+1, dictionary), parquettest.Data(format.RLEDictionary, rows, nil, []byte{1, 0x80, 0x80, 1, 0}))
		return err
	})
}

// Rows with long words are taken by fewer at once. What was decoded does not keep the bytes of the
// file, nor a dictionary the values that its text has.
func TestPagesLetGo(t *testing.T) {
	const n, size = 1 << 12, 1 << 13
	long := bytes.Repeat(append(binary.LittleEndian.AppendUint32(nil, size), make([]byte, size)...), n)
	words := parquettest.Column{Schema: parquettest.Flat("a", format.ByteArray, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(format.Plain, n, nil, long)}}}
	few := parquettest.Column{Schema: parquettest.Flat("b", format.Int64, false, nil), Groups: [][]parquettest.Page{{
		parquettest.Dictionary(1, longs(1)), parquettest.Data(format.RLEDictionary, n, nil, []byte{1, 0x80, 0x40, 0}),
	}}}
	b := parquettest.File([]int64{n}, words, few)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan([]int{0, 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var r Rows
	if taken, err := s.Take(&r); err != nil || taken < takeText/size/2 || taken > takeText/size {
		t.Fatalf("%d rows of %d bytes are taken: %v", taken, size, err)
	}
	if _, _, err := r.Append(nil, nil); err != nil {
		t.Fatal(err)
	}
	for k := range s.cursors {
		for _, p := range s.cursors[k].pages {
			if p.raw != nil {
				t.Errorf("a decoded page of column %d keeps %d bytes of the file", k, len(p.raw))
			}
		}
	}
	if d := s.cursors[1].dictionary; d.raw != nil || d.plain.data != nil || len(d.text) != 1 {
		t.Errorf("the dictionary keeps %d and %d bytes beside its text of %d", len(d.raw), len(d.plain.data), len(d.text))
	}
}
