package table

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
)

// wholeCase is a table with a target y, and what is asked of it.
type wholeCase struct {
	files []string
	w     Wanted
	o     Options
}

// times repeats lines n times in turn. In line i, # is i and @ is i modulo 2.
func times(n int, lines ...string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(i), "@", fmt.Sprint(i%2)).Replace(lines[i%len(lines)]) + "\n")
	}
	return b.String()
}

// said returns what is said of a source: a line for each column, and one for each note.
func said(t *testing.T, s *Source, w Wanted) (lines []string) {
	t.Helper()
	r, err := Infer(t.Context(), s, w)
	if err != nil {
		return []string{err.Error()}
	}
	described, err := Describe(t.Context(), s, r, 2)
	if err != nil {
		return []string{err.Error()}
	}
	e, err := Fit(t.Context(), s, r)
	if err != nil {
		return []string{err.Error()}
	}
	for k, c := range e.recipe.Columns {
		if c.Kind == Target {
			continue
		}
		d := described[k]
		text := fmt.Sprintf("%s: %s, %s", c.Name, strings.TrimSpace(fmt.Sprint(c.Kind, " ", c.Format)), c.Why)
		if c.Marks != nil {
			text += c.Marks.said()
		}
		text += fmt.Sprintf("; %d missing of %d, %d distinct", d.Missing, d.Rows, d.Distinct)
		for k, value := range d.Common {
			text += fmt.Sprintf(", %d %s", d.Counts[k], value)
		}
		if l := c.Learned; l != nil && (c.Kind == Number || c.Kind == Time) {
			text += fmt.Sprintf("; %v to %v, mean %.6g, shift %.6g, width %.4g", l.Least, l.Greatest, l.Mean, l.Shift, l.Width)
		}
		lines = append(lines, text)
	}
	if _, err := e.Encode(t.Context(), s); err != nil {
		lines = append(lines, err.Error())
	}
	for _, n := range s.Notes() {
		lines = append(lines, fmt.Sprintf("%s, %s", n.Kind, n.In(func(option, value string) string { return "{" + option + "=" + value + "}" })))
	}
	return lines
}

// whole has what is to be said of each case of requireWhole, behind its name: it was written by hand, or
// read by hand line by line.
//
//go:embed testdata/whole.txt
var whole string

// requireWhole compares all that is said of tables, for parts of any size and any number of workers.
func requireWhole(t *testing.T, cases map[string]wholeCase) {
	t.Helper()
	wants := map[string]string{}
	for _, section := range strings.Split("\n"+whole, "\n== ")[1:] {
		name, want, _ := strings.Cut(section, "\n")
		wants[name] = strings.TrimSpace(want)
	}
	for name, c := range cases {
		for _, part := range []int{0, 20} {
			path := folder(t, c.files...)
			o := c.o
			o.part, o.Workers = part, 1+part/10
			var got []string
			s, err := Open(path, o)
			if err == nil {
				c.w.Target = "y"
				got = said(t, s, c.w)
				s.Close()
			} else {
				got = []string{err.Error()}
			}
			text := strings.ReplaceAll(strings.Join(got, "\n"), strings.TrimSuffix(path, "part-*.csv"), "")
			if want := wants[name]; text != want {
				t.Errorf("parts of %d\n== %s\n%s\n== want\n%s", part, name, text, want)
				break
			}
		}
	}
}

