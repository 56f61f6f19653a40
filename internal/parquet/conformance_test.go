package parquet

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// readAll returns the cells of columns, row after row. Rows are taken several times at once.
func readAll(f *File, columns []int, rows int) ([]string, error) {
	s, err := f.Scan(columns, rows)
	if err != nil {
		return nil, err
	}
	var cells []string
	for {
		var r Rows
		n, err := s.Take(&r)
		if err == io.EOF {
			return cells, nil
		}
		if err != nil {
			return nil, err
		}
		text, at, err := r.Append(nil, nil)
		if err != nil {
			return nil, err
		}
		for j := range n * len(columns) {
			cells = append(cells, string(text[at[2*j]:at[2*j+1]]))
		}
	}
}

// open opens a file of the folder with the files of apache/parquet-testing.
func open(t *testing.T, name string) *File {
	folder := os.Getenv("LANES_DATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	b, err := os.ReadFile(filepath.Join(folder, "tables/formats/parquet", name))
	if err != nil {
		t.Skip("the files of apache/parquet-testing are not there: ", err)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The cells of each file of apache/parquet-testing, as a sum of their text. All were compared with
// what arrow-go v18.8.0 reads, but datapage_v2_empty_datapage, which it does not read.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name          string
		columns, rows int
		sum           uint64
	}{
		{"alltypes_dictionary.parquet", 11, 2, 0xde73a4c668981c55},
		{"alltypes_plain.parquet", 11, 8, 0x9f1476a0e793e925},
		{"alltypes_plain.snappy.parquet", 11, 2, 0xf3176c87ec62b159},
		{"binary.parquet", 1, 12, 0x94e7ffd1641d5e4d},
		{"binary_truncated_min_max.parquet", 6, 12, 0x4cee026b0498bcaf},
		{"byte_array_decimal.parquet", 1, 24, 0x1b3a25cee8f7afbd},
		{"byte_stream_split.zstd.parquet", 2, 300, 0xa02f3a96ddf7da91},
		{"byte_stream_split_extended.gzip.parquet", 14, 200, 0x8d5276d592f0dd35},
		{"column_chunk_key_value_metadata.parquet", 2, 0, 0xcbf29ce484222325},
		{"concatenated_gzip_members.parquet", 1, 513, 0xa173ec58dd95514c},
		{"data_index_bloom_encoding_stats.parquet", 1, 14, 0x0915e6993e2e53ce},
		{"data_index_bloom_encoding_with_length.parquet", 1, 14, 0x0915e6993e2e53ce},
		{"datapage_v1-snappy-compressed-checksum.parquet", 2, 5120, 0x3be7b9db45988175},
		{"datapage_v1-uncompressed-checksum.parquet", 2, 5120, 0x3be7b9db45988175},
		{"datapage_v2.snappy.parquet", 4, 5, 0x88f7645b9d579e34},
		{"datapage_v2_empty_datapage.snappy.parquet", 1, 1, 0xaf63d34c8601dd41},
		{"delta_binary_packed.parquet", 66, 200, 0x0736136b25fdea60},
		{"delta_byte_array.parquet", 9, 1000, 0x742e3605ccf35482},
		{"delta_encoding_optional_column.parquet", 17, 100, 0x571f03f99c32b3eb},
		{"delta_encoding_required_column.parquet", 17, 100, 0x65bbc680dcbb4278},
		{"delta_length_byte_array.parquet", 1, 1000, 0x72dd3e7efb392457},
		{"dict-page-offset-zero.parquet", 1, 39, 0x1ef71e2fe44aafcc},
		{"fixed_length_byte_array.parquet", 1, 1000, 0x997d72c9f0ed37f3},
		{"fixed_length_decimal.parquet", 1, 24, 0x1b3a25cee8f7afbd},
		{"fixed_length_decimal_legacy.parquet", 1, 24, 0x1b3a25cee8f7afbd},
		{"float16_nonzeros_and_nans.parquet", 1, 8, 0x5a2c7ce2c191e953},
		{"float16_zeros_and_nans.parquet", 1, 3, 0x34fff8cf9254c92a},
		{"floating_orders_nan_count.parquet", 6, 50, 0xc78e470aa4d69895},
	} {
		f := open(t, c.name)
		var columns []int
		for k, c := range f.columns {
			if c.refused == "" {
				columns = append(columns, k)
			}
		}
		for _, rows := range []int{0, 1, 7} {
			cells, err := readAll(f, columns, rows)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			h := fnv.New64a()
			for i, cell := range cells {
				h.Write([]byte(cell))
				if (i+1)%len(columns) == 0 {
					h.Write([]byte{0x1e})
				} else {
					h.Write([]byte{0x1f})
				}
			}
			if len(columns) != c.columns || len(cells) != c.columns*c.rows || h.Sum64() != c.sum {
				t.Errorf("%s by %d rows: %d columns and %d cells, sum %#x; want %d columns, %d rows, %#x", c.name, rows, len(columns), len(cells), h.Sum64(), c.columns, c.rows, c.sum)
			}
		}
	}
}

func TestConformanceRefused(t *testing.T) {
	for _, c := range []struct {
		name, column, message string
	}{
		{"datapage_v1-corrupt-checksum.parquet", "a", `column "a", page 1 of its row group: the checksum is wrong: the file is damaged`},
		{"datapage_v2.snappy.parquet", "e", `column "e" cannot be read: it is a list; write its values as columns of their own, or ignore it`},
	} {
		f := open(t, c.name)
		_, err := readAll(f, []int{slices.Index(f.Names(), c.column)}, 0)
		if err == nil || err.Error() != c.message {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// What the descriptions of the files say of their values.
func TestConformanceKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(row int) []string
	}{
		{"alltypes_plain.parquet", func(row int) []string {
			id, month := []int{4, 5, 6, 7, 2, 3, 0, 1}[row], []int{3, 3, 4, 4, 2, 2, 1, 1}[row]
			odd := id % 2
			return []string{fmt.Sprint(id), fmt.Sprint(odd == 0), fmt.Sprint(odd), fmt.Sprint(odd), fmt.Sprint(odd), fmt.Sprint(10 * odd), []string{"0", "1.1"}[odd],
				[]string{"0", "10.1"}[odd], fmt.Sprintf("%02d/01/09", month), fmt.Sprint(odd), fmt.Sprintf("2009-%02d-01T00:%02d:00", month, odd)}
		}},
		{"byte_array_decimal.parquet", func(row int) []string { return []string{fmt.Sprintf("%d.00", row+1)} }},
		{"fixed_length_decimal.parquet", func(row int) []string { return []string{fmt.Sprintf("%d.00", row+1)} }},
		{"concatenated_gzip_members.parquet", func(row int) []string { return []string{fmt.Sprint(row + 1)} }},
		{"float16_nonzeros_and_nans.parquet", func(row int) []string { return []string{[]string{"", "1", "-2", "NaN", "0", "-1", "-0", "2"}[row]} }},
		{"datapage_v2_empty_datapage.snappy.parquet", func(int) []string { return []string{""} }},
	} {
		f := open(t, c.name)
		width := len(f.columns)
		columns := make([]int, width)
		for k := range columns {
			columns[k] = k
		}
		cells, err := readAll(f, columns, 3)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for row := range len(cells) / width {
			if got, want := cells[row*width:(row+1)*width], c.value(row); !slices.Equal(got, want) {
				t.Errorf("%s, row %d: %q, want %q", c.name, row, got, want)
			}
		}
	}
	// Each column stands there twice, plain and split.
	f := open(t, "byte_stream_split_extended.gzip.parquet")
	for k := 0; k < len(f.columns); k += 2 {
		plain, err := readAll(f, []int{k}, 0)
		split, err2 := readAll(f, []int{k + 1}, 0)
		if err != nil || err2 != nil || len(plain) != 200 || !slices.Equal(plain, split) {
			t.Errorf("columns %q differ: %v, %v", f.Names()[k:k+2], err, err2)
		}
	}
}
