package table

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// germanEncoder is the encoder of a table with a decimal comma and points between thousands.
func germanEncoder(t *testing.T) *Encoder {
	t.Helper()
	text := "y;x;c\n" + strings.Repeat("1;1.234,50;a\n0;2.250,25;b\n1;988,00;a\n", 4)
	return fitted(t, piped(t, text, Options{}), Wanted{Target: "y", Scale: ScaleNone})
}

func TestNumbersOfJSONHaveAPoint(t *testing.T) {
	e := germanEncoder(t)
	rows, err := e.Encode(context.Background(), piped(t, `{"y":1,"x":1.125,"c":"a"}`+"\n"+`{"y":0,"x":"1.125","c":"b"}`+"\n", Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1.125, 1125} {
		values := slices.Collect(maps.Values(maps.Collect(rows.X.Row(i))))
		if !slices.Contains(values, want) {
			t.Errorf("row %d: %v, want %v", i, values, want)
		}
	}
}

// A column of numbers of JSON has a point, whatever the marks of the texts beside it.
func TestMarksOfTextLeaveNumbersOfJSON(t *testing.T) {
	var text strings.Builder
	for k := range 12 {
		text.WriteString([]string{`{"y":1,"x":1.125,"z":"1.234,50"}`, `{"y":0,"x":988,"z":"7,25"}`, `{"y":1,"x":2.25,"z":"0,75"}`}[k%3] + "\n")
	}
	r, err := Infer(context.Background(), piped(t, text.String(), Options{}), Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Columns[1].Marks; r.Columns[1].Kind != Number || m != nil {
		t.Errorf("x is %v with the marks %+v", r.Columns[1].Kind, m)
	}
	if m := r.Columns[2].Marks; m == nil || m.Decimal != "," || m.Thousands != "." {
		t.Errorf("z has the marks %+v", m)
	}
}

func TestColumnsThatCountRowsAreLeftOut(t *testing.T) {
	head, rows := "n,m,w,x,y\n", []string{}
	for k := range 20 {
		rows = append(rows, strings.Join([]string{strconv.Itoa(k), strconv.Itoa(k + 1), strconv.Itoa(k + 1), strconv.Itoa(k * k % 7), strconv.Itoa(k)}, ",")+"\n")
	}
	kinds := func(text string, w Wanted) string {
		r, err := Infer(context.Background(), piped(t, text, Options{Header: WithHeader}), w)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range r.Columns {
			list = append(list, string(c.Kind))
		}
		return strings.Join(list, " ")
	}
	text := head + strings.Join(rows, "")
	if got := kinds(text, Wanted{Target: "y", Weight: "w"}); got != "ignore ignore weight number target" {
		t.Error(got)
	}
	if got := kinds(text, Wanted{Target: "y", Weight: "w", Numbers: []string{"n"}}); got != "number ignore weight number target" {
		t.Error("named: " + got)
	}
	rows[12] = strings.Replace(rows[12], "12,13,", "12,11,", 1)
	if got := kinds(head+strings.Join(rows, ""), Wanted{Target: "y", Weight: "w"}); got != "ignore number weight number target" {
		t.Error("one number differs: " + got)
	}
}

// piped opens text as standard input.
func piped(t *testing.T, text string, o Options) *Source {
	t.Helper()
	o.Stdin = strings.NewReader(text)
	s, err := Open("-", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestCodesAreWords(t *testing.T) {
	kind := func(text string) Column {
		r, err := Infer(context.Background(), piped(t, text, Options{}), Wanted{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		return r.Columns[1]
	}
	for name, text := range map[string]string{
		"19 digits":       "y,x\n" + strings.Repeat("1,1344800000000000001\n0,1344800000000000002\n", 6),
		"quoted in JSON":  strings.Repeat(`{"y":1,"x":"12"}`+"\n"+`{"y":0,"x":"13"}`+"\n", 6),
		"zeros before":    "y,x\n" + strings.Repeat("1,02134\n0,12134\n", 6),
		"17 digits, JSON": strings.Repeat(`{"y":1,"x":13448000000000001}`+"\n"+`{"y":0,"x":7}`+"\n", 6),
	} {
		if c := kind(text); c.Kind != Category {
			t.Errorf("%s: %v: %s", name, c.Kind, c.Why)
		}
	}
	for name, text := range map[string]string{
		"16 digits that a float64 keeps": "y,x\n" + strings.Repeat("1,1344800000000000\n0,7\n", 6),
		"numbers of JSON":                strings.Repeat(`{"y":1,"x":12}`+"\n"+`{"y":0,"x":13}`+"\n", 6),
	} {
		if c := kind(text); c.Kind != Number {
			t.Errorf("%s: %v: %s", name, c.Kind, c.Why)
		}
	}
}

// A whole number is the same category with and without a point, and the same target.
func TestWholeNumbersOfCategories(t *testing.T) {
	text := "y,x,n,m\n" + strings.Repeat("1,1,1,a\n2,2,2,b\n,3,,c\n", 4)
	floats := strings.NewReplacer("1", "1.0", "2", "2.0", "3", "3.00").Replace(text)
	w := Wanted{Target: "y", Categories: []string{"x"}, Crosses: [][2]string{{"x", "m"}}}
	for _, hash := range []int{0, 12} {
		w.Hash = hash
		var first [][]int
		for _, pair := range [][2]string{{text, text}, {text, floats}, {floats, text}, {floats, floats}} {
			e := fitted(t, piped(t, pair[0], Options{}), w)
			data, err := e.Encode(context.Background(), piped(t, pair[1], Options{}))
			if err != nil {
				t.Fatal(err)
			}
			var rows [][]int
			for i := range data.X.Rows() {
				rows = append(rows, slices.Collect(maps.Keys(maps.Collect(data.X.Row(i)))))
				slices.Sort(rows[i])
			}
			if first == nil {
				first = rows
			} else if !reflect.DeepEqual(rows, first) {
				t.Errorf("hash %d: %v, want %v", hash, rows, first)
			}
		}
	}
}
