package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// Source is a table in one file or several, which is read anew in every pass. It serves any
// number of goroutines, each with passes of its own. Close it when done.
type Source struct {
	files   []file
	names   []string
	options Options
	format  string
	lines   bool         // the format has lines
	read    atomic.Int64 // bytes of the files, in all passes
	// separator separates the cells of CSV; it is 0 in other formats. comma says that most numbers
	// at the beginning of a CSV file have a decimal comma: recipes of version 1 know no more.
	separator byte
	comma     bool
	// begin opens a file for a pass over the columns in these places. Reads of a stream wait for
	// what is to come until ctx is done.
	begin func(ctx context.Context, file int, columns []int) (format, error)
	// known are the places of names, from the first look for one on.
	known   map[string]int
	indexed sync.Once
	// nested says why some columns cannot be read, by their names.
	nested map[string]string
	likely string // encoding of the beginning of the first file, "" if that is UTF-8
	notes  notes.List
	lead   notes.Note              // of lines before the rows
	said   map[notes.Kind][]string // what noteFile has said
	// manyLines says of each file of JSON whether its objects need an objectReader.
	manyLines []bool
}

// openers make sources of the formats: each sets names, lines and begin. head is the beginning of
// the first file.
var openers = map[string]func(s *Source, head beginning) error{
	FormatCSV:     openCSV,
	FormatParquet: openParquet,
	FormatVW:      openVW,
	FormatJSON:    openJSON,
}

// Names returns the names of the columns, in the order of the table.
func (s *Source) Names() []string { return slices.Clone(s.names) }

// Readable returns the names of the columns that can be read, in the order of the table: all but
// lists, maps and the like of Parquet files.
func (s *Source) Readable() []string {
	return slices.DeleteFunc(s.Names(), func(name string) bool { return s.nested[name] != "" })
}

// Format returns the name of the format that the source has.
func (s *Source) Format() string { return s.format }

// Notes returns what was found so far of the table that is not used as it stands, by Open, Infer,
// Fit, Describe and Encoder.Blocks.
func (s *Source) Notes() []notes.Note { return s.notes.All() }

// Close removes the temporary file of a stream. No pass may be under way.
func (s *Source) Close() error {
	var errs []error
	for k := range s.files {
		if spool := s.files[k].spool; spool != nil {
			errs = append(errs, spool.Close())
		}
	}
	return errors.Join(errs...)
}

// Open opens the table in a file, or in all files that a pattern as log-*.csv names, in the
// order of their names: all have the same columns. It reads only the beginning of each file, but
// JSON lines once as a whole, for their keys. - is Options.Stdin. A stream is kept in a temporary
// file until Close; Open waits for its beginning.
//
// Files may be compressed by gzip, bzip2, xz or zstd: the content decides about compression and
// format, not the name.
func Open(path string, options Options) (_ *Source, err error) {
	if options.Stdin == nil {
		options.Stdin = os.Stdin
	}
	if err := options.Check(); err != nil {
		return nil, err
	}
	files, err := filesOf(path, &options)
	s := &Source{files: files, options: options}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	head, err := s.beginning(0)
	if err != nil {
		return nil, err
	}
	if len(head.text) == 0 && (len(files) == 1 || options.Format == FormatParquet) {
		return nil, &sparse.FormatError{Name: files[0].name, Message: "the file is empty"}
	}
	if lines := head.text[:bytes.LastIndexByte(head.text, '\n')+1]; firstInvalid(lines) >= 0 {
		s.likely = likelyEncoding(lines)
	}
	if s.format = options.Format; s.format == "" {
		s.format = formatOf(head.text)
	}
	if message := notTable(head.text, options.Format); message != "" {
		return nil, &sparse.FormatError{Name: files[0].name, Message: message}
	}
	if err := openers[s.format](s, head); err != nil {
		return nil, err
	}
	return s, nil
}

