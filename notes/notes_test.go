package notes

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestText(t *testing.T) {
	for want, n := range map[string]Note{
		`column income: 2 of 48,842 cells are no numbers ("error" in line 17): missing; --category income keeps them as words`: {
			Kind: NotNumber, Column: "income", Count: 2, Of: 48842, Example: "error", Place: "line 17", Then: "missing", WayOut: "{Categories=income} keeps them as words"},
		"1 of 5 rows have no target":             {Kind: NoTarget, Count: 1, Of: 5},
		"1 row has no target (line 3): left out": {Kind: NoTarget, Count: 1, Place: "line 3", Then: "left out"},
		"3 rows have no target":                  {Kind: NoTarget, Count: 3},
		"column a: left out: every value is 1":   {Kind: Constant, Column: "a", Then: "every value is 1"},
		"the first row names the columns":        {Kind: Header, Then: "the first row names the columns"},
		"1 of 1 row has no target":               {Kind: NoTarget, Count: 1, Of: 1},
		"1 of 2 rows have no target":             {Kind: NoTarget, Count: 1, Of: 2},
		"2 of 2 rows have no target":             {Kind: NoTarget, Count: 2, Of: 2},
		"rows have no target: so":                {Kind: NoTarget, Of: 5, Then: "so"},
		"row":                                    {Kind: Header, Of: 5, Then: "row"},
		"3: row; or not":                         {Kind: Header, Count: 3, Then: "row", WayOut: "or not"},
		"1 of 3: row":                            {Kind: Header, Count: 1, Of: 3, Then: "row"},
		`missing values ("a\"b")`:                {Kind: Missing, Example: `a"b`},
	} {
		got := n.In(func(option, value string) string {
			if option != "Categories" || value != "income" {
				t.Errorf("asked for %q, %q", option, value)
			}
			return "--category " + value
		})
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWords: the class of every kind, and its words for one and for two.
func TestWords(t *testing.T) {
	want := `not-a-number lost: 1 cell is no number; 2 cells are no numbers
not-a-time lost: 1 cell is no time; 2 cells are no times
infinite lost: 1 cell is infinite; 2 cells are infinite
unseen lost: 1 value was not seen in training; 2 values were not seen in training
missing information: 1 missing value; 2 missing values
no-target lost: 1 row has no target; 2 rows have no target
malformed lost: 1 row is malformed; 2 rows are malformed
left-out lost: 1 left out; 2 left out
nested lost: 1 cell is an array or object; 2 cells are arrays or objects
qid lost: 1 row has a qid; 2 rows have a qid
marks ambiguous: 1 cell can be read in two ways; 2 cells can be read in two ways
day-month ambiguous: 1 date can be read in two ways; 2 dates can be read in two ways
mixed ambiguous: 1 cell; 2 cells
header ambiguous: 1; 2
leak ambiguous: 1; 2
separable lost: 1; 2
converted information: 1 cell; 2 cells
constant information: 1 left out; 2 left out
collinear information: 1; 2
unchecked information: 1; 2
nonconvex information: 1; 2
encoding information: 1; 2
garbled ambiguous: 1; 2
skipped information: 1 line; 2 lines
reordered information: 1 file has the columns in another order; 2 files have the columns in another order
renamed information: 1; 2
comment ambiguous: 1 line begins with #; 2 lines begin with #
empty information: 1 file has no rows; 2 files have no rows
suggestion information: 1; 2
chosen information: 1; 2
held-out information: 1 row is held out; 2 rows are held out
`
	var got strings.Builder
	for _, kind := range []Kind{
		NotNumber, NotTime, Infinite, Unseen, Missing, NoTarget, Malformed, LeftOut, Nested, NoQuery, Marks, DayMonth, Mixed, Header, Leak,
		Separable, Converted, Constant, Collinear, Unchecked, Nonconvex, Encoding, Garbled, Skipped, Reordered, Renamed, Comment, Empty, Suggestion, Chosen, HeldOut,
	} {
		one, two := Note{Kind: kind, Count: 1}, Note{Kind: kind, Count: 2}
		fmt.Fprintf(&got, "%s %s: %v; %v\n", kind, one.Class(), one, two)
	}
	if got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}

// TestKinds: every constant of type Kind has its class and words, and no two have one name.
func TestKinds(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Kind]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != "Kind" {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		kind := Kind(text)
		if seen[kind] {
			t.Errorf("two kinds %q", kind)
		}
		seen[kind] = true
		if kind.of().class == "" {
			t.Errorf("kind %q has no class", kind)
		}
		return true
	})
	if len(seen) != len(kinds) || len(seen) < 20 {
		t.Errorf("%d constants, %d kinds", len(seen), len(kinds))
	}
}

