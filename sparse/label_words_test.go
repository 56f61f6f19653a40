package sparse

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestZeroBased: a text whose indices start at 0 is the one whose indices start at 1.
func TestZeroBased(t *testing.T) {
	const zero, one = "1 0:1 3:2.5 12345678:1\n-1 1:-1\n2\n0 7:1 9:2\n", "1 1:1 4:2.5 12345679:1\n-1 2:-1\n2\n0 8:1 10:2\n"
	a, err := Read(context.Background(), strings.NewReader(zero), "zero", ReadOptions{ZeroBased: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read(context.Background(), strings.NewReader(one), "one", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var texts [2]bytes.Buffer
	for k, data := range []*Data{a, b} {
		if err := WriteLIBSVM(&texts[k], data); err != nil {
			t.Fatal(err)
		}
	}
	if a.X.Cols() != 12345679 || texts[0].String() != one || texts[1].String() != one {
		t.Errorf("%d columns: %q and %q", a.X.Cols(), &texts[0], &texts[1])
	}
	merged, err := Read(context.Background(), strings.NewReader("1 5:1 0:2 5:3\n"), "x", ReadOptions{ZeroBased: true, Merge: true})
	if err != nil || merged.X.Cols() != 6 || merged.X.NNZ() != 2 {
		t.Errorf("merged: %+v, %v", merged, err)
	}
	for text, says := range map[string]string{
		"1 0:1\n":                        "x:1:3: index 0: indices start at 1; for a text",
		"1 3:1 0:2\n":                    "",
		"1 -1:1\n":                       "index \"-1\"",
		fmt.Sprintf("1 %d:1\n", 1<<31-2): "too large",
	} {
		if _, err := Read(context.Background(), strings.NewReader(text), "x", ReadOptions{ZeroBased: says != "x:1:3: index 0: indices start at 1; for a text"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Read(context.Background(), strings.NewReader("1 4:1 2:1\n"), "x", ReadOptions{ZeroBased: true}); err == nil || !strings.Contains(err.Error(), "column 2 after column 4") {
		t.Errorf("descending: %v", err)
	}
	var cache bytes.Buffer
	if err := WriteCache(&cache, b); err != nil {
		t.Fatal(err)
	}
	if c, err := Read(context.Background(), &cache, "cache", ReadOptions{ZeroBased: true}); err != nil || !c.Cached || c.X.Cols() != b.X.Cols() {
		t.Errorf("a cache: %+v, %v", c, err)
	}
}

// TestComparedLabels: words that begin with a comparison, such as ranges of incomes, are labels
// when reading and when writing.
func TestComparedLabels(t *testing.T) {
	const text = ">50K 1:1\n<=50K 2:1\n=50K\n>50K 1:2\n"
	data, err := Read(context.Background(), strings.NewReader(text), "x", ReadOptions{WordLabels: true})
	if err != nil || !slices.Equal(data.LabelNames, []string{"<=50K", "=50K", ">50K"}) || !slices.Equal(data.Y, []float64{2, 0, 1, 2}) {
		t.Fatal(data, err)
	}
	var out bytes.Buffer
	if err := WriteLIBSVM(&out, data); err != nil || out.String() != text {
		t.Errorf("written as %q, %v", &out, err)
	}
	for _, label := range []string{"+-50K", "50K", ";a", "?", "@a", "_a", "<a:b", "<a,b", `<"a`} {
		if _, err := Read(context.Background(), strings.NewReader(label+" 1:1\n"), "x", ReadOptions{WordLabels: true}); err == nil || !strings.Contains(err.Error(), "is not a number") {
			t.Errorf("the label %q: %v", label, err)
		}
	}
	data.LabelNames = []string{"50K", "<=50K", ">50K"}
	if err := WriteLIBSVM(&out, data); err == nil || !strings.Contains(err.Error(), `the label "50K", which begins with neither a letter nor < > =`) {
		t.Errorf("written: %v", err)
	}
}

// TestWordLabels reads labels that are words, cut into chunks of every length.
func TestWordLabels(t *testing.T) {
	const text = "spam 1:0.5\nham 2:1 # x\nÄrger 1:1\nham 1:1\r\nspam\n"
	for chunk := 1; chunk < len(text)+2; chunk++ {
		for workers := range 3 {
			data, err := Read(context.Background(), strings.NewReader(text), "x", ReadOptions{WordLabels: true, Workers: workers + 1, chunk: chunk})
			if err != nil {
				t.Fatalf("chunk %d: %v", chunk, err)
			}
			if !slices.Equal(data.LabelNames, []string{"ham", "spam", "Ärger"}) || !slices.Equal(data.Y, []float64{1, 0, 2, 0, 1}) {
				t.Fatalf("chunk %d: %v of %v", chunk, data.Y, data.LabelNames)
			}
			var out bytes.Buffer
			if err := WriteLIBSVM(&out, data); err != nil || out.String() != "spam 1:0.5\nham 2:1\nÄrger 1:1\nham 1:1\nspam\n" {
				t.Fatalf("written as %q, %v", &out, err)
			}
		}
		for text, says := range map[string]string{
			"spam 1:1\nham 1:1\n1 1:1\n": `x:3:1: label "1" is a number, and those of the rows above are words`,
			"1 1:1\n2 1:1\nham 1:1\n":    `x:3:1: label "ham" is not a number, as the labels of the rows above are`,
			"1 1:1\nspam,ham 1:1\n":      `x:2:1: label "spam,ham" is not a number; a row has one label`,
			"spam 1:1\nnan 1:1\n":        `x:2:1: label "nan"`, "spam 1:1\n3x 1:1\n": `x:2:1: label "3x"`, "spam 1:1\na:1 1:1\n": `x:2:1: label "a:1"`,
			"spam 1:1\na\xff 1:1\n": `x:2:1: label`, "spam 1:1\n" + strings.Repeat("a", 300) + " 1:1\n": `x:2:1: label "aaa`, "spam spam\n": `x:1:6: "spam" is not`,
		} {
			if _, err := Read(context.Background(), strings.NewReader(text), "x", ReadOptions{WordLabels: true, chunk: chunk}); err == nil || !strings.HasPrefix(err.Error(), says) {
				t.Fatalf("chunk %d, %q: %v, not %s", chunk, text, err, says)
			}
		}
	}
	if _, err := Read(context.Background(), strings.NewReader("spam 1:1\n"), "x", ReadOptions{}); err == nil {
		t.Error("words were taken unasked")
	}
}
