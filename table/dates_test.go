package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/notes"
)

// timeSource is a table with the cells in column when, and a target.
func timeSource(cells []string, workers, part int) *Source {
	var text strings.Builder
	text.WriteString("when,y\n")
	for i, cell := range cells {
		fmt.Fprintf(&text, "%s,%d\n", cell, i%2)
	}
	return sourceOf(text.String(), workers, part)
}

// notesOf returns the notes of a source about a column, without what Converted says of it.
func notesOf(s *Source, column string) (list []string) {
	for _, n := range s.Notes() {
		if n.Column == column {
			list = append(list, n.In(func(option, value string) string { return "{" + option + "} " + value }))
		}
	}
	return list
}

// All cells of a column decide what they are; a note says what is lost, or can be read otherwise.
func TestTimesByAllCells(t *testing.T) {
	many := func(layout string, days int) (cells []string) {
		for k := range days {
			cells = append(cells, time.Date(2015, 1, 1+k, k%24, 0, 0, 0, time.UTC).Format(layout))
		}
		return cells
	}
	var seconds []string
	for k := range 40 {
		seconds = append(seconds, fmt.Sprint(1510047015+k))
	}
	short := "years of two digits are from 1969 to 2068"
	for name, c := range map[string]struct {
		cells  []string
		times  string // Wanted.Times
		kind   Kind
		format string
		notes  []string
	}{
		"ISO":                      {many("2006-01-02", 40), "", Time, "ymd", nil},
		"month first":              {many("1/2/2006 15:04", 40), "", Time, "mdy", nil},
		"day first":                {many("02/01/2006 3:04 PM", 40), "", Time, "dmy", nil},
		"the last day decides":     {append(many("02/01/2006", 12), "13/01/2015"), "", Time, "dmy", nil},
		"points":                   {many("02.01.2006", 40), "", Time, "dmy", nil},
		"names":                    {many("2-Jan-2006", 40), "", Time, "ymd", nil},
		"more than 10,000":         {many("1/2/2006", 11000), "", Time, "mdy", nil},
		"more than 10,000, ISO":    {many("2006-01-02T15:04:05Z", 11000), "", Time, "ymd", nil},
		"two orders":               {many("01/02/2006", 12), "", Time, "mdy", []string{`column when: 12 of 12 dates can be read in two ways ("01/01/2015" in line 1): the month is taken to come first; {Times} when=dmy takes the day first`}},
		"two orders, points":       {many("01.02.2006", 12), "", Time, "dmy", []string{`column when: 12 of 12 dates can be read in two ways ("01.01.2015" in line 1): the day is taken to come first; {Times} when=mdy takes the month first`}},
		"two orders, one said":     {many("01/02/2006", 12), "when=dmy", Time, "dmy", nil},
		"names of two digits":      {[]string{"10-Mar-04", "11-Mar-04", "10-Mar-04"}, "", Time, "ymd", []string{`column when: 3 cells ("10-Mar-04" in line 1): ` + short}},
		"two digits":               {many("1/2/06", 40), "", Time, "mdy", []string{`column when: 40 cells ("1/1/15" in line 1): ` + short}},
		"two digits, points":       {many("02.01.06", 40), "", Time, "dmy", []string{`column when: 40 cells ("01.01.15" in line 1): ` + short}},
		"two digits, year first":   {[]string{"98-12-31", "99-12-30", "00-01-01"}, "", Time, "ymd", []string{`column when: 3 cells ("98-12-31" in line 1): ` + short}},
		"a word":                   {append(many("2/1/2006", 40), "soon"), "", Time, "dmy", []string{`column when: 1 of 41 cells are no times ("soon" in line 41): missing; {Categories} when keeps them as words`}},
		"a number among dates":     {append(many("2/1/2006", 40), "0"), "", Time, "dmy", []string{`column when: 1 of 41 cells are no times ("0" in line 41): missing; {Categories} when keeps them as words`}},
		"a number before many":     {append([]string{"7"}, many("2/1/2006", 11000)...), "", Time, "dmy", []string{`column when: 1 of 11,001 cells are no times ("7" in line 1): missing; {Categories} when keeps them as words`}},
		"both orders":              {append(many("02/01/2006", 40), "1/13/2015"), "", Time, "dmy", []string{`column when: 1 of 41 cells are no times ("1/13/2015" in line 41): missing; {Categories} when keeps them as words`}},
		"half words":               {append(many("2/1/2006", 4), "a", "b", "c", "d", "a"), "", Category, "", nil},
		"compact":                  {append([]string{"20160101"}, many("20060102", 40)...), "", Number, "", []string{`column when: every value looks like a date, as 20150101; {Times} when reads them as dates`}},
		"compact, named":           {many("20060102", 40), "when", Time, "yyyymmdd", nil},
		"compact, by its format":   {append(many("20060102", 40), "20150231"), "when=%Y%m%d", Time, "%Y%m%d", []string{`column when: 1 of 41 cells are no times ("20150231" in line 41): missing; {Categories} when keeps them as words`}},
		"almost compact":           {append(many("20060102", 40), "20150231"), "", Number, "", nil},
		"seconds":                  {[]string{"1510047015", "1510047016", "1510047017"}, "when", Time, "unix", nil},
		"seconds and none":         {append(seconds, "-1"), "when", Time, "unix", []string{`column when: 1 of 41 cells are no times ("-1" in line 41): missing; {Categories} when keeps them as words`}},
		"any seconds":              {[]string{"0", "3600", "7200"}, "when=%s", Time, "%s", nil},
		"seconds, unnamed":         {[]string{"1510047015", "1510047016", "1510047017"}, "", Number, "", nil},
		"named dates":              {many("02/01/2006", 40), "when", Time, "dmy", nil},
		"named, every one missing": {[]string{"", "NA"}, "when", Time, "", nil},
		"versions":                 {[]string{"1.2.3", "1.2.4", "1.10.0", "1.2.3"}, "", Category, "", nil},
		"addresses":                {[]string{"10.1.2.3", "10.12.20.15", "10.1.2.3"}, "", Category, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				s := timeSource(c.cells, workers, 1000/workers)
				w := Wanted{Target: "y"}
				if c.times != "" {
					w.Times = []string{c.times}
				}
				r, err := Infer(context.Background(), s, w)
				if err != nil {
					t.Fatal(err)
				}
				got := r.Columns[0]
				var told []string
				for _, n := range notesOf(s, "when") {
					if got.Kind == Time || strings.Contains(n, "looks like") {
						told = append(told, n)
					}
				}
				if got.Kind != c.kind || got.Format != c.format || !slices.Equal(told, c.notes) {
					t.Errorf("%s %q\n%q, want %s %q\n%q", got.Kind, got.Format, told, c.kind, c.format, c.notes)
				}
			}
		})
	}
}

