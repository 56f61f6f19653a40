package parquet

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// maxDepth bounds structures within structures. The format needs six.
const maxDepth = 32

var errThrift = errors.New("the thrift structure is damaged")

// decode fills v from the thrift structure, in the compact protocol, at the beginning of b, and
// returns its length. It returns io.ErrUnexpectedEOF if b ends before the structure does. The
// library's decoder allocates as many elements as a list claims and recurses as deep as the bytes
// say; decode therefore walks through the structure first.
func decode(b []byte, v any) (int, error) {
	w := walker{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	var protocol thrift.CompactProtocol
	return w.at, thrift.NewDecoder(protocol.NewReaderFromBytes(b[:w.at])).Decode(v)
}

// walker goes through a thrift structure without decoding it.
type walker struct {
	b  []byte
	at int
}

func (w *walker) skip(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		w.at = len(w.b)
		return io.ErrUnexpectedEOF
	}
	w.at += int(n)
	return nil
}

func (w *walker) byte() (byte, error) {
	if err := w.skip(1); err != nil {
		return 0, err
	}
	return w.b[w.at-1], nil
}

func (w *walker) number() (uint64, error) {
	u, n := binary.Uvarint(w.b[w.at:])
	if n < 0 {
		return 0, errThrift
	}
	if n == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	w.at += n
	return u, nil
}

func (w *walker) structure(depth int) error {
	for {
		head, err := w.byte()
		if err != nil || thrift.Type(head) == thrift.STOP {
			return err
		}
		if head>>4 == 0 {
			if _, err := w.number(); err != nil {
				return err
			}
		}
		kind := thrift.Type(head & 15)
		if kind == thrift.TRUE || kind == thrift.FALSE {
			continue
		}
		if err := w.value(kind, depth); err != nil {
			return err
		}
	}
}

func (w *walker) value(kind thrift.Type, depth int) error {
	if depth > maxDepth {
		return errThrift
	}
	switch kind {
	case thrift.TRUE, thrift.FALSE, thrift.I8:
		return w.skip(1)
	case thrift.I16, thrift.I32, thrift.I64:
		_, err := w.number()
		return err
	case thrift.DOUBLE:
		return w.skip(8)
	case thrift.UUID:
		return w.skip(16)
	case thrift.BINARY:
		n, err := w.number()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thrift.LIST, thrift.SET:
		head, err := w.byte()
		if err != nil {
			return err
		}
		size := uint64(head >> 4)
		if size == 15 {
			if size, err = w.number(); err != nil {
				return err
			}
		}
		return w.values(size, depth, thrift.Type(head&15))
	case thrift.MAP:
		size, err := w.number()
		if err != nil || size == 0 {
			return err
		}
		kinds, err := w.byte()
		if err != nil {
			return err
		}
		return w.values(size, depth, thrift.Type(kinds>>4), thrift.Type(kinds&15))
	case thrift.STRUCT:
		return w.structure(depth + 1)
	}
	return errThrift
}

// values walks through size elements, each with values of these kinds.
func (w *walker) values(size uint64, depth int, kinds ...thrift.Type) error {
	if size > uint64(len(w.b)-w.at) { // each element has a byte at least
		return io.ErrUnexpectedEOF
	}
	for range size {
		for _, kind := range kinds {
			if err := w.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
