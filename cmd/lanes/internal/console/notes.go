package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/lanes-go/lanes/notes"
)

// noteFlags are the flags of options that notes name and whose flags have other names.
var noteFlags = map[string]string{
	"IDs": "id", "Numbers": "number", "Categories": "category", "Texts": "text", "Times": "times", "Ignored": "ignore",
	"BadRows": "bad-rows", "Penalty": "lambda", "Penalty.L1": "l1", "Penalty.L2": "lambda", "Penalty.C": "C",
}

// NoteFlag writes an option that a note names as a flag, with its value as a shell reads it.
func NoteFlag(option, value string) string {
	flag := "--" + cmp.Or(noteFlags[option], strings.ToLower(option))
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

// toldOfKind is the number of notes of a kind that are printed; --json lists all.
const toldOfKind = 12

// Tell tells people on stderr what was done with data that are not used as they stand: each note
// once, up to 12 of a kind. It keeps all notes for JSON. With --strict, notes of what was lost or is
// ambiguous are an error.
func (a *App) Tell(list []notes.Note) error {
	told := map[notes.Kind]int{}
	more := map[notes.Kind][]string{}
	for _, n := range a.notes.All() {
		told[n.Kind]++
	}
	for _, n := range list {
		if !a.notes.Set(n) {
			continue
		}
		if told[n.Kind]++; told[n.Kind] > toldOfKind {
			more[n.Kind] = append(more[n.Kind], n.Column)
			continue
		}
		a.Note("note: %s", Printable(n.In(NoteFlag), ""))
	}
	for _, n := range list { // in the order of the notes
		if columns := more[n.Kind]; columns != nil {
			a.Note("note: %d more notes like the last of %s, about the columns %s; --json lists all", len(columns), n.Kind, Printable(Listed(columns, 8), ""))
			delete(more, n.Kind)
		}
	}
	if grave := notes.Grave(list); a.Strict && len(grave) > 0 {
		text := fmt.Sprintf("--strict refuses what is not used or can be read in two ways: %s", grave[0].In(NoteFlag))
		if more := len(grave) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more notes)", more)
		}
		return BadData(fmt.Errorf("%s", text))
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

// notesObject is the field of JSON objects that lists the notes.
func (a *App) notesObject() (json.RawMessage, error) {
	list := []json.RawMessage{}
	for _, n := range a.notes.All() {
		text, err := n.JSON(NoteFlag)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return json.MarshalIndent(list, "  ", "  ")
}

// withNotes adds the notes to the text of an object.
func (a *App) withNotes(text []byte) ([]byte, error) {
	body, is := strings.CutSuffix(string(text), "\n}")
	if !is || len(a.notes.All()) == 0 {
		return text, nil
	}
	list, err := a.notesObject()
	if err != nil {
		return nil, err
	}
	return []byte(body + ",\n  \"notes\": " + string(list) + "\n}"), nil
}
