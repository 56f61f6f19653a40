package compositional

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

const french = `This file was created using the 202406 CRSP database.
Missing data are indicated by -99.99 or -999.


  Average Value Weighted Returns -- Daily
,SMALL LoBM,ME1 BM2,BIG HiBM
19260701,   0.25, -99.99,   1.00
19260702,  -0.50,   0.75,   0.00
19260706,   1.00,   0.25,  -999

  Average Equal Weighted Returns -- Daily
,SMALL LoBM,ME1 BM2,BIG HiBM
19260701,   9.00,   9.00,   9.00

Copyright 2024 Kenneth R. French
`

func TestReadReturns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    ReturnsOptions
		assets     string
		dates      string
		values     []float64
		report     ReturnsReport
	}{
		{
			"french, drop", french, ReturnsOptions{}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260702", []float64{-0.5, 0.75, 0},
			ReturnsReport{"Average Value Weighted Returns -- Daily", 6, 2, 3, 2, 2, 0},
		},
		{
			"french, mean", french, ReturnsOptions{Missing: ImputeMean, Fraction: true}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260701|19260702|19260706",
			[]float64{0.0025, 0.005, 0.01, -0.005, 0.0075, 0, 0.01, 0.0025, 0.005},
			ReturnsReport{"Average Value Weighted Returns -- Daily", 6, 2, 3, 2, 0, 2},
		},
		{
			"french, second", french, ReturnsOptions{Table: 2}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260701", []float64{9, 9, 9},
			ReturnsReport{"Average Equal Weighted Returns -- Daily", 6, 2, 1, 0, 0, 0},
		},
		{
			"blanks, no header", "19900702  0.68 -99.99\r\n19900703  0.27 0.11\r\n", ReturnsOptions{Missing: ImputeZero}, "asset-1|asset-2", "19900702|19900703",
			[]float64{0.68, 0, 0.27, 0.11}, ReturnsReport{"", 0, 1, 2, 1, 0, 1},
		},
		{
			"csv", "Date,A,B\n2020-01-02,1,\n2020-01-03,2,3\n", ReturnsOptions{}, "A|B", "2020-01-03", []float64{2, 3},
			ReturnsReport{"", 1, 1, 2, 1, 1, 0},
		},
		{"no dates", "A B\n1.5 2\n-1e-1 .5", ReturnsOptions{}, "A|B", "", []float64{1.5, 2, -0.1, 0.5}, ReturnsReport{"", 1, 1, 2, 0, 0, 0}},
		{"names with blanks", "  SMALL LoBM  BIG HiBM\n192607 1 2\n", ReturnsOptions{}, "SMALL LoBM|BIG HiBM", "192607", []float64{1, 2}, ReturnsReport{"", 1, 1, 1, 0, 0, 0}},
		{"tabs", "1999\t1\t2\n2000\tNA\t3\n", ReturnsOptions{}, "asset-1|asset-2", "1999", []float64{1, 2}, ReturnsReport{"", 0, 1, 2, 1, 1, 0}},
	} {
		r, err := ReadReturns(strings.NewReader(c.text), c.name, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(r.Assets, "|"); got != c.assets {
			t.Errorf("%s: assets %s, not %s", c.name, got, c.assets)
		}
		if got := strings.Join(r.Dates, "|"); got != c.dates {
			t.Errorf("%s: dates %s, not %s", c.name, got, c.dates)
		}
		if !slices.Equal(r.Values, c.values) || r.Periods*len(r.Assets) != len(c.values) {
			t.Errorf("%s: %v, not %v", c.name, r.Values, c.values)
		}
		if r.Report != c.report {
			t.Errorf("%s: %+v, not %+v", c.name, r.Report, c.report)
		}
	}
}

func TestReadReturnsRefuses(t *testing.T) {
	for _, c := range []struct {
		text    string
		options ReturnsOptions
		want    string
	}{
		{"", ReturnsOptions{}, "file: there is no row"},
		{"only words\n", ReturnsOptions{}, "file: there is no row"},
		{"20200101 1 2\n20200102 1\n", ReturnsOptions{}, "file:2: 2 fields where the rows above have 3"},
		{"20200101 1 2\n20200102 1 x2\n", ReturnsOptions{}, `file:2:12: "x2" is not a number`},
		{"20200101, 1, 2\n20200102, 1, 1e999\n", ReturnsOptions{}, `file:2:14: "1e999" is not a number`},
		{"20200101 1 2\n7 1 2\n", ReturnsOptions{}, `file:2:1: "7" where a date should stand`},
		{"20200101 1 -999\n", ReturnsOptions{Missing: RefuseMissing}, "file:1:12: a missing value"},
		{"20200101 1 -999\n", ReturnsOptions{}, "file: every row misses a value"},
		{"20200101 1 -999\n", ReturnsOptions{Missing: ImputeMean}, "file: asset asset-2 has no value at all"},
		{french, ReturnsOptions{Table: 3}, "file: there are 2 tables in it"},
		{"\x1f\x8bnonsense", ReturnsOptions{}, "file: gzip"},
	} {
		_, err := ReadReturns(strings.NewReader(c.text), "file", c.options)
		var format *sparse.FormatError
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, &format) {
			t.Errorf("%.30q: %v, not %s", c.text, err, c.want)
		}
	}
	if _, err := ParseMissing("maybe"); err == nil {
		t.Error("maybe: accepted")
	}
}

// TestReadData reads the portfolios of the paper where they are at hand.
func TestReadData(t *testing.T) {
	folder := os.Getenv("LANES_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, c := range []struct {
		file                  string
		rows, assets, missing int
	}{
		{"US_100_Portfolios_ME_10x10_Daily.txt.xz", 13781, 100, 2111},
		{"US_100_Portfolios_INV_10x10_Daily.txt.xz", 13781, 100, 1013},
		{"FF_25_Global_ME_5x5_Daily.txt.xz", 7240, 25, 0},
	} {
		r, err := ReadReturnsFile(filepath.Join(folder, c.file), ReturnsOptions{Missing: ImputeMean})
		if errors.Is(err, os.ErrNotExist) {
			t.Skipf("no %s; set LANES_DATA to the folder of the data sets", c.file)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Periods != c.rows || len(r.Assets) != c.assets || r.Report.Missing != c.missing || r.Report.Imputed != c.missing {
			t.Errorf("%s: %d x %d, %v", c.file, r.Periods, len(r.Assets), r.Report)
		}
		for _, v := range r.Values {
			if math.Abs(v) > 60 {
				t.Fatalf("%s: a return of %v percent", c.file, v)
			}
		}
	}
}
