package command

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// text writes columns as CSV or JSON lines.
func (c *crossedTable) text(columns []crossedColumn, mean bool) string {
	var b strings.Builder
	separator, end := map[string]string{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}[c.level["separator"]], "\n"
	if mean {
		separator = ","
	} else if c.level["ends"] == "crlf" {
		end = "\r\n"
	}
	head := c.level["head"]
	line := func(cells []string) {
		for k, cell := range cells {
			if strings.ContainsAny(cell, "\"\r\n"+separator) || mean && strings.TrimSpace(cell) != cell || head == "quoted" && !mean {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			if k > 0 {
				b.WriteString(separator)
			}
			b.WriteString(cell)
		}
		b.WriteString(end)
	}
	if !mean && head == "sep" {
		b.WriteString("sep=" + separator + end)
	}
	if !mean && head == "comment" {
		b.WriteString("# made by hand" + end)
	}
	var names []string
	for _, column := range columns {
		if mean {
			names = append(names, c.called(column.name))
		} else {
			names = append(names, column.name)
		}
	}
	if mean || head != "headless" {
		line(names)
	}
	for i := range columns[0].cells {
		var cells []string
		for _, column := range columns {
			if mean {
				cells = append(cells, column.mean[i])
			} else {
				cells = append(cells, column.cells[i])
			}
		}
		line(cells)
		if !mean && head == "blank" && i == 9 {
			b.WriteString(end)
		}
		if !mean && head == "comment" && i == 12 {
			b.WriteString("# page 2" + end)
		}
	}
	text := b.String()
	if !mean && c.level["ends"] == "none" {
		text = strings.TrimSuffix(text, end)
	}
	return text
}

func (c *crossedTable) objects(columns []crossedColumn) string {
	var b strings.Builder
	for i := range columns[0].cells {
		var pairs []string
		for _, column := range columns {
			cell := column.cells[i]
			value, _ := json.Marshal(cell)
			if v, err := strconv.ParseFloat(cell, 64); column.numeric && err == nil && !math.IsInf(v, 0) || cell == "true" || cell == "false" {
				value = []byte(cell)
			}
			if cell != "" {
				name, _ := json.Marshal(column.name)
				pairs = append(pairs, string(name)+": "+string(value))
			}
		}
		b.WriteString("{" + strings.Join(pairs, ", ") + "}\n")
	}
	return b.String()
}

func (c *crossedTable) parquet(columns []crossedColumn) []byte {
	var list []parquettest.Column
	rows := len(columns[0].cells)
	for _, column := range columns {
		doubles := column.numeric && !slices.ContainsFunc(column.cells, func(s string) bool {
			_, err := strconv.ParseFloat(s, 64)
			return s != "" && err != nil
		})
		var data []byte
		for _, cell := range column.cells {
			if !doubles {
				data = append(binary.LittleEndian.AppendUint32(data, uint32(len(cell))), cell...)
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				v = math.NaN()
			}
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		schema := parquettest.Flat(column.name, format.ByteArray, false, &format.StringType{})
		if doubles {
			schema = parquettest.Flat(column.name, format.Double, false, nil)
		}
		list = append(list, parquettest.Column{Schema: schema, Groups: [][]parquettest.Page{{parquettest.Data(format.Plain, rows, nil, data)}}})
	}
	return parquettest.File([]int64{int64(rows)}, list...)
}

// write writes columns to files in the form of the case and returns their names.
func (c *crossedTable) write(t *testing.T, name string, columns []crossedColumn) []string {
	t.Helper()
	put := func(name string, content []byte) string {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	switch c.level["form"] {
	case "parquet":
		return []string{put(name+".parquet", c.parquet(columns))}
	case "jsonl":
		return []string{put(name+".jsonl", c.encoded(t, c.objects(columns)))}
	case "gzip":
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(c.encoded(t, c.text(columns, false)))
		w.Close()
		return []string{put(name+".csv.gz", b.Bytes())}
	case "zstd":
		w, _ := zstd.NewWriter(nil)
		return []string{put(name+".csv", w.EncodeAll(c.encoded(t, c.text(columns, false)), nil))}
	case "parts", "reordered":
		half := len(columns[0].cells) / 2
		first, second := slices.Clone(columns), slices.Clone(columns)
		for k := range columns {
			first[k].cells, second[k].cells = columns[k].cells[:half], columns[k].cells[half:]
		}
		if c.level["form"] == "reordered" && c.level["head"] != "headless" {
			slices.Reverse(second)
		}
		put(name+"-1.csv", c.encoded(t, c.text(first, false)))
		put(name+"-2.csv", c.encoded(t, c.text(second, false)))
		return []string{name + "-?.csv"}
	}
	text := c.text(columns, false)
	if c.level["new"] == "short" && name == "n" {
		text = strings.TrimRight(text, "\r\n") + "\nshort\n"
	}
	return []string{put(name+".csv", c.encoded(t, text))}
}

// encoded is a text in the encoding of the case.
func (c *crossedTable) encoded(t *testing.T, text string) []byte {
	switch c.level["encoding"] {
	case "mark":
		return []byte("\ufeff" + text)
	case "latin1":
		var b []byte
		for _, r := range text {
			b = append(b, byte(r))
		}
		return b
	case "utf-16":
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(text)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return b
	}
	return []byte(text)
}