// TestWholeKinds: kinds of columns, and the notes of their cells, rows and labels.
func TestWholeKinds(t *testing.T) {
	long := "some words of a text that is long"
	requireWhole(t, map[string]wholeCase{
		"counters":               {files: []string{"a,b,c,d,y\n" + times(10, "#,1#,0#,#.0,@")}},
		"nine rows":              {files: []string{"a,c,y\n" + times(9, "#,x,@")}},
		"counter from 1":         {files: []string{"a,y\n1,0\n2,1\n3,0\n4,0\n5,0\n6,1\n7,1\n8,1\n9,1\n10,1\n"}},
		"counter from 2":         {files: []string{"a,y\n2,1\n3,0\n4,0\n5,0\n6,1\n7,1\n8,1\n9,1\n10,1\n11,0\n"}},
		"counter and a gap":      {files: []string{"a,y\n" + times(10, "#,@") + ",0\n"}},
		"counter and a repeat":   {files: []string{"a,y\n" + times(10, "#,@") + "9,0\n"}},
		"counter and a word":     {files: []string{"a,y\n" + times(10, "#,@") + "x,0\n"}},
		"counter, a row refused": {files: []string{"a,y\n" + times(10, "#,@") + "10,\n11,1\n"}},
		"counters of files":      {files: []string{"a,b,y\n" + times(10, "#,#,@"), "a,b,y\n" + times(10, "#,1#,@")}},
		"counter named":          {files: []string{"a,y\n" + times(10, "#,@")}, w: Wanted{Numbers: []string{"a"}}},
		"constants":              {files: []string{"a,b,c,d,y\n" + times(6, "x,,NA,7,@")}},
		"constants named":        {files: []string{"a,b,c,d,y\n" + times(6, "x,,NA,7,@")}, w: Wanted{Categories: []string{"a"}, Numbers: []string{"b", "d"}, Times: []string{"c"}}},
		"constant and missing":   {files: []string{"a,b,y\n" + times(6, "x,7,@", "NA,NA,@", ",,@")}},
		"ids":                    {files: []string{"a,b,y\n" + times(6, "k#,k#,@") + "k9,k0,1\n"}},
		"codes":                  {files: []string{"a,b,c,d,y\n" + times(6, "10,0.5,1234567890123456,0,@", "007,00.5,1234567890123456789,-1,@", "10,7,1,00,@")}},
		"a code in row 5":        {files: []string{"a,b,y\n" + times(4, "10,1,@", "20,2,@") + "007,2,1\n08,3,0\n"}},
		"a code before a word":   {files: []string{"a,y\n" + times(4, "10,@", "20,@", "30,@") + "007,1\nx,1\n"}},
		"texts":                  {files: []string{"a,b,y\n" + times(8, long+" #,"+long[:28]+" #,@", long+" #,"+long[:28]+" #,@")}},
		"too short a text":       {files: []string{"a,y\n" + times(8, long[:27]+" #,@") + long[:27] + " 1,1\n"}},
		"texts and numbers":      {files: []string{"a,y\n" + times(8, long+" #,@", long+" and more #,@", "#,@") + "7,1\n"}},
		"nearly":                 {files: []string{"a,b,y\n" + times(12, "3#,2015-01-1@,@") + "odd,2015-01-12,0\nodd,odd,1\n3,,1\n"}},
		"infinite":               {files: []string{"a,y\n" + times(5, "#.5,@") + "inf,1\n-Inf,0\n2,1\n1e999,1\n"}},
		"infinite and odd":       {files: []string{"a,y\n" + times(5, "#.5,@") + "bad,1\ninf,0\n2,1\nworse,1\n"}},
		"no target":              {files: []string{"a,y\n3,\n1,0\n2,1\n5,NA\n1,\n"}},
		"one without target":     {files: []string{"a,y\n3,1\n1,0\n2,\n"}},
		"no target at all":       {files: []string{"a,y\n1,\n2,\n"}},
		"no rows":                {files: []string{"a,y\n"}},
		"two stray labels":       {files: []string{"a,y\n" + times(25, "5,#", "7,#") + "1,b\n2,a\n1,b\n"}},
		"numbers as words":       {files: []string{"a,b,y\n" + times(6, "1,x,@", "x,2,@", "1.0,3,@", "1.50,x,@", "y,4,@", "x,y,@")}},
		"weights":                {files: []string{"w,a,y\n1,2,0\n2,3,1\n-1,4,1\n,5,0\n0,2,1\nbad,9,0\ninf,9,0\n"}, w: Wanted{Weight: "w"}, o: Options{BadRows: 4}},
		"a bad row too many":     {files: []string{"w,a,y\n1,2,0\n2,3,1\n-1,4,1\n,5,0\n3,2,1\nbad,9,0\n"}, w: Wanted{Offset: "w"}, o: Options{BadRows: 1}},
		"a share of bad rows":    {files: []string{"a,b,y\n" + times(18, "3#,7@,@") + "1,2\n1,2,3,4\n"}, o: Options{BadShare: 0.1}},
		"too large a share":      {files: []string{"a,b,y\n" + times(17, "3#,7@,@") + "1,2\n1,2,3,4\n"}, o: Options{BadShare: 0.1}},
		"bad rows of files":      {files: []string{"a,y\n5,0\n7,1\n3\n", "a,y\n1,0\n\n2,1,1\n3,1\n"}, o: Options{BadRows: 2}},
		"labels with words":      {files: []string{"a,y\n1,good\n3,none\n2,bad\n3,NA\n3,\n"}},
		"ignored groups":         {files: []string{"a.b,a.c,ab,i,g,y\n" + times(6, "1,2,3#,k@,g@,@")}, w: Wanted{Ignored: []string{"a"}, IDs: []string{"i", "i"}, Group: "g"}},
		"missing words":          {files: []string{"a,b,y\n1,x,0\n-200,-200,1\n-200.0,-200.0,0\nNA,NA,1\n7,x,0\n"}, w: Wanted{Missing: []string{"-200", "none"}}},
		"a missing label":        {files: []string{"a,y\n1,0\n2,1\n3,-200\n7,-200.0\n"}, w: Wanted{Missing: []string{"-200"}}},
		"many labels":            {files: []string{"a,y\n" + times(10002, "5,w#", "7,w#")}},
		"many labels of digits":  {files: []string{"a,y\n" + times(10002, "5,0#", "7,0#")}},
		"many values":            {files: []string{"a,b,y\n" + strings.Repeat(times(10001, "k#,v#,@")+"k1,7,0\n", 2)}, w: Wanted{Hash: 4}},
		"tabs behind":            {files: []string{"a,b,y\nred\t,1,0\nred,2\t,1\nblue,1,0\nblue\t,3,1\n"}},
		"many words":             {files: []string{"a,y\n" + times(2001, "u# v# w# x# and more words of a text z#,@")}, w: Wanted{Hash: 4}},
		"many texts, late":       {files: []string{"a,y\n" + times(10050, "s#,@") + times(10100, long+" and "+long+" w#,@")}, w: Wanted{Hash: 4}},
		"kinds by two names":     {files: []string{"a,y\n1,0\n"}, w: Wanted{Numbers: []string{"a"}, Texts: []string{"a"}}},
		"names that lack":        {files: []string{"size,y\n1,0\n"}, w: Wanted{Numbers: []string{"sizes"}, IDs: []string{"q"}, Crosses: [][2]string{{"q", "r"}, {"s", "size"}}}},
	})
}