// TestUnknownKind: a note of a kind that the package does not know is told, and counts as lost.
func TestUnknownKind(t *testing.T) {
	n := Note{Kind: "new", Column: "a", Count: 2, WayOut: "{Header}"}
	if got := n.In(nil); got != "column a: 2 new; Header" || n.Class() != Lost {
		t.Errorf("%q, %s", got, n.Class())
	}
}

func TestList(t *testing.T) {
	var l List
	first, other := l.Set(Note{Kind: NotNumber, Column: "a", Count: 2, Example: "x"}), l.Set(Note{Kind: NotNumber, Column: "b", Count: 1})
	if again := l.Set(Note{Kind: NotNumber, Column: "a", Count: 3, Example: "y"}); !first || !other || again {
		t.Errorf("new: %t, %t, %t", first, other, again)
	}
	l.Add(Note{Kind: Unseen, Column: "a", Count: 2, Of: 5, Example: "first"})
	l.Add(Note{Kind: Unseen, Column: "a", Count: 4, Of: 5, Example: "second"})
	l.Add(Note{Kind: Constant, Column: "c"})
	all := l.All()
	if len(all) != 4 || all[0].Count != 3 || all[0].Example != "y" || all[2].Count != 6 || all[2].Of != 10 || all[2].Example != "first" {
		t.Fatalf("%+v", all)
	}
	if grave := Grave(all); len(grave) != 3 || grave[2].Kind != Unseen {
		t.Errorf("%+v", grave)
	}
	if again := l.All(); len(again) != 4 || again[3].Kind != Constant {
		t.Errorf("Grave changed the list: %+v", again)
	}
	if twice := Merge(all, all); !slices.Equal(twice, all) {
		t.Errorf("%+v of the same notes twice", twice)
	}
	if last := Merge([]Note{{Kind: Unseen, Count: 1}}, []Note{{Kind: Unseen, Count: 3}}); len(last) != 1 || last[0].Count != 3 {
		t.Errorf("%+v of a note that counts on", last)
	}
	if grave := Grave([]Note{{Kind: Marks}, {Kind: Converted}}); len(grave) != 1 || grave[0].Kind != Marks {
		t.Errorf("%+v", grave)
	}
	var none *List
	none.Add(Note{Kind: Unseen})
	if none.Set(Note{Kind: Unseen}) || none.All() != nil {
		t.Error("a nil list takes notes")
	}
	var shared List
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				shared.Add(Note{Kind: Unseen, Count: 1})
			}
		})
	}
	group.Wait()
	if all := shared.All(); len(all) != 1 || all[0].Count != 800 {
		t.Errorf("%+v", all)
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal([]Note{{Kind: NotNumber, Column: "a", Count: 1, Of: 9, Example: "x", Place: "line 2", WayOut: "{Categories=a}"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"kind":"not-a-number","class":"lost","column":"a","count":1,"of":9,"example":"x","place":"line 2","text":"column a: 1 of 9 cells are no numbers (\"x\" in line 2); Categories \"a\""}]`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	for want, n := range map[string]int64{"0": 0, "999": 999, "1,000": 1000, "12,345,678": 12345678, "-123": -123, "-123,456": -123456, "-9,223,372,036,854,775,808": math.MinInt64} {
		if got := Grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
