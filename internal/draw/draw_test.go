package draw

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func generate(t testing.TB, spec string) *Generated {
	t.Helper()
	s, err := ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGenerateShapes(t *testing.T) {
	repeat.Skip(t)
	for _, c := range []struct {
		spec               string
		layout             rows.Layout
		entries            [2]float64
		positive, low, top float64
	}{
		{"onehot:n=8000", rows.I16Ones, [2]float64{14, 14}, 0.24, 0.2, 0.5},
		{"text:n=4000", rows.I16F64, [2]float64{70, 82}, 0.5, 0.2, 0.5},
		{"wide:n=1000,d=200000", rows.I32Ones, [2]float64{420, 490}, 0.5, 0.2, 0.5},
		{"dense:n=500,d=50", rows.I16F64, [2]float64{50, 50}, 0.5, 0.2, 0.5},
		{"imbalanced:n=20000", rows.I16Ones, [2]float64{11, 13}, 0.03, 0.02, 0.13},
	} {
		g := generate(t, c.spec)
		if matrix.Stored(g.X).Layout != c.layout {
			t.Errorf("%s: layout %d, want %d", c.spec, matrix.Stored(g.X).Layout, c.layout)
		}
		if mean := float64(g.X.NNZ()) / float64(g.X.Rows()); mean < c.entries[0] || mean > c.entries[1] {
			t.Errorf("%s: %.2f entries a row", c.spec, mean)
		}
		positives := 0.0
		for _, y := range g.Y {
			if y == 1 {
				positives++
			}
		}
		if share := positives / float64(len(g.Y)); math.Abs(share-c.positive) > 0.1*math.Sqrt(c.positive) {
			t.Errorf("%s: share of positives %.4f", c.spec, share)
		}
		if !(g.Loss > c.low && g.Loss < c.top) {
			t.Errorf("%s: loss of the planted model %v", c.spec, g.Loss)
		}
		margins := make([]float64, g.X.Rows())
		if err := g.X.MulVec(nil, margins, g.Weights); err != nil {
			t.Fatal(err)
		}
		loss := 0.0
		for i, z := range margins {
			loss += math.Log1p(math.Exp(-g.Y[i] * (z + g.Intercept)))
		}
		if loss /= float64(len(margins)); math.Abs(loss-g.Loss) > 1e-12 {
			t.Errorf("%s: planted loss %v, recomputed %v", c.spec, g.Loss, loss)
		}
	}
}

func TestGenerateUnitRows(t *testing.T) {
	for _, spec := range []string{"text:n=300", "wide:n=100,d=100000"} {
		for i, norm := range matrix.Norms(generate(t, spec).X) {
			if math.Abs(norm-1) > 1e-14 {
				t.Fatalf("%s: row %d has length %v", spec, i, norm)
			}
		}
	}
}

func TestGenerateSameBits(t *testing.T) {
	for _, spec := range []string{"onehot:n=3000", "text:n=2500,d=5000", "wide:n=1100,d=9000", "dense:n=1500,d=20", "imbalanced:n=2500"} {
		if testing.Short() {
			spec = strings.Replace(spec, "d=9000", "d=1500", 1)
		}
		s, err := ParseShape(spec, 7)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Generate(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range dispatch.Paths() {
			if !path.Available {
				continue
			}
			restore, err := dispatch.Force(path.Name)
			if err != nil {
				t.Fatal(err)
			}
			p := matrix.NewPool(3) // want is made by one worker
			got, err := s.Generate(p)
			p.Close()
			if err != nil {
				t.Fatal(err)
			}
			requireRows(t, got.X, want.X)
			if !slices.Equal(got.Y, want.Y) || !slices.Equal(got.Weights, want.Weights) || got.Loss != want.Loss || got.Intercept != want.Intercept {
				t.Errorf("%s: another model or other labels", spec)
			}
			restore()
		}
		s.Seed++
		other, err := s.Generate(nil)
		if err != nil {
			t.Fatal(err)
		}
		if other.Loss == want.Loss {
			t.Errorf("%s: another seed gave the same data", spec)
		}
	}
}

// The data sets are part of what users compare across machines, so they are
// pinned: a change of these numbers is a change of every generated data set.
func TestGeneratePinned(t *testing.T) {
	for spec, want := range pinned {
		g := generate(t, spec)
		hash := uint64(14695981039346656037)
		mix := func(v uint64) { hash = (hash ^ v) * 1099511628211 }
		for i := range g.X.Rows() {
			for j, x := range g.X.Row(i) {
				mix(uint64(j))
				mix(math.Float64bits(x))
			}
			mix(math.Float64bits(g.Y[i]))
		}
		if hash != want {
			t.Errorf("%s: fingerprint %#x, want %#x", spec, hash, want)
		}
	}
}

var pinned = map[string]uint64{
	"onehot:n=1500":      0x265e447dd39a8cb3,
	"text:n=1500,d=3000": 0x40a1ca3c17a3cbb2,
	"wide:n=50,d=100000": 0x992e5beaf28b6c7b,
	"dense:n=100,d=9":    0x40b2b00fe55327a5,
	"imbalanced:n=1500":  0xe8dae31ddb861d86,
}

func TestGenerateSmall(t *testing.T) {
	for _, kind := range shapeKinds {
		for d := kind.minD; d < kind.minD+40; d += 3 {
			s := Shape{Name: kind.name, N: 3, D: d, Seed: 3}
			if g, err := s.Generate(nil); err != nil || g.X.Rows() != 3 || g.X.Cols() != d {
				t.Fatalf("%+v: %v", s, err)
			}
		}
	}
}

func TestParseShape(t *testing.T) {
	s, err := ParseShape("text:n=1e3,d=500,seed=18446744073709551615", 1)
	if want := (Shape{"text", 1000, 500, math.MaxUint64}); err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	s, err = ParseShape("onehot", 5)
	if want := (Shape{"onehot", 32561, 123, 5}); err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	for spec, part := range map[string]string{
		"":                 "onehot, text, wide, dense, imbalanced",
		"texts":            `unknown generated shape "texts"`,
		"text:":            "is none of n=ROWS",
		"text:n":           "is none of n=ROWS",
		"text:n=0":         "whole number between 1",
		"text:n=1.5":       "whole number",
		"text:n=1e10":      "whole number",
		"text:n=NaN":       "whole number",
		"text:n=":          "whole number",
		"text:m=3":         "no such setting",
		"text:seed=-1":     "seed",
		"text:d=3":         "d between 4",
		"dense:n=1e9,d=99": "more than can be held",
	} {
		if _, err := ParseShape(spec, 1); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("ParseShape(%q): %v, want an error that says %q", spec, err, part)
		}
	}
	if _, err := (Shape{Name: "text", N: -1, D: 10}).Generate(nil); err == nil {
		t.Error("negative n was accepted")
	}
}

func TestRowDistribution(t *testing.T) {
	weights := []uint64{1, 2, 3, 10, 0, 84}
	a := newAlias(weights)
	rng := stream(1, streamColumns, 0)
	const draws = 200000
	counts := make([]float64, len(weights))
	for range draws {
		counts[a.draw(rng)]++
	}
	for j, w := range weights {
		want := float64(w) / 100 * draws
		if math.Abs(counts[j]-want) > 5*math.Sqrt(want)+1 {
			t.Errorf("column %d drawn %v times, want about %v", j, counts[j], want)
		}
	}
}

func BenchmarkGenerateText(b *testing.B) {
	p := matrix.NewPool(0)
	defer p.Close()
	s := Shape{Name: "text", N: 20000, D: 47236, Seed: 1}
	for b.Loop() {
		if _, err := s.Generate(p); err != nil {
			b.Fatal(err)
		}
	}
}

func requireRows(t *testing.T, a, b *matrix.Matrix) {
	t.Helper()
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() || a.NNZ() != b.NNZ() || a.Layout() != b.Layout() {
		t.Fatalf("%d x %d, %d entries in %s, not %d x %d, %d in %s", a.Rows(), a.Cols(), a.NNZ(), a.Layout(), b.Rows(), b.Cols(), b.NNZ(), b.Layout())
	}
	for i := range a.Rows() {
		if !slices.Equal(matrix.AppendColumns(a, nil, i), matrix.AppendColumns(b, nil, i)) {
			t.Fatalf("row %d has other columns", i)
		}
	}
	for i := range a.Rows() {
		for e := matrix.Stored(a).Begin[i]; e < matrix.Stored(a).End[i]; e++ {
			if math.Float64bits(matrix.Stored(a).Value(i, e)) != math.Float64bits(matrix.Stored(b).Value(i, e)) {
				t.Fatalf("row %d has other values", i)
			}
		}
	}
}
