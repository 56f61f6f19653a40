package variants

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/lanes-go/lanes/notes"
)

// abroad is a plain table whose category has words beyond ASCII, which differ in these letters alone.
func (m *maker) abroad(words ...string) Table {
	return m.table(m.amounts("x", 2), m.small(), m.words("c", words...))
}

// encoded writes text in an encoding that has all of its characters.
func encoded(e encoding.Encoding, text []byte) []byte {
	b, err := e.NewEncoder().Bytes(text)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", e, err))
	}
	return b
}

var (
	french    = []string{"café", "cafè", "cafê", "Nîmes", "plain"}
	german    = []string{"München", "Monchen", "Münchön", "Straße", "plain"}
	windows   = []string{"“so”", "‘so’", "5 €", "so – so", "plain…"}
	nihon     = []string{"東京", "大阪", "京都", "plain"}
	chinese   = []string{"北京", "上海", "广州", "plain"}
	russian   = []string{"Москва", "Казань", "Томск", "plain"}
	icelandic = []string{"Þór", "Ðór", "Æsa", "plain"}
)

func encodings(add adder) {
	encodingNote := []Said{{Kinds: []notes.Kind{notes.Encoding}}}
	for _, e := range []struct {
		name, flag string
		encoding   encoding.Encoding
		words      []string
	}{
		{"latin1", "latin1", charmap.ISO8859_1, french},
		{"latin1, icelandic", "latin1", charmap.ISO8859_1, icelandic},
		{"windows-1252", "windows-1252", charmap.Windows1252, windows},
		{"latin9", "iso-8859-15", charmap.ISO8859_15, []string{"œuf", "cœur", "5 €", "plain"}},
		{"mac roman", "macintosh", charmap.Macintosh, german},
		{"code page 437", "ibm437", charmap.CodePage437, french},
		{"windows-1251", "windows-1251", charmap.Windows1251, russian},
		{"koi8-r", "koi8-r", charmap.KOI8R, russian},
		{"shift-jis", "shift_jis", japanese.ShiftJIS, nihon},
		{"euc-jp", "euc-jp", japanese.EUCJP, nihon},
		{"gbk", "gbk", simplifiedchinese.GBK, chinese},
		{"utf-16le", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), german},
		{"utf-16be", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), german},
	} {
		add(e.name, func(m *maker) Case {
			t := m.abroad(e.words...)
			return csv(t, encoded(e.encoding, dialect{}.text(t)), "c", "").answers("--encoding", e.flag)
		})
		add(e.name+", flag", func(m *maker) Case {
			t := m.abroad(e.words...)
			c := csv(t, encoded(e.encoding, semicolon.text(t)), "c", "")
			c.Flags = []string{"--encoding", e.flag}
			return c.orRefuse("--encoding "+e.flag, "is not known", "windows-1252")
		})
	}
	for name, order := range map[string]unicode.Endianness{"utf-16le with mark": unicode.LittleEndian, "utf-16be with mark": unicode.BigEndian} {
		for shape, d := range map[string]dialect{"comma": {}, "tab": tab} {
			add(name+", "+shape, func(m *maker) Case {
				t := m.abroad(german...)
				c := csv(t, encoded(unicode.UTF16(order, unicode.UseBOM), d.text(t)), "c", "")
				c = c.answers("--encoding", "utf-16")
				c.May = encodingNote
				return c
			})
		}
	}
	for name, d := range map[string]dialect{"comma": {}, "quoted": {quoted: true}, "semicolon": semicolon} {
		add("utf-8 with mark, "+name, func(m *maker) Case {
			t := m.abroad(german...)
			return csv(t, append([]byte("\ufeff"), d.text(t)...), "c", "")
		})
	}
	add("utf-8 with mark, json lines", func(m *maker) Case {
		t := m.abroad(german...)
		return one(t, "t.jsonl", append([]byte("\ufeff"), objects(t, nil)...), "c", "")
	})
	add("utf-8 without letters beyond ASCII in the first rows", func(m *maker) Case {
		m.rows = 400
		t := m.abroad("plain").put("c", "Zürich", []int{390, 391, 395})
		return csv(t, dialect{}.text(t))
	})
	add("latin1 in the last rows alone", func(m *maker) Case {
		m.rows = 400
		t := m.abroad("plain", "other").put("c", "Zürich", []int{390, 391, 395}).put("c", "Zörich", []int{392, 393})
		return csv(t, encoded(charmap.ISO8859_1, dialect{}.text(t)), "c", "").answers("--encoding", "latin1")
	})
	add("latin1 in a column's name", func(m *maker) Case {
		t := m.plain().named("z", "größe")
		return csv(t, encoded(charmap.ISO8859_1, dialect{}.text(t)), "größe", "").answers("--encoding", "latin1")
	})
	add("latin1 in the labels", func(m *maker) Case {
		t := m.plain()
		high := t.Columns[t.at("y")].Cells[1]
		t = t.with("y", func(cell string) string {
			if cell == high {
				return "bezahlt"
			}
			return "überfällig"
		})
		return csv(t, encoded(charmap.ISO8859_1, dialect{}.text(t)), "y", "").answers("--encoding", "latin1")
	})
	add("windows-1252 euro signs in a number column", func(m *maker) Case {
		t := m.plain()
		c := csv(t, encoded(charmap.Windows1252, semicolon.text(t.with("x", func(n string) string { return n + " €" }))), "x", "")
		c = c.answers("--encoding", "windows-1252")
		c.May = []Said{converted("x")}
		return c
	})
	add("one cell of latin1 in utf-8", func(m *maker) Case {
		t := m.abroad(german...)
		row := m.some(1)[0]
		lines := dialect{}.lines(t.put("c", "Zürich", []int{row}))
		lines[row+1] = string(encoded(charmap.ISO8859_1, []byte(lines[row+1])))
		c := csv(t, []byte(strings.Join(lines, "")), "c", "")
		c.Refused = []string{fmt.Sprintf("t.csv:%d", row+2)}
		return c
	})
	add("an ignored column of latin1", func(m *maker) Case {
		t := m.plain()
		extra := m.words("note", "é", "è")
		extra.Kind = "ignore"
		t = t.insert(2, extra)
		c := csv(t, encoded(charmap.ISO8859_1, dialect{}.text(t)), "note", "")
		c.Flags = []string{"--ignore", "note"}
		return c.answers("--encoding", "latin1")
	})
	add("zero bytes in cells", func(m *maker) Case {
		t := m.abroad("a", "b", "d")
		c := csv(t, dialect{}.text(t.put("c", "a\x00b", m.some(3))), "c", "")
		c.Unsure = []string{"c"}
		c.Refused = []string{"t.csv:"}
		return c
	})
	add("composed and decomposed letters", func(m *maker) Case {
		t := m.abroad("é", "e\u0301", "u")
		return csv(t, dialect{}.text(t))
	})
	add("replacement characters in the file itself", func(m *maker) Case {
		t := m.abroad("caf\ufffd", "bar", "inn")
		c := csv(t, dialect{}.text(t), "c")
		c.May = []Said{{Column: "c"}}
		return c
	})
	add("latin1 scored by a model of utf-8", func(m *maker) Case {
		t := m.abroad(german...)
		c := csv(t, dialect{}.text(t), "c", "")
		c = c.scoring("new.csv", encoded(charmap.ISO8859_1, dialect{}.text(t)))
		return c.answers("--encoding", "latin1")
	})
	add("latin1 model remembers the encoding", func(m *maker) Case {
		t := m.abroad(german...)
		c := csv(t, encoded(charmap.ISO8859_1, dialect{}.text(t)), "c", "")
		c = c.scoring("new.csv", encoded(charmap.ISO8859_1, dialect{}.text(t.first(5))))
		c.Score = t.first(5)
		c.Flags = []string{"--encoding", "latin1"}
		return c
	})
}
