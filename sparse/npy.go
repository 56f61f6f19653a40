package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/memory"
)

// npyMagic are the first bytes of an array in the format of numpy.lib.format.
const npyMagic = "\x93NUMPY"

// npy reads the elements of a NumPy array one after the other. Its memory is what was read.
type npy struct {
	r     io.Reader
	kind  byte // i, u, f, b, S or U
	size  int  // bytes of an element
	order binary.ByteOrder
	shape []uint64
	count uint64 // elements
	given uint64 // elements that were read
	bytes []byte
}

var (
	npyType  = regexp.MustCompile(`'descr': *'([<>=|])([iufbSU])([0-9]{1,6})'`)
	npyOrder = regexp.MustCompile(`'fortran_order': *(True|False)`)
	npyShape = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// newNPY reads the header of an array.
func newNPY(r io.Reader) (*npy, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil || string(head[:6]) != npyMagic {
		return nil, errors.New("it does not begin as a NumPy array")
	}
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	if head[6] > 1 {
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return nil, err
		}
		length = int64(binary.LittleEndian.Uint32(head[8:]))
	}
	if head[6] < 1 || head[6] > 3 || length > 1<<16 {
		return nil, fmt.Errorf("a header of %d bytes of version %d", length, head[6])
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	kind, order, shape := npyType.FindSubmatch(text), npyOrder.FindSubmatch(text), npyShape.FindSubmatch(text)
	if kind == nil || order == nil || shape == nil {
		return nil, fmt.Errorf("an array of numbers or words is expected, and this is %s", shorten(text))
	}
	a := &npy{r: r, kind: kind[2][0], order: binary.LittleEndian, count: 1}
	if kind[1][0] == '>' {
		a.order = binary.BigEndian
	}
	a.size, _ = strconv.Atoi(string(kind[3]))
	switch good := a.size == 1 || a.size == 2 || a.size == 4 || a.size == 8; {
	case a.kind == 'U':
		a.size *= 4
	case a.kind == 'S':
	case !good, a.kind == 'b' && a.size != 1, a.kind == 'f' && a.size < 4:
		return nil, fmt.Errorf("elements of type %s%s", kind[2], kind[3])
	}
	for text := range strings.SplitSeq(string(shape[1]), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n > 0 && a.count > math.MaxInt64/n {
			return nil, fmt.Errorf("an array of the shape (%s)", shape[1])
		}
		a.shape = append(a.shape, n)
		a.count *= n
	}
	if string(order[1]) == "True" && len(a.shape) > 1 {
		return nil, errors.New("an array in Fortran's order")
	}
	return a, nil
}

// each calls f for the next n elements. It calls reserve, if that is not nil, before it calls f for
// as many elements.
func (a *npy) each(n uint64, reserve func(elements int) error, f func(element []byte) error) error {
	if n > a.count-a.given {
		return fmt.Errorf("the array has %d elements, and more are expected", a.count)
	}
	a.given += n
	for n > 0 {
		some := min(n, max(1, 1<<16/uint64(max(a.size, 1))))
		if need := int(some) * a.size; cap(a.bytes) < need {
			a.bytes = make([]byte, need)
		}
		b := a.bytes[:int(some)*a.size]
		if _, err := io.ReadFull(a.r, b); err != nil {
			return fmt.Errorf("the array ends too early: %w", err)
		}
		if reserve != nil {
			if err := reserve(int(some)); err != nil {
				return err
			}
		}
		for k := range int(some) {
			if err := f(b[k*a.size : (k+1)*a.size]); err != nil {
				return err
			}
		}
		n -= some
	}
	return nil
}

// reserving returns a function that gives v capacity for more elements.
func reserving[T any](v *[]T) func(int) error {
	return func(elements int) (err error) {
		*v, err = memory.Grow("the array", *v, elements, 0)
		return err
	}
}

// whole appends the next n elements, which must be whole numbers, to v.
func (a *npy) whole(v []int64, n uint64) ([]int64, error) {
	if a.kind != 'i' && a.kind != 'u' {
		return v, errors.New("whole numbers are expected")
	}
	err := a.each(n, reserving(&v), func(b []byte) error {
		u := a.unsigned(b)
		if shift := 64 - 8*a.size; a.kind == 'i' {
			u = uint64(int64(u) << shift >> shift)
		} else if u > math.MaxInt64 {
			return fmt.Errorf("the number %d", u)
		}
		v = append(v, int64(u))
		return nil
	})
	return v, err
}

func (a *npy) unsigned(b []byte) uint64 {
	switch a.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(a.order.Uint16(b))
	case 4:
		return uint64(a.order.Uint32(b))
	}
	return a.order.Uint64(b)
}

// floats appends the next n elements to v, which are numbers.
func (a *npy) floats(v []float64, n uint64) ([]float64, error) {
	err := a.each(n, reserving(&v), func(b []byte) error {
		u := a.unsigned(b)
		shift := 64 - 8*a.size
		switch {
		case a.kind == 'f' && a.size == 4:
			v = append(v, float64(math.Float32frombits(uint32(u))))
		case a.kind == 'f':
			v = append(v, math.Float64frombits(u))
		case a.kind == 'i':
			v = append(v, float64(int64(u)<<shift>>shift))
		default:
			v = append(v, float64(u))
		}
		return nil
	})
	return v, err
}

// isWords tells whether the elements are words.
func (a *npy) isWords() bool { return a.kind == 'S' || a.kind == 'U' }

// words calls f for the next n elements, which are words; reserve is as in each.
func (a *npy) words(n uint64, reserve func(elements int) error, f func(word []byte) error) error {
	var text []byte
	return a.each(n, reserve, func(b []byte) error {
		text = append(text[:0], b...)
		if a.kind == 'U' {
			text = text[:0]
			for k := 0; k < len(b); k += 4 {
				text = utf8.AppendRune(text, rune(a.order.Uint32(b[k:])))
			}
		}
		word := []byte(strings.TrimRight(string(text), "\x00"))
		if len(word) > longestWord {
			return fmt.Errorf("the word %s is longer than %d bytes", shorten(word), longestWord)
		}
		return f(word)
	})
}

// end tells whether nothing follows the elements. Reading to the end compares checksums, too.
func (a *npy) end() error {
	if a.given < a.count {
		return fmt.Errorf("the array has %d elements, and %d are expected", a.count, a.given)
	}
	switch n, err := io.ReadFull(a.r, make([]byte, 1)); {
	case n > 0:
		return errors.New("more bytes follow the array")
	case err != io.EOF:
		return err
	}
	return nil
}
