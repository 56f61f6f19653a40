package sparse

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cacheText converts text to a cache and returns its path.
func cacheText(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "part.lanes")
	if _, err := ConvertCacheFile(path, strings.NewReader(text), "text", ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// kinds of lines that need different layouts.
var kinds = map[string]func(random *rand.Rand) string{
	"ones":    func(random *rand.Rand) string { return fmt.Sprintf("1 %d:1 90:1", 1+random.IntN(80)) },
	"equal":   func(random *rand.Rand) string { return fmt.Sprintf("-1 %d:0.1 90:0.1", 1+random.IntN(80)) },
	"single":  func(random *rand.Rand) string { return fmt.Sprintf("1 %d:0.5 90:2", 1+random.IntN(80)) },
	"double":  func(random *rand.Rand) string { return fmt.Sprintf("-1 %d:0.1 90:0.7", 1+random.IntN(80)) },
	"far":     func(random *rand.Rand) string { return fmt.Sprintf("1 %d:1 90000:1", 1+random.IntN(80)) },
	"equal64": func(random *rand.Rand) string { return fmt.Sprintf("1 %d:0.3 70000:0.3", 1+random.IntN(80)) },
}

// Rows of several caches are those of one cache of all: in its layout, whatever those of
// the parts are, read by runs or by groups, and in all views.
func TestStreamOfSeveralFiles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	for a, first := range kinds {
		for b, second := range kinds {
			var parts, all []string
			middle := 40
			if a == "ones" {
				middle = 20000 // some groups
			}
			for k, line := range []func(*rand.Rand) string{first, second, kinds["ones"]} {
				var text strings.Builder
				for range 3 + middle*(k%2) {
					text.WriteString(line(random) + "\n")
				}
				parts, all = append(parts, cacheText(t, text.String())), append(all, text.String())
			}
			what := a + ", " + b
			one, err := OpenStream(cacheText(t, strings.Join(all, "")))
			if err != nil {
				t.Fatal(err)
			}
			several, err := OpenStream(parts[0], parts[1:]...)
			if err != nil {
				t.Fatal(err)
			}
			n := one.Rows()
			if several.Rows() != n || several.Cols() != one.Cols() || several.NNZ() != one.NNZ() ||
				several.shape.flags != one.shape.flags || several.Name() != parts[0]+" and 2 more" {
				t.Errorf("%s: %d rows, %d columns, %d entries, flags %d, not %d of %s", what, several.Rows(), several.Cols(), several.NNZ(), several.shape.flags, one.shape.flags, several.Name())
			}
			wide := one.shape.layout%3 == 1 && several.shape.layout == one.shape.layout-1 // float64 for float32, which is the same values
			if several.shape.layout != one.shape.layout && !wide {
				t.Errorf("%s: layout %v, not %v", what, several.shape.layout, one.shape.layout)
			}
			views := map[string][2]*Stream{"plain": {one, several}, "bias": {one.WithBias(2), several.WithBias(2)}, "unit": {one.NormalizeUnit(), several.NormalizeUnit()}}
			for view, s := range views {
				var got, want StreamPart
				for _, cut := range [][2]int{{0, n}, {0, 2}, {2, 4}, {1, 5}, {n - 5, n}, {n - 2, n}, {n / 2, n/2 + 1}} {
					if err := s[0].Read(&want, cut[0], cut[1]); err != nil {
						t.Fatal(err)
					}
					if err := s[1].Read(&got, cut[0], cut[1]); err != nil {
						t.Fatalf("%s, %s: %v", what, view, err)
					}
					whole := want.X
					if wide && view != "unit" {
						whole = whole.Keep(ValuesFloat64)
					}
					whole = &Matrix{n: whole.n, d: whole.d, bias: whole.bias, cuts: new(cutCache), rows: whole.rows}
					got.First -= want.First // count both from the same row
					requireRows(t, what+", "+view, &got, cut[0]-want.First, cut[1]-want.First, whole)
					got.First += want.First
					if !slices.Equal(got.Y[cut[0]-got.First:cut[1]-got.First], want.Y[cut[0]-want.First:cut[1]-want.First]) {
						t.Errorf("%s: labels of rows %v", what, cut)
					}
				}
			}
			if x, _, _ := one.CountClasses(1, n-1, 9); !slices.Equal(x, first2(several.CountClasses(1, n-1, 9))) {
				t.Errorf("%s: other classes", what)
			}
			var group StreamGroup
			rows := 0
			for k := range several.Groups() {
				for range 2 { // checked in full, and then in part
					if err := several.Load(&group, k); err != nil {
						t.Fatalf("%s: group %d: %v", what, k, err)
					}
				}
				rows += len(group.Y)
			}
			if rows != n {
				t.Errorf("%s: %d rows in groups", what, rows)
			}
			one.Close()
			several.Close()
		}
	}
}

func first2[A, B, C any](a A, _ B, _ C) A { return a }

// Troubles name the file, and what does not make one data set is refused.
func TestStreamOfBadFiles(t *testing.T) {
	good, other := cacheText(t, "1 1:1\n-1 2:1\n1 3:1\n"), cacheText(t, "1 1:2 2:3\n-1 2:1\n")
	content, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	content[cacheHeader+groupHeader+12] ^= 1 // of a label
	damaged := filepath.Join(t.TempDir(), "damaged.lanes")
	if err := os.WriteFile(damaged, content, 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(good, damaged, good)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := damaged + ": the cache is damaged: the checksum of rows 0 to 1 does not fit"
	if err := s.Read(new(StreamPart), 2, 4); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	if err := s.Load(new(StreamGroup), 1); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	for _, k := range []int{0, 2} {
		if err := s.Load(new(StreamGroup), k); err != nil {
			t.Errorf("group %d: %v", k, err)
		}
	}
	grouped := cacheText(t, "1 qid:1 1:1\n2 qid:1 2:1\n")
	for _, list := range [][]string{{good, grouped}, {grouped, good}, {good, good + "x"}, {good, filepath.Dir(good)}} {
		if _, err := OpenStream(list[0], list[1:]...); err == nil || !strings.Contains(err.Error(), list[1]) {
			t.Errorf("%v: error %v", list, err)
		}
	}
}
