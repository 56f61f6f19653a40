package table

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opened opens text as a file of Vowpal Wabbit.
func opened(t *testing.T, text string, o Options) *Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.vw")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	o.Format = FormatVW
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// fitted is the encoder of a file.
func fitted(t *testing.T, s *Source, w Wanted) *Encoder {
	t.Helper()
	recipe, err := Infer(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(t.Context(), s, recipe)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestVWFile reads files with empty lines, carriage returns and tags, whatever the size of parts
// and the number of workers.
func TestVWFile(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 3))
	var text strings.Builder
	var tags []string
	for k := range 500 {
		end := []string{"\n", "\r\n", "\n\n"}[random.IntN(3)]
		form := []string{"%d 1 '%s |s a:%d b%s", "%d %s|s a:%d b%s", "%d  %s| a:%d b%s"}[random.IntN(3)]
		tag := fmt.Sprint("t", random.IntN(1000))
		fmt.Fprintf(&text, form, k%2, tag, k, end)
		tags = append(tags, tag)
	}
	var first []byte
	for _, o := range []Options{{Workers: 1}, {Workers: 3, part: 100}, {Workers: 2, part: 7}} {
		s := opened(t, "\ufeff"+text.String(), o)
		e := fitted(t, s, Wanted{})
		if e.Recipe().Hash != 18 || e.Width() != 1<<18 {
			t.Fatalf("%d columns, %+v", e.Width(), e.Recipe())
		}
		for rows, err := range e.Blocks(t.Context(), s, BlockOptions{Keep: []string{vwTag, vwLine}}) {
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range rows.X.Rows() {
				got = append(got, rows.Kept(i)[0])
				if rows.Y[i] != float64(i%2) || strings.ContainsAny(rows.Kept(i)[1], "\r\n\ufeff") {
					t.Fatalf("row %d: label %v of %q", i, rows.Y[i], rows.Kept(i)[1])
				}
			}
			if !slices.Equal(got, tags) {
				t.Fatalf("tags %q, not %q", got, tags)
			}
			var columns []byte
			for i := range rows.X.Rows() {
				for j, v := range rows.X.Row(i) {
					columns = fmt.Append(columns, i, j, v, " ")
				}
			}
			if first == nil {
				first = columns
			}
			if !slices.Equal(first, columns) {
				t.Errorf("%+v gives other rows", o)
			}
		}
	}
	s := opened(t, "1 | a\n\n\r\n0 | b\n1 | c:\n", Options{})
	_, err := fitted(t, s, Wanted{}).Encode(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "rows.vw:5") || !strings.Contains(err.Error(), "byte 5") {
		t.Errorf("the error of line 5 is %v", err)
	}
}