// notTable says what begins like this if no format of tables does, "" otherwise.
func notTable(text []byte, format string) string {
	packed := content.Packed(text)
	switch {
	case packed != "":
		return packed + " inside of another compression: unpack the file once"
	case bytes.HasPrefix(text, []byte("LANESCSR")):
		return "it is a cache of lanes, not a table: leave --target out (in Go: sparse.ReadFile)"
	case content.Table(text[:min(len(text), 4096)]) == content.Parquet:
		return ""
	case format == "" && content.LIBSVM(text[:min(len(text), 4096)]):
		return "it is LIBSVM text, not a table: leave --target out (in Go: sparse.ReadFile)"
	}
	return content.Other(text)
}

// formatOf finds out the format by the beginning of a file.
func formatOf(text []byte) string {
	switch content.Table(text[:min(len(text), 4096)]) {
	case content.Parquet:
		return FormatParquet
	case content.JSONLines:
		return FormatJSON
	}
	return FormatCSV
}

const (
	headBytes = 1 << 20 // of a file that say how to read it
	mostRow   = 1 << 26 // bytes of a row
)

// beginning is the beginning of a file: a megabyte of text, or as much more as two lines have.
type beginning struct {
	text     []byte
	encoding string // of the file; text is UTF-8
	whole    bool   // the file has no more
}

// beginning reads the beginning of a file.
func (s *Source) beginning(k int) (b beginning, err error) {
	in, err := s.text(context.Background(), k)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if b.encoding = in.encoding; b.encoding != "utf-8" && s.options.Encoding == "" {
		s.noteFile(notes.Encoding, k, "is text in "+b.encoding, "")
	}
	for need := headBytes / 64; !b.whole && len(b.text) <= s.mostRow(); need = 8 * len(b.text) {
		from := len(b.text)
		b.text = slices.Grow(b.text, need-from)[:need]
		n, err := readFull(in, b.text[from:])
		b.text = b.text[:from+n]
		if b.whole = err == io.EOF; err != nil && !b.whole {
			return b, s.readTrouble(k, err)
		}
		if need >= headBytes && bytes.Count(b.text, []byte("\n")) > 1 {
			break
		}
	}
	if s.options.Encoding != "" && isUTF8In(b.encoding, b.text[:bytes.LastIndexByte(b.text, '\n')+1]) {
		s.noteFile(notes.Garbled, k, "is text in UTF-8 too, and read as "+b.encoding, "{Encoding=utf-8} reads it as UTF-8")
	}
	return b, nil
}

