package command

import (
	"archive/zip"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// packedLines writes a line many times to a file, packed.
func packedLines(t *testing.T, path, head, line string, times int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, _ := gzip.NewWriterLevel(file, gzip.BestSpeed)
	io.WriteString(w, head)
	const some = 1000
	block := strings.Repeat(line, some)
	for range times / some {
		if _, err := io.WriteString(w, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// packedNPZ writes a matrix of SciPy with n rows of one entry.
func packedNPZ(t *testing.T, path string, n int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	array := func(name, kind, shape string, element func(b []byte, i int) []byte, count int) {
		f, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
		f.Write(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0))
		io.WriteString(f, header)
		var b []byte
		for i := range count {
			if b = element(b, i); len(b) > 1<<16 || i == count-1 {
				if _, err := f.Write(b); err != nil {
					t.Fatal(err)
				}
				b = b[:0]
			}
		}
	}
	word := binary.LittleEndian.AppendUint32
	array("format", "|S3", "", func([]byte, int) []byte { return []byte("csr") }, 1)
	array("shape", "<i4", "2,", func(b []byte, i int) []byte { return word(b, uint32([2]int{n, 1}[i])) }, 2)
	array("indptr", "<i4", fmt.Sprint(n+1), func(b []byte, i int) []byte { return word(b, uint32(i)) }, n+1)
	array("indices", "<i4", fmt.Sprint(n), func(b []byte, _ int) []byte { return word(b, 0) }, n)
	array("data", "<f4", fmt.Sprint(n), func(b []byte, _ int) []byte { return word(b, 0x3f800000) }, n)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReadingUnderALimit: what does not fit into a limit of the process is refused in a line, with
// the exit status 1, by every reader. What fits is read.
func TestReadingUnderALimit(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() || allocations.Race {
		t.Skip("a limit is set on Linux, not in short tests, and not beside the race detector")
	}
	t.Chdir(t.TempDir())
	for name, rows := range map[string]int{"few": 4000, "many": 6000000} {
		packedLines(t, name+".txt.gz", "", "1 1:1\n", rows)
		packedLines(t, name+".csv.gz", "a,b\n", "1,2\n3,4\n", rows/2)
		packedLines(t, name+".json.gz", "", `{"a":1,"b":2}`+"\n"+`{"a":3,"b":4}`+"\n", rows/2)
		packedNPZ(t, name+".npz", rows)
		succeed(t, "convert", "--quiet", name+".txt.gz", name+".lanes")
	}
	wide := strings.Repeat("1,", 1<<20) + "1\n"
	packedLines(t, "wide.csv.gz", wide+wide+wide, "", 0)
	for _, limit := range []string{"-d 180000", "-v 1400000"} {
		run := func(args ...string) (string, int) {
			cmd := invocation{args: args}.limited(limit)
			out, _ := cmd.CombinedOutput()
			return string(out), cmd.ProcessState.ExitCode()
		}
		if out, status := run("cpu"); status != 0 {
			t.Logf("nothing runs under %s: %s", limit, out)
			continue
		}
		if out, status := run("info", "--format", "csv", "--max-columns", "5000000", "wide.csv.gz"); status != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "the columns of wide.csv.gz: 3.3 GB of memory are needed, and ") {
			t.Errorf("ulimit %s: a million columns: exit status %d, %s", limit, status, out)
		}
		for _, line := range []string{"info NAME.txt.gz", "info NAME.lanes", "info NAME.npz", "train --epochs 1 --target b NAME.csv.gz", "train --epochs 1 --target b NAME.json.gz", "info NAME.csv.gz"} {
			for name, want := range map[string]int{"few": 0, "many": 1} {
				if line == "info NAME.csv.gz" {
					want = 0 // which keeps no rows
				}
				out, status := run(append(strings.Fields(strings.ReplaceAll(line, "NAME", name)), "--quiet")...)
				if status != want || strings.Contains(out, "goroutine") || want == 1 && (strings.Count(out, "\n") != 1 || !strings.Contains(out, "of memory are needed, and ")) {
					t.Errorf("ulimit %s: lanes %s: exit status %d, %s", limit, strings.ReplaceAll(line, "NAME", name), status, out)
				}
			}
		}
	}
}
