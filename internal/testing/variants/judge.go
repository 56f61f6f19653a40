package variants

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lanes-go/lanes/notes"
)

// Verdict says how the command did on a case.
type Verdict string

// The verdicts. Right, Refused and Told are good.
const (
	// Right: the file was read as it is meant, and what the case expects was said.
	Right Verdict = "right"
	// Refused: an error names what must be named, and a flag that it names helps.
	Refused Verdict = "refused"
	// Told: the file was read otherwise, and a grave note says so.
	Told Verdict = "told"
	// Silent: something was read otherwise or left out, and nothing says so.
	Silent Verdict = "SILENT"
	// WrongNote: a note has another column, count or line than what happened.
	WrongNote Verdict = "WRONG-NOTE"
	// Unsaid: a conversion without its line of information.
	Unsaid Verdict = "UNSAID"
	// Noise: a grave note where nothing is wrong.
	Noise Verdict = "NOISE"
	// Helpless: an error without a flag that helps.
	Helpless Verdict = "HELPLESS"
	// Broken: another exit status than 0, 2 and 3, or output that is not JSON.
	Broken Verdict = "BROKEN"
)

// Verdicts lists all verdicts, the good ones first.
var Verdicts = []Verdict{Right, Refused, Told, Silent, WrongNote, Unsaid, Noise, Helpless, Broken}

// Good tells whether a verdict is good.
func (v Verdict) Good() bool { return v == Right || v == Refused || v == Told }

// Result is the verdict on a case, with what was wanted and seen.
type Result struct {
	Verdict      Verdict
	Wanted, Seen string
}

// Judge writes the files of a case into dir, which exists. It runs the command on them and on the
// plain rendering of what they mean. An error says that the files or the plain rendering failed,
// which no verdict covers.
func Judge(run Run, c Case, dir string) (Result, error) {
	for name, content := range c.Files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return Result{}, err
		}
	}
	if c.Score.Columns == nil {
		c.Score = c.Train
	}
	j := judge{c: c, run: run, dir: dir}
	if c.Refused == nil {
		for k, meant := range append([]Table{c.Train}, c.Or...) {
			score := c.Score
			if k > 0 {
				score = meant
			}
			truth, err := c.truth(run, dir, meant, score)
			if err != nil {
				return Result{}, err
			}
			for _, n := range graveOnly(append(truth.said, truth.newSaid...)) {
				if !slices.ContainsFunc(c.NewNotes, func(s Said) bool { return slices.Contains(s.Kinds, n.Kind) }) {
					return Result{Noise, "no grave note on the clean table", n.Text}, nil
				}
			}
			j.meant, j.truths = append(j.meant, meant), append(j.truths, truth)
		}
	}
	return j.verdict(), nil
}

type judge struct {
	c      Case
	run    Run
	dir    string
	meant  []Table
	truths []outcome
}

func (j *judge) verdict() Result {
	o := j.c.read(j.run, j.dir)
	switch {
	case o.step != "" && o.status != 2 && o.status != 3:
		return Result{Broken, "exit status 0, 2 or 3", fmt.Sprintf("%s: exit status %d: %s", o.step, o.status, o.message)}
	case j.c.Refused != nil:
		return j.mustRefuse(o)
	case o.step != "":
		return j.refusal(o)
	}
	r := j.notes(o)
	if differences := j.differences(o); len(differences) > 0 {
		r = j.otherwise(o, differences)
	}
	if r.Verdict.Good() {
		if end := j.deadEnd(o.said); end != nil {
			return *end
		}
	}
	return r
}

