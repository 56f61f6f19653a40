package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/notes"
)

// defaultHash is the number of bits of a hash that nobody chose.
const defaultHash = 18

// Infer looks through a source and says what becomes of each column. The recipe keeps what it
// found, so that Fit of the same source needs no pass of its own in most cases. It does not depend
// on the number of workers. It makes one pass, and another where that finds out how numbers are
// written, or that missing numbers decide which rows are taken.
//
// A column that w names has the kind that w says. The first rule that holds decides about any
// other column, by its values that are not missing:
//
//  1. Every value is missing, or every row has the same value: Ignore.
//  2. Whole numbers count the rows of each file from 0, or from 1, in a table of 10 rows or more:
//     Ignore.
//  3. Nearly every value is a number, and none is a code: Number. A code has a 0 before other
//     digits, or more digits than a float64 keeps. Numbers that are mostly text in JSON or Parquet
//     are codes, too.
//  4. Nearly every value is a date, perhaps with a time of day: Time. Unix times and dates such as
//     20150102 are numbers, unless they are named. All values decide whether day or month comes
//     first.
//  5. Three conditions hold: Text. Values have 30 bytes or more on average. At least half of the
//     rows have a value with a blank. At least half of the values are distinct, or more than 10,000
//     values are.
//  6. No value is missing and no value occurs twice: Ignore, as an id. Of more than 10,000
//     distinct values, the 1,024 values with the least hashes decide.
//  7. At most 10,000 distinct values, of at most 4 MiB together: Category with a vocabulary.
//  8. Category, hashed.
//
// Nearly every value means 95 % of the distinct values; or all but 20, and more than half. The
// others are missing, with a note, and so are infinite numbers.
//
// If w.Hash is set, named categories of more than 10,000 values are hashed, too, and texts of more
// than 10,000 words. A hash has 18 bits unless w.Hash says otherwise. Words are counted before
// MinDF leaves any out.
//
// A target is words if one of its values is no number or a code; there may be 10,000 words. Rows
// without a target are left out, with a note. Options.BadRows counts a row as malformed if its
// weight or offset is missing or no finite number, or if its weight is negative. Infer, Fit and
// Encode leave out the same rows.
//
// In VW text, rows name their columns themselves: Infer reads nothing, and w may say Hash alone.
//
// Vocabularies may take w.MaxMemory bytes together. An error names the column whose vocabulary is
// too large. Beside them, memory is at most 4 MiB for each column and worker.
func Infer(ctx context.Context, s *Source, w Wanted) (*Recipe, error) {
	if s == nil {
		return nil, errors.New("table: Infer needs a source")
	}
	r, asked, err := w.recipe(s)
	if err != nil || s.format == FormatVW {
		return r, err
	}
	v := &survey{source: s, version: r.Version, missing: r.Missing, most: vocabularyBytes(w.MaxMemory), columns: make(map[string]*found, len(r.Columns))}
	if err := v.find(ctx, r, &w, asked); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if err := v.empty(); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	for k := range r.Columns {
		if err := v.decide(&r.Columns[k], &w); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	if err := v.hashTexts(ctx, r, &w); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if !slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Hashed }) && len(r.Crosses) == 0 {
		r.Hash = 0
	}
	r.survey = v
	return r, nil
}