// Too many cells that are no times are an error in a column that is named, with the way out.
func TestNamedTimesRefused(t *testing.T) {
	for _, c := range []struct {
		cells []string
		times string
		want  string
	}{
		{[]string{"20150102", "20150231", "20150103", "20150104"}, "when", `4 of 4 values are no times that can be read, as "20150102" in line 1: say how they are written by --times when=FORMAT (Wanted.Times)`},
		{[]string{"2015", "2016", "2017"}, "when", `3 of 3 values are no times that can be read, as "2015" in line 1`},
		{[]string{"24/02/2015", "25/02/2015", "1/2/2015"}, "when=mdy", `2 of 3 values are no times that can be read, as "24/02/2015" in line 1`},
		{[]string{"a", "b"}, "when", `2 of 2 values`},
		{[]string{"NA", "a", "24/02/2015", "b", "NA"}, "when=dmy", `2 of 3 values are no times that can be read, as "a" in line 2`},
		{[]string{"24/02/2015"}, "when=dd/mm/yyyy", `the format "dd/mm/yyyy" of a time: want`},
		{[]string{"24/02/2015"}, "whn=dmy", `the table has no column "whn=dmy"`},
	} {
		_, err := Infer(context.Background(), timeSource(c.cells, 1, 1000), Wanted{Target: "y", Times: []string{c.times}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q as %s: %v, want %s", c.cells, c.times, err, c.want)
		}
	}
}

// TestGivenFormatIsNoQuestion: dates that can be read in two ways have a note, unless their format is
// given.
func TestGivenFormatIsNoQuestion(t *testing.T) {
	for times, want := range map[string]bool{"when": true, "when=dmy": false, "when=mdy": false} {
		s := timeSource([]string{"01/02/2015", "03/04/2015", "11/12/2015"}, 1, 1000)
		if _, err := Infer(t.Context(), s, Wanted{Target: "y", Times: []string{times}}); err != nil {
			t.Fatal(err)
		}
		if n := noteAbout(t, s.Notes(), notes.DayMonth, "when"); (n.Kind != "") != want {
			t.Errorf("%s: %v", times, s.Notes())
		}
	}
}

// The order of the rows, workers and the sizes of parts do not matter to what is learned of times.
// The notes of Encode about the rows say the same as the notes of the fit.
func TestTimesInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, distinct := range []int{300, 12000} {
		var cells []string
		for k := range distinct {
			cells = append(cells, time.Date(1990, 1, 1+k, random.IntN(24), random.IntN(60), 0, 0, time.UTC).Format("2.1.06 15:04"))
		}
		cells = append(cells, "", "soon", "31.4.15", "?", "later")
		var first *Encoder
		for round := range 6 {
			random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
			s := timeSource(cells, 1+round%4, 1<<(6+2*round))
			r, err := Infer(context.Background(), s, Wanted{Target: "y"})
			if err != nil {
				t.Fatal(err)
			}
			e, err := Fit(context.Background(), s, r)
			if err != nil {
				t.Fatal(err)
			}
			count := func(list []notes.Note, kind notes.Kind) int64 {
				k := slices.IndexFunc(list, func(n notes.Note) bool { return n.Kind == kind })
				if k < 0 {
					return 0
				}
				return list[k].Count
			}
			before := s.Notes()
			if c := e.recipe.Columns[0]; c.Format != "dmy" || c.Learned.Missing != 5 || count(before, notes.NotTime) != 3 || count(before, notes.Converted) != int64(distinct)+1 {
				t.Fatalf("%+v, %v", c.Learned, before)
			}
			if first == nil {
				first = e
			} else if !reflect.DeepEqual(first.recipe.Columns[0], e.recipe.Columns[0]) {
				t.Fatalf("%+v, then %+v", first.recipe.Columns[0].Learned, e.recipe.Columns[0].Learned)
			}
			if _, err := e.Encode(context.Background(), s); err != nil || !reflect.DeepEqual(before, s.Notes()) {
				t.Fatalf("%v, then %v: %v", before, s.Notes(), err)
			}
			other := timeSource(cells, 3, 200)
			if _, err := first.Encode(context.Background(), other); err != nil || count(other.Notes(), notes.NotTime) != 3 {
				t.Fatalf("%v: %v", other.Notes(), err)
			}
			place := ""
			for i, cell := range cells {
				if slices.Contains([]string{"soon", "31.4.15", "later"}, cell) {
					place = fmt.Sprintf("(%q in line %d): missing", cell, i+1)
					break
				}
			}
			for _, list := range [][]notes.Note{before, other.Notes()} {
				if k := slices.IndexFunc(list, func(n notes.Note) bool { return n.Kind == notes.NotTime }); !strings.Contains(strings.ReplaceAll(list[k].String(), ",", ""), place) {
					t.Fatalf("%s, want %s", list[k], place)
				}
			}
		}
	}
}
