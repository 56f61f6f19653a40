package notes

import (
	"encoding/json"
	"slices"
	"sync"
)

// List collects notes in the order in which their kinds and columns first appear. The zero value
// is empty; a nil *List takes no notes. Any number of goroutines may use it.
type List struct {
	mutex sync.Mutex
	notes []Note
	seen  map[key]int
}

type key struct {
	kind   Kind
	column string
}

// Set adds a note, in the place of an earlier note of the same kind about the same column: a
// second pass over the same data says the same once. It returns whether there was no such note.
func (l *List) Set(n Note) (added bool) { return l.put(n, func(old *Note) { *old = n }) }

// Add adds a note. Counts are added to an earlier note of the same kind about the same column,
// whose example stays.
func (l *List) Add(n Note) {
	l.put(n, func(old *Note) { old.Count, old.Of = old.Count+n.Count, old.Of+n.Of })
}

func (l *List) put(n Note, again func(old *Note)) (added bool) {
	if l == nil {
		return false
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.seen == nil {
		l.seen = map[key]int{}
	}
	k := key{n.Kind, n.Column}
	if at, has := l.seen[k]; has {
		again(&l.notes[at])
		return false
	}
	l.seen[k] = len(l.notes)
	l.notes = append(l.notes, n)
	return true
}

// All returns a copy of the notes.
func (l *List) All() []Note {
	if l == nil {
		return nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.notes)
}

// Merge returns the notes of all lists, each kind about a column once: the last one.
func Merge(lists ...[]Note) []Note {
	var l List
	for _, list := range lists {
		for _, n := range list {
			l.Set(n)
		}
	}
	return l.All()
}

// Grave returns the notes of what was lost or is ambiguous.
func Grave(list []Note) []Note {
	return slices.DeleteFunc(slices.Clone(list), func(n Note) bool { return n.Class() == Information })
}

// noteJSON is a note for programs.
type noteJSON struct {
	Kind    Kind   `json:"kind"`
	Class   Class  `json:"class"`
	Column  string `json:"column,omitempty"`
	Count   int64  `json:"count,omitempty"`
	Of      int64  `json:"of,omitempty"`
	Example string `json:"example,omitempty"`
	Place   string `json:"place,omitempty"`
	Text    string `json:"text"`
}

// MarshalJSON returns an object with the fields kind, class, column, count, of, example, place and
// text, which is String.
func (n Note) MarshalJSON() ([]byte, error) {
	return n.JSON(ofGo)
}

// JSON returns what MarshalJSON does, with options as In writes them.
func (n Note) JSON(write func(option, value string) string) ([]byte, error) {
	return json.Marshal(noteJSON{n.Kind, n.Class(), n.Column, n.Count, n.Of, n.Example, n.Place, n.In(write)})
}
