package table

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What no encoder can be is refused, with the column and the reason.
func TestReadEncoderRefuses(t *testing.T) {
	text, err := handmade(t).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	recipe := func() (r Recipe) {
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	const age, colour, note, when, city, bins, label, times, ask = 0, 1, 2, 3, 4, 5, 7, 8, 10
	for want, change := range map[string]func(r *Recipe){
		"version 7":               func(r *Recipe) { r.Version = 7 },
		"a hash of 31 bits":       func(r *Recipe) { r.Hash = 31 },
		"a hash of -1 bits":       func(r *Recipe) { r.Hash = -1 },
		`column "city" is hashed`: func(r *Recipe) { r.Hash = 0 },
		`cross "age*colour" is hashed`: func(r *Recipe) {
			r.Hash, r.Columns[city].Hashed, r.Crosses = 0, false, [][2]string{{"age", "colour"}}
		},
		"column 1 of the recipe has no name":         func(r *Recipe) { r.Columns[0].Name = "" },
		`two columns "age"`:                          func(r *Recipe) { r.Columns[colour].Name = "age" },
		`column "age": unknown kind "numbers"`:       func(r *Recipe) { r.Columns[age].Kind = "numbers" },
		`"times" and "ask" are both weight`:          func(r *Recipe) { r.Columns[ask].Kind = Weight },
		`needs the column "note"`:                    func(r *Recipe) { r.Crosses[0][1] = "note" },
		`needs the column "nothing"`:                 func(r *Recipe) { r.Crosses[0][0] = "nothing" },
		`unknown scale "cubic"`:                      func(r *Recipe) { r.Columns[age].Scale = "cubic" },
		"a category has no scale":                    func(r *Recipe) { r.Columns[colour].Scale = ScaleStd },
		"a category has no bins":                     func(r *Recipe) { r.Columns[colour].Bins = 3 },
		"-2 bins; there may be 2 or more":            func(r *Recipe) { r.Columns[bins].Bins = -2 },
		"1 bins":                                     func(r *Recipe) { r.Columns[bins].Bins = 1 },
		"a number has no format of times":            func(r *Recipe) { r.Columns[age].Format = "ymd" },
		"a category has no marks of numbers":         func(r *Recipe) { r.Columns[colour].Marks = &Marks{} },
		`decimal mark ";": want a comma`:             func(r *Recipe) { r.Columns[age].Marks = &Marks{Decimal: ";"} },
		`"," beside the decimal mark ","`:            func(r *Recipe) { r.Columns[age].Marks = &Marks{Decimal: ",", Thousands: ","} },
		`"." beside the decimal mark "."`:            func(r *Recipe) { r.Columns[age].Marks = &Marks{Thousands: "."} },
		`unit "kg": want a mark of money`:            func(r *Recipe) { r.Columns[age].Marks = &Marks{Units: []string{"$", "kg"}} },
		"min_count goes with a category that has":    func(r *Recipe) { r.Columns[city].MinCount = 2 },
		"min_count is -1":                            func(r *Recipe) { r.Columns[colour].MinCount = -1 },
		"a number cannot be hashed":                  func(r *Recipe) { r.Columns[age].Hashed = true },
		"a number has no words":                      func(r *Recipe) { r.Columns[age].Words = &Words{} },
		"words of 99 neighbours":                     func(r *Recipe) { r.Columns[note].Words = &Words{NGrams: 99} },
		"min_df is -1":                               func(r *Recipe) { r.Columns[note].Words = &Words{MinDF: -1} },
		`column "label": nothing was learned`:        func(r *Recipe) { r.Columns[label].Learned = nil },
		`column "age": nothing was learned`:          func(r *Recipe) { r.Columns[age].Learned = nil },
		"11 missing":                                 func(r *Recipe) { r.Columns[age].Learned.Missing = 11 },
		"-1 rows":                                    func(r *Recipe) { r.Columns[age].Learned.Rows = -1 },
		"a width of -1":                              func(r *Recipe) { r.Columns[age].Learned.Width = -1 },
		"and it has no bins":                         func(r *Recipe) { r.Columns[age].Learned.Edges = []float64{1} },
		"3 edges of 3 bins":                          func(r *Recipe) { r.Columns[bins].Learned.Edges = []float64{1, 2, 3} },
		"bins do not ascend: 2 before 2":             func(r *Recipe) { r.Columns[bins].Learned.Edges = []float64{2, 2} },
		`does not ascend: "red" before "blue"`:       func(r *Recipe) { slices.Reverse(r.Columns[colour].Learned.Values) },
		`does not ascend: "red" before "red"`:        func(r *Recipe) { r.Columns[colour].Learned.Values[0] = "red" },
		`"hour=24" is no hour`:                       func(r *Recipe) { r.Columns[when].Learned.Values[1] = "hour=24" },
		"1 counts of 2 values":                       func(r *Recipe) { r.Columns[note].Learned.Counts = []int64{1} },
		"0 counts of 2 values":                       func(r *Recipe) { r.Columns[note].Learned.Counts = nil },
		`4 of 3 rows have "yes"`:                     func(r *Recipe) { r.Columns[note].Learned.Counts[1] = 4 },
		"a vocabulary of 1 values":                   func(r *Recipe) { r.Columns[city].Learned.Values = []string{"Rome"} },
		"1 rare values":                              func(r *Recipe) { r.Columns[city].Learned.Rare = 1 },
		`column "times" is a whole row, with target`: func(r *Recipe) { r.Columns[times].Kind = VW },
	} {
		r := recipe()
		change(&r)
		changed, _ := json.Marshal(r)
		if e, err := ReadEncoder(changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s: %v, %v", want, e, err)
		}
	}
	for _, bad := range []string{"", "null", "{}", "[]", `{"version":1,"columns":[],"missing":[],"more":1}`, string(text) + "x", string(text[:len(text)-2]),
		`{"version":1,"columns":[{"name":"a","kind":"number","learned":{"rows":1,"missing":0,"width":1e999}}],"missing":[]}`} {
		if e, err := ReadEncoder([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "table: ") {
			t.Errorf("%q: %v, %v", bad, e, err)
		}
	}
}

// A few bytes of JSON that promise much take little memory.
func TestEncoderMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e, err := ReadEncoder([]byte(`{"version":1,"hash":30,"missing":[],"columns":[
		{"name":"a","kind":"number","bins":1000000000,"learned":{"rows":9000000000000,"missing":9000000000000}},
		{"name":"b","kind":"category","hashed":true,"learned":{"rows":1,"missing":0}}]}`))
	runtime.ReadMemStats(&after)
	if err != nil || e.Width() != 2+1<<30 || e.Name(2+1<<29) != "b#536870912" {
		t.Error(e, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d bytes", took)
	}
}

// Names are distinct and say what they are.
func TestNames(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 1, Hash: 1, Missing: []string{""}, Columns: []Column{
		{Name: "n", Kind: Number, Learned: &Learned{Rows: 2, Missing: 1, Width: 1}},
		{Name: "constant", Kind: Number, Learned: &Learned{Rows: 2}},
		{Name: "b", Kind: Number, Bins: 4, Learned: &Learned{Rows: 2, Missing: 1, Edges: []float64{-1.5, 20}}},
		{Name: "c", Kind: Category, MinCount: 2, Learned: &Learned{Rows: 9, Missing: 1, Rare: 1, Values: []string{"x", "y"}}},
		{Name: "t", Kind: Text, Learned: &Learned{Rows: 2, Values: []string{"one", "one two"}, Counts: []int64{1, 1}}},
		{Name: "w", Kind: Time, Learned: &Learned{Rows: 2, Missing: 1, Width: 1, Values: []string{"hour=09", "weekday=Mon"}}},
		{Name: "h", Kind: Category, Hashed: true, Learned: &Learned{Rows: 2, Missing: 1}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for j := -1; j <= e.Width(); j++ {
		names = append(names, e.Name(j))
	}
	want := []string{"", "n", "n=", "b=..-1.5", "b=-1.5..20", "b=20..", "b=", "c=x", "c=y", "c=(rare)", "c=", "t~one", "t~one two", "w.hour=09", "w.weekday=Mon", "w", "w=", "h#0", "h#1", ""}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	var said []string
	for j := -1; j <= e.Width(); j++ {
		said = append(said, e.Column(j)+":"+e.Value(j))
	}
	want = []string{":", "n:", "n:", "b:..-1.5", "b:-1.5..20", "b:20..", "b:", "c:x", "c:y", "c:(rare)", "c:", "t:one", "t:one two", "w:hour=09", "w:weekday=Mon", "w:", "w:", ":", ":", ":"}
	if !slices.Equal(said, want) {
		t.Errorf("columns and values %q, want %q", said, want)
	}
	for k, span := range [][2]int{{0, 2}, {2, 2}, {2, 6}, {6, 10}, {10, 12}, {12, 16}, {16, 16}} {
		if first, end := e.Span(k); first != span[0] || end != span[1] {
			t.Errorf("span of %d: %d to %d", k, first, end)
		}
	}
	if e.Places() != 16 {
		t.Error(e.Places())
	}
	e, err = newEncoder(&Recipe{Version: 2, Columns: []Column{
		{Name: "id", Kind: ID}, {Name: "n", Kind: Number, Learned: &Learned{Rows: 2, Width: 1}}, {Name: "left out", Kind: Ignore},
		{Name: "c", Kind: Category, Learned: &Learned{Rows: 2, Values: []string{"x", "y"}, Counts: []int64{1, 1}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for k, span := range [][2]int{{0, 0}, {0, 1}, {0, 0}, {1, 3}} {
		if first, end := e.Span(k); first != span[0] || end != span[1] {
			t.Errorf("span of %d beside columns that are left out: %d to %d", k, first, end)
		}
	}
}

// Recipe returns a copy: what a caller changes in it changes no encoder.
func TestRecipeIsACopy(t *testing.T) {
	e := handmade(t)
	before, _ := e.MarshalJSON()
	r := e.Recipe()
	r.Columns[1].Learned.Values[0], r.Columns[0].Name, r.Crosses[0][0], r.Missing[0] = "changed", "changed", "changed", "changed"
	r.Columns[5].Learned.Edges[0], r.Columns[2].Learned.Counts[0] = -9, 9
	if after, _ := e.MarshalJSON(); string(after) != string(before) {
		t.Error("the encoder has changed")
	}
}
