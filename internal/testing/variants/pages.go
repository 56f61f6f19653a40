package variants

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/table"
)

// stringType says that the bytes of a column are text.
var stringType format.LogicalTypeValue = &format.StringType{}

// flat returns an optional column. Values are float64, int64, int32, bool or string; nil is a null.
func flat(name string, kind format.Type, logical format.LogicalTypeValue, values []any) parquettest.Column {
	var levels []byte
	for _, v := range values {
		levels = append(levels, run(1, v != nil)...)
	}
	present := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
	return parquettest.Column{
		Schema: parquettest.Flat(name, kind, true, logical),
		Groups: [][]parquettest.Page{{parquettest.Data(format.Plain, len(values), levels, plainValues(present))}},
	}
}

// run is a run of equal levels of 0 or 1, as Parquet writes it.
func run(length int, one bool) []byte {
	level := byte(0)
	if one {
		level = 1
	}
	return append(binary.AppendUvarint(nil, uint64(length)<<1), level)
}

func plainValues(values []any) []byte {
	var b []byte
	bits := 0
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		case int64:
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		case int32:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case string:
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
		case bool:
			if bits%8 == 0 {
				b = append(b, 0)
			}
			if v {
				b[len(b)-1] |= 1 << (bits % 8)
			}
			bits++
		default:
			panic(fmt.Sprintf("no Parquet value: %v", v))
		}
	}
	return b
}

// values returns the cells of a column as read makes them; missing cells are nulls.
func values(c Column, read func(cell string) any) []any {
	list := make([]any, len(c.Cells))
	for i, cell := range c.Cells {
		if cell != "" {
			list[i] = read(cell)
		}
	}
	return list
}

func double(cell string) any {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func long(cell string) any {
	v, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func text(cell string) any { return cell }

// doubles, longs and byteArrays return a column of a Parquet file.
func doubles(c Column) parquettest.Column {
	return flat(c.Name, format.Double, nil, values(c, double))
}

func longs(c Column) parquettest.Column {
	return flat(c.Name, format.Int64, nil, values(c, long))
}

func byteArrays(c Column) parquettest.Column {
	return flat(c.Name, format.ByteArray, stringType, values(c, text))
}

// flats returns the columns of a table: numbers are doubles, other columns strings.
func flats(t Table) []parquettest.Column {
	var list []parquettest.Column
	for _, c := range t.Columns {
		if c.Kind == table.Number {
			list = append(list, doubles(c))
		} else {
			list = append(list, byteArrays(c))
		}
	}
	return list
}

// lists returns a column of lists of whole numbers, which Parquet nests in two groups.
func lists(name string, rows [][]int64) parquettest.Column {
	var repetition, definition []byte
	var all []any
	for _, row := range rows {
		for k, v := range row {
			repetition = append(repetition, run(1, k > 0)...)
			definition = append(definition, run(1, true)...)
			all = append(all, v)
		}
		if len(row) == 0 {
			repetition = append(repetition, run(1, false)...)
			definition = append(definition, run(1, false)...)
		}
	}
	entries := len(definition) / 2
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(len(definition))), definition...)
	group := func(name string, repetition format.FieldRepetitionType) format.SchemaElement {
		return format.SchemaElement{Name: name, NumChildren: thrift.New(int32(1)), RepetitionType: thrift.New(repetition)}
	}
	list := group(name, format.Required)
	list.ConvertedType = thrift.New(deprecated.List)
	return parquettest.Column{
		Schema: parquettest.Flat("element", format.Int64, false, nil),
		Within: []format.SchemaElement{list, group("list", format.Repeated)},
		Path:   []string{name, "list", "element"},
		Groups: [][]parquettest.Page{{parquettest.Data(format.Plain, entries, repetition, append(data, plainValues(all)...))}},
	}
}

// grouped returns columns of a table as the members of one group.
func grouped(name string, columns ...parquettest.Column) []parquettest.Column {
	columns[0].Within = []format.SchemaElement{{
		Name: name, NumChildren: thrift.New(int32(len(columns))), RepetitionType: thrift.New(format.Required),
	}}
	for k, c := range columns {
		columns[k].Path = []string{name, c.Schema.Name}
	}
	return columns
}

// parquetFile writes columns of a number of rows.
func parquetFile(rows int, columns ...parquettest.Column) []byte {
	return parquettest.File([]int64{int64(rows)}, columns...)
}