// recipe returns a recipe of the columns that are named. The kind of other columns is "".
func (w *Wanted) recipe(s *Source) (*Recipe, askedMarks, error) {
	r := &Recipe{Version: 2, Missing: w.Missing, Hash: w.Hash}
	var crosses []Column
	for _, pair := range w.Crosses {
		switch {
		case namesValues(pair, s.names):
			r.Pairs = append(r.Pairs, pair)
		case w.Hash > 0:
			r.Crosses = append(r.Crosses, pair)
		default:
			crosses = append(crosses, Column{Name: pairName(pair), Kind: Cross, Of: pair, Why: "named", MinCount: w.MinCount})
		}
	}
	if r.Hash == 0 {
		r.Hash = defaultHash
	}
	kinds, formats, err := w.kinds(s.names)
	if err != nil {
		return nil, askedMarks{}, err
	}
	pieces, err := figured(w.Splines, s.names, kinds, "splines are of numbers", piecesOf)
	if err != nil {
		return nil, askedMarks{}, err
	}
	directions, err := figured(w.Monotone, s.names, kinds, "monotone columns are numbers", directionOf)
	if err != nil {
		return nil, askedMarks{}, err
	}
	asked, err := w.asked(s.names)
	if err != nil {
		return nil, asked, err
	}
	for _, name := range s.names {
		switch kind := kinds[name]; {
		case !asked.names(name):
		case !kind.marked():
			return nil, asked, fmt.Errorf("table: the column %q is named as %s, which has no decimal mark and no thousands", name, kind)
		case kind == "":
			kinds[name] = Number
		}
	}
	r.Columns = make([]Column, 0, len(s.names))
	for _, name := range s.names {
		c := Column{Name: name, Kind: kinds[name], Why: "named", Format: formats[name], Spline: pieces[name], Monotone: directions[name]}
		if _, log := CutLog(w.Target, s.names); log && c.Kind == Target {
			c.Scale, c.Why = ScaleLog, "named, by its logarithm"
		}
		if why := s.nested[name]; why != "" && c.Kind == "" {
			c.Kind, c.Why = Ignore, why
			s.notes.Set(notes.Note{Kind: notes.Nested, Column: name, Then: why + ", left out"})
		}
		if s.format == FormatVW {
			c.Kind, c.Why = VW, "a row of VW text"
			if name == "tag" {
				c.Kind, c.Why = ID, "the tag of a row"
			}
		}
		r.Columns = append(r.Columns, c)
	}
	if s.format == FormatVW && len(kinds)+len(w.Crosses) > 0 {
		return nil, asked, errors.New("table: rows of VW text name their columns themselves: name no columns")
	}
	r.Columns = append(r.Columns, crosses...)
	// What is unknown can be anything: numbers show what is wrong with the other columns.
	check := r.clone()
	for k := range check.Columns {
		c := &check.Columns[k]
		if c.Kind == "" {
			c.Kind = Number
		}
		w.shape(c)
	}
	return r, asked, check.Check()
}

// kinds returns the kinds of the columns that are named, and the formats of times.
func (w *Wanted) kinds(names []string) (kinds map[string]Kind, formats map[string]string, err error) {
	type list struct {
		kind  Kind
		names []string
	}
	one := func(name string) []string {
		if name == "" {
			return nil
		}
		return []string{name}
	}
	kinds, formats = make(map[string]Kind), make(map[string]string)
	ids, numbers, categories, texts, ignored := w.IDs, w.Numbers, w.Categories, w.Texts, w.Ignored
	times := slices.Clone(w.Times)
	target, _ := CutLog(w.Target, names)
	Expand(names, []string{target, w.Weight, w.Offset, w.Exposure, w.Group}, &ids, &numbers, &categories, &texts, &times, &ignored)
	for k, text := range times {
		if name, format := CutFormat(text, names); name != text {
			times[k], formats[name] = name, format
		}
	}
	var lacks []string
	lack := func(name string) bool {
		known := slices.Contains(names, name)
		if !known && !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
		return !known
	}
	for _, l := range []list{
		{Target, one(target)}, {Weight, one(w.Weight)}, {Offset, one(w.Offset)}, {Exposure, one(w.Exposure)}, {Group, one(w.Group)}, {ID, ids},
		{Number, numbers}, {Category, categories}, {Text, texts}, {Time, times}, {Ignore, FieldsOf(ignored, names)},
	} {
		for _, name := range l.names {
			if lack(name) {
				continue
			}
			if before, known := kinds[name]; known && before != l.kind {
				return nil, nil, fmt.Errorf("table: the column %q is named as %s and as %s; name it once", name, before, l.kind)
			}
			kinds[name] = l.kind
		}
	}
	for _, pair := range w.Crosses {
		if namesValues(pair, names) {
			continue // Fit finds its values
		}
		for _, name := range pair {
			if w.Hash == 0 {
				name, _ = cutSide(name, func(name string) bool { return slices.Contains(names, name) })
			}
			lack(name)
		}
	}
	if len(lacks) > 0 {
		return nil, nil, fmt.Errorf("table: the table has no column %s", suggested(lacks, names))
	}
	return kinds, formats, nil
}

// FieldsOf returns columns by what Wanted.Ignored says: the name of a group of fields, which is no column
// itself, stands for all columns in it, a.b and a.c for a. It costs O(len(columns) len(names)).
func FieldsOf(columns, names []string) (fields []string) {
	for _, column := range columns {
		n := len(fields)
		if !slices.Contains(names, column) {
			for _, name := range names {
				if strings.HasPrefix(name, column+".") {
					fields = append(fields, name)
				}
			}
		}
		if len(fields) == n {
			fields = append(fields, column)
		}
	}
	return fields
}

