package table

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRowsAligned: labels, weights, offsets, the order and the cells that are kept belong to the
// same rows, whatever rows are left out.
func TestRowsAligned(t *testing.T) {
	text, want := "o,id,a,w,f,g,y\n", map[string][]string{}
	for i := range 60 {
		row := []string{fmt.Sprint(100 - i*7%60), fmt.Sprint("k", i), "ab"[i%2 : i%2+1], fmt.Sprint(1 + i%4), fmt.Sprint(i%5) + ".5", fmt.Sprint(i / 9), fmt.Sprint(i / 2 % 2)}
		switch {
		case i%7 == 3:
			row[6] = "" // no target
		case i%11 == 5:
			row[3] = "-1" // not a weight
		default:
			for k, name := range []string{"o", "id", "a", "w", "f", "g", "y"} {
				want[name] = append(want[name], row[k])
			}
		}
		text += strings.Join(row, ",") + "\n"
	}
	w := Wanted{Target: "y", Weight: "w", Offset: "f", Group: "g", IDs: []string{"id"}, Numbers: []string{"o"}}
	for _, workers := range []int{1, 3} {
		s, err := Open(write(t, "t.csv", text), Options{part: 60, Workers: workers, BadRows: 20})
		if err != nil {
			t.Fatal(err)
		}
		e, _ := madeOf(t, s, w)
		for _, order := range []string{"", "o", "w", "f", "y"} {
			for _, rows := range []int{0, 7, 1000} {
				got := map[string][]string{}
				for r, err := range e.Blocks(t.Context(), s, BlockOptions{Rows: rows, Keep: []string{"id", "a"}, Order: order}) {
					if err != nil {
						t.Fatalf("order %q, blocks of %d: %v", order, rows, err)
					}
					for i, y := range r.Y {
						got["y"] = append(got["y"], fmt.Sprint(y))
						got["w"] = append(got["w"], fmt.Sprint(r.Weight[i]))
						got["f"] = append(got["f"], fmt.Sprint(r.Offset[i]))
						got["g"] = append(got["g"], fmt.Sprint(r.Query[i]))
						got["id"], got["a"] = append(got["id"], r.Kept(i)[0]), append(got["a"], r.Kept(i)[1])
						if order != "" {
							got["by "+order] = append(got["by "+order], fmt.Sprint(r.Order[i]))
						}
					}
					if order == "" && r.Order != nil || r.Kept(len(r.Y)) != nil {
						t.Errorf("an order, or cells, of no row: %v %v", r.Order, r.Kept(len(r.Y)))
					}
				}
				if order != "" && !slices.Equal(got["by "+order], want[order]) {
					t.Errorf("blocks of %d by %s: %v, want %v", rows, order, got["by "+order], want[order])
				}
				for _, name := range []string{"y", "w", "f", "g", "id", "a"} {
					if !slices.Equal(got[name], want[name]) {
						t.Errorf("order %q, blocks of %d, %s: %v, want %v", order, rows, name, got[name], want[name])
					}
				}
			}
		}
		// The offset and what training alone needs may lack only where nobody asks for them.
		for _, few := range []string{"o,a\n3,a\n70,b\n", "{\"o\":3,\"a\":\"a\"}\n{\"o\":70}\n"} {
			less, err := Open(write(t, "t", few), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for o, want := range map[*BlockOptions]string{
				{NoTarget: true, NoOffset: true}: "",
				{NoTarget: true}:                 `lacks the column "f"; the offset is added`,
				{NoOffset: true}:                 `lacks the columns "w", "g", "y"`,
			} {
				for r, err := range e.Blocks(t.Context(), less, *o) {
					if want == "" && (err != nil || len(r.Y) != 2 || r.Offset != nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
						t.Errorf("%q, %+v: %v, want %q", few, *o, err, want)
					}
				}
			}
			less.Close()
		}
		s.Close()
	}
}

// TestRefusedRowsTeachNothing: what is learned of columns with many values, in one pass or more, is
// learned from the rows that are taken alone.
func TestRefusedRowsTeachNothing(t *testing.T) {
	learned := func(refused bool, bins, ngrams int) string {
		random := rand.New(rand.NewPCG(1, 2))
		text := strings.Builder{}
		text.WriteString("w,a,b,t,y\n")
		for i := range mostValues + 200 {
			if refused && i%500 == 7 {
				fmt.Fprintf(&text, "-1,%d,zz%d,odd%d word%d,1\n", 1_000_000+i, i, i, i)
			}
			fmt.Fprintf(&text, "1,%v,v%d,some%d text%d,%d\n", random.ExpFloat64(), random.IntN(12000), random.IntN(9000), random.IntN(9000), i%2)
		}
		s, err := Open(write(t, "t.csv", text.String()), Options{Workers: 2, BadRows: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r, err := Infer(t.Context(), s, Wanted{Target: "y", Weight: "w", Numbers: []string{"a"}, Categories: []string{"b"}, Texts: []string{"t"}})
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.Columns { // what the first pass did not count
			switch c := &r.Columns[k]; c.Name {
			case "a":
				c.Scale, c.Bins = ScaleLog1p, bins
			case "t":
				c.Words = &Words{NGrams: ngrams}
			}
		}
		e, err := Fit(t.Context(), s, r)
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(e.recipe.Columns)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, more := range [][2]int{{0, 1}, {8, 2}} {
		plain, left := learned(false, more[0], more[1]), learned(true, more[0], more[1])
		if plain == left {
			continue
		}
		k := 0
		for k < min(len(plain), len(left)) && plain[k] == left[k] {
			k++
		}
		t.Errorf("rows that are left out change what is learned: %.200s, not %.200s", left[k:], plain[k:])
	}
}
