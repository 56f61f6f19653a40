package table

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
)

// counted counts the passes over a source.
func counted(s *Source) *atomic.Int64 {
	var passes atomic.Int64
	begin := s.begin
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		passes.Add(1)
		return begin(ctx, file, columns)
	}
	return &passes
}

const wideNames = "number,odd,few,hashed,named,text,late,time,id,nearid,weight,y"

// wideRows returns rows whose columns have more than 10,000 values, but few.
func wideRows(n int) [][]string {
	random := rand.New(rand.NewPCG(11, 12))
	rows := make([][]string, n)
	word := func() string { return fmt.Sprintf("w%d", int(random.ExpFloat64()*300)) }
	for i := range rows {
		odd := fmt.Sprint(random.Float32())
		if i%9001 == 4000 {
			odd = fmt.Sprint("odd", i)
		}
		number := strconv.FormatFloat(math.Exp(3*random.NormFloat64())-5, 'g', -1, 64)
		if random.IntN(20) == 0 {
			number = []string{"", "NA", "?"}[random.IntN(3)]
		}
		words := []string{"Every", "row has a", "long text"}
		for range 3 + random.IntN(9) {
			words = append(words, word())
		}
		late := "short"
		if i > n/3 {
			late = strings.Join(words, " ") + fmt.Sprint(" ", i, i, i, i, i)
		} else {
			late = fmt.Sprint(late, random.IntN(30_000))
		}
		few := []string{"red", "blue", "green\u00ff", "green\ufffd", "", "-"}[random.IntN(6)]
		nearid := i
		if i == n-1 {
			nearid = 77
		}
		rows[i] = []string{
			number, odd, few, fmt.Sprintf("h%x", random.IntN(60_000)), fmt.Sprintf("n%d", int(random.ExpFloat64()*4000)),
			strings.Join(words, " "), late,
			fmt.Sprintf("20%02d-%02d-%02d %02d:%02d:00", 10+random.IntN(5), 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60)),
			fmt.Sprintf("id-%d", i*7919), fmt.Sprintf("u%d", nearid), fmt.Sprint(random.IntN(5)), []string{"yes", "no"}[random.IntN(2)],
		}
	}
	return rows
}

func textOf(names string, rows [][]string) *Source { return partsOf(names, rows, 1, 1<<20) }

// partsOf returns a source of rows in parts of n rows.
func partsOf(names string, rows [][]string, workers, n int) *Source {
	s := sourceOf(names+"\n", workers, n)
	s.begin = func(_ context.Context, _ int, columns []int) (format, error) {
		return &textSource{rows: rows, columns: slices.Clone(columns), n: n}, nil
	}
	return s
}

var wideWanted = Wanted{Target: "y", Weight: "weight", Categories: []string{"named"}, Scale: ScaleLog1p, MinCount: 3, Words: Words{NGrams: 2, MinDF: 2}}

func TestFitDoesNotDependOnOrder(t *testing.T) {
	ctx := context.Background()
	n := repeat.Size(30_000, 14_000)
	rows := wideRows(n)
	random := rand.New(rand.NewPCG(1, 2))
	for _, w := range repeat.Size([]Wanted{wideWanted, {Target: "y", Bins: 16, Hash: 10}}, []Wanted{wideWanted}) {
		var recipe, encoder string
		shapes := [][2]int{{1, n}, {5, 333}, {2, 1000}, {3, n/3 + 1}, {4, 977}}
		for trial, shape := range repeat.Size(shapes, shapes[:2]) {
			if trial == 4 {
				// The order of the rows matters to examples in Why alone.
				random.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			}
			s := partsOf(wideNames, rows, shape[0], shape[1])
			r, err := Infer(ctx, s, w)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(r)
			if recipe == "" {
				recipe = string(text)
			} else if recipe != string(text) && trial < 4 {
				t.Fatalf("%d workers, parts of %d rows: recipe\n%s\nwant\n%s", shape[0], shape[1], text, recipe)
			}
			e, err := Fit(ctx, s, r)
			if err != nil {
				t.Fatal(err)
			}
			for k := range e.recipe.Columns {
				e.recipe.Columns[k].Why = ""
			}
			text, _ = e.MarshalJSON()
			if encoder == "" {
				encoder = string(text)
			} else if encoder != string(text) {
				t.Fatalf("%d workers, parts of %d rows: encoders differ", shape[0], shape[1])
			}
		}
	}
}

