package table

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"
)

// The columns of Vowpal Wabbit's text: the whole line, and the tag in it.
const (
	vwLine = "line"
	vwTag  = "tag"
)

// openVW is the opener of FormatVW.
func openVW(s *Source, _ beginning) error {
	s.names, s.lines = []string{vwLine, vwTag}, true
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		lines, err := s.beginLines(ctx, file, columns, dialect{})
		if err != nil {
			return nil, err
		}
		return &vwPass{lines}, nil
	}
	return nil
}

// vwPass reads the lines of a file of Vowpal Wabbit's text in one pass.
type vwPass struct{ csvPass }

// cells finds the lines of p, and the tags in them. Empty lines are no rows.
func (v *vwPass) cells(p *part, b *block) error {
	b.text = p.text
	odd := bytes.IndexByte(p.text[:p.end], 0) >= 0 || !utf8.Valid(p.text[:p.end])
	var number uint32
	for begin := 0; begin < p.end; number++ {
		next := begin + bytes.IndexByte(p.text[begin:p.end], '\n') + 1
		end := next - 1
		if end > begin && p.text[end-1] == '\r' {
			end--
		}
		at, message := 0, ""
		if odd {
			at, message = v.s.oddBytes(p.text[begin:end])
		}
		switch {
		case message != "":
			b.bad = append(b.bad, badRow{place: number, at: at + 1, message: message})
		case end > begin:
			for _, column := range v.columns {
				place := [2]int{0, end - begin}
				if column != 0 {
					_, _, place, _ = vwHead(p.text[begin:end])
				}
				b.at = append(b.at, uint32(begin+place[0]), uint32(begin+place[1]))
			}
			b.places = append(b.places, number)
			b.rows++
		}
		begin = next
	}
	p.places = int64(number)
	return nil
}

// vwHead finds the words before the first bar of a line: at most three numbers (label, importance and
// base), and the tag, which touches the bar or begins with a quote. bar is -1 if there is no bar.
func vwHead(line []byte) (numbers [3][2]int, count int, tag [2]int, bar int) {
	bar = bytes.IndexByte(line, '|')
	for at := 0; at < bar; {
		if blank(line[at]) {
			at++
			continue
		}
		end := at
		for end < bar && !blank(line[end]) {
			end++
		}
		switch quote := line[at] == '\''; {
		case quote && vwBlanks(line[end:bar]):
			tag = [2]int{at + 1, end}
		case end == bar:
			tag = [2]int{at, end}
		case count < len(numbers):
			numbers[count] = [2]int{at, end}
			count++
		default:
			count = len(numbers) + 1
		}
		at = end
	}
	return numbers, count, tag, bar
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func vwBlanks(text []byte) bool { return len(bytes.Trim(text, " \t")) == 0 }

// line encodes a line of Vowpal Wabbit's text: [label [importance [base]]] [tag] and then, each
// behind a bar, a namespace and its features. It returns what is wrong with the line.
func (m *rowMaker) line(_ *column, line []byte) string {
	numbers, count, _, bar := vwHead(line)
	if bar < 0 {
		return "there is no | in the line, which Vowpal Wabbit's text has before the features"
	}
	if count > len(numbers) {
		return "there are more than 3 words before the |: want [label [importance [base]]] ['tag] |"
	}
	if count == 0 && !m.bare {
		return "the line has no label (a word that touches the | is a tag: put a blank between them)"
	}
	for k, place := range numbers[:count] {
		v, ok := number(line[place[0]:place[1]], false)
		what := [...]string{"label", "importance", "base"}[k]
		if !ok {
			return fmt.Sprintf("byte %d: the %s %s is not a number", place[0]+1, what, quoted(line[place[0]:place[1]]))
		}
		switch k {
		case 0:
			m.label = v
		case 1:
			if m.weight = v; v < 0 {
				return fmt.Sprintf("byte %d: the importance is %v; want 0 or more", place[0]+1, v)
			}
		case 2:
			m.offset = v
		}
	}
	if m.bare {
		m.label = 0
	}
	for at := bar; at < len(line); {
		at++ // the bar
		space, scale := uint32(0), 1.0
		if end := vwToken(line, at); end > at {
			name, value, wrong := vwPair(line, at, end)
			ok := wrong == ""
			if ok && value != nil {
				if scale, ok = number(value, false); !ok {
					wrong = fmt.Sprintf("byte %d: the value %s of a namespace is not a number", end-len(value)+1, quoted(value))
				}
			}
			if !ok {
				return wrong
			}
			space = vwHash(name, 0)
			at = end
		}
		for at < len(line) && line[at] != '|' {
			if blank(line[at]) {
				at++
				continue
			}
			end := vwToken(line, at)
			name, value, wrong := vwPair(line, at, end)
			if wrong != "" {
				return wrong
			}
			place, v := vwHash(name, space), 1.0
			if value != nil {
				var ok bool
				if v, ok = number(value, false); !ok {
					place, v = vwHash(value, place), 1
				}
			}
			if v = float64(v * scale); v-v != 0 {
				return fmt.Sprintf("byte %d: %s is too large with the value of its namespace", at+1, quoted(line[at:end]))
			}
			m.hashed(place, v)
			at = end
		}
	}
	return ""
}

// vwToken returns where the word at a place of a line ends.
func vwToken(line []byte, at int) int {
	for at < len(line) && !blank(line[at]) && line[at] != '|' {
		at++
	}
	return at
}

// vwPair cuts name:value. value is nil where there is no colon.
func vwPair(line []byte, at, end int) (name, value []byte, wrong string) {
	name = line[at:end]
	colon := bytes.IndexByte(name, ':')
	if colon < 0 {
		return name, nil, ""
	}
	name, value = name[:colon], name[colon+1:]
	switch {
	case len(name) == 0:
		wrong = "there is no name before the colon"
	case len(value) == 0:
		wrong = "there is no value behind the colon"
	case bytes.IndexByte(value, ':') >= 0:
		wrong = "there are two colons; a name or value has none"
	default:
		return name, value, ""
	}
	return nil, nil, fmt.Sprintf("byte %d: %s: %s", at+1, quoted(line[at:end]), wrong)
}

// vwHash returns the hash of a name as Vowpal Wabbit's default --hash strings does: digits are
// a number, which is added to the seed.
func vwHash(name []byte, seed uint32) uint32 {
	value := uint32(0)
	for _, c := range name {
		if c-'0' > 9 {
			return murmur3(name, seed)
		}
		value = 10*value + uint32(c-'0')
	}
	return value + seed
}
