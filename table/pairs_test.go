package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPairsOfValues holds the columns of pairs against the cells of the rows: of categories, of missing,
// pooled and unseen values, of bins and of parts of times; also beside hashed values and from JSON.
func TestPairsOfValues(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 2))
	var cells [][]string
	text := "hour,day,size,at,y\n"
	for range 400 {
		row := []string{
			[]string{"6", "7", "8", "", "rare" + fmt.Sprint(r.IntN(200))}[r.IntN(5)], []string{"mo", "tu", "w=e"}[r.IntN(3)],
			fmt.Sprint(r.IntN(40)), fmt.Sprintf("2024-02-0%d 1%d:00", 1+r.IntN(9), r.IntN(4)), fmt.Sprint(r.IntN(2)),
		}
		cells = append(cells, row)
		text += strings.Join(row, ",") + "\n"
	}
	s, err := Open(write(t, "table.csv", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	pairs := [][2]string{{"hour=8", "day=mo"}, {"hour=", "day=w=e"}, {"hour=(rare)", "day=tu"}, {"at.hour=11", "hour=7"}, {"day=tu", "at.hour=12"}}
	want := func(k int, row []string) bool {
		switch k {
		case 0:
			return row[0] == "8" && row[1] == "mo"
		case 1:
			return row[0] == "" && row[1] == "w=e"
		case 2:
			return strings.HasPrefix(row[0], "rare") && row[1] == "tu"
		case 3:
			return row[0] == "7" && strings.Contains(row[3], " 11:")
		}
		return row[1] == "tu" && strings.Contains(row[3], " 12:")
	}
	for _, crosses := range [][][2]string{pairs, append(slices.Clone(pairs), [2]string{"hour", "day"})} {
		recipe, err := Infer(context.Background(), s, Wanted{Target: "y", Categories: []string{"hour", "day"}, Times: []string{"at"}, MinCount: 20, Bins: 4, Hash: 6, Crosses: crosses})
		if err != nil {
			t.Fatal(err)
		}
		if len(recipe.Pairs) != len(pairs) || len(recipe.Crosses) != len(crosses)-len(pairs) {
			t.Fatalf("pairs %v, crosses %v", recipe.Pairs, recipe.Crosses)
		}
		e, err := Fit(context.Background(), s, recipe)
		if err != nil {
			t.Fatal(err)
		}
		written, _ := json.Marshal(e)
		again, err := ReadEncoder(written)
		if err != nil {
			t.Fatal(err)
		}
		data, err := again.Encode(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		first := e.Places() - len(pairs)
		count := make([]int, len(pairs))
		for i, row := range cells {
			entries := map[int]float64{}
			for j, v := range data.X.Row(i) {
				entries[j] = v
			}
			for k := range pairs {
				if got := entries[first+k]; got != 0 != want(k, row) || got != 0 && got != 1 {
					t.Fatalf("row %q: %s is %v", row, e.Name(first+k), got)
				}
				count[k] += int(entries[first+k])
			}
		}
		for k, names := range pairs {
			if count[k] == 0 || e.Name(first+k) != names[0]+"*"+names[1] || e.Column(first+k) != "" {
				t.Errorf("%v: %d rows, the name %q", names, count[k], e.Name(first+k))
			}
		}
		if hashed := e.Width() > e.Places(); hashed != (len(crosses) > len(pairs)) || hashed && !strings.Contains(e.Name(e.Places()), "#") {
			t.Errorf("%d columns, %d before the hash", e.Width(), e.Places())
		}
		// An unseen value is in no pair.
		other, err := Open(write(t, "other.csv", "hour,day,size,at,y\nnew,mo,1,2024-02-01 11:00,1\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if data, err = e.Encode(context.Background(), other); err != nil {
			t.Fatal(err)
		}
		for j := range data.X.Row(0) {
			if j >= first && j < e.Places() && e.Name(j) != pairName(pairs[2]) {
				t.Errorf("an unseen value is in %s", e.Name(j))
			}
		}
	}
}

// TestPairOfMissingNumber: a number without bins has one value of its own, the missing one.
func TestPairOfMissingNumber(t *testing.T) {
	t.Parallel()
	s, err := Open(write(t, "table.csv", "day,size,y\nmo,1,0\ntu,,1\nmo,,1\ntu,4,0\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Infer(context.Background(), s, Wanted{Target: "y", Categories: []string{"day"}, Numbers: []string{"size"}, Crosses: [][2]string{{"size=", "day=mo"}}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		found := 0.0
		for j, v := range data.X.Row(i) {
			if j == e.Width()-1 {
				found = v
			}
		}
		if found != map[bool]float64{true: 1}[i == 2] {
			t.Errorf("row %d: %v", i, found)
		}
	}
}

// TestPairsRefused: values without a column of their own are refused, with what there is.
func TestPairsRefused(t *testing.T) {
	t.Parallel()
	const text = "hour,day,size,y\n6,mo,1,0\n7,tu,2,1\n8,tu,3,1\n8,mo,4,0\n"
	for want, w := range map[string]Wanted{
		"did you mean hour=8":     {Crosses: [][2]string{{"hour=88", "day=mo"}}},
		"is a number":             {Crosses: [][2]string{{"size=3", "day=mo"}}},
		"are the same":            {Crosses: [][2]string{{"hour=8", "day=mo"}, {"day=mo", "hour=8"}}},
		"one value twice":         {Crosses: [][2]string{{"hour=8", "hour=8"}}},
		"there is no value week":  {Crosses: [][2]string{{"hour=8", "week=1"}}},
		`no column "hour=8"`:      {Crosses: [][2]string{{"hour=8", "day"}}},
		"no row of the training ": {Crosses: [][2]string{{"hour=", "day=mo"}}},
	} {
		s, err := Open(write(t, "table.csv", text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Target, w.Categories, w.Numbers = "y", []string{"hour", "day"}, []string{"size"}
		r, err := Infer(context.Background(), s, w)
		if err == nil {
			_, err = Fit(context.Background(), s, r)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
