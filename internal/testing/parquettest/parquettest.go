// Package parquettest writes Parquet files for tests, page by page.
package parquettest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Column is a column with its pages in each row group.
type Column struct {
	Schema format.SchemaElement
	Codec  format.CompressionCodec
	Groups [][]Page
	// Within are the elements around a nested column that hold no earlier column, the outermost
	// first. Path are the names down to the column. Both are nil for a flat column.
	Within []format.SchemaElement
	Path   []string
}

func (c Column) path() []string {
	if c.Path == nil {
		return []string{c.Schema.Name}
	}
	return c.Path
}

// Page is a page as it stands in the file, without its header.
type Page struct {
	Header format.PageHeader
	Data   []byte // compressed
	NoSum  bool   // the header has no checksum
	Claim  int32  // bytes that the header says; 0 means the length of Data
}

// Flat returns the schema of a column.
func Flat(name string, kind format.Type, optional bool, logical format.LogicalTypeValue) format.SchemaElement {
	repetition := format.Required
	if optional {
		repetition = format.Optional
	}
	return format.SchemaElement{
		Name: name, Type: thrift.New(kind), RepetitionType: thrift.New(repetition),
		LogicalType: format.LogicalType{Value: logical},
	}
}

// Data returns a data page of the first version, without compression. Levels is nil for required
// columns.
func Data(encoding format.Encoding, values int, levels, data []byte) Page {
	if levels != nil {
		data = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...), data...)
	}
	return Page{Data: data, Header: format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(len(data)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(values), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	}}
}

// Dictionary returns a dictionary page.
func Dictionary(values int, data []byte) Page {
	return Page{Data: data, Header: format.PageHeader{
		Type: format.DictionaryPage, UncompressedPageSize: int32(len(data)),
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(values)}),
	}}
}

// File returns a file of row groups with these numbers of rows.
func File(rows []int64, columns ...Column) []byte {
	var file bytes.Buffer
	file.WriteString("PAR1")
	meta := format.FileMetaData{Version: 2, Schema: []format.SchemaElement{{Name: "schema"}}}
	top := int32(0)
	for _, c := range columns {
		if c.Path == nil || len(c.Within) == len(c.Path)-1 {
			top++
		}
		meta.Schema = append(append(meta.Schema, c.Within...), c.Schema)
	}
	meta.Schema[0].NumChildren = thrift.New(top)
	for g, n := range rows {
		group := format.RowGroup{NumRows: n}
		for _, c := range columns {
			begin := int64(file.Len())
			chunk := format.ColumnMetaData{Type: c.Schema.Type.V, Codec: c.Codec, PathInSchema: c.path(), NumValues: n, DataPageOffset: begin}
			for _, p := range c.Groups[g] {
				p.Header.CompressedPageSize = cmp.Or(p.Claim, int32(len(p.Data)))
				if !p.NoSum {
					p.Header.CRC = int32(crc32.ChecksumIEEE(p.Data))
				}
				file.Write(encode(&p.Header))
				file.Write(p.Data)
			}
			chunk.TotalCompressedSize = int64(file.Len()) - begin
			chunk.TotalUncompressedSize = chunk.TotalCompressedSize
			group.Columns = append(group.Columns, format.ColumnChunk{FileOffset: begin, MetaData: chunk})
		}
		meta.NumRows += n
		meta.RowGroups = append(meta.RowGroups, group)
	}
	footer := encode(&meta)
	file.Write(footer)
	file.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	file.WriteString("PAR1")
	return file.Bytes()
}

func encode(v any) []byte {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(err)
	}
	return b
}
