package sparse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxEncoding is the greatest number of bytes of Data.Encoding.
const MaxEncoding = 1 << 30

// check tells whether the parts of data fit together. Messages call row 0 first.
func (data *Data) check(first int) error {
	if err := data.checkRows(first); err != nil {
		return err
	}
	if message := checkTable(data.LabelNames, data.Encoding); message != "" {
		return errors.New("sparse: " + message)
	}
	return nil
}

// checkRows is check without a look at the words of labels and the encoder.
func (data *Data) checkRows(first int) error {
	if data == nil || data.X == nil {
		return errors.New("sparse: there are no data to write")
	}
	n := data.X.Rows()
	if len(data.Y) != n || data.Query != nil && len(data.Query) != n {
		return fmt.Errorf("sparse: %d labels and %d queries for %d rows", len(data.Y), len(data.Query), n)
	}
	if data.Weight != nil && len(data.Weight) != n || data.Offset != nil && len(data.Offset) != n {
		return fmt.Errorf("sparse: %d weights and %d offsets for %d rows", len(data.Weight), len(data.Offset), n)
	}
	for i, y := range data.Y {
		if y-y != 0 {
			return fmt.Errorf("sparse: the label of row %d is %v", first+i, y)
		}
		if k := int(y); data.LabelNames != nil && (float64(k) != y || k < 0 || k >= len(data.LabelNames)) {
			return fmt.Errorf("sparse: the label of row %d is %v, and there are %d names of labels", first+i, y, len(data.LabelNames))
		}
	}
	for i, q := range data.Query {
		if q < 0 {
			return fmt.Errorf("sparse: the query of row %d is %d; it must not be negative", first+i, q)
		}
	}
	if message := checkWeights(data.Weight, data.Offset, first); message != "" {
		return errors.New("sparse: " + message)
	}
	return nil
}

// checkWeights says which weight or offset no row can have.
func checkWeights(weight, offset []float64, first int) (message string) {
	for i, w := range weight {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Sprintf("the weight of row %d is %v; weights are finite, and not negative", first+i, w)
		}
	}
	for i, o := range offset {
		if o-o != 0 {
			return fmt.Sprintf("the offset of row %d is %v; offsets are finite", first+i, o)
		}
	}
	return ""
}

// checkTable says what is wrong with names of labels and the JSON of an encoder.
func checkTable(names []string, encoding []byte) (message string) {
	for k, name := range names {
		switch {
		case name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
			return fmt.Sprintf("%.40q cannot be the name of a label: a name is text without control characters", name)
		case k > 0 && names[k-1] >= name:
			return fmt.Sprintf("the names of labels %.40q and %.40q do not ascend", names[k-1], name)
		}
	}
	switch {
	case encoding == nil:
	case len(encoding) > MaxEncoding:
		return fmt.Sprintf("the encoder of a table takes %d bytes of JSON; at most %d are kept", len(encoding), MaxEncoding)
	case !bytes.HasPrefix(encoding, []byte{'{'}) || !json.Valid(encoding):
		return "the encoder of a table is no JSON object"
	}
	return ""
}
