// Package parquet reads the flat columns of Apache Parquet files as text.
//
// github.com/parquet-go/parquet-go/format has the structures of the format. This package decodes
// pages itself, as other decoders allocate what a page claims to hold. Here the bytes of a page and
// the most rows of a page bound the memory.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Magic are the first and the last bytes of a file.
const Magic = "PAR1"

// File is a Parquet file whose footer has been read. It never changes, and serves any number of
// goroutines.
type File struct {
	r       io.ReaderAt
	size    int64
	columns []column
	leaves  int
	groups  []rowGroup
}

// column is a column of the table: a child of the schema's root.
type column struct {
	name     string
	leaf     int  // its place among the column chunks of a row group
	optional bool // rows may lack a value
	physical format.Type
	width    int // bytes of a value, 0 where values differ in length
	most     int // bytes that a value may have, 0 for no bound
	text     func(to, value []byte) []byte
	refused  string // why the column cannot be read, "" if it can be
}

// The parts of the footer that are needed.
type (
	footer struct {
		Schema []format.SchemaElement `thrift:"2,required"`
		Groups []rowGroup             `thrift:"4,required"`
	}
	rowGroup struct {
		Chunks []chunk `thrift:"1,required"`
		Rows   int64   `thrift:"3,required"`
	}
	chunk struct {
		Path string    `thrift:"1,optional"`
		Meta chunkMeta `thrift:"3,optional"`
		// Crypto is set where the column is encrypted.
		Crypto *struct{} `thrift:"8,optional"`
	}
	chunkMeta struct {
		Type       format.Type             `thrift:"1,required"`
		Codec      format.CompressionCodec `thrift:"4,required"`
		Compressed int64                   `thrift:"7,required"`
		Data       int64                   `thrift:"9,required"`
		Dictionary int64                   `thrift:"11,optional"`
	}
)

// Open reads the footer of a file of this size. It takes memory in proportion to the footer.
func Open(r io.ReaderAt, size int64) (*File, error) {
	var tail [8]byte
	if size < 12 {
		return nil, errors.New("the file is too short for Parquet")
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return nil, fmt.Errorf("the end of the file: %w", err)
	}
	switch string(tail[4:]) {
	case Magic:
	case "PARE":
		return nil, errors.New("the Parquet file is encrypted: write it without encryption")
	default:
		return nil, errors.New("the Parquet file does not end as one: it is truncated, or still being written")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-12 {
		return nil, fmt.Errorf("the footer claims %d bytes of a file of %d", length, size)
	}
	b := make([]byte, length)
	if _, err := r.ReadAt(b, size-8-length); err != nil {
		return nil, fmt.Errorf("the footer: %w", err)
	}
	var meta footer
	if _, err := decode(b, &meta); err != nil {
		return nil, fmt.Errorf("the footer: %w", err)
	}
	f := &File{r: r, size: size, groups: meta.Groups}
	if err := f.schema(meta.Schema); err != nil {
		return nil, err
	}
	for k, g := range f.groups {
		if g.Rows < 0 || len(g.Chunks) != f.leaves {
			return nil, fmt.Errorf("row group %d has %d rows and %d columns of %d", k+1, g.Rows, len(g.Chunks), f.leaves)
		}
	}
	return f, nil
}

// schema finds the columns in the elements of the schema, which are a tree in prefix order.
func (f *File) schema(elements []format.SchemaElement) error {
	if len(elements) == 0 {
		return errors.New("the file has no schema")
	}
	names := map[string]bool{}
	for at := 1; at < len(elements); {
		e := &elements[at]
		c := column{name: e.Name, leaf: f.leaves, optional: e.RepetitionType.V == format.Optional}
		for open := 1; open > 0; open-- {
			if at == len(elements) {
				return errors.New("the schema ends too early")
			}
			children := elements[at].NumChildren.V
			if children < 0 || int(children) > len(elements) {
				return fmt.Errorf("column %q has %d children", elements[at].Name, children)
			}
			if children == 0 {
				f.leaves++
			}
			open += int(children)
			at++
		}
		switch {
		case names[c.name] || !utf8.ValidString(c.name):
			return fmt.Errorf("two columns are called %q, or the name is no UTF-8", c.name)
		case e.NumChildren.V > 0:
			c.refused = "it is nested (a group, list or map); write its fields as columns of their own, or ignore it"
		case e.RepetitionType.V == format.Repeated:
			c.refused = "it is repeated, several values a row; write a value a row, or ignore it"
		default:
			c.setType(e)
		}
		names[c.name] = true
		f.columns = append(f.columns, c)
	}
	if len(f.columns) == 0 {
		return errors.New("the file has no columns")
	}
	return nil
}

// Names returns the names of the columns, in the order of the schema. Groups, lists and maps
// count as one column each.
func (f *File) Names() []string {
	names := make([]string, len(f.columns))
	for k, c := range f.columns {
		names[k] = c.name
	}
	return names
}

// pageHeader stands before each page.
type pageHeader struct {
	Type       format.PageType                          `thrift:"1,required"`
	Size       int32                                    `thrift:"2,required"`
	Compressed int32                                    `thrift:"3,required"`
	CRC        thrift.Null[int32]                       `thrift:"4,optional"`
	V1         thrift.Null[format.DataPageHeader]       `thrift:"5,optional"`
	Dictionary thrift.Null[format.DictionaryPageHeader] `thrift:"7,optional"`
	V2         thrift.Null[format.DataPageHeaderV2]     `thrift:"8,optional"`
}
