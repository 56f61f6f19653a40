package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/sparse"
)

var errOtherTable = errors.New("the rows were encoded from a table otherwise than the rows of the training: encode them by the encoder in the model")

// CheckEncoding returns an error if rows with the given sparse.Data.Encoding were made by another
// encoder than the rows of the training. Rows and models without an encoder go with everything.
// It costs a comparison of the bytes.
func (m *Meta) CheckEncoding(encoding []byte) error {
	if m == nil || m.Table == nil || encoding == nil || bytes.Equal(m.Table, encoding) {
		return nil
	}
	mine, err := compactTable(m.Table)
	if err != nil {
		return err
	}
	rows, err := compactTable(encoding)
	if err != nil {
		return err
	}
	if !bytes.Equal(mine, rows) {
		return errOtherTable
	}
	return nil
}

// compactTable returns the JSON of an encoder as files of models have it, nil for nil.
func compactTable(encoding []byte) (json.RawMessage, error) {
	if encoding == nil {
		return nil, nil
	}
	text, err := json.Marshal(json.RawMessage(encoding)) // an error for what is no JSON
	if err == nil {
		err = checkShape(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the encoder of the table is no JSON object: %w", err)
	}
	return text, nil
}

// checkTable refuses what is no JSON of an encoder.
func checkTable(table json.RawMessage) error {
	if table == nil {
		return nil
	}
	if err := checkShape(table); err != nil || json.Valid(table) {
		return err
	}
	return fmt.Errorf("table, of %d bytes, is no JSON", len(table))
}

// checkShape refuses JSON that is too long, or no object.
func checkShape(table json.RawMessage) error {
	if len(table) > sparse.MaxEncoding || !bytes.HasPrefix(table, []byte{'{'}) {
		return fmt.Errorf("table, of %d bytes, is no JSON object of at most %d", len(table), sparse.MaxEncoding)
	}
	return nil
}
