// Package parquet reads the columns of Apache Parquet files as text.
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

	"github.com/parquet-go/parquet-go/deprecated"
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

// column is a column of the table: a leaf of the schema, or a list or map.
type column struct {
	name     string // of groups and the leaf, joined by points
	leaf     int    // its place among the column chunks of a row group
	level    int    // the definition level of a value: how many of its groups and itself are optional
	physical format.Type
	width    int // bytes of a value, 0 where values differ in length
	most     int // bytes that a value may have, 0 for no bound
	text     func(to, value []byte) []byte
	plain    bool   // the values are no text
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
	w := schemaWalk{f: f, elements: elements, at: 1, names: map[string]bool{}}
	for w.at < len(elements) {
		if err := w.field("", 0, 0, ""); err != nil {
			return err
		}
	}
	if len(f.columns) == 0 {
		return errors.New("the file has no columns")
	}
	return nil
}

// schemaWalk goes through the elements of a schema.
type schemaWalk struct {
	f        *File
	elements []format.SchemaElement
	at       int
	names    map[string]bool
}

// maxGroups bounds the groups around a column.
const maxGroups = 100

// field takes the element at w.at, with its children: in a group of a name, at a definition level.
// Fields within a list or map, which within names, are no columns of their own.
func (w *schemaWalk) field(group string, level, depth int, within string) error {
	if w.at == len(w.elements) {
		return errors.New("the schema ends too early")
	}
	e := &w.elements[w.at]
	w.at++
	children := e.NumChildren.V
	if children < 0 || int(children) > len(w.elements) || depth > maxGroups {
		return fmt.Errorf("column %q has %d children", e.Name, children)
	}
	c := column{name: group + e.Name, leaf: w.f.leaves, level: level}
	if e.RepetitionType.V != format.Required {
		c.level++
	}
	switch _, list := e.LogicalType.Value.(*format.ListType); {
	case within != "":
	case list || e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List:
		within, c.refused = "a list", "it is a list"
	case children > 0 && e.RepetitionType.V != format.Repeated && !isMap(e):
	case children > 0:
		within, c.refused = "a map", "it is a map, or a group that is repeated"
	case e.RepetitionType.V == format.Repeated:
		within, c.refused = "a list", "it is repeated, several values a row"
	}
	if children == 0 {
		w.f.leaves++
	}
	if within == "" && children == 0 || c.refused != "" {
		if c.refused == "" {
			c.setType(e)
		}
		if w.names[c.name] || !utf8.ValidString(c.name) {
			return fmt.Errorf("two columns are called %q, or the name is no UTF-8", c.name)
		}
		w.names[c.name] = true
		w.f.columns = append(w.f.columns, c)
	}
	for range children {
		if err := w.field(c.name+".", c.level, depth+1, within); err != nil {
			return err
		}
	}
	return nil
}

// isMap tells whether a group is a map.
func isMap(e *format.SchemaElement) bool {
	_, is := e.LogicalType.Value.(*format.MapType)
	return is || e.ConvertedType.Valid && (e.ConvertedType.V == deprecated.Map || e.ConvertedType.V == deprecated.MapKeyValue)
}

// Names returns the names of the columns, in the order of the schema: of a field within a group
// a.b. Lists and maps count as one column each.
func (f *File) Names() []string {
	names := make([]string, len(f.columns))
	for k, c := range f.columns {
		names[k] = c.name
	}
	return names
}

// Refused says why a column cannot be read, by its place in Names: it is a list, for example. It
// returns "" for a column that can be read.
func (f *File) Refused(k int) string { return f.columns[k].refused }

// Plain says whether the values of a column are no text, by its place in Names: their text is then a
// number with a decimal point, a date, a time, true or false.
func (f *File) Plain(k int) bool { return f.columns[k].plain }

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
