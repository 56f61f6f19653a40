package returns

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
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

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    Options
		assets     string
		dates      string
		values     []float64
		report     Report
	}{
		{
			"french, drop", french, Options{}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260702", []float64{-0.5, 0.75, 0},
			Report{Title: "Average Value Weighted Returns -- Daily", HeaderLines: 6, Tables: 2, Rows: 3, Missing: 2, Dropped: 2},
		},
		{
			"french, mean", french, Options{Missing: ImputeMean, Fraction: true}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260701|19260702|19260706",
			[]float64{0.0025, 0.005, 0.01, -0.005, 0.0075, 0, 0.01, 0.0025, 0.005},
			Report{Title: "Average Value Weighted Returns -- Daily", HeaderLines: 6, Tables: 2, Rows: 3, Missing: 2, Imputed: 2},
		},
		{
			"french, second", french, Options{Table: 2}, "SMALL LoBM|ME1 BM2|BIG HiBM", "19260701", []float64{9, 9, 9},
			Report{Title: "Average Equal Weighted Returns -- Daily", HeaderLines: 6, Tables: 2, Rows: 1},
		},
		{
			"blanks, no header", "19900702  0.68 -99.99\r\n19900703  0.27 0.11\r\n", Options{Missing: ImputeZero}, "asset-1|asset-2", "19900702|19900703",
			[]float64{0.68, 0, 0.27, 0.11}, Report{Tables: 1, Rows: 2, Missing: 1, Imputed: 1},
		},
		{
			"csv", "Date,A,B\n2020-01-02,1,\n2020-01-03,2,3\n", Options{}, "A|B", "2020-01-03", []float64{2, 3},
			Report{HeaderLines: 1, Tables: 1, Rows: 2, Missing: 1, Dropped: 1},
		},
		{"no dates", "A B\n1.5 2\n-1e-1 .5", Options{}, "A|B", "", []float64{1.5, 2, -0.1, 0.5}, Report{HeaderLines: 1, Tables: 1, Rows: 2}},
		{"names with blanks", "  SMALL LoBM  BIG HiBM\n192607 1 2\n", Options{}, "SMALL LoBM|BIG HiBM", "192607", []float64{1, 2}, Report{HeaderLines: 1, Tables: 1, Rows: 1}},
		{"tabs", "1999\t1\t2\n2000\tNA\t3\n", Options{}, "asset-1|asset-2", "1999", []float64{1, 2}, Report{Tables: 1, Rows: 2, Missing: 1, Dropped: 1}},
	} {
		r, err := Read(context.Background(), strings.NewReader(c.text), c.name, c.options)
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

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		text    string
		options Options
		want    string
	}{
		{"", Options{}, "file: there is no row"},
		{"only words\n", Options{}, "file: there is no row"},
		{"20200101 1 2\n20200102 1\n", Options{}, "file:2: 2 fields where the rows above have 3"},
		{"20200101 1 2\n20200102 1 x2\n", Options{}, `file:2:12: "x2" is not a number`},
		{"20200101, 1, 2\n20200102, 1, 1e999\n", Options{}, `file:2:14: "1e999" is not a number`},
		{"20200101 1 2\n7 1 2\n", Options{}, `file:2:1: "7" where a date should stand`},
		{"20200101 1 -999\n", Options{Missing: RefuseMissing}, "file:1:12: a missing value"},
		{"20200101 1 -999\n", Options{}, "file: every row misses a value"},
		{"20200101 1 -999\n", Options{Missing: ImputeMean}, "file: asset asset-2 has no value at all"},
		{french, Options{Table: 3}, "file: there are 2 tables in it"},
		{"2020-01-02,1,2\n2020-01-02,3,4\n", Options{}, "file:2: the date is that of line 1 too"},
		{"Date,A\n2020-01-03,1\n2020-01-02,3\n20200103,4\n", Options{}, `file:4:1: the date "20200103" is not written like that of line 2`},
		{"Date,A\n2020-02-30,1\n", Options{}, "file:2: there is no day 30 of month 2"},
		{"Date,A\n1/2/2020,1\n1/3/2020,1\n", Options{}, "file:2: no date tells days from months"},
		{"Date,A\n13/2/2020,1\n2/13/2020,1\n", Options{}, `file:3:1: the date "2/13/2020" has its month in another place`},
		{"Date,A\n1/2/2020,1\n1/13/2020,1\n", Options{DateOrder: DayFirst}, "file:3: there is no day 1 of month 13"},
		{"Date,A\n2020-01-02,1\n", Options{DateOrder: DayFirst}, `file:2:1: the date "2020-01-02" does not have the order dmy`},
		{"Date,A\n1/2/20,1\n", Options{}, `file:2:1: the date "1/2/20" has no year of four digits`},
		{"A,B\n1,2\n", Options{DateOrder: DayFirst}, "file: it has no dates"},
		{"Date,A\n43831,1\n43832,2\n", Options{}, `file:2:1: the column "Date" begins with "43831", which is no date`},
		{",A\n0,1\n1,2\n", Options{}, `file:2:1: the column "" begins with "0"`},
		{"1.5 2\n1 2\n", Options{}, `file:1:1: the first column begins with "1.5", which is no date`},
		{"02-Jan-2020,1.5\n03-Jan-2020,2\n", Options{}, `file:1:1: "02-Jan-2020" is not a number`},
		{"7,8\n1,2\n", Options{}, "file:1:1: the first column begins"},
		{"1.5,B\n1,2\n", Options{}, `file:1: "1.5" names a column`},
		{"Date,A,A\n20200102,1,2\n", Options{}, `file:1: two columns are named "A"`},
		{"Date,A,B\n2020-01-02,0,5,1,2\n", Options{}, "file:2: the row has 5 columns, which line 1 does not name"},
		{"Date,A\n2020-01-02,\"0,5\"\n", Options{}, `file:2:12: "0,5" has a comma`},
		{"Date,A,B\n2020-01-02,1,\"1,234.5\"\n", Options{}, `file:2:14: "1,234.5" has marks between thousands`},
		{"Date;A\n2020-01-02;1.234,5\n", Options{}, `file:2:12: "1.234,5" has marks between thousands`},
		{"Date;A\n2020-01-02;1,234\n2020-01-03;7,001\n", Options{}, "file: its commas may be decimal or part thousands"},
		{"Date;A\n2020-01-02;0,5\n2020-01-03;0.5\n", Options{}, `file:3:12: "0.5" has another decimal mark`},
		{"Date;A\n2020-01-02;0.5%\n2020-01-03;0.5\n", Options{}, `file:3:12: "0.5" differs`},
		{"Date,A\n2020-01-02,\"0.5\n", Options{}, "file:2: its quotes do not fit"},
		{"Date,A\n2020-01-02,1\n2020-01-03,\"0.5\n", Options{}, "file:3: its quotes do not fit"},
		{"Date,A\n2020-01-02,1\nO2O-01-03,2\n2020-01-04,3\n", Options{}, `file:3:1: "O2O-01-03" where a row of the table should begin`},
		{"Date,A,B\n2020-01-02,1x,2\n2020-01-03,1,2\n", Options{}, `file:2:12: "1x" is not a number`},
		{"\xff\xfeD\x00", Options{}, "file:1:1: the text is UTF-16"},
		{"\x1f\x8bnonsense", Options{}, "file: gzip"},
	} {
		_, err := Read(context.Background(), strings.NewReader(c.text), "file", c.options)
		var format *sparse.FormatError
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, &format) {
			t.Errorf("%.30q: %v, not %s", c.text, err, c.want)
		}
	}
	if _, err := ParseMissing("maybe"); err == nil {
		t.Error("maybe: accepted")
	}
	if _, err := ParseDateOrder("ydm"); err == nil {
		t.Error("ydm: accepted")
	}
	if _, err := (Market{Periods: -1}).Generate(); err == nil {
		t.Error("a market of -1 periods: accepted")
	}
}

