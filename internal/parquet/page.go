package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"sync"

	"github.com/parquet-go/parquet-go/format"
)

// null stands in page.slots for a row without a value.
const null = math.MaxUint32

// page is a page of data or a dictionary. Whoever needs it first decodes it; then it does not
// change.
type page struct {
	*column
	codec      format.CompressionCodec
	header     *pageHeader
	number     int // in its chunk, from 0
	encoding   format.Encoding
	values     int // nulls among them
	dictionary *page
	raw        []byte
	first      int64 // rows of the group
	last       int64

	once sync.Once
	err  error
	// slots has the place of each row's value, in the dictionary where there is one, or null. It
	// is nil where row i has value i.
	slots []uint32
	plain cells

	// Of a dictionary: the text of entry i is text[ends[i]:ends[i+1]].
	text []byte
	ends []uint32
}

// memory bounds the bytes that p takes, decoded.
func (p *page) memory() int64 {
	return int64(p.header.Size) + int64(p.header.Compressed) + 12*int64(p.values)
}

// perRow guesses the bytes of text of a row.
func (p *page) perRow() float64 {
	if d := p.dictionary; d != nil {
		return 8 + float64(d.header.Size)/float64(max(1, d.values))
	}
	return 8 + float64(p.header.Size)/float64(p.values)
}

// decode decodes p and its dictionary, at its first call.
func (p *page) decode() error {
	p.once.Do(func() {
		if p.err = p.unpack(); p.err == nil && p.header.Type == format.DictionaryPage {
			p.err = p.words()
		}
		p.raw = nil
	})
	return p.err
}

// unpack sets slots and plain.
func (p *page) unpack() error {
	if crc := p.header.CRC; crc.Valid && uint32(crc.V) != crc32.ChecksumIEEE(p.raw) {
		return errors.New("the checksum is wrong: the file is damaged")
	}
	if p.dictionary != nil {
		if err := p.dictionary.decode(); err != nil {
			return fmt.Errorf("the dictionary: %w", err)
		}
	}
	b, size, levels := p.raw, int(p.header.Size), []byte(nil)
	if p.header.Type == format.DataPageV2 {
		h := &p.header.V2.V
		repetition, definition := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
		if repetition < 0 || definition < 0 || repetition > len(b) || definition > len(b)-repetition || repetition+definition > size {
			return errors.New("the levels are longer than the page")
		}
		levels, b = b[repetition:repetition+definition], b[repetition+definition:]
		size -= repetition + definition
		if h.IsCompressed.Valid && !h.IsCompressed.V {
			p.codec = format.Uncompressed
		}
	}
	b, err := decompress(p.codec, b, size)
	if err != nil {
		return err
	}
	count := p.values
	if p.level > 0 && p.header.Type != format.DictionaryPage {
		if p.header.Type == format.DataPage {
			if encoding := p.header.V1.V.DefinitionLevelEncoding; encoding != format.RLE {
				return fmt.Errorf("definition levels of encoding %s, which lanes does not read", encoding)
			}
			if levels, b, err = prefixed(b); err != nil {
				return err
			}
		}
		if count, err = p.placeRows(levels); err != nil {
			return err
		}
	}
	if p.dictionary == nil {
		return p.readPlain(b, count)
	}
	return p.readIndices(b, count)
}

// prefixed cuts b behind the bytes whose number its first four bytes have.
func prefixed(b []byte) (head, rest []byte, err error) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n], b[n:], nil
}

// placeRows sets slots by the definition levels, p.level for rows with a value and less for others,
// and returns the number of values.
func (p *page) placeRows(levels []byte) (count int, err error) {
	p.slots = make([]uint32, p.values)
	if err := runs(p.slots, levels, bits.Len(uint(p.level))); err != nil {
		return 0, fmt.Errorf("the definition levels: %w", err)
	}
	for i, level := range p.slots {
		p.slots[i] = null
		if int(level) == p.level {
			p.slots[i] = uint32(count)
			count++
		}
	}
	if count == p.values {
		p.slots = nil
	}
	return count, nil
}

// readIndices reads the places of count values in the dictionary.
func (p *page) readIndices(b []byte, count int) error {
	if count == 0 {
		return nil
	}
	if len(b) == 0 || b[0] > 32 {
		return errors.New("the indices into the dictionary have no width")
	}
	indices := make([]uint32, count)
	if err := runs(indices, b[1:], int(b[0])); err != nil {
		return fmt.Errorf("the indices into the dictionary: %w", err)
	}
	for _, k := range indices {
		if int64(k) >= int64(p.dictionary.values) {
			return fmt.Errorf("index %d into a dictionary of %d values", k, p.dictionary.values)
		}
	}
	if p.slots == nil {
		p.slots = indices
		return nil
	}
	for i, k := range p.slots {
		if k != null {
			p.slots[i] = indices[k]
		}
	}
	return nil
}

// words writes the text of the entries of a dictionary.
func (p *page) words() error {
	p.ends = make([]uint32, 1, p.values+1)
	for i := range p.values {
		p.text = p.column.text(p.text, p.plain.at(i))
		if int64(len(p.text)) > math.MaxUint32 {
			return errors.New("the dictionary has more than 4 GB of text")
		}
		p.ends = append(p.ends, uint32(len(p.text)))
	}
	p.plain = cells{}
	return nil
}

// append appends the text of rows from to to-1 of the page. It writes the beginning and the end of
// text i to at[i*step] and at[i*step+1].
func (p *page) append(text []byte, at []uint32, step, from, to int) ([]byte, error) {
	d := p.dictionary
	for i := from; i < to; i++ {
		begin := len(text)
		slot := uint32(i)
		if p.slots != nil {
			slot = p.slots[i]
		}
		switch {
		case slot == null:
		case d != nil:
			text = append(text, d.text[d.ends[slot]:d.ends[slot+1]]...)
		default:
			text = p.column.text(text, p.plain.at(int(slot)))
		}
		if len(text) > maxText {
			return text, fmt.Errorf("some thousand rows have more than %d bytes of text", maxText)
		}
		k := (i - from) * step
		at[k], at[k+1] = uint32(begin), uint32(len(text))
	}
	return text, nil
}
