package main

import (
	"fmt"
	"strings"
)

const reasons = "<!-- reasons -->"

func begin(name string) string { return "<!-- begin " + name + " -->" }
func end(name string) string   { return "<!-- end " + name + " -->" }

// place is where a section of a page is, in bytes: what is replaced, and what is kept up to
// its end.
type place struct{ from, kept, to int }

// sections finds the sections of a page by name.
func sections(page string) (map[string]place, error) {
	found := map[string]place{}
	open, at, number := "", 0, 0
	var p place
	for line := range strings.Lines(page) {
		number++
		text := strings.TrimSpace(line)
		fail := func(what string) error { return fmt.Errorf("line %d: %s: %s", number, text, what) }
		switch name, marker := named(text); {
		case text == reasons:
			if open == "" {
				return nil, fail("it stands in no section")
			}
			if p.kept >= 0 {
				return nil, fail("a section has one of these")
			}
			p.kept = at
		case marker == "begin":
			if open != "" {
				return nil, fail("section " + open + " has not ended")
			}
			if _, twice := found[name]; twice {
				return nil, fail("there is such a section above")
			}
			open, p = name, place{from: at + len(line), kept: -1}
		case marker == "end":
			if name != open {
				return nil, fail("that section has not begun")
			}
			if p.to = at; p.kept < 0 {
				p.kept = at
			}
			found[name], open = p, ""
		}
		at += len(line)
	}
	if open != "" {
		return nil, fmt.Errorf("section %s does not end: there is no line %s", open, end(open))
	}
	return found, nil
}

// named returns the name in a marker, and its kind.
func named(line string) (name, kind string) {
	for _, kind := range []string{"begin", "end"} {
		if rest, ok := strings.CutPrefix(line, "<!-- "+kind+" "); ok {
			if name, ok := strings.CutSuffix(rest, " -->"); ok {
				return name, kind
			}
		}
	}
	return "", ""
}

// replaced puts a text in the place of what the section of that name has before its
// reasons.
func replaced(page, name, text string) (string, error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if _, kind := named(line); kind != "" || line == reasons {
			return "", fmt.Errorf("what would be written has a line %s of its own", line)
		}
	}
	found, err := sections(page)
	if err != nil {
		return "", err
	}
	p, ok := found[name]
	if !ok {
		return "", fmt.Errorf("there is no section %s: put the lines\n%s\n%s\nwhere it should stand", name, begin(name), end(name))
	}
	kept := page[p.kept:p.to]
	if kept == "" {
		kept = reasons + "\n"
	}
	return page[:p.from] + strings.TrimSpace(text) + "\n\n" + kept + page[p.to:], nil
}