// TestForms reads one small table in many forms: all are the same rows.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		text  string
		order DateOrder
		says  string // in the report
	}{
		{"Date,A,B\n20200130,0.5,-1\n20200131,2,0.25\n20200203,0,-0.125\n", AnyOrder, ""},
		{"\ufeffDate,A,B\r\n2020-01-30,0.5,-1\r\n2020-01-31,2,0.25\r\n2020-02-03,0,-0.125", AnyOrder, ""},
		{"\"Date\",\"A\",\"B\"\n\"2020-01-30\",\"0.5\",\"-1\"\n\"2020-01-31\",2,\"0.25\"\n\"2020-02-03\",0,-0.125\n", AnyOrder, ""},
		{"Date;A;B\n30.01.2020;0,5;-1\n31.01.2020;2;0,25\n03.02.2020;0;-0,125\n", AnyOrder, ""},
		{"Datum\tA\tB\n30.1.2020\t0,5\t-1\n31.1.2020\t2\t0,25\n3.2.2020\t0\t−0,125\n", AnyOrder, ""},
		{"Date,A,B\n1/30/2020,0.5,-1\n1/31/2020,2,0.25\n2/3/2020,0,-0.125\n", AnyOrder, ""},
		{"Date,A,B\n30/01/2020,0.5,-1\n31/01/2020,2,0.25\n03/02/2020,0,-0.125\n", AnyOrder, ""},
		{"Date,A,B\n2020/01/30,0.5%,-1 %\n2020/01/31,2%,0.25%\n2020/02/03,0,-0.125%\n", AnyOrder, ""},
		{"Date,A,B\n2020-01-30T16:00:00Z,0.5,-1\n2020-01-31 16:00,2,.25\n2020-02-03 16:00:00+01:00,0,-1.25e-1\n", AnyOrder, ""},
		{"Date,A,B\n2020-02-03,0,-0.125\n2020-01-31,2,0.25\n2020-01-30,0.5,-1\n", AnyOrder, "turned round"},
		{"Date,A,B\n2020-01-31,2,0.25\n2020-02-03,0,-0.125\n2020-01-30,0.5,-1\n", AnyOrder, "sorted by date"},
		{"Date,A,B\n2020-01-30,0.5,-1\n\n2020-01-31,2,0.25\n\n\n2020-02-03,0,-0.125\n", AnyOrder, ""},
		{",A,B\n1/2/2020,0.5,-1\n1/3/2020,2,0.25\n1/4/2020,0,-0.125\n", MonthFirst, ""},
		{",A,B\n1/4/2020,0.5,-1\n2/4/2020,2,0.25\n1/5/2020,0,-0.125\n", DayFirst, ""},
		{"Month;A;B\n11/2019;0,5;-1\n12/2019;2;0,25\n01/2020;0;-0,125\n", AnyOrder, ""},
		{"Month A B\n201911 0.5 -1\n201912 2 0.25\n202001 0 -0.125\n", AnyOrder, ""},
		{"Year,A,B\n2018,0.5,-1\n2019,2,0.25\n2020,0,-0.125\n", AnyOrder, ""},
		{"A,B\n0.5,-1\n2,0.25\n0,-0.125\n", AnyOrder, ""},
	} {
		r, err := Read(context.Background(), strings.NewReader(c.text), "file", Options{DateOrder: c.order})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !slices.Equal(r.Values, []float64{0.5, -1, 2, 0.25, 0, -0.125}) || !slices.Equal(r.Assets, []string{"A", "B"}) {
			t.Errorf("%q: %v of %v", c.text, r.Values, r.Assets)
		}
		if !strings.Contains(r.Report.String(), c.says) || r.Report.Turned != (c.says == "turned round") || r.Report.Sorted != (c.says == "sorted by date") {
			t.Errorf("%q: %s", c.text, r.Report)
		}
		if r.Report.Percent != strings.Contains(c.text, "%") || len(r.Dates) > 0 == strings.HasPrefix(c.text, "A") {
			t.Errorf("%q: %+v, dates %v", c.text, r.Report, r.Dates)
		}
	}
	r, err := Read(context.Background(), strings.NewReader("Date,A,B\n2020-01-02,101.5,-1\n2020-01-03,102,1\n"), "file", Options{})
	if err != nil || r.Report.Prices != 1 {
		t.Errorf("prices: %+v, %v", r, err)
	}
}

