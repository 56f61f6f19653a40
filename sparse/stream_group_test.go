package sparse

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// mixedData are rows whose groups need other layouts than the whole: ones, one value a row,
// float32 and, with whole as float64, that; few and many columns.
func mixedData(t testing.TB, whole rows.Layout) *Data {
	random := rand.New(rand.NewPCG(11, 12))
	b := NewBuilder(BuilderOptions{Columns: 90000})
	data := &Data{}
	for part := range 5 {
		for range 3000 {
			columns, values := make([]int, 12), make([]float64, 12)
			step := 5
			if part%2 == 1 {
				step = 7000
			}
			row := float64(random.IntN(9)+1) / 4
			for e := range columns {
				columns[e] = e*step + random.IntN(step)
				switch part {
				case 0:
					values[e] = 1
				case 1:
					values[e] = row
				case 2, 3:
					values[e] = float64(float32(math.Ldexp(random.Float64(), random.IntN(40))))
				default:
					if values[e] = float64(random.IntN(9)) / 8; whole == rows.I32F64 {
						values[e] = random.Float64()
					}
				}
			}
			if err := b.AddRow(columns, values); err != nil {
				t.Fatal(err)
			}
			data.Y = append(data.Y, float64(random.IntN(2)))
		}
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	if matrix.Stored(data.X).Layout != whole {
		t.Fatalf("layout %d", matrix.Stored(data.X).Layout)
	}
	return data
}

// TestStreamRows: products with rows of the file have the bits of products with the matrix in
// memory, over any run of groups and of rows. This holds in every view, the first time and later.
func TestStreamRows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	set := sampleSet(t)
	set["mixed32"], set["mixed64"] = mixedData(t, rows.I32F32), mixedData(t, rows.I32F64)
	equal, err := newCSRIn(Storage{Values: ValuesFloat64}, 4, []int64{0, 2, 2, 3}, []uint32{0, 3, 1}, []float64{-2, -2, 5})
	if err != nil {
		t.Fatal(err)
	}
	set["equal"] = &Data{X: equal, Y: []float64{1, 2, 3}}
	for name, data := range set {
		s := streamOf(t, data)
		if data, err = ReadFile(context.Background(), s.Name(), ReadOptions{WordLabels: true}); err != nil {
			t.Fatal(err)
		}
		scaler, err := FitMinMax(data.X)
		if err != nil {
			t.Fatal(err)
		}
		views := map[string]struct {
			s *Stream
			x *Matrix
		}{
			"plain": {s, data.X}, "bias": {s.WithBias(0.5), data.X.WithBias(0.5)}, "unit": {s.NormalizeUnit().WithBias(1), data.X.NormalizeUnit().WithBias(1)},
		}
		if !scaler.same() && name == "float64" {
			scaled, err := s.Scaled(scaler)
			if err != nil {
				t.Fatal(err)
			}
			x, err := scaler.Apply(data.X.WithValues(ValuesFloat64))
			if err != nil {
				t.Fatal(err)
			}
			views["scaled"] = struct {
				s *Stream
				x *Matrix
			}{scaled, x}
		}
		for what, v := range views {
			joined, d := new(matrix.Joined), v.x.Cols()
			spare := []*StreamGroup{{}, {}, {}}
			for range 6 {
				from := random.IntN(s.Groups())
				groups := spare[:min(1+random.IntN(3), s.Groups()-from)]
				var y []float64
				var parts []*matrix.Matrix
				for k, g := range groups {
					if err := v.s.Load(g, from+k); err != nil {
						t.Fatal(err)
					}
					y, parts = append(y, g.Y...), append(parts, g.Rows())
				}
				joined.Join(v.s.Bias(), parts)
				base, _ := s.GroupRows(from)
				if groups[0].First != base || !slices.Equal(y, data.Y[base:base+len(y)]) {
					t.Fatalf("%s, %s: %d rows from row %d", name, what, len(y), groups[0].First)
				}
				first := random.IntN(len(y))
				n := min(len(y)-first, 1+random.IntN(4000))
				w, u, c := normals(random, d), normals(random, d), normals(random, n)
				type products interface {
					MulRun(dst []float64, first int, w []float64) error
					MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error
					AddRun(dst []float64, first int, c []float64) error
					AddSquaresRun(dst []float64, first int, c []float64) error
					AddGramRun(dst []float64, first int, c []float64) error
					GramCostRun(first, n int) int64
					SquaredNormsRun(dst []float64, first int) error
					Row(i int) iter.Seq2[int, float64]
				}
				all := func(x products, first int) []float64 {
					one, two1, two2, lengths := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
					sum, squares := slices.Clone(u), slices.Clone(w)
					err := errors.Join(x.MulRun(one, first, w), x.MulRun2(two1, two2, first, w, u), x.AddRun(sum, first, c), x.AddSquaresRun(squares, first, c), x.SquaredNormsRun(lengths, first))
					var triangle []float64
					if d < 100 {
						triangle = make([]float64, d*(d+1)/2)
						err = errors.Join(err, x.AddGramRun(triangle, first, c))
					}
					if err != nil {
						t.Fatal(err)
					}
					var entries []float64
					for j, x := range x.Row(first + n - 1) {
						entries = append(entries, float64(j), x)
					}
					return slices.Concat(one, two1, two2, sum, squares, lengths, triangle, entries, []float64{float64(x.GramCostRun(first, n))})
				}
				got, want := all(joined, first), all(matrix.RunsOf(v.x), base+first)
				if k := slices.IndexFunc(got, func(float64) bool { return true }); k < 0 || len(got) != len(want) {
					t.Fatal("nothing was compared")
				}
				for k := range got {
					if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
						t.Fatalf("%s, %s: number %d of %d rows from row %d on is %v, not %v", name, what, k, n, base+first, got[k], want[k])
					}
				}
			}
		}
	}
}

