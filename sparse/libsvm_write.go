package sparse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/matrix"
)

// WriteLIBSVM writes data as LIBSVM text: the label or its name, qid for data with queries, and
// index:value pairs. Indices begin at 1. Values are the shortest decimals that read back to the
// same float64. It writes neither the bias column, which belongs to the model, nor the Encoding.
// Error: data have weights, offsets, or names of labels that are not words. The text cannot hold
// these.
func WriteLIBSVM(w io.Writer, data *Data) error {
	if err := data.check(0); err != nil {
		return err
	}
	if w == nil {
		return errors.New("sparse: WriteLIBSVM: there is nothing to write to")
	}
	if data.Weight != nil || data.Offset != nil {
		return errors.New("sparse: WriteLIBSVM: the text has no place for weights and offsets of rows: write a cache, or leave them out")
	}
	for _, name := range data.LabelNames {
		if !isLabelWord([]byte(name)) {
			return fmt.Errorf("sparse: WriteLIBSVM: the text has no place for the label %q, which begins with neither a letter nor < > =, or has a blank, colon or comma: write a cache, or rename it", name)
		}
	}
	buffer := bufio.NewWriterSize(w, 1<<16)
	rows := matrix.Stored(data.X)
	var line []byte
	for i := range data.X.Rows() {
		if line = line[:0]; data.LabelNames != nil {
			line = append(line, data.LabelNames[int(data.Y[i])]...)
		} else {
			line = strconv.AppendFloat(line, data.Y[i], 'g', -1, 64)
		}
		if data.Query != nil {
			line = append(line, " qid:"...)
			line = strconv.AppendInt(line, data.Query[i], 10)
		}
		for e := rows.Begin[i]; e < rows.End[i]; e++ {
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(rows.Column(e))+1, 10)
			line = append(line, ':')
			line = strconv.AppendFloat(line, rows.Value(i, e), 'g', -1, 64)
			if len(line) > 1<<15 {
				buffer.Write(line) // an error stays in buffer until Flush
				line = line[:0]
			}
		}
		if _, err := buffer.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return buffer.Flush()
}

// WriteLIBSVMFile is WriteLIBSVM to a file, compressed where the name ends in
// .gz or .zst. The file appears under its name when it is complete.
func WriteLIBSVMFile(path string, data *Data) error {
	return aside.Write(path, func(w io.Writer) error {
		var packer io.WriteCloser
		var err error
		switch filepath.Ext(path) {
		case ".gz":
			packer = gzip.NewWriter(w)
		case ".zst":
			packer, err = zstd.NewWriter(w)
		case ".bz2", ".xz":
			return fmt.Errorf("%s: cannot write %s files; use .gz or .zst", path, filepath.Ext(path))
		default:
			return WriteLIBSVM(w, data)
		}
		if err != nil {
			return err
		}
		if err := WriteLIBSVM(packer, data); err != nil {
			packer.Close()
			return err
		}
		return packer.Close()
	})
}
