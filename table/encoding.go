package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/sparse"
)

// codePage returns an encoding of DOS, which browsers do not know, by its name; nil for other names.
func codePage(name string) encoding.Encoding {
	switch name {
	case "cp437":
		return charmap.CodePage437
	case "cp850":
		return charmap.CodePage850
	case "cp852":
		return charmap.CodePage852
	}
	return nil
}

// encodingByName returns the encoding that Options.Encoding names, and its usual name.
func encodingByName(given string) (e encoding.Encoding, name string, err error) {
	if e = codePage(strings.ToLower(given)); e != nil {
		return e, strings.ToLower(given), nil
	}
	if e, err = htmlindex.Get(given); err == nil {
		name, err = htmlindex.Name(e)
	}
	if err != nil || name == "replacement" || name == "x-user-defined" {
		return nil, "", fmt.Errorf("table: encoding %q is not known: want utf-8, utf-16, windows-1252, latin1, windows-1250, windows-1251, cp850, macintosh, koi8-r, shift_jis, gb18030, big5, euc-kr or another name that browsers know", given)
	}
	return e, name, nil
}

// encodingOf says how the text of a file is encoded: by its byte-order mark, else by
// Options.Encoding, else by zeros in every second byte, else it is UTF-8. mark is the length of
// the byte-order mark.
func (s *Source) encodingOf(file int, begin []byte) (name string, mark int, err error) {
	given := s.options.Encoding
	if given == "" {
		name = "utf-8"
	} else if _, name, err = encodingByName(given); err != nil {
		return "", 0, err
	}
	const sure = 16 // bytes whose zeros say that text is UTF-16
	wide, found := strings.ToLower(content.UTF16(begin)), ""
	if bytes.HasPrefix(begin, []byte("\ufeff")) {
		found, mark = "utf-8", 3
	} else if wide != "" && begin[0] >= 0xfe {
		found, mark = wide, 2
	}
	either := strings.EqualFold(given, "utf-16")
	switch {
	case found == "" && wide != "" && len(begin) >= sure && (given == "" || either):
		return wide, 0, nil
	case found == "" || found == name:
		return name, mark, nil
	case given == "" || either && found == wide:
		return found, mark, nil
	}
	return "", 0, &sparse.FormatError{Name: s.files[file].name, Message: fmt.Sprintf("the file begins with the byte-order mark of %s, and the encoding is said to be %s: leave --encoding out (Options.Encoding)", found, given)}
}

// decoded returns the UTF-8 of text in the encoding of a name. Bytes that the encoding does not
// have become 0xff, which UTF-8 does not have.
func decoded(r io.Reader, name string) (io.Reader, error) {
	if name == "utf-8" {
		return r, nil
	}
	e, _, err := encodingByName(name)
	if err != nil {
		return nil, err
	}
	return transform.NewReader(r, transform.Chain(e.NewDecoder(), unreplaced{})), nil
}

// unreplaced writes 0xff for each U+FFFD, by which decoders replace what they cannot read.
type unreplaced struct{ transform.NopResetter }

var replacement = []byte("\ufffd")

func (unreplaced) Transform(to, from []byte, atEnd bool) (wrote, read int, err error) {
	for read < len(from) {
		n := bytes.Index(from[read:], replacement)
		whole := n >= 0
		if !whole {
			n = len(from) - read
			for cut := 1; cut < len(replacement) && !atEnd; cut++ {
				if bytes.HasSuffix(from[read:], replacement[:cut]) {
					n, err = n-cut, transform.ErrShortSrc
				}
			}
		}
		copied := copy(to[wrote:], from[read:read+n])
		wrote, read = wrote+copied, read+copied
		switch {
		case copied < n || whole && wrote == len(to):
			return wrote, read, transform.ErrShortDst
		case whole:
			to[wrote] = 0xff
			wrote, read = wrote+1, read+len(replacement)
		default:
			return wrote, read, err
		}
	}
	return wrote, read, nil
}

// isUTF8In tells whether the bytes of text in an encoding, before they were decoded, are UTF-8 beyond
// ASCII. In any other encoding that is very rare.
func isUTF8In(name string, text []byte) bool {
	if name == "utf-8" || isASCII(text) {
		return false
	}
	e, _, err := encodingByName(name)
	if err != nil {
		return false
	}
	before, err := e.NewEncoder().Bytes(text)
	return err == nil && utf8.Valid(before) && !isASCII(before)
}

// isASCII tells whether all bytes of text are ASCII.
func isASCII(text []byte) bool {
	all := uint64(0)
	for ; len(text) >= 8; text = text[8:] {
		all |= binary.LittleEndian.Uint64(text)
	}
	for _, c := range text {
		all |= uint64(c)
	}
	return all&0x8080808080808080 == 0
}

// firstInvalid returns the place of the first byte of text that is not UTF-8, -1 for none.
func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// oddBytes returns the place of the first byte of a row that no text has, and what is wrong with it;
// "" if all bytes are text.
func (s *Source) oddBytes(row []byte) (at int, message string) {
	zero, at := bytes.IndexByte(row, 0), firstInvalid(row)
	switch {
	case zero >= 0 && (at < 0 || zero < at):
		return zero, "a NUL byte, which no text has: is the file damaged, or no text?"
	case at >= 0:
		return at, s.wrongBytes(row, at)
	}
	return 0, ""
}

// wrongBytes says what is wrong with a byte of a row that is not UTF-8.
func (s *Source) wrongBytes(row []byte, at int) string {
	if s.options.Encoding != "" && !strings.EqualFold(s.options.Encoding, "utf-8") {
		return fmt.Sprintf("bytes that are not text in %s: name another encoding by --encoding (Options.Encoding)", s.options.Encoding)
	}
	likely := s.likely
	if likely == "" {
		likely = likelyEncoding(row)
	}
	return fmt.Sprintf("the byte 0x%02x is not UTF-8; if the file is in %s, say --encoding %s (Options.Encoding)", row[at], likely, likely)
}

// likelyEncoding guesses the encoding of text that is not UTF-8.
func likelyEncoding(text []byte) string {
	var count [256]int // of bytes
	high, long, run := 0, 0, 0
	for _, c := range append(text[:len(text):len(text)], 0) {
		if c >= utf8.RuneSelf {
			count[c]++
			high++
			run++
			continue
		}
		if run > 2 {
			long += run
		}
		run = 0
	}
	among := func(list string) (n int) {
		for k := range len(list) {
			n += count[list[k]]
		}
		return n
	}
	between := func(first, last int) (n int) {
		for _, c := range count[first : last+1] {
			n += c
		}
		return n
	}
	switch letters := between(0xc0, 0xff); {
	case 2*long > high && 10*letters > 9*high && 2*between(0xe0, 0xff) > letters:
		return "windows-1251"
	case 2*long > high && 10*letters > 9*high:
		return "koi8-r"
	case 2*long > high && 5*among("\x82\x83") > high:
		return "shift_jis"
	case 2*long > high && 2*between(0xb0, 0xc8) > high:
		return "euc-kr"
	case 2*long > high:
		return "gb18030"
	case 2*among("\x81\x82\x84\x94\x85\x87\x88") > high:
		return "cp850"
	case 2*among("\x8a\x8e\x8f\x9a\x9f\x88\x8d") > high:
		return "macintosh"
	case 2*among("\xb3\xb9\xbf\x9c") > high:
		return "windows-1250"
	}
	return "windows-1252"
}