// What GroupBytes says is what a group takes, and once it is there Load takes no more.
func TestStreamGroupBytes(t *testing.T) {
	set := sampleSet(t)
	set["mixed64"] = mixedData(t, rows.I32F64)
	for name, data := range set {
		s := streamOf(t, data)
		scaler := &Scaler{Shift: make([]float64, s.Cols()), Width: make([]float64, s.Cols())}
		for j := range s.Cols() { // of the first columns the zeros become entries
			scaler.Width[j], scaler.Shift[j] = 2, float64(max(20-j, 0))
		}
		scaled, err := s.Scaled(scaler)
		if err != nil {
			t.Fatal(err)
		}
		for what, v := range map[string]*Stream{"plain": s, "unit": s.NormalizeUnit(), "scaled": scaled} {
			for k := range min(s.Groups(), 20) {
				g := new(StreamGroup)
				taken := int64(allocated(func() {
					if err := v.Load(g, k); err != nil {
						t.Fatal(err)
					}
				}))
				if room := v.GroupBytes(k); taken > room+room/8+4<<10 || taken < (room-groupOverhead)/3 {
					t.Errorf("%s, %s: %d bytes are taken, GroupBytes says %d", name, what, taken, room)
				}
				again := uint64(math.MaxUint64)
				for range 3 { // a collection of garbage may empty pools during one
					again = min(again, allocated(func() { v.Load(g, k) }))
				}
				if again > 1<<10 && !v.changes() {
					t.Errorf("%s, %s: loaded again, a group takes %d bytes", name, what, again)
				}
			}
		}
	}
}

