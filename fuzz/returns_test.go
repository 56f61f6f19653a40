package fuzz

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/returns"
)

// FuzzReadReturns: whatever the text, the reader gives a whole table of finite numbers,
// or an error.
func FuzzReadReturns(f *testing.F) {
	f.Add([]byte("Title\n,A,B\n19260701, 0.25, -99.99\n19260702, 1, 2\n\nOther\n19260701, 1, 2\n"), byte(0))
	f.Add([]byte("19900702  0.68 -999\r\n19900703  0.27 0.11\r\n"), byte(1))
	f.Add([]byte("Date;A\n2020-01-02;1\n2020-01-03;\n"), byte(2))
	f.Add([]byte("\"\""), byte(98))
	f.Add([]byte("A\tB\n1\t2\n-1e-300\t.5"), byte(7))
	f.Fuzz(func(t *testing.T, text []byte, choice byte) {
		options := returns.Options{
			Missing: returns.Missing(choice % 4), Fraction: choice&4 != 0, Table: int(choice >> 3 % 4),
		}
		r, err := returns.Read(context.Background(), bytes.NewReader(text), "fuzz", options)
		if err != nil {
			return
		}
		if r.Periods < 1 || len(r.Assets) < 1 || len(r.Values) != r.Periods*len(r.Assets) || r.Dates != nil && len(r.Dates) != r.Periods {
			t.Fatalf("%d rows, %d dates, %d assets, %d values", r.Periods, len(r.Dates), len(r.Assets), len(r.Values))
		}
		if report := r.Report; report.Rows-report.Dropped != r.Periods || options.Missing != returns.DropRows && report.Imputed != report.Missing {
			t.Fatalf("%+v for %d rows", report, r.Periods)
		}
		for _, v := range r.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("a return of %v", v)
			}
		}
	})
}
