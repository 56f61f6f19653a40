package table

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestOpenSaysWhatAFileIs: errors of files that are no tables name the file and what to do.
func TestOpenSaysWhatAFileIs(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "the file is empty",
		"\n\n":                          "there are no rows",
		"PK\x03\x04xl/":                 "libreoffice",
		"LANESCSR\x01":                  "a cache of lanes",
		"1 1:0.5 3:1\n0 2:1\n":          "LIBSVM text",
		"[[1, 2]]":                      "an object each",
		"\xff\xfe\x00\x00a\x00\x00\x00": "iconv",
		"a,b\r1,2\r3,4\r":               "tr '\\r' '\\n'",
		gzipped(gzipped("a,b")):         "unpack the file once",
	} {
		path := write(t, "table", text)
		_, err := Open(path, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for path, want := range map[string]string{t.TempDir(): "is a directory", "none-of-*.csv": "no file has such a name", "none.csv": "no such file"} {
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, o := range []Options{{Format: "xls"}, {Separator: 'x'}} {
		if _, err := Open(write(t, "table", "a,b\n1,2\n"), o); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%v: %v", o, err)
		}
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// TestManyFiles: the files of a pattern are one table in the order of their names, whatever their
// compression; names of columns must agree.
func TestManyFiles(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"log-2.csv.gz": gzipped("a,b\n3,4"), "log-1.csv": "\ufeffa,b\r\n1,2\r\n", "log-3.csv.zst": zstandard("a,b\n\n\"5\",6\n"), "other.csv": "a,c\n1,2\n", "one.csv": "a\n", "wide.csv": "a,b,c\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for workers := range 4 {
		for part := range 20 {
			rows, err := readTable(t, filepath.Join(folder, "log-*"), Options{Workers: workers, part: part})
			want := [][]string{{"a", "b"}, {"1", "2"}, {"3", "4"}, {"5", "6"}}
			if err != nil || !slices.EqualFunc(rows, want, slices.Equal) {
				t.Fatalf("%d workers, parts of %d: %q %v", workers, part, rows, err)
			}
		}
	}
	for pattern, want := range map[string]string{
		"[lo][ot]*-1.csv": "", "{": "no such file", "[lo]*.csv": `one.csv: the file lacks the column "b", as `, "[lw]*.csv": `lacks the column "c": all files`, "*[1r].csv": `other.csv: the file lacks the column "b", as `,
	} {
		_, err := Open(filepath.Join(folder, pattern), Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	_, err := Open(filepath.Join(folder, "["), Options{})
	if err == nil {
		t.Error("a malformed pattern was taken")
	}
}

// slow gives a byte at a time.
type slow struct{ r io.Reader }

func (s slow) Read(b []byte) (int, error) { return s.r.Read(b[:min(len(b), 1)]) }

// TestStream: a stream, packed or not, is read in several passes.
func TestStream(t *testing.T) {
	text := "a;b\n" + strings.Repeat("1,5;2\n", 1000)
	for _, packed := range []string{text, gzipped(text), zstandard(text)} {
		s, err := Open("-", Options{Stdin: slow{strings.NewReader(packed)}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			rows, err := contents(t.Context(), s)
			if err != nil || len(rows) != 1001 || rows[1000][0] != "1,5" {
				t.Fatalf("%d rows: %v", len(rows), err)
			}
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if _, err := contents(t.Context(), s); !errors.Is(err, errClosed) {
			t.Errorf("a closed source: %v", err)
		}
	}
	file, err := os.Open(write(t, "table", text))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s, err := Open("-", Options{Stdin: file})
	if err != nil || s.files[0].spool != nil {
		t.Fatalf("a regular file as standard input: %v", err)
	}
	if rows, err := contents(t.Context(), s); err != nil || len(rows) != 1001 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}

// TestStreamFails: errors and panics of a stream reach who reads it, and a pass that waits for a
// stream ends with its context.
func TestStreamFails(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1,2\n", headBytes/2)
	broken := errors.New("broken")
	s, err := Open("-", Options{Stdin: io.MultiReader(strings.NewReader(text), failing{broken})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contents(t.Context(), s); !errors.Is(err, broken) || err.Error() != "standard input: broken" {
		t.Errorf("error %v", err)
	}
	s.Close()
	func() {
		defer func() {
			if value := recover(); value == nil || !strings.Contains(value.(error).Error(), "oops") {
				t.Errorf("panic %v", value)
			}
		}()
		Open("-", Options{Stdin: failing{}})
	}()
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte(text))
	if s, err = Open("-", Options{Stdin: r, Workers: 3}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(broken) })
	if _, err := contents(ctx, s); !errors.Is(err, broken) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// failing fails by an error, or panics.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		panic("oops")
	}
	return 0, f.err
}

// TestDamagedFile: packed text that ends too early or is damaged is an error that names the file,
// behind the rows before it.
func TestDamagedFile(t *testing.T) {
	repeat.Skip(t)
	text := "a,b\n" + strings.Repeat("1,2\n3,4\n5,6\n", 1<<18)
	whole := gzipped(text)
	path := write(t, "table.csv.gz", whole[:len(whole)-10])
	_, err := readTable(t, path, Options{})
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("error %v", err)
	}
}
