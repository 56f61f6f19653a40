package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/lanes-go/lanes/notes"
)

// noteFlags are the flags of options that notes name and whose flags have other names.
var noteFlags = []struct{ option, flag string }{
	{"IDs", "id"}, {"Numbers", "number"}, {"Categories", "category"}, {"Texts", "text"}, {"Ignored", "ignore"},
	{"BadRows", "bad-rows"}, {"NoHeader", "no-header"}, {"MaxColumns", "max-columns"}, {"Penalty", "lambda"},
}

// NoteFlag writes an option that a note names as a flag, with its value as a shell reads it.
func NoteFlag(option, value string) string {
	flag := "--" + strings.ToLower(option)
	for _, f := range noteFlags {
		if f.option == option {
			flag = "--" + f.flag
		}
	}
	if value == "" {
		return flag
	}
	return flag + " " + Quoted(value)
}

// Quoted writes a word as a shell reads it.
func Quoted(word string) string {
	if strings.ContainsFunc(word, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-.,:", c)
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// toldOfKind is the number of notes of a kind up to which each has a line of its own. Of more notes
// the first has a line, and another line lists the columns of the rest.
const toldOfKind = 4

// Tell tells people on stderr what was done with data that are not used as they stand, each note
// once. It keeps all notes for JSON and for pages. With --strict, notes of what was lost or is
// ambiguous are an error.
func (a *App) Tell(list []notes.Note) error {
	var order []notes.Kind
	fresh := map[notes.Kind][]notes.Note{}
	for _, n := range list {
		if !a.notes.Set(n) {
			continue
		}
		if fresh[n.Kind] == nil {
			order = append(order, n.Kind)
		}
		fresh[n.Kind] = append(fresh[n.Kind], n)
	}
	for _, kind := range order {
		few, rest := fresh[kind], []notes.Note(nil)
		if len(few) > toldOfKind {
			few, rest = few[:1], few[1:]
		}
		for _, n := range few {
			a.Note("note: %s", Printable(n.In(NoteFlag), ""))
		}
		if rest == nil {
			continue
		}
		var columns []string
		for _, n := range rest {
			name := n.Column
			if n.Count > 0 {
				name += " (" + notes.Grouped(n.Count) + ")"
			}
			columns = append(columns, name)
		}
		a.Note("note: the same of %d more columns: %s; --json lists all", len(rest), Printable(Listed(columns, 12), ""))
	}
	if grave := notes.Grave(list); a.Strict && len(grave) > 0 {
		text := "--strict refuses what is not used or can be read in two ways: " + grave[0].In(NoteFlag)
		if more := len(grave) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more notes)", more)
		}
		return BadData(errors.New(text))
	}
	return nil
}

// Notes returns all notes that were told.
func (a *App) Notes() []notes.Note { return a.notes.All() }

// Listed joins names for a message, at most as many as most.
func Listed(names []string, most int) string {
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// withNotes adds the notes to the text of an object, as its field notes.
func (a *App) withNotes(object []byte) ([]byte, error) {
	body, is := strings.CutSuffix(string(object), "\n}")
	if !is || len(a.Notes()) == 0 {
		return object, nil
	}
	var list []json.RawMessage
	for _, n := range a.Notes() {
		text, err := n.JSON(NoteFlag)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	text, err := json.MarshalIndent(list, "  ", "  ")
	return []byte(body + ",\n  \"notes\": " + string(text) + "\n}"), err
}
