package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/table"
)

// FuzzTableFit: any table and any request is refused, or the table is fitted and its rows
// encoded. Recipe and encoder then have the same bytes for any number of workers, and after the
// recipe went through JSON. A search for leaks ends.
func FuzzTableFit(f *testing.F) {
	for _, cells := range tableSeeds {
		f.Add([]byte(cells), "y", "a", "b", uint32(0))
		f.Add([]byte(cells), "e", "c", "d", uint32(0x12345678))
	}
	f.Fuzz(fitTable)
}

func fitTable(t *testing.T, cells []byte, target, a, b string, choice uint32) {
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, cells, 0o666); err != nil {
		t.Fatal(err)
	}
	pick := func(n uint32) uint32 {
		k := choice % n
		choice /= n
		return k
	}
	w := table.Wanted{Target: target, Hash: int(pick(3)) * 4, Bins: int(pick(3)) * 2, MinCount: int(pick(3)),
		Scale: []string{"", table.ScaleNone, table.ScaleMinMax, table.ScaleLog1p}[pick(4)]}
	w.Words = table.Words{NGrams: int(pick(3)), MinDF: int(pick(3)), Counts: pick(2) == 1}
	named := [][]string{nil, {a}}[pick(2)]
	switch pick(6) {
	case 0:
		w.Numbers = named
	case 1:
		w.Categories = named
	case 2:
		w.Texts = named
	case 3:
		w.Times = named
	case 4:
		w.Weight = a
	}
	if pick(4) == 1 {
		w.Crosses = [][2]string{{a, b}}
	}
	var first []byte
	for _, workers := range []int{1, 3} {
		source, err := table.Open(path, table.Options{Format: table.FormatCSV, Separator: ',', Header: table.WithHeader, BadRows: 1 << 30, Workers: workers})
		if err != nil {
			return
		}
		defer source.Close()
		recipe, err := table.Infer(context.Background(), source, w)
		if err != nil {
			return
		}
		text, err := json.Marshal(recipe)
		if err != nil {
			t.Fatal(err)
		}
		encoder, err := table.Fit(context.Background(), source, recipe)
		var plain table.Recipe
		if e := json.Unmarshal(text, &plain); e != nil {
			t.Fatalf("%s: %v", text, e)
		}
		again, wrong := table.Fit(context.Background(), source, &plain)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%s: fitted after Infer: %v; from JSON: %v", text, err, wrong)
		}
		if err != nil {
			return
		}
		one, _ := encoder.MarshalJSON()
		two, _ := again.MarshalJSON()
		if !bytes.Equal(one, two) || first != nil && !bytes.Equal(one, first) {
			t.Fatalf("%d workers: encoders\n%s\n%s\n%s", workers, first, one, two)
		}
		first = one
		data, err := encoder.Encode(context.Background(), source)
		if err != nil || target == "" {
			continue
		}
		if leaks, err := encoder.Leaks(data, nil); err == nil && len(leaks) > len(recipe.Columns) {
			t.Fatalf("%d leaks of %d columns", len(leaks), len(recipe.Columns))
		}
	}
}