// TestWholeTimes: formats of dates, and the notes of their cells.
func TestWholeTimes(t *testing.T) {
	requireWhole(t, map[string]wholeCase{
		"dates":               {files: []string{"a,b,c,d,y\n" + times(9, "2015-01-1#,1@/02/2015,1#.02.2015,1#/02/15,@")}},
		"compact dates":       {files: []string{"a,b,c,y\n" + times(9, "2015010#,2015011#,2015010#,@")[len("20150100"):] + "20150101,20150111,,1\n,,,1\n"}, w: Wanted{Times: []string{"b"}}},
		"formats with %%":     {files: []string{"d,y\n" + times(9, "1#%02%2015,@", "1# %02%2015,@", "1#%02%2015,@") + "17-02%2015,1\n17%02,0\n17%02%2015%,1\n"}, w: Wanted{Times: []string{"d=%d%%%m%%%Y"}}},
		"formats of names":    {files: []string{"d,y\n" + times(9, "Mon 1# Feb 15 03:04:05 PM +0100,@") + "Xyz 17 Feb 15 03:04:05 PM Z,1\nMon 17 Fob 15 03:04:05 PM Z,1\nMon 17 Feb 15 13:04:05 PM Z,1\nMon 17 Feb 15 03:04:05 XM Z,1\nMon 17 Feb 15 03:04:05 AM ,1\nMon 17 Feb 15 00:04:05 AM Z,1\nMon  17 Feb 15 12:00:00 AM +01:30,1\nMon17 Feb 15 12:00:00 AM Z,1\n"}, w: Wanted{Times: []string{"d=%a %d %b %y %I:%M:%S %p %z"}}},
		"a format of %Q":      {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%Y-%Q-%d"}}},
		"a format of %":       {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%Y%"}}},
		"a format twice":      {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%Y %y"}}},
		"a format of %% only": {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%%%%"}}},
		"a format without %m": {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%Y %d"}}},
		"a format without %H": {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%Y %p"}}},
		"a format beside %s":  {files: []string{"d,y\n1,1\n2,0\n"}, w: Wanted{Times: []string{"d=%s "}}},
		"no compact date":     {files: []string{"a,y\n" + times(9, "2015010#,@")}},
		"half by a format":    {files: []string{"d,y\nsoon,0\n24/02/2015,1\n,1\nNA,1\n"}, w: Wanted{Times: []string{"d=dmy"}}},
		"a third by none":     {files: []string{"d,y\nsoon,0\nlater,1\n24/02/2015,1\n25/02/2015,0\n26/02/2015,0\n,1\n"}, w: Wanted{Times: []string{"d"}}},
		"21 odd dates":        {files: []string{"d,y\n" + times(21, "odd#,0") + times(100, "1/2/19#,1")[len("1/2/190,1\n")*10:]}, w: Wanted{Times: []string{"d"}}},
		"logs of times":       {files: []string{"d,y\n3600 s,0\n1970-01-01T01:00,1\n1970-01-01T02:00,0\n1970-01-01T02:00,0\n"}, w: Wanted{Times: []string{"d"}, Scale: ScaleLog1p}},
		"a named word":        {files: []string{"d,y\nno,0\n2015-02-03,1\n2015-02-04,0\n2015-02-04 3 PM,1\n"}, w: Wanted{Times: []string{"d"}}},
		"years of two digits": {files: []string{"a,b,y\n" + times(6, "3@-Mar-0@,13/1@/69,@", "3@-Mar-2004,13/1@/68,@")}},
		"mixed orders":        {files: []string{"a,b,y\n" + times(8, "13/02/201@,01.02.200#,@", "02/13/201@,02.01.200#,@")}},
		"words and dates":     {files: []string{"a,y\n2015-02-03,1\n,0\nx,1\n2015-02-03,1\nz,0\n"}},
		"unix":                {files: []string{"a,y\n1510047015,1\n1510047017000,0\n-1510047017,1\n,1\n"}, w: Wanted{Times: []string{"a=unix"}}},
	})
}

// TestWholeMarks: marks of numbers, as they are found and as they are named.
func TestWholeMarks(t *testing.T) {
	marked := func(columns string, cells ...string) []string {
		return []string{columns + ";y\n" + times(len(cells), cells...)}
	}
	requireWhole(t, map[string]wholeCase{
		"mixed":            {files: []string{"a;b;c;y\n" + times(8, "1,#00.5;1#/02/2015;1,2#0;@", "1.#00,5;02/1#/2015;x;@") + "x;y;z;1\n"}},
		"mostly points":    {files: marked("a;b", "1.25;7;@", "2.25;8;@", "3.25;7;@", "4.25;8;@", "5.25;8;@", "6.25;7;@", "7,25;7;@", "8,25;7;@", "9,25;7;@", "1,75;7;@")},
		"some points":      {files: marked("a;b", strings.Split(times(30, "1#.25;7;@")+times(25, "1#,75;8;@"), "\n")[:55]...)},
		"some commas":      {files: marked("a;b", strings.Split(times(25, "1#.25;7;@")+times(25, "1#,75;8;@")+times(9, "x#;8;@"), "\n")[:53]...)},
		"units":            {files: []string{"a;b;c;d;y\n" + times(8, "$5;5%;$5;5 EUR;@", "€7;7;$7.5;-7,5;@") + "$5;;(3);8;1\n"}},
		"beside long ones": {files: marked("a;b", "1,234;1.234;@", "12;12;@", "12345;12345;@", "13;988;@")},
		"all shares":       {files: marked("a", "5%;@", "7.5%;@", ";@", "7%;@")},
		"shares, words":    {files: marked("a", "5%;@", "7.5%;@", "x;@", "7%;@")},
		"a decimal comma":  {files: marked("a;b", "1.234;1.234;@", "2.345;2.345;@", "3.456;3,456;@"), w: Wanted{Decimal: []string{"a=,"}}},
		"a comma for all":  {files: marked("a;b", "1.234;1.234;@", "2.345;2.345;@", "3.456;3,456;@"), w: Wanted{Decimal: []string{",", "b=."}}},
		"thousands":        {files: marked("a;b", "1.234;1 234;@", "2.345;2;@", "3.456;3;@"), w: Wanted{Thousands: []string{"a=.", "b=none"}}},
		"space":            {files: marked("a;b", "1 234;1 234;@", "2 345;2 345;@", "3;3,5;@"), w: Wanted{Thousands: []string{"space"}}},
		"no mark":          {files: marked("a", "1;@", "2;@"), w: Wanted{Decimal: []string{"a=;"}}},
		"no thousands":     {files: marked("a", "1;@", "2;@"), w: Wanted{Thousands: []string{"_"}}},
		"no such column":   {files: marked("size", "1;@", "2;@"), w: Wanted{Decimal: []string{"sizes=,"}}},
		"two marks":        {files: marked("a", "1;@", "2;@"), w: Wanted{Thousands: []string{"a=.", "a=,"}}},
		"one mark twice":   {files: marked("a", "1;@", "2;@"), w: Wanted{Thousands: []string{"a=."}, Decimal: []string{"."}}},
		"marks of words":   {files: marked("a", "1;@", "2;@"), w: Wanted{Thousands: []string{"a=,"}, Categories: []string{"a"}}},
		"marks of odd":     {files: marked("a", "1,234;@", "x;@", "z;@", "12;@", "13;@"), w: Wanted{Decimal: []string{"a=,"}}},
		"other ways":       {files: marked("a;b;c;d", "1,234;1.234;1,234;0,5;@", "2,345;2.345;12,345;0.5;@", "12;13;12345;1;@")},
		"marked weights":   {files: marked("w;a", "1,5;7;@", "-0,5;8;@", "x;8;@", "2;9;@", "$3;9;@"), w: Wanted{Weight: "w"}, o: Options{BadRows: 2}},
		"marked labels":    {files: []string{"a;y\n1;1,5\n2;2,5\n3;\n4;NA\n5;1.234,5\n"}},
		"money":            {files: marked("a;b;c", "kr5;5 kr;5 krona;@", "Rs.7;7 Rs.;7 USD;@", "US$8;(8) €;-8%;@", "CHF 1'000;1 000 zł;- 5;@")},
		"no money":         {files: marked("a;b;c", "US%5;5$$;$5$;@", "kronor7;ABCD$7;7 USDT;@", "8;8;8;@", "8;8;8;@")},
		"padded":           {files: marked("a;b", `"1.234 ";" 1.234";@`, `12; 7;@`, `" 2.345";"8 ";@`)},
		"wide blanks":      {files: marked("a;b", "1\u200a234;1\u200b234;@", "2\u2000345;2;@", "3\u00a0456;3;@")},
		"long numbers":     {files: marked("a;b", "1234567890,5;0.123;@", "123,456,789,012,345.5;1.5;@", "12,34,567;12.345;@")},
	})
}

// TestWholeFiles: files of CSV and JSON lines, and the notes of their lines, headers and parts.
func TestWholeFiles(t *testing.T) {
	plain := times(4, "5,x,@", "7,z,@")
	requireWhole(t, map[string]wholeCase{
		"titles":           {files: []string{"My Bank\nof all\na,b,y\n" + plain}},
		"comments":         {files: []string{"# one\na,b,y\n# two\n" + plain + "# three\n#1,x,1\n"}},
		"comments alone":   {files: []string{"a,b,y\n" + plain + "# three\n"}},
		"half are rows":    {files: []string{"tag,b,y\n#1,x,1\n#2,x,0\n3,z,1\n4,z,1\n# c\n"}},
		"fewer are rows":   {files: []string{"tag,b,y\n#1,x,1\n#2,x,0\n3,z,1\n4,z,1\n3,z,1\n# c\n"}},
		"lines of files":   {files: []string{"a,b,y\n" + plain, "# one\n# two\na,b,y\n" + plain + "# four\n", "\n# five\na,b,y\n" + plain}},
		"comments behind":  {files: []string{"a,b,y\n" + plain, "a,b,y\n5,x,1\n# two\n", "a,b,y\n# five\n# six\n" + plain}},
		"orders":           {files: []string{"a,b,y\n" + plain, "a,b,y\n" + plain, "b,a,y\nx,5,1\n", "y,a,b\n1,5,x\n"}},
		"empty files":      {files: []string{"a,b,y\n" + plain, "", "a,b,y\n" + plain, "a,b,y\n", "a,b,y\n"}},
		"names again":      {files: []string{"a,b,a,a,,b,y\n" + times(6, "5,x,1,2,3,x,@", "7,z,3,5,7,z,@")}},
		"a row of words":   {files: []string{"u,v,z\nv,u,z\nu,u,z\n"}, o: Options{Header: NoHeader}, w: Wanted{Categories: []string{"1"}}},
		"an odd bad cell":  {files: []string{"a,b,y\n" + plain, "b,y,a\nx,1,bad\nx,1,worse\nx,1,inf\n"}},
		"no header":        {files: []string{"a,b,y\n" + plain, "5,x,1\n7,z,0\n"}},
		"objects":          {files: []string{`{"a":{"b":1,"c":"x"},"l":[1],"y":0}` + "\n" + `{"y":1,"a":{"c":"z","b":2}}` + "\n" + `{"a":{"b":null},"l":{},"y":1,"q":"007"}` + "\n" + `{"l":[2,"u"],"y":1}`}},
		"quoted numbers":   {files: []string{times(6, `{"a":"3#","b":#,"c":"x@","y":@}`, `{"a":"5","b":"7","c":3,"y":@}`)}},
		"objects of parts": {files: []string{`{"a":1,"y":0}` + "\n" + `{"a":2,"y":1}`, `{"y":1,"a":[1]}` + "\n" + `{"a":[],"y":0,"b":[3]}` + "\n" + `{"a":5,"y":0}`}},
		"objects in lines": {files: []string{"[\n{\"a\": 1,\n\"y\": 0}, {\"a\": [2], \"y\": 1},\n{\"a\": \"bad\", \"y\": 1},{\"a\": 3, \"y\": 1},{\"a\": 4, \"y\": 0}]"}},
		"tabs in objects":  {files: []string{"[\r\n\t{\r\n\t\t\"a\": 1,\r\n\t\t\"y\":\t0\r\n\t},\t{\"a\":2,\"y\":1}\r\n\t,{\"y\":1,\"a\":\"x\\ty\"} ]\t\r\n"}},
		"empty lines":      {files: []string{"a,b,y\n" + times(6, "#,x,@") + strings.Repeat("\n \t\r\n", 12) + "6,z,0\n" + strings.Repeat("# c\n", 12) + "7,z,1\n8,x,0\n9,bad cell of a longer row\n9,x,1\n\n10\n"}, o: Options{BadRows: 2}},
		"quoted comments":  {files: []string{"a,b,y\n5,\"x\",1\n# it's \"one, \n7,\"z\n z\",0\n# \"two\" \"\n#1,\"x\",1\n#2,\"z\",0\n5,x\n# \"\n7,z,0\n5,\"x\" y,1\n7,\"\"\"x\"\"\", 0\n"}, o: Options{BadRows: 2}},
		"no objects":       {files: []string{"[{\"a\":1,\"y\":0}, 5,\n \"{\" ,\n{\"a\":2,\"y\":1}]\n"}, o: Options{BadRows: 3}},
		"closed too soon":  {files: []string{"[{\"a\":1,\"y\":0}] {\"a\":7,\"y\":1}\n"}},
		"text behind":      {files: []string{"{\"a\":1,\"y\":0} \n{\"a\":2,\"y\":1} {\"a\":3,\"y\":1}\n"}},
		"deep objects":     {files: []string{strings.Repeat("{\"a\":", 17) + "1" + strings.Repeat("}", 16) + ",\"y\":0}\n" + strings.Repeat("{\"b\":", 18) + "1" + strings.Repeat("}", 17) + ",\"y\":1}\n"}},
		"rows of #":        {files: []string{"tag,b,y\n" + strings.ReplaceAll(times(8, "H@,\"x\nHz\",@"), "H", "#")}},
		"control marks":    {files: []string{`{"a":"x\\ny","y":0}` + "\n" + `{"a":"x\\n` + "\t" + `","y":1}` + "\n" + "{\"a\":\"\x01\",\"y\":1}\n" + `{"a":"x\ny","y":1}` + "\n" + `{"a":"z","y":1}` + "\n"}, o: Options{BadRows: 3}},
		"sep of a letter":  {files: []string{"sep=x\na;b;y\n" + plain}},
		"sep of its own":   {files: []string{"sep=~\na~b~y\n" + strings.ReplaceAll(plain, ",", "~")}},
		"sep as a row":     {files: []string{"sep=;\na,b,y\n" + plain}, o: Options{Separator: ','}},
		"a bad object":     {files: []string{`{"a":1,"y":0}` + "\n\n" + `{"a":1,"y":0` + "\n"}},
	})
}
