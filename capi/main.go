// Command capi is the C library of lanes: see lanes.h, which documents every function. Build it
// by 'make build-c'.
package main

/*
#include <string.h>
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"unicode"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

func main() {}

// badArgument says what is wrong with an argument of a call.
type badArgument string

func (e badArgument) Error() string { return string(e) }

func wrong(format string, values ...any) error { return badArgument(fmt.Sprintf(format, values...)) }

// call runs a function of the library. It turns its error, or its panic, into a status and a
// message.
func call(message *C.lanes_text, f func() error) (status C.lanes_status) {
	defer func() {
		if v := recover(); v != nil {
			status = C.LANES_INTERNAL
			write(message, []byte(fmt.Sprintf("a mistake of the library: %v\n%s", v, debug.Stack())))
		}
	}()
	err := f()
	if err == nil {
		write(message, nil)
		return C.LANES_OK
	}
	write(message, []byte(text(err)))
	return statusOf(err)
}

// text is an error in words, with the fields of JSON in the place of Go's.
func text(err error) string {
	if option := (*lanes.OptionError)(nil); errors.As(err, &option) {
		return fmt.Sprintf("%s = %v: %s", field(option.Option), option.Value, option.In(field))
	}
	return err.Error()
}

// field is the name that a field of lanes.Options or lanes.Search has in JSON.
func field(name string) string {
	var b strings.Builder
	previous := '.'
	for _, c := range name {
		if unicode.IsUpper(c) && unicode.IsLower(previous) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
		previous = c
	}
	return b.String()
}

func statusOf(err error) C.lanes_status {
	var (
		argument badArgument
		option   *lanes.OptionError
		data     *lanes.DataError
		labels   *lanes.LabelsError
		row      *model.RowError
		format   *sparse.FormatError
		path     *fs.PathError
		syntax   *json.SyntaxError
		typed    *json.UnmarshalTypeError
		cells    tableError
		plan     *lanes.MemoryError
		limit    *erm.MemoryError
	)
	switch {
	case errors.Is(err, lanes.ErrNotBegun):
		return C.LANES_NOT_BEGUN
	case errors.Is(err, context.Canceled):
		return C.LANES_CANCELLED
	case errors.As(err, &argument):
		return C.LANES_BAD_ARGUMENT
	case errors.As(err, &option), errors.As(err, &syntax), errors.As(err, &typed), errors.Is(err, errOptions):
		return C.LANES_BAD_OPTION
	case errors.As(err, &plan), errors.As(err, &limit), memory.IsShort(err):
		return C.LANES_NO_MEMORY
	case errors.As(err, &format), errors.As(err, &path), errors.Is(err, os.ErrNotExist):
		return C.LANES_BAD_FILE
	case errors.As(err, &cells), errors.As(err, &data), errors.As(err, &labels), errors.As(err, &row):
		return C.LANES_BAD_DATA
	}
	return C.LANES_BAD_OPTION
}

// write copies a text to memory of the caller.
func write(to *C.lanes_text, from []byte) {
	if to == nil {
		return
	}
	to.length = C.size_t(len(from))
	if to.data == nil || to.size == 0 {
		return
	}
	buffer := unsafe.Slice((*byte)(unsafe.Pointer(to.data)), to.size)
	n := copy(buffer[:len(buffer)-1], from)
	buffer[n] = 0
}

// writeJSON writes a value as JSON to memory of the caller.
func writeJSON(to *C.lanes_text, v any) error {
	if to == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err == nil {
		write(to, data)
	}
	return err
}

// addresses is the size of the address space of a process, in bytes: no array has more.
const addresses = min(math.MaxInt, 1<<47)

// array returns memory of the caller as a slice.
func array[T any](name string, data unsafe.Pointer, length int64) ([]T, error) {
	var zero T
	switch {
	case length < 0:
		return nil, wrong("%s has a length of %d", name, length)
	case length > addresses/int64(max(unsafe.Sizeof(zero), 1)):
		return nil, wrong("%s has a length of %d, more than there are addresses", name, length)
	case length == 0:
		return nil, nil
	case data == nil:
		return nil, wrong("%s is NULL", name)
	}
	return unsafe.Slice((*T)(data), length), nil
}

// bytesOf returns a text of the caller of the given length.
func bytesOf(name string, text *C.char, length C.size_t) ([]byte, error) {
	if length > addresses {
		return nil, wrong("length is %d", length)
	}
	return array[byte](name, unsafe.Pointer(text), int64(length))
}

// word returns a text of the caller that ends with a 0.
func word(name string, s *C.char) (string, error) {
	if s == nil {
		return "", wrong("%s is NULL", name)
	}
	return C.GoString(s), nil
}
