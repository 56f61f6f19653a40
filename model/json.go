package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lanes-go/lanes/sparse"
)

// readJSON reads what Perceptron.Write or Linear.WriteSparse wrote; name stands in errors,
// which are *sparse.FormatError. All that is incomplete, not finite or not of the format is
// refused.
func readJSON(r io.Reader, name string) (Model, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var kind struct{ Format string }
	var m Model
	var at int64
	// Either reader reports text that is not JSON.
	switch json.Unmarshal(text, &kind); kind.Format {
	case sparseFormat:
		var file sparseText
		if at, err = decodeWhole(text, &file); err == nil {
			m, err = orNil(file.linear())
		}
	case fileFormat, "":
		var file fileText
		at, err = decodeWhole(text, &file)
		switch {
		case err != nil:
		case file.Format != fileFormat:
			err = errors.New("it has no format: it is no model")
		default:
			m, err = orNil(file.trained())
		}
	default:
		err = fmt.Errorf("the format is %.40q, neither %q nor %q", kind.Format, fileFormat, sparseFormat)
	}
	if err != nil {
		line := 1 + bytes.Count(text[:max(0, min(at, int64(len(text))))], []byte("\n"))
		return nil, &sparse.FormatError{Name: name, Line: int64(line), Message: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "model: "), "model: ")}
	}
	return m, nil
}

// orNil makes a Model of a kind of model.
func orNil[M Model](m M, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// decodeWhole decodes a text that is one object with known fields alone, and says where an
// error is.
func decodeWhole(text []byte, into any) (at int64, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(into); err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = errors.New("more text stands after the model")
		}
		return decoder.InputOffset(), err
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return int64(len(text)), errors.New("the file is truncated")
	case errors.As(err, &syntax):
		return syntax.Offset, err
	case errors.As(err, &kind):
		return kind.Offset, err
	}
	return decoder.InputOffset(), err
}