// noteFile notes something about file k. One note of a kind lists all files that it is about.
func (s *Source) noteFile(kind notes.Kind, k int, then, wayOut string) {
	about := s.files[k].name + " " + then
	if slices.Contains(s.said[kind], about) {
		return // by an earlier pass
	}
	if s.said == nil {
		s.said = map[notes.Kind][]string{}
	}
	s.said[kind] = append(s.said[kind], about)
	const most = 6
	list := s.said[kind]
	text := strings.Join(list[:min(len(list), most)], "; ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	s.notes.Set(notes.Note{Kind: kind, Then: text, WayOut: wayOut})
}

// maxColumns bounds the columns of a table that no option bounds: more are data and no names.
const maxColumns = 1 << 16

// mostColumns returns the most columns of the table.
func (s *Source) mostColumns() int { return cmp.Or(s.options.MaxColumns, maxColumns) }

// tooWide is the error of a file with more columns.
func (s *Source) tooWide(file int) error {
	return &sparse.FormatError{Name: s.files[file].name, Message: fmt.Sprintf(
		"the table has more than %d columns: check the separator and the ends of lines, or allow more by --max-columns (Options.MaxColumns)", s.mostColumns())}
}

// mostRow returns the most bytes of a row.
func (s *Source) mostRow() int {
	if s.options.row > 0 {
		return s.options.row
	}
	return mostRow
}

// index returns the places of columns by their names, and the names that the source lacks.
func (s *Source) index(names []string) (places []int, lacks []string) {
	s.indexed.Do(func() {
		s.known = make(map[string]int, len(s.names))
		for k, name := range s.names {
			s.known[name] = k
		}
	})
	for _, name := range names {
		k, has := s.known[name]
		if !has {
			k, lacks = -1, append(lacks, name)
		}
		places = append(places, k)
	}
	return places, lacks
}

// placeOf returns the place of a row of a block, from 1 on: its line in the only file, or its number
// in the source.
func (s *Source) placeOf(b *block, row int) int64 {
	if s.lines && len(s.files) == 1 {
		return b.place + int64(b.places[row]) + 1
	}
	return b.first + int64(row) + 1
}

// where names a place of the source.
func (s *Source) where(place int64) string {
	if s.lines && len(s.files) == 1 {
		return "line " + notes.Grouped(place)
	}
	return "row " + notes.Grouped(place)
}

// note notes n of the cells or rows that e counts.
func (s *Source) note(n notes.Note, e *example) {
	n.Count, n.Example, n.Place = e.count, e.text, s.where(e.place)
	s.notes.Set(n)
}

// noted is a count of lines, with the first of them and its name.
type noted struct {
	example
	name string
}

// add adds lines of a block of a file, whose first line is at before.
func (n *noted) add(s *Source, file int, before int64, lines example) {
	if n.count == 0 && lines.count > 0 {
		n.text, n.name = lines.text, s.placeIn(file, before+lines.place+1)
	}
	n.count += lines.count
}

// noteNested says which columns have arrays, or objects that are too deep, which are missing values.
func (s *Source) noteNested(columns []int, nested []noted, rows int64) {
	for k, n := range nested {
		if n.count > 0 {
			s.notes.Set(notes.Note{Kind: notes.Nested, Column: s.names[columns[k]], Count: n.count, Of: rows, Example: strings.ToValidUTF8(n.text, ""), Place: n.name, Then: "missing"})
		}
	}
}

// noteLines says which lines that begin with # were left out, and which were taken as rows although
// other lines are comments.
func (s *Source) noteLines(hashes [2]noted, rows int64) {
	if comments := hashes[hashComment]; comments.count > 0 {
		n := notes.Note{Kind: notes.Skipped, Count: comments.count, Place: comments.name, Then: "left out as comments"}
		if s.lead.Count > 0 {
			n = s.lead
			n.Count += comments.count
			n.Then = "left out: comments, or lines before the rows"
		}
		s.notes.Set(n)
	}
	if h := hashes[hashRow]; h.count > 0 && 2*h.count < rows {
		s.notes.Set(notes.Note{Kind: notes.Comment, Count: h.count, Place: h.name, Then: "taken as rows, as they have the cells of a row; other such lines are comments"})
	}
}

// noteEmpty says which files have no rows.
func (s *Source) noteEmpty(filled []bool) {
	n := notes.Note{Kind: notes.Empty}
	for k, has := range filled {
		if !has {
			if n.Count++; n.Count == 1 {
				n.Place = s.files[k].name
			}
		}
	}
	if n.Count > 0 && len(filled) > 1 {
		s.notes.Set(n)
	}
}

// orderOf returns where file k has the columns of the source, by the names of its columns; nil means
// in the same order. An error names the columns that file k or base, which names the columns, lacks.
func (s *Source) orderOf(k, base int, names []string) ([]int, error) {
	if slices.Equal(names, s.names) {
		return nil, nil
	}
	places := make(map[string]int, len(names))
	for j, name := range names {
		places[name] = j
	}
	var order []int
	var lacks, more []string
	for _, name := range s.names {
		j, has := places[name]
		if !has {
			lacks = append(lacks, name)
		}
		order = append(order, j)
		delete(places, name)
	}
	for _, name := range names {
		if _, has := places[name]; has {
			more = append(more, name)
		}
	}
	if len(lacks)+len(more) > 0 {
		message := "all files of a table have the same columns"
		if len(more) > 0 {
			message = fmt.Sprintf("%s lacks %s: %s", s.files[base].name, columnList(more), message)
		}
		if len(lacks) > 0 {
			message = fmt.Sprintf("the file lacks %s, as %s has it; ", columnList(lacks), s.files[base].name) + message
		}
		return nil, &sparse.FormatError{Name: s.files[k].name, Message: message}
	}
	return order, nil
}

// noteOrder notes that file k has its columns in another order than the source, if it has.
func (s *Source) noteOrder(k int, order []int) {
	if order != nil {
		s.notes.Add(notes.Note{Kind: notes.Reordered, Count: 1, Place: s.files[k].name, Then: "the columns are found by their names"})
	}
}
