package table

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	types "github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/notes"
)

// TestParquetParts: files of Parquet may have their columns in different orders, and are refused if
// one lacks a column.
func TestParquetParts(t *testing.T) {
	file := func(columns ...string) string {
		var list []parquettest.Column
		for _, c := range columns {
			name, values, _ := strings.Cut(c, "=")
			var data []byte
			for _, v := range values {
				data = binary.LittleEndian.AppendUint32(data, uint32(v-'0'))
			}
			list = append(list, parquettest.Column{Schema: parquettest.Flat(name, types.Int32, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, len(values), nil, data)}}})
		}
		return string(parquettest.File([]int64{2}, list...))
	}
	open := func(texts ...string) (*Source, error) {
		path := t.TempDir()
		for k, text := range texts {
			if err := os.WriteFile(filepath.Join(path, string(rune('0'+k))), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return Open(filepath.Join(path, "*"), Options{})
	}
	s, err := open(file("a=12", "b=34", "y=01"), file("y=10", "a=56", "b=78"), file("a=90", "b=12", "y=11"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := contents(t.Context(), s)
		want := [][]string{{"a", "b", "y"}, {"1", "3", "0"}, {"2", "4", "1"}, {"5", "7", "1"}, {"6", "8", "0"}, {"9", "1", "1"}, {"0", "2", "1"}}
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q %v", got, err)
		}
	}
	if told := s.Notes(); !slices.Equal(kindsOf(told), []notes.Kind{notes.Reordered}) || told[0].Count != 1 {
		t.Errorf("%v", told)
	}
	s.Close()
	for want, second := range map[string]string{
		`1: the file lacks the column "b", as `:   file("y=10", "a=56"),
		`0 lacks the column "c": all files of a `: file("y=10", "a=56", "b=12", "c=34"),
	} {
		if _, err := open(file("a=12", "b=34", "y=01"), second); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
