package notes

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
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
	l.Set(Note{Kind: NotNumber, Column: "a", Count: 2, Example: "x"})
	l.Set(Note{Kind: NotNumber, Column: "b", Count: 1})
	l.Set(Note{Kind: NotNumber, Column: "a", Count: 3, Example: "y"})
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
	if grave := Grave([]Note{{Kind: Marks}, {Kind: Converted}}); len(grave) != 1 || grave[0].Kind != Marks {
		t.Errorf("%+v", grave)
	}
	var none *List
	none.Add(Note{Kind: Unseen})
	if none.All() != nil {
		t.Error("a nil list has notes")
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
	if !strings.Contains(Grouped(-1234567), "-1,234,567") || Grouped(999) != "999" {
		t.Error(Grouped(-1234567), Grouped(999))
	}
}
