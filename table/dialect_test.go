package table

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// kindsOf lists the kinds of notes.
func kindsOf(list []notes.Note) (kinds []notes.Kind) {
	for _, n := range list {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// TestDialects: one table written in many ways has the same names and cells, for any parts, with the
// notes that say what was left out.
func TestDialects(t *testing.T) {
	want := [][]string{{"city", "size", "y"}, {"Rome", "2.5", "1"}, {"Oslo", "0.7", "0"}, {"Bonn", "0.3", "0"}, {"Rome", "2.6", "1"}}
	join := func(separator string) string {
		var b strings.Builder
		for _, row := range want {
			b.WriteString(strings.Join(row, separator) + "\n")
		}
		return b.String()
	}
	plain := join(",")
	for name, c := range map[string]struct {
		text  string
		kinds []notes.Kind
		o     Options
	}{
		"commas":             {text: plain},
		"tabs":               {text: join("\t")},
		"bars":               {text: join("|")},
		"semicolons":         {text: join(";")},
		"padded":             {text: join(" , ")},
		"padded bars":        {text: join(" | ")},
		"blanks":             {text: join("  ")},
		"blanks and tabs":    {text: " " + strings.ReplaceAll(join(" \t "), "\n", "  \r\n ")},
		"sep and commas":     {text: "\"sep=;\",,\r\n" + join(";"), kinds: []notes.Kind{notes.Skipped}},
		"sep=^":              {text: "sep=^\n" + join("^"), kinds: []notes.Kind{notes.Skipped}},
		"a mark named":       {text: join(":"), o: Options{Separator: ':'}},
		"blanks at ends":     {text: strings.ReplaceAll(join(" "), "\n", "  \n")},
		"blanks named":       {text: join(" "), o: Options{Separator: ' '}},
		"blanks and quotes":  {text: strings.ReplaceAll(join(" "), "Rome", `"Rome"`)},
		"quoted":             {text: strings.TrimSuffix(`"`+strings.ReplaceAll(join(`","`), "\n", "\"\n\""), `"`)},
		"quoted and padded":  {text: strings.TrimSuffix(`"`+strings.ReplaceAll(join(`", "`), "\n", "\"  \n  \""), `"`)},
		"blank lines":        {text: "\n  \n" + strings.ReplaceAll(plain, "\n", "\n \t \n")},
		"sep":                {text: "sep=;\n" + join(";"), kinds: []notes.Kind{notes.Skipped}},
		"sep, CRLF":          {text: "\ufeffSEP=|\r\n" + join("|"), kinds: []notes.Kind{notes.Skipped}},
		"sep and named":      {text: "sep=,\n" + plain, kinds: []notes.Kind{notes.Skipped}, o: Options{Separator: ','}},
		"comments first":     {text: "# a tool\n#\n# it's \"of, 2024\n" + plain, kinds: []notes.Kind{notes.Skipped}},
		"comments between":   {text: strings.ReplaceAll(plain, "\nOslo", "\n# the \"north\n\nOslo"), kinds: []notes.Kind{notes.Skipped}},
		"comments, quoted":   {text: "# x\n" + strings.ReplaceAll(strings.ReplaceAll(plain, "\nOslo", "\n#,\"north\n\nOslo"), "Rome", `"Rome"`), kinds: []notes.Kind{notes.Skipped}},
		"comments, blanks":   {text: "# made by a tool\n" + join(" "), kinds: []notes.Kind{notes.Skipped}},
		"titles":             {text: "Bank Export\nAccount 123\n\n" + plain, kinds: []notes.Kind{notes.Skipped}},
		"titles with commas": {text: "Export, 2024\nAll, of, the, data\n" + plain, kinds: []notes.Kind{notes.Skipped}},
		"titles, padded":     {text: "Export;;\n;;\n" + join(";"), kinds: []notes.Kind{notes.Skipped}},
		"header said":        {text: "Export\n" + plain, kinds: []notes.Kind{notes.Skipped}, o: Options{Header: WithHeader}},
	} {
		for _, part := range []int{0, 1, 7, 30} {
			o := c.o
			o.part, o.Workers = part, 1+part%3
			s, err := Open(write(t, "table", c.text), o)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			got, err := contents(t.Context(), s)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(kindsOf(s.Notes()), c.kinds) {
				t.Errorf("%s, parts of %d:\n%q\n%v %v", name, part, got, err, s.Notes())
			}
			s.Close()
		}
	}
}

// TestMarksInCells: the marks of one dialect may stand in the cells of another.
func TestMarksInCells(t *testing.T) {
	for _, c := range []struct {
		text string
		want [][]string
	}{
		{"0,5;1\n1,5;0\n2,5;1\n", [][]string{{"1", "2"}, {"0,5", "1"}, {"1,5", "0"}, {"2,5", "1"}}},
		{"0,5\t1|2\n1,5\t0|1\n", [][]string{{"1", "2"}, {"0,5", "1|2"}, {"1,5", "0|1"}}},
		{"a,b,y\n1, \"x\ny\",0\n2,\t \"z\n,\",1\n", [][]string{{"a", "b", "y"}, {"1", "x\ny", "0"}, {"2", "z\n,", "1"}}},
		{"when\n2017-11-07 09:30\n2017-11-08 10:30\n2017-11-09 11:30\n", [][]string{{"when"}, {"2017-11-07 09:30"}, {"2017-11-08 10:30"}, {"2017-11-09 11:30"}}},
		{"a,b\n1,\"x\"\"\ny\"\"z\"\n2,c\n", [][]string{{"a", "b"}, {"1", "x\"\ny\"z"}, {"2", "c"}}},
		{"a\tb\n\"x\" y\t1\n\"z\"\t2\n", [][]string{{"a", "b"}, {"\"x\" y", "1"}, {"\"z\"", "2"}}},
		{"#a;b\n#1;2\n#3;4\n", [][]string{{"#a", "b"}, {"#1", "2"}, {"#3", "4"}}},
		{"text  y\n\"say \"\"hi\"\" to 1\"  1\n\"\"\"a\"\"\"  0\n\"\"  1\n", [][]string{{"text", "y"}, {`say "hi" to 1`, "1"}, {`"a"`, "0"}, {"", "1"}}},
	} {
		for _, part := range []int{0, 1, 7} {
			got, err := readTable(t, write(t, "table", c.text), Options{part: part, Workers: 1 + part%3})
			if err != nil || !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("%q, parts of %d: %q %v", c.text, part, got, err)
			}
		}
	}
}

// TestQuotesAsSaid: quotes are read as Options say, whatever separates cells.
func TestQuotesAsSaid(t *testing.T) {
	for _, separator := range []string{",", "\t", ";", "|"} {
		for quotes, want := range map[Quotes]string{FindQuotes: `x`, WithQuotes: `x`, NoQuotes: `"x"`} {
			rows, err := readTable(t, write(t, "t", strings.ReplaceAll("a,b\n\"x\",1\n\"x\",2\n", ",", separator)), Options{Quotes: quotes})
			if err != nil || len(rows) != 3 || rows[1][0] != want || rows[2][1] != "2" {
				t.Errorf("%q, quotes %v: %q %v", separator, quotes, rows, err)
			}
		}
	}
}

// TestNoSeparator: text that no mark cuts into columns is one column if most of its rows and the first
// have no comma.
func TestNoSeparator(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"text\none, two\nthree\nfour\n", `[["text"] ["one, two"] ["three"] ["four"]] <nil>`},
		{"text\none, two\nthree\nfour\tfive\n", `[["text"] ["one, two"] ["three"] ["four\tfive"]] <nil>`},
		{"text\none, two\nthree\nfour, five, six\n", `line 2: the row has 2 cells, and the table has 1 columns`},
		{"te,xt\none\nthree\nfour\n", `line 2: the row has 1 cells, and the table has 2 columns`},
	} {
		got, err := readTable(t, write(t, "t.csv", c.text), Options{})
		if said := fmt.Sprintf("%q %v", got, err); !strings.Contains(strings.Replace(said, "t.csv:", "line ", 1), c.want) {
			t.Errorf("%q: %s", c.text, said)
		}
	}
}

