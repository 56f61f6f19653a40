package input

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/sparse"
)

// longestName bounds the bytes of a line of names.
const longestName = 1 << 16

// ReadNames reads the names of columns, one a line, from text that may be compressed.
func ReadNames(path string) ([]string, error) { return readNames(path, "") }

// ReadCells is ReadNames for lines that may have tabs.
func ReadCells(path string) ([]string, error) { return readNames(path, "\t") }

// readNames reads lines that may have the allowed control characters.
func readNames(path, allowed string) ([]string, error) {
	file, err := stamp.OpenNow(path)
	if err != nil {
		return nil, console.BadData(console.FileTrouble(err, path))
	}
	defer file.Close()
	text, err := sparse.Decompress(file)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s: %w", path, console.Bare(err)))
	}
	defer text.Close()
	wrong := func(line int, format string, values ...any) error {
		return console.BadData(&sparse.FormatError{Name: path, Line: int64(line), Message: fmt.Sprintf(format, values...)})
	}
	var names []string
	first := map[string]int{}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestName)
	for lines.Scan() {
		name, line := lines.Text(), len(names)+1
		switch before := first[name]; {
		case strings.TrimSpace(name) == "":
			return nil, wrong(line, "the line is empty; give every column a name, one a line")
		case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) }):
			return nil, wrong(line, "%.40q has characters that no name has; names are text in UTF-8", name)
		case before > 0:
			return nil, wrong(line, "%q is the name of column %d already; names have to differ", name, before)
		}
		first[name] = line
		names = append(names, name)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, wrong(len(names)+1, "the line has more than %d bytes, which no name has", longestName)
	case err != nil:
		return nil, console.BadData(fmt.Errorf("%s: %w", path, console.Bare(err)))
	case len(names) == 0:
		return nil, wrong(1, "there are no names")
	}
	return names, nil
}
