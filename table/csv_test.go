package table

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// tables is the folder of real tables.
const tables = "../../shared/data/tables"

// tableFile returns the path of a real table.
func tableFile(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(tables, name)
	if folder := os.Getenv("LANES_DATA"); folder != "" {
		path = filepath.Join(folder, "tables", name)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s; LANES_DATA names the folder of the data sets: %v", name, err)
	}
	return path
}

// write writes a file of a table and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// contents is all of a source: names, then rows.
func contents(ctx context.Context, s *Source) (rows [][]string, err error) {
	rows = append(rows, s.Names())
	columns := make([]int, len(s.names))
	for k := range columns {
		columns[k] = k
	}
	type part struct{ rows [][]string }
	_, err = scan(ctx, s, columns, func(p *part, b *block) error {
		p.rows = p.rows[:0]
		for i := range b.rows {
			row := make([]string, b.width)
			for k := range row {
				row[k] = string(b.cell(i, k))
			}
			p.rows = append(p.rows, row)
		}
		return nil
	}, func(p *part, b *block) error {
		if b.first != int64(len(rows)-1) {
			return errors.New("the number of the first row is wrong")
		}
		rows = append(rows, p.rows...)
		return nil
	})
	return rows, err
}

// readTable opens a path and reads all of it.
func readTable(t testing.TB, path string, o Options) ([][]string, error) {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	rows, err := contents(t.Context(), s)
	return rows, errors.Join(err, s.Close())
}

// TestSpectrum: the files of csv-spectrum have the rows of their JSON.
func TestSpectrum(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(tableFile(t, "formats/csv-spectrum"), "csvs", "*.csv"))
	if len(paths) != 12 {
		t.Fatalf("%d files", len(paths))
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "..", "json", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if name == "location_coordinates" {
			text = []byte("[" + strings.NewReplacer("1234567890", "2095257564", "\ufffd", "\xef\xbf\xbd").Replace(string(text)) + "]")
		}
		var want []map[string]string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(name, err)
		}
		rows, err := readTable(t, path, Options{})
		if err != nil || len(rows) != len(want)+1 {
			t.Errorf("%s: %d rows, error %v", name, len(rows), err)
			continue
		}
		for i, cells := range rows[1:] {
			got := map[string]string{}
			for k, cell := range cells {
				got[rows[0][k]] = cell
			}
			if !maps.Equal(got, want[i]) {
				t.Errorf("%s: row %d is %v, want %v", name, i, got, want[i])
			}
		}
	}
}

// TestRealTables: tables that people publish have the rows of a plain reader.
func TestRealTables(t *testing.T) {
	repeat.Skip(t)
	for _, c := range []struct {
		name    string
		rows    int
		options Options
		split   func(text string) [][]string
	}{
		{"adult.csv.xz", 32562, Options{}, standardRows},
		{"talkingdata.csv.xz", 100001, Options{}, standardRows},
		{"SMSSpamCollection.tsv.xz", 5575, Options{Header: NoHeader}, func(text string) [][]string {
			rows := [][]string{{"1", "2"}}
			for line := range strings.Lines(text) {
				cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
				for k := range cells {
					cells[k] = strings.Trim(cells[k], " ")
				}
				rows = append(rows, cells)
			}
			return rows
		}},
	} {
		path := tableFile(t, c.name)
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unpacked, err := sparse.Decompress(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		want := c.split(string(text))
		plain := write(t, "plain", string(text))
		for _, path := range []string{path, plain} {
			got, err := readTable(t, path, c.options)
			if err != nil || len(got) != c.rows || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: %d rows, want %d: %v", path, len(got), len(want), err)
			}
		}
	}
}

// standardRows is how package encoding/csv reads text.
func standardRows(text string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic(err)
	}
	return rows
}
