package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// cells are the values of a page, as the plain encoding has them.
type cells struct {
	width int // bytes of a value; 0 where they differ
	data  []byte
	// places has the first byte of each value, and the byte behind the value, where lengths differ.
	places []uint32
}

func (c *cells) at(i int) []byte {
	if c.width > 0 {
		return c.data[i*c.width : (i+1)*c.width]
	}
	return c.data[c.places[2*i]:c.places[2*i+1]]
}

var errShort = errors.New("the page ends before its values do")

// readPlain sets plain to count values.
func (p *page) readPlain(b []byte, count int) (err error) {
	encoding := p.encoding
	if p.header.Type == format.DictionaryPage {
		encoding = format.Plain // PLAIN_DICTIONARY means that, too
	}
	p.plain.width = p.width
	whole := p.physical == format.Int32 || p.physical == format.Int64
	words := p.physical == format.ByteArray
	switch {
	case count == 0:
	case encoding == format.Plain && p.physical == format.Boolean:
		if len(b) < (count+7)/8 {
			return errShort
		}
		p.plain.data = make([]byte, count)
		for i := range p.plain.data {
			p.plain.data[i] = b[i/8] >> (i % 8) & 1
		}
	case encoding == format.Plain && words:
		err = p.readWords(b, count)
	case encoding == format.Plain:
		if len(b)/p.width < count {
			return errShort
		}
		p.plain.data = b
	case encoding == format.RLE && p.physical == format.Boolean:
		if b, _, err = prefixed(b); err != nil {
			return err
		}
		bits := make([]uint32, count)
		if err := runs(bits, b, 1); err != nil {
			return err
		}
		p.plain.data = make([]byte, count)
		for i, bit := range bits {
			p.plain.data[i] = byte(bit)
		}
	case encoding == format.DeltaBinaryPacked && whole:
		var numbers []int64
		if numbers, _, err = deltas(b, count); err != nil {
			return err
		}
		p.plain.data = make([]byte, 0, count*p.width)
		for _, v := range numbers {
			if p.width == 4 {
				p.plain.data = binary.LittleEndian.AppendUint32(p.plain.data, uint32(v))
			} else {
				p.plain.data = binary.LittleEndian.AppendUint64(p.plain.data, uint64(v))
			}
		}
	case encoding == format.DeltaLengthByteArray && words:
		err = p.readLengths(b, count)
	case encoding == format.DeltaByteArray && (words || p.physical == format.FixedLenByteArray):
		err = p.readPrefixes(b, count)
	case encoding == format.ByteStreamSplit && p.width > 1 && p.physical != format.Int96:
		if len(b) != count*p.width {
			return errShort
		}
		p.plain.data = make([]byte, len(b))
		for k := range p.width {
			for i, v := range b[k*count : (k+1)*count] {
				p.plain.data[i*p.width+k] = v
			}
		}
	default:
		return fmt.Errorf("values of type %s with encoding %s, which lanes does not read", p.physical, encoding)
	}
	for i := 0; err == nil && p.most > 0 && i < count; i++ {
		if n := len(p.plain.at(i)); n > p.most {
			err = fmt.Errorf("a number of %d bytes; it may have %d", n, p.most)
		}
	}
	return err
}

// readWords reads words, each after its length.
func (p *page) readWords(b []byte, count int) error {
	if len(b)/4 < count {
		return errShort
	}
	p.plain.data, p.plain.places = b, make([]uint32, 2*count)
	at := 0
	for i := range count {
		if len(b)-at < 4 {
			return errShort
		}
		n := int64(binary.LittleEndian.Uint32(b[at:]))
		at += 4
		if n > int64(len(b)-at) {
			return errShort
		}
		p.plain.places[2*i], p.plain.places[2*i+1] = uint32(at), uint32(at)+uint32(n)
		at += int(n)
	}
	return nil
}

// readLengths reads the lengths of words and then the words.
func (p *page) readLengths(b []byte, count int) error {
	lengths, b, err := deltas(b, count)
	if err != nil {
		return err
	}
	p.plain.data, p.plain.places = b, make([]uint32, 2*count)
	at := 0
	for i, n := range lengths {
		if n < 0 || n > int64(len(b)-at) {
			return errShort
		}
		p.plain.places[2*i], p.plain.places[2*i+1] = uint32(at), uint32(at+int(n))
		at += int(n)
	}
	return nil
}