// TestLongestRow: a row may have as many bytes as the limit says, and not many more, wherever parts end.
func TestLongestRow(t *testing.T) {
	for _, part := range []int{7, 25, 50, 51, 100} {
		for _, length := range []int{49, 50, 200} {
			row := "1," + strings.Repeat("x", length-2)
			rows, err := readTable(t, write(t, "t.csv", "a,b\n2,y\n"+row+"\n3,z\n"), Options{part: part, row: 50})
			switch {
			case length <= 50 && (err != nil || len(rows) != 4 || rows[2][1] != row[2:]):
				t.Errorf("parts of %d, a row of %d bytes: %q %v", part, length, rows, err)
			case length > 55 && (err == nil || !strings.Contains(err.Error(), "t.csv:3: the row is longer than 50 bytes")):
				t.Errorf("parts of %d, a row of %d bytes: %q %v", part, length, rows, err)
			}
		}
	}
}

// TestSeparators: marks of ASCII separate cells, unless numbers or quotes have them.
func TestSeparators(t *testing.T) {
	for c := range 256 {
		if got, want := isSeparator(byte(c)), c < 128 && strings.ContainsRune("\t !$%&()*,/:;<=>?@[\\]^`{|}~", rune(c)); got != want {
			t.Errorf("%q separates cells: %t, want %t", rune(c), got, want)
		}
	}
}