// TestDamage changes every byte of a table: no change adds, drops or moves an asset or a
// row without a word.
func TestDamage(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	for _, text := range []string{
		"Date,Aa,Bb\n2020-01-30,0.5,-1\n2020-01-31,2,0.25\n2020-02-03,0,-0.125\n",
		"Title\n\n,Aa,Bb\n20200130,  0.50, -1.00\n20200131,  2.00,  0.25\n20200203,  0.00, -0.13\n",
		"Datum;Aa;Bb\n30.01.2020;0,5;-1\n31.01.2020;2;0,25\n03.02.2020;0;-0,125\n",
	} {
		want, err := Read(context.Background(), strings.NewReader(text), "file", Options{})
		if err != nil {
			t.Fatal(err)
		}
		for at := range len(text) {
			for _, c := range []byte("09x;,. \t-/\"%e\n") {
				changed := text[:at] + string(c) + text[at+1:]
				got, err := Read(context.Background(), strings.NewReader(changed), "file", Options{})
				if err != nil {
					continue
				}
				differ := 0
				for k := range min(len(got.Values), len(want.Values)) {
					if got.Values[k] != want.Values[k] {
						differ++
					}
				}
				moved := got.Report.Sorted || got.Report.Turned || got.Report.Dropped > 0 // said in the report
				if len(got.Assets) != 2 || got.Report.Rows != 3 || differ > 1 && !moved {
					t.Errorf("%q was read as %d rows, %v of %v, %s", changed, got.Report.Rows, got.Values, got.Assets, got.Report)
				}
			}
		}
	}
}

