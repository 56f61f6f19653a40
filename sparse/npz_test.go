package sparse

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// npyOf returns an array as NumPy writes it.
func npyOf(kind, shape string, elements any) string {
	var b bytes.Buffer
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	b.WriteString(npyMagic + "\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
	if text, ok := elements.(string); ok {
		b.WriteString(text)
	} else if err := binary.Write(&b, binary.LittleEndian, elements); err != nil {
		panic(err)
	}
	return b.String()
}

// npzOf returns a zip file of arrays: name, content, name, content and so on.
func npzOf(t *testing.T, arrays ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k := 0; k < len(arrays); k += 2 {
		if arrays[k+1] == "" {
			continue
		}
		f, err := w.Create(arrays[k] + ".npy")
		if err == nil {
			_, err = f.Write([]byte(arrays[k+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// threeRows are the arrays of a matrix of 3 rows and 5 columns, some of which others replace.
func threeRows(t *testing.T, others ...string) []byte {
	arrays := []string{
		"format", npyOf("|S3", "", "csr"), "shape", npyOf("<i8", "2,", []int64{3, 5}), "indptr", npyOf("<i4", "4,", []int32{0, 2, 2, 5}),
		"indices", npyOf("<i4", "5,", []int32{0, 3, 4, 1, 1}), "data", npyOf("<f8", "5,", []float64{1, -2.5, 3, 0.5, 0.25}),
	}
	for k := 0; k < len(others); k += 2 {
		if at := slices.Index(arrays, others[k]); at >= 0 {
			arrays[at+1] = others[k+1]
		} else {
			arrays = append(arrays, others[k], others[k+1])
		}
	}
	return npzOf(t, arrays...)
}

func TestNPZ(t *testing.T) {
	words := npyOf("<U2", "3,", []int32{'b', 0, 'a', 'ä', 'b', 0})
	for _, c := range []struct {
		file    []byte
		options ReadOptions
		text    string
	}{
		{threeRows(t), ReadOptions{}, "0 1:1 4:-2.5\n0\n0 2:0.75 5:3\n"},
		{threeRows(t, "y", npyOf("<i8", "3,", []int64{1, -1, 1})), ReadOptions{}, "1 1:1 4:-2.5\n-1\n1 2:0.75 5:3\n"},
		{threeRows(t, "labels", npyOf("|b1", "3, 1", []uint8{1, 0, 1})), ReadOptions{Columns: 9}, "1 1:1 4:-2.5\n0\n1 2:0.75 5:3\n"},
		{threeRows(t, "target", words), ReadOptions{WordLabels: true}, "b 1:1 4:-2.5\naä\nb 2:0.75 5:3\n"},
		{threeRows(t, "target", npyOf(">f4", "3,", "\x3f\x00\x00\x00\x00\x00\x00\x00\xbf\x80\x00\x00")), ReadOptions{}, "0.5 1:1 4:-2.5\n0\n-1 2:0.75 5:3\n"},
		{threeRows(t), ReadOptions{Columns: 2, DropBeyond: true}, "0 1:1\n0\n0 2:0.75\n"},
		{threeRows(t, "data", npyOf("|i1", "5,", []int8{1, -2, 3, 1, 1})), ReadOptions{}, "0 1:1 4:-2\n0\n0 2:2 5:3\n"},
		{threeRows(t, "data", npyOf("<f8", "5,", []float64{0.1, 1, 1, 1, 1})), ReadOptions{Storage: Storage{Float32: true}}, "0 1:0.10000000149011612 4:1\n0\n0 2:2 5:1\n"},
	} {
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := os.WriteFile(path, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		stream, err := Read(context.Background(), bytes.NewBuffer(c.file), "stream", c.options)
		if err != nil {
			t.Fatal(err)
		}
		file, err := ReadFile(context.Background(), path, c.options)
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		all := []*Data{stream, file}
		for block, err := range Blocks(context.Background(), bytes.NewReader(c.file), "blocks", c.options, 0) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, block)
			blocks++
		}
		columns := max(5, c.options.Columns)
		if c.options.DropBeyond {
			columns = c.options.Columns
		}
		for _, data := range all {
			var text bytes.Buffer
			if err := WriteLIBSVM(&text, data); err != nil || text.String() != c.text || data.X.Cols() != columns || data.Unlabelled != strings.HasPrefix(c.text, "0 1:") {
				t.Errorf("%q, want %q; %d columns, %v %v", text.String(), c.text, data.X.Cols(), data.Unlabelled, err)
			}
			if c.options.DropBeyond && data.Dropped != 2 {
				t.Errorf("%d entries dropped", data.Dropped)
			}
		}
		if blocks != 1 {
			t.Errorf("%d blocks", blocks)
		}
	}
}

func TestNPZTrouble(t *testing.T) {
	repeat.Skip(t)
	i8 := func(v ...int64) string { return npyOf("<i8", fmt.Sprintf("%d,", len(v)), v) }
	for _, c := range []struct {
		file    []byte
		message string
	}{
		{threeRows(t, "format", npyOf("|S3", "", "csc")), `the matrix has the format "csc", and CSR is expected; in Python: save_npz(FILE, load_npz(FILE).tocsr()), both of scipy.sparse`},
		{threeRows(t, "format", ""), "a zip file without a matrix of SciPy: unpack it, or write the matrix with scipy.sparse.save_npz"},
		{npzOf(t, "format", npyOf("|S3", "", "coo"), "row", i8(1)), `the matrix has the format "coo", and CSR is expected`},
		{threeRows(t, "data", ""), "the array data is missing"},
		{threeRows(t, "shape", i8(3)), "the array shape: 1 numbers in the place of 2"},
		{threeRows(t, "shape", i8(0, 5)), "the matrix has no rows"},
		{threeRows(t, "shape", i8(3, 1<<40)), "the matrix has 3 rows and 1099511627776 columns; at most 2147483646 columns are allowed"},
		{threeRows(t, "shape", i8(4, 5)), "the array indptr: 4 numbers for 4 rows"},
		{threeRows(t, "indptr", i8(0, 2, 1, 5)), "the array indptr: row 1 has the entries 2 to 1"},
		{threeRows(t, "indptr", i8(0, 2, 2, 6)), "5 indices and 5 numbers for 6 entries"},
		{threeRows(t, "indices", i8(0, 5, 4, 1, 1)), "row 0, from 0: column 5; columns are 0 to 4"},
		{threeRows(t, "indices", i8(0, -1, 4, 1, 1)), "row 0, from 0: column -1; columns are 0 to 4"},
		{threeRows(t, "indices", npyOf("<f8", "5,", make([]float64, 5))), "whole numbers are expected"},
		{threeRows(t, "indices", npyOf("<i8", "5,", make([]int64, 4))), "the array ends too early"},
		{threeRows(t, "indices", npyOf("<i8", "5,", make([]int64, 6))), "more bytes follow the array"},
		{threeRows(t, "indptr", npyOf("<i8", "9223372036854775807,", []int64{0})), "the array indptr: 9223372036854775807 elements of 8 bytes, and the archive has 94 bytes of them"},
		{threeRows(t, "data", npyOf("<c16", "5,", make([]byte, 80))), "an array of numbers or words is expected"},
		{threeRows(t, "data", npyOf("<f2", "5,", make([]byte, 10))), "elements of type f2"},
		{threeRows(t, "y", i8(1, 2)), "the array y: 2 labels for 3 rows; want a label for each row"},
		{threeRows(t, "y", npyOf("|S1", "3,", "abc")), "the labels are words, and numbers are expected (WordLabels)"},
		{npzOf(t, "xl/workbook.xml", "x"), "an Excel workbook: save its sheet as CSV"},
		{[]byte("PK\x03\x04 and nothing else"), "the zip file is damaged"},
	} {
		_, err := Read(context.Background(), bytes.NewReader(c.file), "m.npz", ReadOptions{})
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v, want %s", err, c.message)
		}
	}
	// A byte of the numbers is another: the checksum tells.
	file := threeRows(t)
	for k := range file {
		damaged := slices.Clone(file)
		damaged[k] ^= 1
		data, err := Read(context.Background(), bytes.NewReader(damaged), "m.npz", ReadOptions{})
		if err != nil {
			continue
		}
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, data); err != nil || text.String() != "0 1:1 4:-2.5\n0\n0 2:0.75 5:3\n" {
			t.Errorf("byte %d: %q", k, text.String())
		}
	}
}

func TestLabelsOfFile(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const rows = "7 1:1\n8 2:1\n9\n"
	read := func(labels string) (*Data, error) {
		o := ReadOptions{Labels: labels, WordLabels: true}
		data, err := Read(context.Background(), strings.NewReader(rows), "rows", o)
		var y []float64
		for block, failed := range Blocks(context.Background(), strings.NewReader(rows), "rows", o, 1) {
			if failed != nil {
				if err == nil || failed.Error() != err.Error() && !strings.Contains(err.Error(), "want a label for each row") {
					t.Errorf("%v by blocks, else %v", failed, err)
				}
				return data, err
			}
			if y = append(y, block.Y...); block.X.Rows() != 1 || data != nil && !slices.Equal(block.LabelNames, data.LabelNames) {
				t.Errorf("%d rows, words %q", block.X.Rows(), block.LabelNames)
			}
		}
		if err != nil || !slices.Equal(y, data.Y) {
			t.Errorf("%v by blocks, else %v %v", y, data, err)
		}
		return data, err
	}
	for _, c := range []struct {
		text  string
		y     []float64
		names []string
	}{
		{"\ufeff1\r\n-2.5e0\n\n 3", []float64{1, -2.5, 3}, nil},
		{"spam\nham, and eggs\nspam\n", []float64{1, 0, 1}, []string{"ham, and eggs", "spam"}},
		{npyOf("<i2", "3,", []int16{-1, 1, 2}), []float64{-1, 1, 2}, nil},
		{npyOf("|S2", "3,", "b\x00a\x00b\x00"), []float64{1, 0, 1}, []string{"a", "b"}},
	} {
		data, err := read(write("labels", c.text))
		if err != nil || !slices.Equal(data.Y, c.y) || !slices.Equal(data.LabelNames, c.names) {
			t.Errorf("%q: %v %v", c.text, data, err)
		}
	}
	for text, message := range map[string]string{
		"1\n2\n":                            "labels: 2 labels for 3 rows or more; want a label for each row",
		"1\nx\n2\n":                         `labels:2: label "x" is not a number, as the labels of the rows above are`,
		"1\ninf\n2":                         "labels:2: label \"inf\"",
		"a\n\xff\nb":                        `labels:2: label`,
		npyOf("<f8", "3,", []float64{1, 2}): "the array ends too early",
		strings.Repeat("9", 1<<17):          "the line is too long for a label",
	} {
		if _, err := read(write("labels", text)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%v, want %s", err, message)
		}
	}
}

// What SciPy writes is read as SciPy means it.
func TestNPZOfSciPy(t *testing.T) {
	repeat.Skip(t)
	python := "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import scipy.sparse").Run(); err != nil {
		t.Skip("no SciPy here: ", err)
	}
	folder := t.TempDir()
	script := `
import sys, numpy as np, scipy.sparse as s
rng = np.random.default_rng(1)
for k, kind in enumerate(["f4", "f8", "i4", "u2", "bool"]):
    m = s.random(200, 3000, 0.02, format="coo", random_state=k)
    row = np.concatenate([m.row, m.row[:50]]); col = np.concatenate([m.col, m.col[:50]])
    data = (rng.integers(-8, 9, len(row)) / (4 if kind[0] == "f" else 1)).astype(kind)
    order = rng.permutation(len(row))
    order = order[np.argsort(row[order], kind="stable")]
    ptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=200))])
    m = s.csr_matrix((data[order], col[order], ptr), shape=(200, 3000))
    s.save_npz(f"{sys.argv[1]}/{k}.npz", m, compressed=k % 2 == 0)
    with open(f"{sys.argv[1]}/{k}.txt", "w") as f:
        dense = np.zeros(m.shape)
        np.add.at(dense, (np.repeat(np.arange(200), np.diff(ptr)), m.indices), m.data.astype(float))
        for r in dense:
            print(" ".join(repr(float(v)) for v in r), file=f)
`
	if out, err := exec.Command(python, "-c", script, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for k := range 5 {
		data, err := ReadFile(context.Background(), filepath.Join(folder, fmt.Sprint(k, ".npz")), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(k, ".txt")))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			row := make([]float64, data.X.Cols())
			for j, v := range data.X.Row(i) {
				row[j] = v
			}
			for j, want := range strings.Fields(line) {
				var v float64
				if _, err := fmt.Sscan(want, &v); err != nil || row[j] != v {
					t.Fatalf("file %d, row %d, column %d: %v, want %s", k, i, j, row[j], want)
				}
			}
		}
	}
}