// CutFormat cuts a text of Wanted.Times, COLUMN=FORMAT, where the column is one of names, and the whole
// text is no name. Any other text is returned as the column. It costs O(len(text) len(names)).
func CutFormat(text string, names []string) (column, format string) {
	for end := len(text); end >= 0; end = strings.LastIndexByte(text[:end], '=') {
		if slices.Contains(names, text[:end]) {
			return text[:end], strings.TrimPrefix(text[end:], "=")
		}
	}
	return text, ""
}

// CutLog cuts log(COLUMN) as Wanted.Target has it, where there is no column of that whole name, and tells
// whether it did.
func CutLog(target string, names []string) (column string, log bool) {
	if inner, is := strings.CutPrefix(target, "log("); is && !slices.Contains(names, target) {
		if column, is = strings.CutSuffix(inner, ")"); is {
			return column, true
		}
	}
	return target, false
}

// suggested lists names that a table lacks, each with the names that it has and that are near.
func suggested(lacks, names []string) string {
	var list []string
	for _, name := range lacks {
		text := fmt.Sprintf("%q", name)
		if near := nearest.Names(name, names); len(near) > 0 {
			text += " (did you mean " + strings.Join(near, " or ") + "?)"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// shape gives a column of a known kind the settings of that kind.
func (w *Wanted) shape(c *Column) {
	switch c.Kind {
	case Number:
		if c.Scale, c.Bins = w.Scale, w.Bins; c.Spline != 0 {
			c.Bins = 0
		}
	case Category:
		if !c.Hashed {
			c.MinCount = w.MinCount
		}
	case Text:
		words := w.Words
		c.Words = &words
	}
}

// needs says what the survey of a recipe has to find out.
func (v *survey) needs(r *Recipe, w *Wanted) []wanted {
	sum := &budget{most: v.most}
	var columns []wanted
	for _, c := range r.Columns {
		switch c.Kind {
		case ID, Group, Ignore, Cross, VW:
			continue
		}
		w.shape(&c)
		n := &need{kind: c.Kind, logs: w.Scale == ScaleLog1p, bins: w.Bins != 0 || c.Spline != 0, ngrams: max(1, w.Words.NGrams), marks: v.marksOf(c.Name), open: v.open}
		switch c.Kind {
		case Time:
			if c.Format != "" {
				clock, _ := clockOf(c.Format)
				n.clock = &clock
			}
		case Category:
			if w.Hash == 0 {
				n.values = &vocabulary{column: c.Name, noun: "values", budget: sum}
			}
		case Text, "":
			n.words = v.newWords(c.Name, w.Hash > 0)
			if c.Kind == Text {
				n.words.budget = sum
			}
		}
		columns = append(columns, wanted{c.Name, c.Kind, n})
	}
	return columns
}

// decide says what becomes of a column, and why.
func (v *survey) decide(c *Column, w *Wanted) error {
	f := v.columns[c.Name]
	named := c.Kind != ""
	if f == nil {
		return nil
	}
	s := v.numbers(f)
	present := v.rows - f.missing
	empty := present == 0 || s.gaps == s.count && c.Kind.marked()
	constant := ""
	switch {
	case empty:
		constant = "every value is missing"
	case f.many == nil && f.values.len() == 1 && f.missing == 0:
		constant = fmt.Sprintf("every value is %s", quoted(f.values.key(0)))
	}
	if named && constant != "" {
		c.Why = "named, and " + constant
	}
	words := v.whyWords(f, s)
	if words != "" || v.counters[c.Name] { // rules for words look at all values
		f.distinguish()
	}
	distinct := int64(f.values.len())
	switch {
	case c.Kind == Target:
		if f.many != nil && s.wordy() {
			return v.tooManyLabels(c, s)
		}
		if s.distinct[aNumber] > 20 && s.seen[odd].count > 0 && s.mostlyNumbers(true) {
			v.source.note(notes.Note{Kind: notes.NotNumber, Column: c.Name, Of: v.rows, Then: "so all labels are words", WayOut: "{Missing=" + s.seen[odd].text + "} leaves such rows out"}, &s.seen[odd])
		}
	case c.Kind == Time && !empty:
		c.Marks = v.marksOf(c.Name)
		return v.namedTimes(c, f)
	case named:
	case constant != "":
		c.Kind, c.Why = Ignore, constant
		v.source.notes.Set(notes.Note{Kind: notes.Constant, Column: c.Name, Then: constant})
	case words == "" && v.counters[c.Name] && s.seen[odd].count == 0:
		c.Kind, c.Why = Ignore, "it counts the rows"
		v.leftOut(c, "{Numbers="+c.Name+"} takes it")
	case words == "" && s.seen[odd].count == 0:
		c.Kind, c.Why = Number, "every value is a number"
		v.suggestTimes(c, f)
	case words == "":
		c.Kind, c.Why = Number, "nearly every value is a number: "+v.oddities(s)
	case v.asTimes(c, f, s):
		c.Kind, c.Why = Time, "every value is a date or time"
	case s.looksText() && (f.many != nil || 2*distinct >= present):
		c.Kind, c.Why = Text, fmt.Sprintf("values have %d bytes on average, and most have blanks", s.length/s.count)
	case f.missing == 0 && (f.many == nil && distinct == present || f.many != nil && s.sketch.unique()):
		c.Kind, c.Why = Ignore, "every row has a value of its own"
		v.leftOut(c, "{Categories="+c.Name+"} takes it")
	default:
		if c.Kind, c.Why = Category, words; words == "" {
			c.Why = v.oddities(s)
		}
	}
	if c.Kind == Category && f.many != nil && f.many.values == nil {
		c.Hashed = true
		if many := "more than 10,000 values"; c.Why == "no value is a number" {
			c.Why = many
		} else {
			c.Why += ", and it has " + many
		}
	}
	if !named && constant == "" && (c.Kind == Category || c.Kind == Ignore) {
		v.noteMixed(c, f, s)
	}
	w.shape(c)
	if c.Kind.numeric() {
		c.Marks = f.need.marks
		v.sayMarks(c, s)
	}
	if c.Kind == Number {
		v.sayCells(c, s)
	}
	return nil
}

// leftOut notes that a column is left out for the reason in c.Why.
func (v *survey) leftOut(c *Column, wayOut string) {
	v.source.notes.Set(notes.Note{Kind: notes.LeftOut, Column: c.Name, Then: c.Why, WayOut: wayOut})
}

// whyWords says why the values of a column are no numbers, "" if they are.
func (v *survey) whyWords(f *found, s *stats) string {
	switch {
	case !s.mostlyNumbers(f.many == nil):
		return v.oddities(s)
	case s.seen[codes].count > 0:
		return fmt.Sprintf("%s in %s is a code: it begins with a 0, or has more digits than a number keeps", quoted([]byte(s.seen[codes].text)), v.source.where(s.seen[codes].place))
	case 2*f.quoted.count > s.numbers.count:
		return fmt.Sprintf("%s in %s stands in quotes, as words do", quoted([]byte(f.quoted.text)), v.source.where(f.quoted.place))
	}
	return ""
}

// oddities says how many values are no numbers.
func (v *survey) oddities(s *stats) string {
	o := &s.seen[odd]
	if o.count == s.count-s.gaps {
		return "no value is a number"
	}
	are := "are no numbers"
	if o.count == 1 {
		are = "is no number"
	}
	return fmt.Sprintf("%s of %s values %s, as %s in %s", notes.Grouped(o.count), notes.Grouped(s.count), are, quoted([]byte(o.text)), v.source.where(o.place))
}

// hashTexts decides which texts are hashed. If that takes words that were not counted, as the
// beginning of a column did not look like text, it makes another pass.
func (v *survey) hashTexts(ctx context.Context, r *Recipe, w *Wanted) error {
	if w.Hash == 0 {
		return nil
	}
	for range 2 {
		var again []wanted
		for k := range r.Columns {
			c := &r.Columns[k]
			if c.Kind != Text || c.Hashed {
				continue
			}
			known, err := v.hashWords(c, w)
			if err != nil {
				return err
			}
			if !known {
				n := &need{kind: Text, ngrams: c.ngrams(), words: v.newWords(c.Name, true)}
				again = append(again, wanted{c.Name, Text, n})
			}
		}
		if len(again) == 0 {
			return nil
		}
		if err := v.look(ctx, v.withRefusers(again)); err != nil {
			return err
		}
	}
	return nil
}

// hashWords decides whether the words of a text are hashed. It returns false if the survey did not
// count them.
func (v *survey) hashWords(c *Column, w *Wanted) (bool, error) {
	words := v.words(c, w.Hash > 0)
	switch {
	case words == nil:
		return false, nil
	case !words.given.Load():
		return true, nil
	case words.tooMany:
		c.Hashed = true
		c.Why += ", and it has more than 10,000 words"
		return true, nil
	}
	return true, words.err
}
