package sparse

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// streamOf writes data as a cache and opens it.
func streamOf(t testing.TB, data *Data) *Stream {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	if err := WriteCacheFile(path, data); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// requireRows compares the rows of a part with those of a matrix, and the layout, on
// which the bits of products depend.
func requireRows(t *testing.T, what string, part *StreamPart, first, end int, want *Matrix) {
	t.Helper()
	if part.X.Cols() != want.Cols() || part.X.Layout() != want.Layout() {
		t.Fatalf("%s: %d columns in %s, not %d in %s", what, part.X.Cols(), part.X.Layout(), want.Cols(), want.Layout())
	}
	type entry struct {
		column int
		value  uint64
	}
	for i := first; i < end; i++ {
		var got, rows []entry
		for j, v := range part.X.Row(i - part.First) {
			got = append(got, entry{j, math.Float64bits(v)})
		}
		for j, v := range want.Row(i) {
			rows = append(rows, entry{j, math.Float64bits(v)})
		}
		if !slices.Equal(got, rows) {
			t.Fatalf("%s: row %d is %v, not %v", what, i, got, rows)
		}
	}
}

// All runs of rows, read in any order to one part, are those of the whole matrix, and so
// are the views, in the layouts that Matrix and Scaler would give.
func TestStream(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	set := sampleSet(t)
	equal, err := NewCSRIn(Storage{Values: ValuesFloat64}, 4, []int64{0, 2, 2, 3}, []uint32{0, 3, 1}, []float64{-2, -2, 5})
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
		data, err := ReadFile(s.Name(), ReadOptions{}) // forgets what data of a program were to keep
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
		again, err := s.FitMinMax(1)
		if err != nil || !slices.Equal(again.Shift, scaler.Shift) || !slices.Equal(again.Width, scaler.Width) {
			t.Errorf("%s: another scaler is fitted, error %v", name, err)
		}
		scaled, err := s.Scaled(scaler)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := scaler.Apply(data.X.Keep(ValuesFloat64))
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
			part := new(StreamPart)
			for range 4 {
				first := random.IntN(n)
				end := min(n, first+1+random.IntN(100))
				if err := v.s.Read(part, first, end); err != nil {
					t.Fatal(err)
				}
				requireRows(t, name+", "+what, part, first, end, v.want)
				if !slices.Equal(part.Y[first-part.First:end-part.First], data.Y[first:end]) {
					t.Fatalf("%s: labels %v", name, part.Y)
				}
				if data.Query != nil && !slices.Equal(part.Query[first-part.First:end-part.First], data.Query[first:end]) {
					t.Fatalf("%s: queries %v", name, part.Query)
				}
			}
		}
		if part := new(StreamPart); s.Read(part, n/2, n/2) != nil || part.X.Rows() != 0 || part.X.Cols() != s.Cols() {
			t.Errorf("%s: no rows are %d", name, part.X.Rows())
		}
		for _, size := range []int64{0, 1 << 20, 1 << 40} {
			part, next := new(StreamPart), 0
			for next < n {
				end := s.Fit(next, n, size)
				if err := s.Read(part, next, end); err != nil {
					t.Fatal(err)
				}
				if room := roomOf(s, next, end); room > max(size, 800<<10) {
					t.Errorf("%s: a run of %d rows takes %d bytes of %d", name, end-next, room, size)
				}
				next = end
			}
			if size == 1<<40 && part.X.Rows() != n {
				t.Errorf("%s: %d rows fit, not %d", name, part.X.Rows(), n)
			}
		}
		var labels []float64
		from, to := n/3, n-n/5
		if err := s.Labels(from, to, func(first int, y []float64) error {
			if first != from+len(labels) {
				t.Errorf("labels from row %d after %d", first, from+len(labels))
			}
			labels = append(labels, y...)
			return nil
		}); err != nil || !slices.Equal(labels, data.Y[from:to]) {
			t.Errorf("%s: labels %v, error %v", name, labels, err)
		}
		want, err := data.Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.WithBias(3).Fingerprint(1); err != nil || got != want {
			t.Errorf("%s: fingerprint %s, not %s, error %v", name, got, want, err)
		}
		classes, all, err := s.CountClasses(0, n, 1000)
		if want := CountClasses(data.Y); err != nil || !all || !slices.Equal(classes, want) {
			t.Errorf("%s: classes %v, not %v, error %v", name, classes, want, err)
		}
		if classes, all, err = s.CountClasses(0, n, 2); err != nil || all != (len(CountClasses(data.Y)) <= 2) {
			t.Errorf("%s: two classes at most are %v, all %t, error %v", name, classes, all, err)
		}
	}
}

