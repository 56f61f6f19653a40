package fuzz

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// npyBytes returns an array as NumPy writes it.
func npyBytes(kind, shape string, elements []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(b, header...), elements...)
}

// zipped returns a zip file of the arrays of a matrix.
func zipped(t testing.TB, arrays map[string][]byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"format", "shape", "indptr", "indices", "data", "y"} {
		if arrays[name] == nil {
			continue
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err == nil {
			_, err = f.Write(arrays[name])
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

// FuzzNPZ reads hostile matrices of SciPy: a zip file, or one array of a file that is right
// otherwise. What is read goes back and forth.
func FuzzNPZ(f *testing.F) {
	longs := func(v ...uint64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		return b
	}
	sound := func() map[string][]byte {
		return map[string][]byte{
			"format": npyBytes("|S3", "", []byte("csr")), "shape": npyBytes("<i8", "2,", longs(3, 5)), "indptr": npyBytes("<i8", "4,", longs(0, 2, 2, 5)),
			"indices": npyBytes("<i8", "5,", longs(0, 3, 4, 1, 1)), "data": npyBytes("<i2", "5,", []byte("\x01\x00\x02\x00\xff\xff\x04\x00\x05\x00")), "y": npyBytes("|b1", "3,", []byte("\x01\x00\x01")),
		}
	}
	f.Add("", zipped(f, sound()), uint16(0))
	for name, b := range sound() {
		f.Add(name, b, uint16(7))
	}
	f.Add("y", npyBytes("<U1", "3, 1", []byte("a\x00\x00\x00b\x00\x00\x00a\x00\x00\x00")), uint16(3))
	f.Add("data", npyBytes(">f4", "5,", make([]byte, 20)), uint16(9))
	f.Fuzz(func(t *testing.T, name string, b []byte, how uint16) {
		if name != "" {
			arrays := sound()
			if arrays[name] == nil {
				return
			}
			arrays[name] = b
			b = zipped(t, arrays)
		} else if !bytes.HasPrefix(b, []byte("PK\x03\x04")) {
			return
		}
		options := sparse.ReadOptions{Workers: 1, Columns: int(how >> 4), WordLabels: how&1 != 0, DropBeyond: how&2 != 0, MaxColumns: 1 << 20}
		options.Storage.Float32 = how&4 != 0
		data, err := sparse.Read(context.Background(), bytes.NewReader(b), "input", options)
		var format *sparse.FormatError
		if err != nil {
			if !errors.As(err, &format) || data != nil {
				t.Fatalf("error %v, data %v", err, data)
			}
			return
		}
		if data.X.Rows() != len(data.Y) || options.DropBeyond && data.X.Cols() != options.Columns {
			t.Fatalf("%d rows, %d labels, %d columns", data.X.Rows(), len(data.Y), data.X.Cols())
		}
		if data.LabelNames == nil && data.X.NNZ() > 0 && how&8 != 0 {
			requireRoundTrips(t, data)
		}
	})
}