// TestReadData reads the portfolios of the paper where they are at hand: to the bits that
// the first reader gave.
func TestReadData(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	folder := os.Getenv("LANES_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "data")
	}
	for _, c := range []struct {
		file                 string
		missing              Missing
		rows, assets, missed int
		hash                 string
	}{
		{"FF_25_Asia_Pacific_ex_Japan_INV_5x5_Daily.txt.xz", 0, 7240, 25, 0, "3af6eeec40f730df"},
		{"FF_25_Global_ME_5x5_Daily.txt.xz", 0, 7240, 25, 0, "5dd6f262e1295d39"},
		{"FF_25_North_America_OP_5x5_Daily.txt.xz", 0, 7240, 25, 0, "389f14fea5fb0ff9"},
		{"US_100_Portfolios_INV_10x10_Daily.txt.xz", 0, 12768, 100, 1013, "83795be2179d6231"},
		{"US_100_Portfolios_ME_10x10_Daily.txt.xz", 0, 12268, 100, 2111, "d6231ab42dddf789"},
		{"US_100_Portfolios_ME_10x10_Daily.txt.xz", 1, 13781, 100, 2111, "8efadccdbfa25e3e"},
	} {
		if testing.Short() && !strings.HasPrefix(c.file, "US_100_Portfolios_ME") {
			continue
		}
		r, err := ReadFile(context.Background(), filepath.Join(folder, c.file), Options{Missing: c.missing})
		if errors.Is(err, os.ErrNotExist) {
			t.Skipf("no %s; set LANES_DATA to the folder of the data sets", c.file)
		}
		if err != nil {
			t.Fatal(err)
		}
		if hash := solvers.HashWeights(r.Values); r.Periods != c.rows || len(r.Assets) != c.assets || r.Report.Missing != c.missed || hash[:16] != c.hash {
			t.Errorf("%s: %d x %d, %v, %s", c.file, r.Periods, len(r.Assets), r.Report, hash)
		}
	}
}

// TestReadEndsWithItsContext: a table is not read to its end where the context is done.
func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table, err := Read(ctx, strings.NewReader("2001,1\n2002,2\n"), "returns", Options{})
	if table != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, error %v", table, err)
	}
}
