package sparse

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func TestWriteLIBSVMRoundTrip(t *testing.T) {
	repeat.Skip(t)
	for name, data := range sampleSet(t) {
		if data.Weight != nil {
			continue // which text does not have
		}
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := Read(context.Background(), &text, name, ReadOptions{Columns: data.X.Cols()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		requireSameData(t, got, data)
	}
}

func TestWriteLIBSVMFile(t *testing.T) {
	dir := t.TempDir()
	data := sampleSet(t)["wide64"]
	for name, want := range map[string]format{"a": formatText, "a.gz": formatGzip, "a.zst": formatZstd} {
		path := filepath.Join(dir, name)
		if err := WriteLIBSVMFile(path, data); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if f := sniff(bufio.NewReader(bytes.NewReader(b))); f != want {
			t.Errorf("%s holds %s", name, f)
		}
		got, err := ReadFile(context.Background(), path, ReadOptions{Columns: data.X.Cols()})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, data)
	}
	if err := WriteLIBSVMFile(filepath.Join(dir, "a.xz"), data); err == nil {
		t.Error("a file named .xz was written without being one")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Errorf("%d files (%v), want 3", len(files), err)
	}
}

func packedWith(t *testing.T, tool string, text []byte) []byte {
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("no %s here to make the test's input", tool)
	}
	command := exec.Command(path, "-c")
	command.Stdin = bytes.NewReader(text)
	packed, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// bzip2Sample is "1 1:0.5 3:2\n-1 2:1\n", compressed, twice.
const bzip2Sample = "QlpoOTFBWSZTWYDGx00AAATYAAAQQAN6ECAAIgaGIQAw7pQLiyRUIp+LuSKcKEhAY2OmgEJaaDkxQVkmU1mAxsdNAAAE2AAAEEADehAgACIGhiEAMO6UC4skVCKfi7kinChIQGNjpoA="

func TestReadCompressed(t *testing.T) {
	var text strings.Builder
	for i := range repeat.Size(20000, 6000) {
		fmt.Fprintf(&text, "%d %d:%v 70000:1\n", i%2, i+1, float64(i)/7)
	}
	plain := []byte(text.String())
	want, err := Read(context.Background(), bytes.NewReader(plain), "plain", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pack := map[string]func(t *testing.T) []byte{
		"gzip": func(t *testing.T) []byte {
			var b bytes.Buffer
			for _, half := range [][]byte{plain[:1000], plain[1000:]} { // two members
				w := gzip.NewWriter(&b)
				w.Write(half)
				w.Close()
			}
			return b.Bytes()
		},
		"zstd": func(t *testing.T) []byte {
			var b bytes.Buffer
			w, _ := zstd.NewWriter(&b)
			w.Write(plain)
			w.Close()
			return b.Bytes()
		},
		"xz":    func(t *testing.T) []byte { return packedWith(t, "xz", plain) },
		"bzip2": func(t *testing.T) []byte { return packedWith(t, "bzip2", plain) },
	}
	for name, make := range pack {
		t.Run(name, func(t *testing.T) {
			packed := make(t)
			path := filepath.Join(t.TempDir(), "named wrongly.txt")
			if err := os.WriteFile(path, packed, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 3} {
				got, err := ReadFile(context.Background(), path, ReadOptions{Workers: workers, chunk: 5000})
				if err != nil {
					t.Fatal(err)
				}
				requireSameData(t, got, want)
			}
			for _, length := range []int{10, 100, len(packed) / 2, len(packed) - 1} {
				_, err := Read(context.Background(), bytes.NewReader(packed[:length]), "cut", ReadOptions{})
				var format *FormatError
				if !errors.As(err, &format) || !strings.Contains(err.Error(), name) {
					t.Errorf("%d of %d bytes: error %v", length, len(packed), err)
				}
			}
			spoilt := bytes.Clone(packed)
			spoilt[len(spoilt)/2] ^= 0x10
			_, err := Read(context.Background(), bytes.NewReader(spoilt), "spoilt", ReadOptions{})
			var format *FormatError
			if !errors.As(err, &format) {
				t.Errorf("a changed bit: error %v", err)
			}
			var twice bytes.Buffer
			w := gzip.NewWriter(&twice)
			w.Write(packed)
			w.Close()
			if _, err := Read(context.Background(), &twice, "twice", ReadOptions{}); err == nil || err.Error() != "twice: "+name+" inside gzip: unpack the file once" {
				t.Errorf("compressed twice: error %v", err)
			}
		})
	}
	twoStreams, err := base64.StdEncoding.DecodeString(bzip2Sample)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := Read(context.Background(), bytes.NewReader(twoStreams), "bzip2", ReadOptions{}); err != nil || data.X.Rows() != 4 || data.X.NNZ() != 6 {
		t.Errorf("two bzip2 streams: %v, error %v", data, err)
	}
	var cache bytes.Buffer
	w := gzip.NewWriter(&cache)
	w.Write(cacheBytes(t, want))
	w.Close()
	got, err := Read(context.Background(), &cache, "cache", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	requireSameData(t, got, want)
}

// TestReadTellsProgress counts the bytes of the source, packed or not, and the rows.
func TestReadTellsProgress(t *testing.T) {
	var text, packed bytes.Buffer
	for k := range 3000 {
		fmt.Fprintf(&text, "1 %d:%d\n", k+1, k)
	}
	w := gzip.NewWriter(&packed)
	w.Write(text.Bytes())
	w.Close()
	for _, source := range []*bytes.Buffer{&text, &packed} {
		calls, size := 0, int64(source.Len())
		var read, rows int64
		_, err := Read(context.Background(), source, "rows", ReadOptions{Workers: 3, chunk: 1 << 10, Progress: func(b, r int64) {
			if b < 1 || r < rows || r > 3000 || b > size {
				t.Errorf("%d bytes, %d rows after %d", b, r, rows)
			}
			calls, read, rows = calls+1, max(read, b), r
		}})
		if err != nil || calls < 10 || read != size || rows != 3000 {
			t.Errorf("%d calls, %d of %d bytes, %d rows, %v", calls, read, size, rows, err)
		}
	}
}

func TestReadFileErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadFile(context.Background(), filepath.Join(dir, "absent"), ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: error %v", err)
	}
	if _, err := ReadFile(context.Background(), dir, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("directory: error %v", err)
	}
}

// An open file is read from where it stands.
func TestReadOpenFile(t *testing.T) {
	want := sampleSet(t)["wide64"]
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, append([]byte("header\n"), cacheBytes(t, want)...), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(int64(len("header\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	got, err := Read(context.Background(), file, "file", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	requireSameData(t, got, want)
}

// The data sets of the papers have the sizes that are published for them.
func TestReadPublishedData(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("LANES_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Skipf("no data sets here; LANES_DATA names their folder: %v", err)
	}
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma, table.LazyQuotes = '\t', true
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for k, name := range rows[0] {
		names[name] = k
	}
	for _, row := range rows[1:] {
		name := row[names["name"]]
		if strings.HasSuffix(name, ".txt") {
			continue
		}
		if testing.Short() && name != "a1a" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := ReadFile(context.Background(), filepath.Join(dir, name+".xz"), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(data.X.Rows(), data.X.Cols(), data.X.NNZ())
			if want := row[names["n"]] + " " + row[names["d"]] + " " + row[names["nnz"]]; got != want {
				t.Errorf("n, d, nnz are %s, want %s", got, want)
			}
			positives, err := strconv.Atoi(row[names["positives"]])
			if err != nil {
				return // the table tells something else of this set's labels
			}
			signs, _, err := BinaryLabels(data.Y, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, sign := range signs {
				if sign > 0 {
					positives--
				}
			}
			if positives != 0 {
				t.Errorf("%d positives missing", positives)
			}
		})
	}
}