func TestFitAgainstDefinitions(t *testing.T) {
	repeat.Skip(t)
	ctx := context.Background()
	rows := wideRows(30_000)
	s := textOf(wideNames, rows)
	s.options.Workers = 3
	passes := counted(s)
	r, err := Infer(ctx, s, wideWanted)
	if err != nil {
		t.Fatal(err)
	}
	whys := map[string]string{
		"number": "number: every value is a number", "odd": `number: nearly every value is a number: 3 of 30,000 values are no numbers, as "odd4000" in line 4,001`,
		"few": "category: no value is a number", "hashed": "category: more than 10,000 values", "named": "category: named",
		"time": "time: every value is a date or time",
		"id":   "ignore: every row has a value of its own", "nearid": "ignore: every row has a value of its own", "weight": "weight: named", "y": "target: named",
	}
	for _, c := range r.Columns {
		if want := whys[c.Name]; want != "" && want != fmt.Sprintf("%s: %s", c.Kind, c.Why) {
			t.Errorf("%s is %s: %s; want %s", c.Name, c.Kind, c.Why, want)
		}
	}
	if passes.Load() != 1 {
		t.Errorf("Infer takes %d passes", passes.Load())
	}
	e, err := Fit(ctx, s, r)
	if err != nil {
		t.Fatal(err)
	}
	if passes.Load() != 2 { // words of late
		t.Errorf("Infer and Fit take %d passes", passes.Load())
	}
	column := func(name string) []string {
		k := slices.Index(s.names, name)
		var cells []string
		for _, row := range rows {
			cells = append(cells, row[k])
		}
		return cells
	}
	for _, c := range e.recipe.Columns {
		l := c.Learned
		switch c.Name {
		case "number":
			var logs []float64
			missing := int64(0)
			for _, cell := range column(c.Name) {
				x, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					missing++
					continue
				}
				logs = append(logs, math.Copysign(kernels.Log1pOf(math.Abs(x)), x))
			}
			mean, deviation := exactMoments(logs)
			if l.Missing != missing || l.Mean != mean || l.Shift != mean || !(math.Abs(l.Width/deviation-1) <= 1e-15) {
				t.Errorf("number: %+v; want mean %v, deviation %v, %d missing", l, mean, deviation, missing)
			}
		case "few", "named":
			counts := map[string]int64{}
			missing, rare := int64(0), int64(0)
			for _, cell := range column(c.Name) {
				if cell == "" {
					missing++
				} else {
					counts[cell]++
				}
			}
			maps.DeleteFunc(counts, func(_ string, n int64) bool {
				if n < 3 {
					rare += n
				}
				return n < 3
			})
			checkVocabulary(t, c.Name, l, counts)
			if l.Missing != missing || l.Rare != rare {
				t.Errorf("%s: %d missing, %d rare; want %d, %d", c.Name, l.Missing, l.Rare, missing, rare)
			}
		case "text", "late":
			if c.Kind != Text {
				t.Errorf("%s is %s", c.Name, c.Kind)
				continue
			}
			words := regexp.MustCompile(`[\pL\pN_]{2,}`)
			counts := map[string]int64{}
			for _, cell := range column(c.Name) {
				found := words.FindAllString(strings.ToLower(cell), -1)
				terms := map[string]bool{}
				for i, word := range found {
					terms[word] = true
					if i > 0 {
						terms[found[i-1]+" "+word] = true
					}
				}
				for term := range terms {
					counts[term]++
				}
			}
			maps.DeleteFunc(counts, func(_ string, n int64) bool { return n < 2 })
			checkVocabulary(t, c.Name, l, counts)
		case "time":
			counts := map[string]int64{}
			for _, cell := range column(c.Name) {
				counts["hour="+cell[11:13]]++
				counts["month="+cell[5:7]]++
			}
			for part, n := range counts {
				if k := slices.Index(l.Values, part); k < 0 || l.Counts[k] != n {
					t.Errorf("time: %s is not counted %d times", part, n)
				}
			}
		}
	}
}

func checkVocabulary(t *testing.T, name string, l *Learned, counts map[string]int64) {
	t.Helper()
	keys := slices.Sorted(maps.Keys(counts))
	if !slices.Equal(l.Values, keys) {
		t.Errorf("%s: %d values, want %d", name, len(l.Values), len(keys))
		return
	}
	for k, key := range keys {
		if l.Counts[k] != counts[key] {
			t.Errorf("%s: %q occurs %d times, want %d", name, key, l.Counts[k], counts[key])
		}
	}
}