// readPrefixes reads words that repeat the first bytes of the word before.
func (p *page) readPrefixes(b []byte, count int) error {
	prefixes, b, err := deltas(b, count)
	if err != nil {
		return err
	}
	lengths, b, err := deltas(b, count)
	if err != nil {
		return err
	}
	p.plain.places = make([]uint32, 2*count)
	var data []byte
	last, size := 0, int64(p.header.Size)
	for i, n := range lengths {
		prefix := prefixes[i]
		if n < 0 || n > int64(len(b)) || prefix < 0 || prefix > int64(len(data)-last) {
			return errShort
		}
		// A word of 1 MB that a byte repeats would take a thousand times the bytes of the page.
		if int64(len(data))+prefix+n > maxText && int64(len(data)) > 64*size {
			return fmt.Errorf("%d bytes have more than %d bytes of text", size, maxText)
		}
		begin := len(data)
		data = append(data, data[last:last+int(prefix)]...)
		data = append(data, b[:n]...)
		b, last = b[n:], begin
		if p.width > 0 && len(data)-begin != p.width || int64(len(data)) > math.MaxUint32 {
			return fmt.Errorf("a value of %d bytes in a column of %d", len(data)-begin, p.width)
		}
		p.plain.places[2*i], p.plain.places[2*i+1] = uint32(begin), uint32(len(data))
	}
	p.plain.data = data
	return nil
}

// runs fills to with numbers of width bits: runs of equal numbers, and packed bits in groups of 8.
func runs(to []uint32, b []byte, width int) error {
	for len(to) > 0 {
		head, n := binary.Uvarint(b)
		if n <= 0 {
			return io.ErrUnexpectedEOF
		}
		b = b[n:]
		if head&1 == 0 {
			bytes := (width + 7) / 8
			if len(b) < bytes {
				return io.ErrUnexpectedEOF
			}
			var v uint32
			for k := range bytes {
				v |= uint32(b[k]) << (8 * k)
			}
			b = b[bytes:]
			run := int(min(head>>1, uint64(len(to))))
			for i := range to[:run] {
				to[i] = v
			}
			to = to[run:]
			continue
		}
		count := int(min(head>>1, uint64(len(to)+7)/8)) * 8
		bytes := count / 8 * width
		here := to[:min(count, len(to))]
		if need := (len(here)*width + 7) / 8; need > len(b) {
			return io.ErrUnexpectedEOF
		}
		for i := range here {
			here[i] = uint32(bitsAt(b, i*width, width))
		}
		b, to = b[min(bytes, len(b)):], to[len(here):]
	}
	return nil
}

// bitsAt returns the width bits from a bit of b on, which b has.
func bitsAt(b []byte, bit, width int) uint64 {
	if width == 0 {
		return 0
	}
	at, shift := bit/8, bit%8
	var word, more uint64
	if at+9 <= len(b) {
		word, more = binary.LittleEndian.Uint64(b[at:]), uint64(b[at+8])
	} else {
		var tail [9]byte
		copy(tail[:], b[at:])
		word, more = binary.LittleEndian.Uint64(tail[:]), uint64(tail[8])
	}
	return (word>>shift | more<<(64-shift)) & (1<<width - 1)
}

// deltas reads count numbers that the encoding DELTA_BINARY_PACKED has, and returns what comes
// behind.
func deltas(b []byte, count int) ([]int64, []byte, error) {
	var head [3]uint64 // values of a block, miniblocks of a block, all values
	for k := range head {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, nil, io.ErrUnexpectedEOF
		}
		head[k], b = v, b[n:]
	}
	value, n := binary.Varint(b)
	if n <= 0 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	b = b[n:]
	block, minis := head[0], head[1]
	if head[2] != uint64(count) || block == 0 || block > 1<<20 || minis == 0 || block%minis != 0 || block/minis%8 != 0 {
		return nil, nil, fmt.Errorf("deltas of %d values, by %d blocks of %d, in the place of %d values", head[2], minis, block, count)
	}
	each := int(block / minis)
	values := make([]int64, 0, min(count, 1+8*len(b)+int(block)))
	for {
		if len(values) == count {
			return values, b, nil
		}
		if len(values) == 0 {
			values = append(values, value)
			continue
		}
		least, n := binary.Varint(b)
		if n <= 0 || uint64(len(b)-n) < minis {
			return nil, nil, io.ErrUnexpectedEOF
		}
		widths := b[n : n+int(minis)]
		b = b[n+int(minis):]
		for _, width := range widths {
			here := min(each, count-len(values))
			if here == 0 {
				break
			}
			if width > 64 || len(b) < each/8*int(width) {
				return nil, nil, io.ErrUnexpectedEOF
			}
			for i := range here {
				value += least + int64(bitsAt(b, i*int(width), int(width)))
				values = append(values, value)
			}
			b = b[each/8*int(width):]
		}
	}
}
