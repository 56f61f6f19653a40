package console

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable escapes what of a text is not printable and not in keep: names of files, values
// of flags and labels may hold anything, and a terminal obeys it. A character becomes \u and
// four digits, as in JSON, and a byte that is no UTF-8 becomes \x and two.
func Printable(text, keep string) string {
	var b strings.Builder
	for at, c := range text {
		switch {
		case strings.ContainsRune(keep, c) || unicode.IsPrint(c) && c != utf8.RuneError:
			b.WriteRune(c)
		case c == utf8.RuneError && !strings.HasPrefix(text[at:], string(c)):
			fmt.Fprintf(&b, `\x%02x`, text[at])
		default:
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	return b.String()
}

// paragraphs are characters that texts of several lines are made of.
const paragraphs = "\n\t"
