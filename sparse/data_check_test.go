package sparse

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// weighted are three rows with all that tables give to rows.
func weighted(t *testing.T) *Data {
	t.Helper()
	data := readText(t, "0 1:1 2:0.5\n1 2:3\n1 1:4\n", ReadOptions{})
	data.Weight, data.Offset, data.Query = []float64{1, 2.5, 0}, []float64{-1, 0, 1e300}, []int64{7, 7, 8}
	data.LabelNames, data.Encoding = []string{">50K", "very good: Ä,\""}, []byte(`{"version":1}`)
	return data
}

// TestWithColumnsKeeps: data of other columns keep what else is known of the rows.
func TestWithColumnsKeeps(t *testing.T) {
	t.Parallel()
	data := weighted(t)
	for _, d := range []int{1, 2, 9} {
		got, err := data.WithColumns(d)
		if err != nil {
			t.Fatal(err)
		}
		want := *data
		want.X, want.Dropped = got.X, got.Dropped
		if !same(got, &want) {
			t.Errorf("%d columns: %+v", d, got)
		}
	}
}

// same tells whether all but the matrices are the same.
func same(a, b *Data) bool {
	bits := func(v []float64) (list []uint64) {
		for _, x := range v {
			list = append(list, math.Float64bits(x))
		}
		return list
	}
	equal := func(a, b []float64) bool {
		return (a == nil) == (b == nil) && len(a) == len(b) && textOf(bits(a)) == textOf(bits(b))
	}
	return equal(a.Y, b.Y) && equal(a.Weight, b.Weight) && equal(a.Offset, b.Offset) && textOf(a.Query) == textOf(b.Query) &&
		textOf(a.LabelNames) == textOf(b.LabelNames) && bytes.Equal(a.Encoding, b.Encoding) && (a.Encoding == nil) == (b.Encoding == nil)
}

// TestDataCheck refuses what no rows can have.
func TestDataCheck(t *testing.T) {
	t.Parallel()
	if err := weighted(t).check(0); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Data){
		"1 weights":          func(d *Data) { d.Weight = d.Weight[:1] },
		"2 offsets":          func(d *Data) { d.Offset = d.Offset[:2] },
		"weight of row 5":    func(d *Data) { d.Weight[1] = -1 },
		"weight of row 6":    func(d *Data) { d.Weight[2] = math.NaN() },
		"weight of row 4":    func(d *Data) { d.Weight[0] = math.Inf(1) },
		"offset of row 5":    func(d *Data) { d.Offset[1] = math.Inf(-1) },
		"do not ascend":      func(d *Data) { d.LabelNames[0] = "z" },
		"control characters": func(d *Data) { d.LabelNames[0] = "a\nb" },
		`""`:                 func(d *Data) { d.LabelNames[0] = "" },
		`"\xff"`:             func(d *Data) { d.LabelNames[0] = "\xff" },
		"no JSON object":     func(d *Data) { d.Encoding = []byte("[]") },
		"is no JSON object":  func(d *Data) { d.Encoding = []byte("{") },
	} {
		data := weighted(t)
		if spoil(data); data.check(4) == nil || !strings.Contains(data.check(4).Error(), want) {
			t.Errorf("want %s: %v", want, data.check(4))
		}
	}
}

// TestLIBSVMRefusesTables: what the text has no place for is not lost without a word.
func TestLIBSVMRefusesTables(t *testing.T) {
	t.Parallel()
	for want, keep := range map[string]func(to, from *Data){
		"weights":    func(to, from *Data) { to.Weight = from.Weight },
		"offsets":    func(to, from *Data) { to.Offset = from.Offset },
		`"very good`: func(to, from *Data) { to.LabelNames = from.LabelNames },
	} {
		from := weighted(t)
		to := &Data{X: from.X, Y: from.Y}
		keep(to, from)
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, to); err == nil || !strings.Contains(err.Error(), want) || text.Len() > 0 {
			t.Errorf("want %s: %v, %q", want, err, text.String())
		}
	}
}

func textOf(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) }