// TestSkippedLines: the note counts the lines that are left out, and names the first.
func TestSkippedLines(t *testing.T) {
	s, err := Open(write(t, "t.csv", "\n# one, \n# two\na,b\n1,2\n# three\n3,4\n#5,6\n7,8\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := fmt.Sprint(s.Notes()); !strings.Contains(got, `2 lines ("# one," in line 2): left out before the header`) {
		t.Error(got)
	}
	rows, err := contents(t.Context(), s)
	if got := fmt.Sprint(s.Notes()); err != nil || len(rows) != 5 || !strings.Contains(got, `3 lines ("# one," in line 2): left out`) || !strings.Contains(got, "1 line begins with # (line 8): taken as rows") {
		t.Error(rows, err, got)
	}
	// Lines that are left out count as lines, in rows with quotes too.
	for _, a := range []string{"a", `"a"`} {
		if _, err := readTable(t, write(t, "t.csv", a+",b\n1,2\n# one\n# two\n3\n"), Options{}); err == nil || !strings.Contains(err.Error(), "t.csv:5: ") {
			t.Errorf("%s: %v", a, err)
		}
	}
	// A title may have bytes that are not UTF-8, as it is left out.
	s, err = Open(write(t, "t.csv", "\nUms\xe4tze\na,b\n1,2\n3,4\n5,6\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := fmt.Sprint(s.Notes()); !strings.Contains(got, `1 line ("Umstze" in line 2): left out before the header`) {
		t.Error(got)
	}
	// A column of words with # loses no row and says nothing.
	for _, text := range []string{"tag,y\n#a,1\n#b,0\n#a,1\n", "tag\n#a\n#b\nc\n"} {
		s, err := Open(write(t, "t.csv", text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := contents(t.Context(), s)
		if err != nil || len(rows) != 4 || slices.Contains(kindsOf(s.Notes()), notes.Comment) || slices.Contains(kindsOf(s.Notes()), notes.Skipped) {
			t.Errorf("%q: %q %v %v", text, rows, err, s.Notes())
		}
		s.Close()
	}
	_, err = readTable(t, write(t, "t.csv", "tag,y\n#a,1\n#b,0\n#c\n"), Options{Header: WithHeader})
	if err != nil {
		t.Error(err) // the last line is a comment
	}
}

// TestHeaders: the first row is taken as names or as a row by all evidence, and a note says so where
// little speaks for either.
func TestHeaders(t *testing.T) {
	numbers := "1.5,2,7\n2.5,3,9\n0.1,4,8\n"
	kinds := "red,bee\nblue,cat\nred,cow\nblue,dog\nred,eel\nblue,fly\nred,hen\nblue,jay\nred,kid\n"
	nine := "1,bee\n2,cat\n3,cow\n4,dog\n5,eel\n6,fly\n7,hen\n8,jay\n9,kid\n"
	words := strings.Repeat("red,small,yes\nblue,large,no\nred,large,yes\n", 4)
	for _, c := range []struct {
		text, names string
		noted       bool
	}{
		{"a,b,y\n" + numbers, "a,b,y", false},
		{"a,b,b\n" + numbers, "a,b,b.1", false},
		{numbers, "1,2,3", false},
		{"color,size,bought\n" + words, "color,size,bought", false},
		{words, "1,2,3", false},
		{"country,2019,2020\nA,1.5,2.5\nB,2.5,0.1\nC,4,5.5\n", "country,2019,2020", false},
		{"2018,2019,2020\n" + numbers, "2018,2019,2020", false},
		{"1,2,3\n0.5,0.1,0.7\n0.2,0.3,0.9\n", "1,2,3", false},
		{"name,1,2,3\nA,0.5,0.1,0.7\nB,0.2,0.3,0.9\n", "name,1,2,3", false},
		{"name,0,1,2\nA,0.5,0.1,0.7\nB,0.2,0.3,0.9\n", "name,0,1,2", false},
		{"name,2,3,4\nA,0.5,0.1,0.7\nB,0.2,0.3,0.9\n", "1,2,3,4", false},
		{"0,1,2\nred,small,yes\nblue,large,no\n", "0,1,2", false},
		{"day,2019-01,2019-02\nMon,1.5,2\nTue,3.5,4\n", "day,2019-01,2019-02", false},
		{"2001,1995\n1987,2004\n1999,1960\n", "1,2", false},
		{"date,y\n2020-01-02,a\n2020-01-03,b\n", "date,y", false},
		{"id,name\nA17,Smith\nB23,Jones\n", "id,name", true},
		{"ann,bob\ncarl,dora\n", "ann,bob", true},
		{"A17,5\nB23,7\nC9,8\n", "1,2", false},
		{"?,5\n2,7\n3,8\n", "1,2", false},
		{"a;b;y;;\n1;2;0;;\n3;4;1;;\n", "a,b,y,4,5", false},
		{"a,b,y\n1,2,0,\n3,4,1,\n", "a,b,y,4", false},
		{"u,v\n1,1.5,\n2,2.5,8\n5,3.5,9\n", "1,u,v", false},
		{"u,v\n1,1.5,7\n2,2.5,\n5,3.5,9\n", "1,u,v", false},
		{"u,v\n1,1.5,7\n2,2.5,8\n5,3.5,\n", "1,u,v", false},
		{"a,b,y,\n1,2,0\n3,4,1\n", "a,b,y", false},
		{"x,y\n1,0.5,7\n2,0.6,8\n3,0.7,9\n", "1,x,y", false},
		{",x,y\n0,0.5,7\n1,0.6,8\n", "1,x,y", false},
		{",ann,bob\neve,carl,dora\n", "1,ann,bob", true},
		{"ann,,bob\neve,carl,dora\n", "1,2,3", true},
		{"text\nHow are you today, my friend of old?\nFine!\nWell then\n", "text", true},
		{"y\n1\n0\n", "y", false},
		{"price,amount\n\"$1,250.00\",3\n\"$2,000.00\",4\n", "price,amount", false},
		{"1900,2100\n1.5,2\n2.5,3\n0.1,4\n", "1900,2100", false},
		{"1899,2100\n1.5,2\n2.5,3\n0.1,4\n", "1,2", false},
		{"1900,2101\n1.5,2\n2.5,3\n0.1,4\n", "1,2", false},
		{"2001,2002\n2001,1.5\n1999,2.5\n", "1,2", false},
		{"0.5,name\n1.5,7\n2.5,8\n", "1,2", true},
		{"x,ant\n" + nine + "bad,owl\n", "x,ant", false}, // 9 of 10 are numbers
		{"x,ant\n" + nine + "x,owl\n", "1,2", false},
		{"red,ann\nred,bob\nblue,carl\n", "1,2", false},
		{"ann,ann\neve,carl\n", "1,2", true},
		{"2015-01-02T10:00Z,ant\n2015-01-03T10:00Z,bee\n", "1,2", false},
		{"1e5,2E3\n1e4,3e7\n", "1,2", false},
		{"(-5),5-(3)\n1,2\n3,4\n", "1,2", false}, // no dates
		{"2015-,3-\n1.5,2\n2.5,3\n", "1,2", false},
		{"kind,ant\n" + kinds + "red,owl\n", "kind,ant", false},
		{"kind,ant\n" + kinds + "green,owl\n", "kind,ant", true},
		{"k,k\n" + times(7, "r,r", "b,b", "r,r"), "1,2", true},
		{"k,k\n" + times(8, "r,r", "b,b", "r,r"), "k,k.1", false},
		{"k,k\n" + times(7, "r,r", "b,b", "r,r") + "c,c\nd,d\n", "k,k.1", false},
		{"k,k\n" + times(6, "r,r", "b,b", "r,r") + "c,c\nd,d\ne,e\n", "1,2", true},
		{"code,code\nA1,B1\nA2,B2\n", "code,code.1", false},
		{"c0de,c0de\nA1,B1\nA2,B2\n", "1,2", true},
		{"t,t\nabcd,abcd\nabcde,efghi\n", "t,t.1", false}, // more than four times as long
		{"t,t\nabcd,abcd\nabce,efgi\n", "1,2", true},
		{"a,b\n1,2,\n3\n4,5,\n6,7,\n", "a,b,3", false},
	} {
		s, err := Open(write(t, "t.csv", c.text), Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		first, _, _ := strings.Cut(c.text, "\n")
		want := notes.Note{Kind: notes.Header, Then: "the first row (" + listed(strings.Split(first, ",")) + ") is taken as the names of the columns", WayOut: "{NoHeader} takes it as a row"}
		if strings.HasPrefix(c.names, "1,2") {
			want.Then, want.WayOut = strings.TrimSuffix(want.Then, "the names of the columns")+"a row, and the columns are called 1, 2, ...", "{Header} takes it as their names"
		}
		told := noteAbout(t, s.Notes(), notes.Header, "")
		if got := strings.Join(s.Names(), ","); got != c.names || c.noted && told != want || !c.noted && told.Kind != "" {
			t.Errorf("%.60q: names %s, want %s; note %v", c.text, got, c.names, told)
		}
		if _, err := contents(t.Context(), s); err != nil && !strings.Contains(c.text, "\n3\n") {
			t.Errorf("%.60q: %v", c.text, err)
		}
		s.Close()
		for _, given := range []Header{WithHeader, NoHeader} { // which leaves no doubt
			s, err := Open(write(t, "t.csv", c.text), Options{Header: given})
			if err != nil {
				t.Fatal(err)
			}
			if told := noteAbout(t, s.Notes(), notes.Header, ""); told.Kind != "" {
				t.Errorf("%.60q, header %v: %v", c.text, given, told)
			}
			s.Close()
		}
	}
}

// folder writes files into a folder, and returns a pattern for all.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	path := t.TempDir()
	for k, text := range files {
		if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("part-%d.csv", k)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(path, "part-*.csv")
}

// TestNotesOfFiles: a note that is about several files names them all, and a line in a later file is
// placed there.
func TestNotesOfFiles(t *testing.T) {
	wide := func(text string) string { return encodedAs(t, text, "utf-16le", true) }
	files := []string{"a,y\n1,0\n", wide("a,y\nä,1\n"), wide("# title\na,y\nb,0\n"), "3,1\n", encodedAs(t, "4,1\n", "utf-16be", true)}
	for range 5 {
		files = append(files, wide("2,0\n"))
	}
	s, err := Open(folder(t, files...), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	name := func(k int) string { return s.files[k].name }
	encoding, header, skipped := noteAbout(t, s.Notes(), notes.Encoding, "").Then, noteAbout(t, s.Notes(), notes.Header, "").Then, noteAbout(t, s.Notes(), notes.Skipped, "")
	if want := name(1) + " is text in utf-16le; " + name(2) + " is text in utf-16le; " + name(4) + " is text in utf-16be; "; !strings.HasPrefix(encoding, want) || !strings.HasSuffix(encoding, "; and 2 more") {
		t.Errorf("encodings: %s", encoding)
	}
	if strings.Count(header, "has no row with the names") != 6 || !strings.HasPrefix(header, name(3)) || !strings.HasSuffix(header, "; and 1 more") {
		t.Errorf("headers: %s", header)
	}
	if skipped.Count != 1 || skipped.Place != "line 1 of "+name(2) {
		t.Errorf("skipped lines: %+v", skipped)
	}
}

// TestParts: files of one table may differ in the order of columns and in how they are written; or
// they are refused.
func TestParts(t *testing.T) {
	want := [][]string{{"a", "b", "y"}, {"1", "x", "0"}, {"2", "ä", "1"}}
	for name, c := range map[string]struct {
		files []string
		kinds []notes.Kind
	}{
		"same":       {[]string{"a,b,y\n1,x,0\n", "a,b,y\n2,ä,1\n"}, nil},
		"order":      {[]string{"a,b,y\n1,x,0\n", "y,a,b\n1,2,ä\n"}, []notes.Kind{notes.Reordered}},
		"separator":  {[]string{"a,b,y\n1,x,0\n", "y\tb\ta\n1\tä\t2\n"}, []notes.Kind{notes.Reordered}},
		"encoding":   {[]string{"a,b,y\n1,x,0\n", encodedAs(t, "b;y;a\nä;1;2\n", "utf-16le", true)}, []notes.Kind{notes.Encoding, notes.Reordered}},
		"no header":  {[]string{"a,b,y\n1,x,0\n", "2,ä,1\n"}, []notes.Kind{notes.Header}},
		"empty":      {[]string{"", "a,b,y\n1,x,0\n", "a,b,y\n", "a,b,y\n2,ä,1", "\n\n"}, []notes.Kind{notes.Empty}},
		"sep":        {[]string{"a,b,y\n1,x,0\n", "sep=;\ny;a;b\n1;2;ä\n"}, []notes.Kind{notes.Skipped, notes.Reordered}},
		"two titles": {[]string{"# one\na,b,y\n1,x,0\n", "# two\n# more\na,b,y\n2,ä,1\n"}, []notes.Kind{notes.Skipped}},
	} {
		for _, part := range []int{0, 1, 9} {
			s, err := Open(folder(t, c.files...), Options{part: part, Workers: 1 + part%3})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			got, err := contents(t.Context(), s)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(kindsOf(s.Notes()), c.kinds) {
				t.Errorf("%s: %q %v %v", name, got, err, s.Notes())
			}
			s.Close()
		}
	}
	for name, c := range map[string]struct {
		want  string
		files []string
	}{
		"lacks":    {`part-1.csv: the file lacks the column "y", as `, []string{"a,b,y\n1,x,0\n", "a,b,z\n1,x,0\n"}},
		"more":     {`part-0.csv lacks the columns "z", "q": all files`, []string{"a,b\n1,x\n", "z,a,b,q\n1,2,x,3\n"}},
		"width":    {"the rows have 2 cells, and ", []string{"a,b,y\n1,x,0\n", "2,3\n4,5\n"}},
		"header":   {"leave the row out by --no-header", []string{"1,2\n3,4\n", "a,b\n5,6\n"}},
		"decimals": {"the decimal mark is not that of ", []string{"a;y\n1,5;0\n2,5;1\n", "a;y\n1.5;0\n2.5;1\n"}},
		"rows":     {"there are no rows", []string{"", "\n"}},
		"names":    {"part-1.csv: the columns are in another order than those of ", []string{"b,a,a\n1,2,0\n", "a,b,a\n1,2,0\n"}},
		"third":    {"part-2.csv: the decimal mark is not that of ", []string{"a;y\n1;0\n", "a;y\n1,5;0\n", "a;y\n2.5;1\n"}},
	} {
		_, err := Open(folder(t, c.files...), Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Files of whole numbers, or with both marks, go with any other file; so do equal names in one order.
	for _, files := range [][]string{
		{"a;y\n1,5;0\n2,5;1\n", "a;y\n1;0\n2;1\n"}, {"a;y\n1;0\n2;1\n", "a;y\n1,5;0\n2,5;1\n"},
		{"a;y\n1,5;0.5\n2;1\n", "a;y\n1,5;0\n2,5;1\n"}, {"a;y\n1,5;0\n", "a;y\n1.5;0\n2,5;1\n"}, {"a,a\n1,2\n", "a,a\n3,4\n"},
	} {
		s, err := Open(folder(t, files...), Options{})
		if err != nil {
			t.Fatalf("%q: %v", files, err)
		}
		s.Close()
	}
}
