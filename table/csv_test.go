package table

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
