package sparse

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// cacheText converts text to a cache and returns its path.
func cacheText(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "part.lanes")
	if _, err := ConvertCacheFile(context.Background(), path, strings.NewReader(text), "text", ReadOptions{}); err != nil {
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

// Rows of several caches equal the rows of one cache of all of them: in its layout, whatever the
// layouts of the several caches, and in all views.
func TestStreamOfSeveralFiles(t *testing.T) {
	repeat.Skip(t)
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
			one, err := OpenStream(context.Background(), cacheText(t, strings.Join(all, "")))
			if err != nil {
				t.Fatal(err)
			}
			several, err := OpenStream(context.Background(), parts[0], parts[1:]...)
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
				whole := wholeOf(t, s[0])
				var group StreamGroup
				for k := range s[1].Groups() {
					for range 2 { // checked in full, and then in part
						if err := s[1].Load(&group, k); err != nil {
							t.Fatalf("%s, %s: group %d: %v", what, view, k, err)
						}
					}
					requireRows(t, what+", "+view, s[1], &group, whole.X)
					if !slices.Equal(group.Y, whole.Y[group.First:][:len(group.Y)]) {
						t.Errorf("%s: labels of group %d", what, k)
					}
				}
			}
			if x, _, _ := one.CountClasses(context.Background(), 1, n-1, 9); !slices.Equal(x, first2(several.CountClasses(context.Background(), 1, n-1, 9))) {
				t.Errorf("%s: other classes", what)
			}
			one.Close()
			several.Close()
		}
	}
}

// wholeOf reads all rows of a view.
func wholeOf(t *testing.T, s *Stream) *Data {
	t.Helper()
	b, data := NewBuilder(BuilderOptions{Columns: s.Cols()}), new(Data)
	group, joined := new(StreamGroup), new(matrix.Joined)
	for k := range s.Groups() {
		if err := s.Load(group, k); err != nil {
			t.Fatal(err)
		}
		joined.Join(s.Bias(), []*matrix.Matrix{group.Rows()})
		for i := range group.Y {
			var columns []int
			var values []float64
			for j, v := range joined.Row(i) {
				columns, values = append(columns, j), append(values, v)
			}
			if err := b.AddRow(columns, values); err != nil {
				t.Fatal(err)
			}
		}
		data.Y = append(data.Y, group.Y...)
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
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
	s, err := OpenStream(context.Background(), good, damaged, good)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := damaged + ": the cache is damaged: the checksum of rows 0 to 1 does not fit"
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
		if _, err := OpenStream(context.Background(), list[0], list[1:]...); err == nil || !strings.Contains(err.Error(), list[1]) {
			t.Errorf("%v: error %v", list, err)
		}
	}
}