// mustRefuse judges an outcome that has to be an error.
func (j *judge) mustRefuse(o outcome) Result {
	wanted := fmt.Sprintf("an error that names %q", j.c.Refused)
	if o.step == "" {
		if n := j.telling(o, nil); n != nil {
			return Result{Told, wanted, n.Text}
		}
		return Result{Silent, wanted, "exit status 0 and no note"}
	}
	r := Result{Helpless, wanted, o.step + ": " + o.message}
	if hasAll(o.message, j.c.Refused) {
		r.Verdict = Refused
	}
	return r
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// differences returns how the outcome differs from the right reading that is nearest to it.
func (j *judge) differences(o outcome) []difference {
	var least []difference
	for k, truth := range j.truths {
		if list := o.differences(j.c, j.meant[k], truth); k == 0 || len(list) < len(least) {
			least = list
		}
	}
	return least
}

// otherwise judges an outcome that differs.
func (j *judge) otherwise(o outcome, differences []difference) Result {
	var text []string
	for _, d := range differences {
		text = append(text, d.text)
	}
	r := Result{Silent, "the clean reading", strings.Join(text, "; ")}
	if n := j.telling(o, differences); n != nil {
		r.Verdict, r.Seen = Told, r.Seen+"; "+n.Text
	} else if all := append(o.said, o.newSaid...); len(all) > 0 {
		r.Seen += fmt.Sprintf("; notes: %q", all[0].Text)
	}
	return r
}

// telling returns a grave note about a column in trouble, or about a column that differs; nil if
// nothing says so.
func (j *judge) telling(o outcome, differences []difference) *note {
	for _, n := range graveOnly(append(o.said, o.newSaid...)) {
		if slices.Contains(j.c.About, n.Column) || slices.ContainsFunc(differences, func(d difference) bool { return d.column != "" && d.column == n.Column }) {
			return &n
		}
	}
	return nil
}

// notes judges what was said about a file that was read right.
func (j *judge) notes(o outcome) Result {
	for _, s := range []struct {
		wanted []Said
		list   []note
		step   string
	}{{j.c.Notes, o.said, "train"}, {j.c.NewNotes, o.newSaid, "predict"}} {
		for _, want := range s.wanted {
			if slices.ContainsFunc(s.list, want.is) {
				continue
			}
			r := Result{Silent, s.step + ": a note " + want.String(), "none"}
			if at := slices.IndexFunc(s.list, func(n note) bool { return slices.Contains(want.Kinds, n.Kind) }); at >= 0 {
				r.Verdict, r.Seen = WrongNote, s.list[at].Text
			} else if want.information() {
				r.Verdict = Unsaid
			}
			return r
		}
	}
	for _, n := range append(o.said, o.newSaid...) {
		if !j.stands(n) {
			return Result{WrongNote, "the example stands in its line", n.Text}
		}
	}
	for _, n := range graveOnly(append(o.said, o.newSaid...)) {
		if !slices.ContainsFunc(slices.Concat(j.c.Notes, j.c.NewNotes, j.c.May), func(s Said) bool { return s.is(n) }) {
			return Result{Noise, "no grave note", n.Text}
		}
	}
	return Result{Verdict: Right}
}

func (s Said) is(n note) bool {
	return (s.Kinds == nil || slices.Contains(s.Kinds, n.Kind)) && s.Column == n.Column && (s.Count == 0 || s.Count == n.Count)
}

func (s Said) information() bool {
	return s.Kinds != nil && notes.Note{Kind: s.Kinds[0]}.Class() == notes.Information
}

func (s Said) String() string {
	text := fmt.Sprintf("%v", s.Kinds)
	if s.Column != "" {
		text += " of column " + s.Column
	}
	if s.Count > 0 {
		text += fmt.Sprintf(" with count %d", s.Count)
	}
	return text
}

func graveOnly(list []note) []note {
	return slices.DeleteFunc(slices.Clone(list), func(n note) bool { return !n.grave() })
}

var inLine = regexp.MustCompile(`line ([0-9,]+)`)

// stands tells whether the example of a note stands in the line that the note names, in any file
// of UTF-8 text. Notes without line and example stand.
func (j *judge) stands(n note) bool {
	found := inLine.FindStringSubmatch(n.Place)
	if n.Example == "" || found == nil {
		return true
	}
	line, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	if err != nil || line < 1 {
		return false
	}
	for _, content := range j.c.Files {
		if !utf8.Valid(content) || slices.Contains(content, 0) {
			return true
		}
		lines := strings.Split(string(content), "\n")
		if line <= len(lines) && strings.Contains(lines[line-1], strings.TrimSuffix(n.Example, "...")) {
			return true
		}
	}
	return false
}
