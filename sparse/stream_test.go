package sparse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// streamOf writes data as a cache and opens it.
func streamOf(t testing.TB, data *Data) *Stream {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	if err := WriteCacheFile(path, data); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// requireRows compares the rows of a group with the rows of a matrix.
func requireRows(t *testing.T, what string, s *Stream, g *StreamGroup, want *Matrix) {
	t.Helper()
	joined := new(matrix.Joined)
	joined.Join(s.Bias(), []*matrix.Matrix{g.Rows()})
	type entry struct {
		column int
		value  uint64
	}
	for i := range g.Y {
		var got, rows []entry
		for j, v := range joined.Row(i) {
			got = append(got, entry{j, math.Float64bits(v)})
		}
		for j, v := range want.Row(g.First + i) {
			rows = append(rows, entry{j, math.Float64bits(v)})
		}
		if !slices.Equal(got, rows) {
			t.Fatalf("%s: row %d is %v, not %v", what, g.First+i, got, rows)
		}
	}
}

// Groups of rows, read in any order into one StreamGroup, equal the rows of the whole matrix, and
// so do the views.
func TestStream(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	set := sampleSet(t)
	equal, err := newCSRIn(Storage{Values: ValuesFloat64}, 4, []int64{0, 2, 2, 3}, []uint32{0, 3, 1}, []float64{-2, -2, 5})
	if err != nil {
		t.Fatal(err)
	}
	set["equal"] = &Data{X: equal, Y: []float64{1, 2, 3}}
	dense := make([][]float64, 60)
	for i := range dense {
		dense[i] = []float64{float64(i%7) + 3, random.NormFloat64(), 0, float64(i % 2)}
	}
	set["shifted"] = &Data{X: matrixOf(t, dense), Y: make([]float64, 60)}
	for name, data := range set {
		s := streamOf(t, data)
		data, err := ReadFile(context.Background(), s.Name(), ReadOptions{WordLabels: true}) // forgets what data of a program were to keep
		if err != nil {
			t.Fatal(err)
		}
		n := data.X.Rows()
		if s.Rows() != n || s.Cols() != data.X.Cols() || s.NNZ() != data.X.NNZ() {
			t.Errorf("%s: %d rows, %d columns, %d entries", name, s.Rows(), s.Cols(), s.NNZ())
		}
		scaler, err := FitMinMax(data.X)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.FitMinMax(context.Background())
		if err != nil || !slices.Equal(again.Shift, scaler.Shift) || !slices.Equal(again.Width, scaler.Width) {
			t.Errorf("%s: another scaler is fitted, error %v", name, err)
		}
		scaled, err := s.Scaled(scaler)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := scaler.Apply(data.X.WithValues(ValuesFloat64))
		if err != nil {
			t.Fatal(err)
		}
		if scaler.same() {
			whole = data.X
		}
		for what, v := range map[string]struct {
			s    *Stream
			want *Matrix
		}{
			"plain": {s, data.X}, "bias": {s.WithBias(2), data.X.WithBias(2)}, "unit": {s.NormalizeUnit().WithBias(1), data.X.NormalizeUnit().WithBias(1)},
			"scaled": {scaled, whole},
		} {
			group := new(StreamGroup)
			for range 4 {
				if err := v.s.Load(group, random.IntN(s.Groups())); err != nil {
					t.Fatal(err)
				}
				requireRows(t, name+", "+what, v.s, group, v.want)
				if !slices.Equal(group.Y, data.Y[group.First:][:len(group.Y)]) {
					t.Fatalf("%s: labels %v", name, group.Y)
				}
				if query := group.read.queries(nil); data.Query != nil && !slices.Equal(query, data.Query[group.First:][:len(group.Y)]) {
					t.Fatalf("%s: queries %v", name, query)
				}
			}
		}
		var labels []float64
		from, to := n/3, n-n/5
		if err := s.labels(context.Background(), from, to, func(first int, y []float64) error {
			if first != from+len(labels) {
				t.Errorf("labels from row %d after %d", first, from+len(labels))
			}
			labels = append(labels, y...)
			return nil
		}); err != nil || !slices.Equal(labels, data.Y[from:to]) {
			t.Errorf("%s: labels %v, error %v", name, labels, err)
		}
		var y, weight, offset []float64
		if err := s.Numbers(t.Context(), from, to, func(own, s, o []float64) {
			if (s == nil) != (data.Weight == nil) || (o == nil) != (data.Offset == nil) {
				t.Errorf("%s: weights %v, offsets %v", name, s, o)
			}
			y, weight, offset = append(y, own...), append(weight, s...), append(offset, o...)
		}); err != nil || !slices.Equal(y, data.Y[from:to]) || data.Weight != nil && !slices.Equal(weight, data.Weight[from:to]) || data.Offset != nil && !slices.Equal(offset, data.Offset[from:to]) {
			t.Errorf("%s: labels %v, weights %v, offsets %v, error %v", name, y, weight, offset, err)
		}
		want, err := data.Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.WithBias(3).Fingerprint(context.Background()); err != nil || got != want {
			t.Errorf("%s: fingerprint %s, not %s, error %v", name, got, want, err)
		}
		classes, all, err := s.CountClasses(context.Background(), 0, n, 1000)
		if want := CountClasses(data.Y); err != nil || !all || !slices.Equal(classes, want) {
			t.Errorf("%s: classes %v, not %v, error %v", name, classes, want, err)
		}
		if classes, all, err = s.CountClasses(context.Background(), 0, n, 2); err != nil || all != (len(CountClasses(data.Y)) <= 2) {
			t.Errorf("%s: two classes at most are %v, all %t, error %v", name, classes, all, err)
		}
	}
}

// Damage, a file that shrinks and one that changes are told apart, with the rows.
func TestStreamTrouble(t *testing.T) {
	data := sampleSet(t)["blocks"]
	whole := cacheBytes(t, data)
	path := filepath.Join(t.TempDir(), "cache")
	write := func(b []byte) {
		t.Helper()
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666) // the same file, as it is open
		if err == nil {
			_, err = file.WriteAt(b, 0)
			err = errors.Join(err, file.Truncate(int64(len(b))), file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sweep := func(s *Stream) error {
		group := new(StreamGroup)
		for k := range s.Groups() {
			if err := s.Load(group, k); err != nil {
				return err
			}
		}
		return nil
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 8
	data.Y[0]++
	other := cacheBytes(t, data)
	data.Y[0]--
	for _, c := range []struct {
		what          string
		before, after []byte
		want          string
	}{
		{"damaged", damaged, nil, "the cache is damaged: the checksum of rows "},
		{"damaged later", whole, damaged, "the file has changed since it was opened: the checksum of rows "},
		{"replaced by another", whole, other, "the file has changed since it was opened: the checksum of rows 0 to "},
		{"shorter", whole, whole[:len(whole)/2], "the file ends before rows "},
	} {
		write(c.before)
		s, err := OpenStream(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if c.after != nil {
			if err := sweep(s); err != nil {
				t.Fatal(err)
			}
			write(c.after)
		}
		err = sweep(s)
		if format := (*FormatError)(nil); !errors.As(err, &format) || !strings.HasPrefix(err.Error(), path+": "+c.want) {
			t.Errorf("%s: error %v, want %s", c.what, err, c.want)
		}
		if c.what == "shorter" {
			if err := s.labels(context.Background(), 0, s.Rows(), func(int, []float64) error { return nil }); err == nil || !strings.Contains(err.Error(), "shorter") {
				t.Errorf("labels of a shorter file: error %v", err)
			}
		}
		s.Close()
	}
	for what, b := range map[string][]byte{
		"not one: make one": []byte("1 1:1\n"), "version 1, this program reads versions 2 and 3": append([]byte(cacheMagic+"\x01\x00\x00\x00"), whole[12:]...), "truncated or damaged": whole[:len(whole)-1],
		"the cache is truncated": whole[:40], "header is damaged": append([]byte(cacheMagic+"\x02\x00\x00\x00"), make([]byte, 80)...),
		"make one": nil,
	} {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(context.Background(), path)
		if format := (*FormatError)(nil); s != nil || !errors.As(err, &format) || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %s", err, what)
		}
	}
	spoilt := bytes.Clone(whole)
	spoilt[len(spoilt)-9] ^= 1 // of the index
	if err := os.WriteFile(path, spoilt, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStream(context.Background(), path); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged index: error %v", err)
	}
	if _, err := OpenStream(context.Background(), filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a directory: error %v", err)
	}
}

// A group with a fitting checksum is still validated, and named by its rows.
func TestStreamRefusesHostileContent(t *testing.T) {
	var text strings.Builder
	rows := groupWeight/4 + 2 // two entries each: the last two rows are a group of their own
	for range rows {
		text.WriteString("1 1:0.1 3:0.2\n")
	}
	data, err := Read(context.Background(), strings.NewReader(text.String()), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(d *Data){
		fmt.Sprintf("row %d: column 2 after column 2; columns must ascend", rows-1): func(d *Data) { matrix.Stored(d.X).Idx16[2*rows-2] = 2 },
		fmt.Sprintf("row %d: column 3 of a matrix of 3 columns", rows-1):            func(d *Data) { matrix.Stored(d.X).Idx16[2*rows-1] = 3 },
		fmt.Sprintf("row %d: column 0 holds NaN", rows-1):                           func(d *Data) { matrix.Stored(d.X).Val64[2*rows-2] = math.NaN() },
		fmt.Sprintf("the label of row %d is +Inf", rows-2):                          func(d *Data) { d.Y[rows-2] = math.Inf(1) },
	} {
		bad := *data
		x := *data.X
		bad.X, bad.Y = &x, slices.Clone(data.Y)
		stored := matrix.Stored(&x)
		stored.Idx16, stored.Val64 = slices.Clone(stored.Idx16), slices.Clone(stored.Val64)
		spoil(&bad)
		path := filepath.Join(t.TempDir(), "cache")
		var b bytes.Buffer
		y := bad.Y
		bad.Y = data.Y
		if err := WriteCache(&b, &bad); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		if !slices.Equal(y, data.Y) { // WriteCache has refused it
			g := &groupWriter{w: new(bytes.Buffer), number: 1}
			group, _, _ := groupOf(bad.X, rows-2, rows)
			bad.Y = y
			if err := g.write(group, &bad, rows-2); err != nil {
				t.Fatal(err)
			}
			at := len(whole) - 4 - 2*cacheIndexing - len(g.buffer)
			copy(whole[at:], g.buffer)
			index := whole[len(whole)-4-2*cacheIndexing : len(whole)-4]
			copy(index[cacheIndexing:], g.index)
			resumIndex(whole, index)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Load(new(StreamGroup), 0); err != nil {
			t.Errorf("rows of a sound group: %v", err)
		}
		if err := s.Load(new(StreamGroup), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		s.Close()
	}
	s := streamOf(t, data)
	if err := s.labels(context.Background(), 0, rows+1, nil); err == nil {
		t.Error("there are labels of rows that are not there")
	}
	if _, err := s.Scaled(nil); err == nil {
		t.Error("no scaler was taken")
	}
	if _, err := s.Scaled(&Scaler{}); err == nil {
		t.Error("a scaler of no columns was taken")
	}
}