// What Room says is what a part takes.
func TestStreamRoom(t *testing.T) {
	for name, data := range sampleSet(t) {
		s := streamOf(t, data)
		scaler, err := FitMinMax(data.X)
		if err != nil {
			t.Fatal(err)
		}
		scaled, err := s.Scaled(scaler)
		if err != nil {
			t.Fatal(err)
		}
		for what, v := range map[string]*Stream{"plain": s, "unit": s.NormalizeUnit(), "scaled": scaled} {
			part := new(StreamPart)
			taken := int64(allocated(func() {
				if err := v.Read(part, 0, s.Rows()); err != nil {
					t.Fatal(err)
				}
			}))
			if room := roomOf(v, 0, s.Rows()); taken > room+room/8+10<<10 || taken < room/3 {
				t.Errorf("%s, %s: %d bytes are taken, the stream says %d", name, what, taken, room)
			}
			if taken = int64(allocated(func() { v.Read(part, 0, s.Rows()) })); taken > 1<<10 {
				t.Errorf("%s, %s: read again, a part takes %d bytes", name, what, taken)
			}
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
		part := new(StreamPart)
		for first := 0; first < s.Rows(); {
			end := s.Fit(first, s.Rows(), 1<<20)
			if err := s.Read(part, first, end); err != nil {
				return err
			}
			first = end
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
		s, err := OpenStream(path)
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
			if err := s.Labels(0, s.Rows(), func(int, []float64) error { return nil }); err == nil || !strings.Contains(err.Error(), "shorter") {
				t.Errorf("labels of a shorter file: error %v", err)
			}
		}
		s.Close()
	}
	for what, b := range map[string][]byte{
		"none: make one": []byte("1 1:1\n"), "version 1, this program reads version 2": append([]byte(cacheMagic+"\x01\x00\x00\x00"), whole[12:]...), "truncated or damaged": whole[:len(whole)-1],
		"the cache is truncated": whole[:40], "header is damaged": append([]byte(cacheMagic+"\x02\x00\x00\x00"), make([]byte, 80)...),
		"make one": nil,
	} {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStream(path)
		if format := (*FormatError)(nil); s != nil || !errors.As(err, &format) || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %s", err, what)
		}
	}
	spoilt := bytes.Clone(whole)
	spoilt[len(spoilt)-9] ^= 1 // of the index
	if err := os.WriteFile(path, spoilt, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStream(path); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged index: error %v", err)
	}
	if _, err := OpenStream(filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "regular file") {
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
	data, err := Read(strings.NewReader(text.String()), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(d *Data){
		fmt.Sprintf("row %d: column 2 after column 2; columns must ascend", rows-1): func(d *Data) { d.X.rows.Idx16[2*rows-2] = 2 },
		fmt.Sprintf("row %d: column 3 of a matrix of 3 columns", rows-1):            func(d *Data) { d.X.rows.Idx16[2*rows-1] = 3 },
		fmt.Sprintf("row %d: column 0 holds NaN", rows-1):                           func(d *Data) { d.X.rows.Val64[2*rows-2] = math.NaN() },
		fmt.Sprintf("the label of row %d is +Inf", rows-2):                          func(d *Data) { d.Y[rows-2] = math.Inf(1) },
	} {
		bad := *data
		x := *data.X
		bad.X, bad.Y = &x, slices.Clone(data.Y)
		x.rows.Idx16, x.rows.Val64 = slices.Clone(x.rows.Idx16), slices.Clone(x.rows.Val64)
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
		s, err := OpenStream(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Read(new(StreamPart), 0, 5); err != nil {
			t.Errorf("rows of a sound group: %v", err)
		}
		if err := s.Read(new(StreamPart), rows-1, rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		s.Close()
	}
	s := streamOf(t, data)
	for k, err := range []error{
		s.Read(nil, 0, 1), s.Read(new(StreamPart), -1, 1), s.Read(new(StreamPart), 2, 1), s.Read(new(StreamPart), 0, rows+1),
		s.Labels(0, rows+1, nil),
	} {
		if err == nil {
			t.Errorf("call %d was taken", k)
		}
	}
	if _, err := s.Scaled(nil); err == nil {
		t.Error("no scaler was taken")
	}
	if _, err := s.Scaled(&Scaler{}); err == nil {
		t.Error("a scaler of no columns was taken")
	}
}

// roomOf is how many bytes the rows from first to end-1 take in memory, with all that Read
// needs for them.
func roomOf(s *Stream, first, end int) int64 {
	room := s.large
	for k := s.groupOf(first); k < len(s.groups) && s.first[k] < end; k++ {
		room += s.room(k)
	}
	return room
}