// Damage and change are found wherever they are, also in values; a new date alone is no change.
func TestStreamGroupTrouble(t *testing.T) {
	data := sampleSet(t)["blocks"]
	whole := cacheBytes(t, data)
	path := filepath.Join(t.TempDir(), "cache")
	sweep := func(s *Stream) error {
		g := new(StreamGroup)
		for k := range s.Groups() {
			if err := s.Load(g, k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range []struct {
		what         string
		spoil, later func(b []byte, s *Stream) []byte
		date         bool // has to differ
		want         string
	}{
		{what: "values", spoil: func(b []byte, s *Stream) []byte { b[s.offset[2]-9] ^= 8; return b }, want: "the cache is damaged: the checksum of rows "},
		{what: "indices", spoil: func(b []byte, s *Stream) []byte { b[s.offset[2]-12000] ^= 8; return b }, want: "the cache is damaged: the checksum of rows "},
		{what: "values later", later: func(b []byte, s *Stream) []byte { b[s.offset[2]-9] ^= 8; return b }, date: true, want: "the file has changed since it was opened: the checksum of rows "},
		{what: "lengths later, in no time", later: func(b []byte, s *Stream) []byte { b[s.offset[1]+groupHeader] ^= 8; return b }, want: "the file has changed since it was opened: the checksum of rows "},
		{what: "indices later, in no time", later: func(b []byte, s *Stream) []byte {
			g := &s.groups[1]
			b[s.offset[1]+int64(g.values(0))-2] ^= 8
			return b
		}, want: "the file has changed since it was opened: the checksum of rows "},
		{what: "shorter", later: func(b []byte, s *Stream) []byte { return b[:len(b)/2] }, want: "the file ends before rows "},
		{what: "a new date", later: func(b []byte, s *Stream) []byte { return b }, date: true},
	} {
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		write := func(change func([]byte, *Stream) []byte, date time.Time) {
			b := change(bytes.Clone(whole), s)
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				_, err = file.WriteAt(b, 0)
				err = errors.Join(err, file.Truncate(int64(len(b))), file.Close(), os.Chtimes(path, date, date))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if c.spoil != nil {
			write(c.spoil, time.Unix(0, s.pieces[0].stamp.Written))
		}
		if c.later != nil {
			if err := sweep(s); err != nil {
				t.Fatal(err)
			}
			date := time.Unix(0, s.pieces[0].stamp.Written)
			if c.date {
				date = date.Add(time.Second)
			}
			write(c.later, date)
		}
		err = sweep(s)
		if c.want == "" {
			if err != nil || !s.written.Load() {
				t.Errorf("%s: error %v, changed %t", c.what, err, s.written.Load())
			}
		} else if format := (*FormatError)(nil); !errors.As(err, &format) || !strings.HasPrefix(err.Error(), path+": "+c.want) {
			t.Errorf("%s: error %v, want %s", c.what, err, c.want)
		}
		s.Close()
	}
}

// Misuse of groups and of joined rows is an error.
func TestStreamGroupRefuses(t *testing.T) {
	s := streamOf(t, mixedData(t, rows.I32F64))
	a, b, joined := new(StreamGroup), new(StreamGroup), new(matrix.Joined)
	w := make([]float64, s.Cols())
	if err := errors.Join(s.Load(a, 0), s.Load(b, 1)); err != nil {
		t.Fatal(err)
	}
	joined.Join(s.Bias(), []*matrix.Matrix{a.Rows(), b.Rows()})
	n := len(a.Y) + len(b.Y)
	for k, err := range []error{
		s.Load(nil, 0), s.Load(b, -1), s.Load(b, s.Groups()),
		joined.MulRun(make([]float64, 1), n, w), joined.MulRun(make([]float64, n+1), 0, w), joined.MulRun(nil, -1, w), joined.MulRun(nil, 0, nil),
		joined.MulRun2(make([]float64, 1), nil, 0, w, w), joined.AddRun(w[1:], 0, nil), joined.AddSquaresRun(w[1:], 0, nil), joined.AddGramRun(w, 0, nil),
		joined.SquaredNormsRun(make([]float64, 2), n-1), new(matrix.Joined).MulRun(make([]float64, 1), 0, nil),
	} {
		if err == nil {
			t.Errorf("call %d was taken", k)
		}
	}
	if joined.GramCostRun(n, 1) != 0 || joined.GramCostRun(0, -1) != 0 || s.GroupBytes(-1) != 0 || s.GroupBytes(s.Groups()) != 0 {
		t.Error("rows that are not there cost something")
	}
	if first, end := s.GroupRows(s.Groups()); first != 0 || end != 0 {
		t.Error("a group that is not there has rows")
	}
}
