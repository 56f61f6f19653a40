package command

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A matrix of SciPy is trained on, measured, predicted and converted like LIBSVM text, with labels
// of a file.
func TestMatrixOfSciPy(t *testing.T) {
	t.Chdir(t.TempDir())
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	array := func(name, kind, shape string, elements any) {
		f, err := w.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
		f.Write(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0))
		f.Write([]byte(header))
		if err := binary.Write(f, binary.LittleEndian, elements); err != nil {
			t.Fatal(err)
		}
	}
	var ptr, indices []int32
	var values []float64
	var text, labels strings.Builder
	for i := range 60 {
		ptr = append(ptr, int32(len(indices)))
		fmt.Fprint(&text, i%2)
		fmt.Fprintln(&labels, i%2)
		for _, j := range []int{i % 2, 2 + i%5} {
			indices, values = append(indices, int32(j)), append(values, 1+float64(i%7)/4)
			fmt.Fprintf(&text, " %d:%v", j+1, 1+float64(i%7)/4)
		}
		fmt.Fprintln(&text)
	}
	array("format", "|S3", "", []byte("csr"))
	array("shape", "<i8", "2,", []int64{60, 7})
	array("indptr", "<i4", "61,", append(ptr, int32(len(indices))))
	array("indices", "<i4", "120,", indices)
	array("data", "<f8", "120,", values)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"m.npz": b.String(), "text": text.String(), "labels.txt": labels.String()} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(line string) string {
		o := inside(strings.Fields(line)...)
		if o.status != 0 {
			t.Fatalf("%s: %d %s", line, o.status, o.stderr)
		}
		return o.out
	}
	run("train text --model text.model")
	run("train m.npz --labels labels.txt --model npz.model")
	one, err := os.ReadFile("text.model")
	other, err2 := os.ReadFile("npz.model")
	if err != nil || err2 != nil || !bytes.Equal(one, other) {
		t.Errorf("another model by the matrix: %s\n%s", one, other)
	}
	for _, pair := range [][2]string{
		{"eval text.model text --json", "eval text.model m.npz --labels labels.txt --json"}, {"predict text.model text", "predict text.model m.npz"},
	} {
		want, got := run(pair[0]), run(pair[1])
		if strings.ReplaceAll(want, `"text"`, `"m.npz"`) != got {
			t.Errorf("%s: %s, want %s", pair[1], got, want)
		}
	}
	run("convert text text.lanes")
	run("convert m.npz npz.lanes --labels labels.txt")
	one, err = os.ReadFile("text.lanes")
	other, err2 = os.ReadFile("npz.lanes")
	if err != nil || err2 != nil || !bytes.Equal(one, other) {
		t.Error("another cache by the matrix")
	}
	for _, line := range []string{"train m.npz", "eval text.model m.npz", "train m.npz --labels none", "train m.npz --labels npz.lanes"} {
		if o := inside(strings.Fields(line)...); o.status != exitData || !strings.Contains(o.stderr, "label") && !strings.Contains(o.stderr, "none") {
			t.Errorf("%s: %d %s", line, o.status, o.stderr)
		}
	}
}
