package lanes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// mostLabels is the largest number of distinct labels that rows in a file may have as classes.
const mostLabels = 1 << 16

// rowsOfClass is the least mean number of rows per label for which labels are classes.
const rowsOfClass = 10

// classes is what several classes add to a problem.
type classes struct {
	labels []float64
	of     []uint32 // the class of each row
	counts []int
	whole  bool // one model of all
}

// labelled are the labels of data as numbers. A word has the number that a model keeps for it: 1
// and -1 for the later and the earlier of two words, and 1, 2, ... in their order for more.
type labelled struct {
	y     []float64
	words []string // in ascending order, nil where labels are numbers
	found []sparse.Class
	all   bool // list has all labels
}

func labelsOf(data *sparse.Data) *labelled {
	l := &labelled{y: data.Y, words: data.LabelNames, all: true}
	if l.words != nil {
		l.y = make([]float64, len(data.Y))
		for i, place := range data.Y {
			if l.y[i] = math.NaN(); place == math.Trunc(place) && place >= 0 && place < float64(len(l.words)) {
				l.y[i] = l.number(int(place))
			}
		}
	}
	return l
}

// list returns the distinct labels. It counts them when it is first called. Counting targets, which differ
// from row to row, takes longer than a fit.
func (l *labelled) list() []sparse.Class {
	if l.found == nil {
		l.found = sparse.CountClasses(l.y)
	}
	return l.found
}

// few returns the number of distinct labels, 3 for more. All NaN are one.
func (l *labelled) few() int {
	if l.found != nil {
		return min(len(l.found), 3)
	}
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	count, labels := 0, [2]float64{}
	for _, y := range l.y {
		switch {
		case count > 0 && same(y, labels[0]) || count > 1 && same(y, labels[1]):
		case count == 2:
			return 3
		default:
			labels[count] = y
			count++
		}
	}
	return count
}

// places returns the place in list of the label of each row.
func (l *labelled) places() []uint32 {
	place := make(map[float64]uint32, len(l.list()))
	for k, c := range l.list() {
		place[c.Label] = uint32(k)
	}
	of := make([]uint32, len(l.y))
	for i, y := range l.y {
		of[i] = place[y]
	}
	return of
}

// number is the label of a word.
func (l *labelled) number(place int) float64 {
	if len(l.words) == 2 {
		return float64(2*place - 1)
	}
	return float64(place + 1)
}

// place is the place of the word that has the number of a label.
func (l *labelled) place(label float64) float64 {
	if len(l.words) == 2 {
		return (label + 1) / 2
	}
	return label - 1
}

// inFile is what a label is in the file of its rows, which has the places of words.
func (l *labelled) inFile(label float64) float64 {
	if l.words == nil {
		return label
	}
	return l.place(label)
}

// word is what a label is called.
func (l *labelled) word(label float64) string {
	for k, name := range l.words {
		if label == l.number(k) {
			return name
		}
	}
	return strconv.FormatFloat(label, 'g', -1, 64)
}

// rest is what all words but the positive one are called together.
func (l *labelled) rest() string {
	name := "rest"
	for slices.Contains(l.words, name) {
		name = "the-" + name
	}
	return name
}

// positive reads Options.Positive as a label, nil where it is not given.
func (l *labelled) positive(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	if l.words == nil {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v-v != 0 {
			return nil, badOption("Positive", text, "a label is a finite number")
		}
		return &v, nil
	}
	k := slices.Index(l.words, text)
	if k < 0 {
		return nil, badData(fmt.Errorf("no row has the label %s, which is to be the positive class%s", text, l.legend()))
	}
	v := l.number(k)
	return &v, nil
}

// legend lists the words for a message.
func (l *labelled) legend() string {
	if l.words == nil {
		return ""
	}
	const most = 6
	parts := slices.Clone(l.words[:min(most, len(l.words))])
	if len(l.words) > most {
		parts = append(parts, "...")
	}
	return "; the labels are the words " + strings.Join(parts, ", ")
}

// unfit says why labels are not the labels of two classes: err, or the same with words in the place
// of numbers.
func (l *labelled) unfit(err error, positive *float64) string {
	switch {
	case l.words == nil:
		return err.Error()
	case len(l.list()) == 1:
		return fmt.Sprintf("every row has the label %s: two classes are needed", l.word(l.list()[0].Label))
	case positive != nil:
		return fmt.Sprintf("no row has the label %s, which is to be the positive class", l.word(*positive))
	}
	return fmt.Sprintf("%d classes where two are needed: name the positive class", len(l.list()))
}

// strays refuses words among the targets of a regression that are numbers otherwise.
func (l *labelled) strays(o *Options) error {
	if o.loss().Labels() || len(l.words) <= 2 {
		return nil
	}
	var strays []string
	for _, word := range l.words {
		if v, err := strconv.ParseFloat(word, 64); err != nil || v-v != 0 {
			strays = append(strays, word)
		}
	}
	if 2*len(strays) >= len(l.words) {
		return nil
	}
	const most = 6
	more := ""
	if len(strays) > most {
		more = ", ..."
	}
	return badData(fmt.Errorf("the target of a regression is a number, and %d of %d values are no numbers: %s%s; --missing=%s leaves their rows out (Wanted.Missing)",
		len(strays), len(l.words), strings.Join(strays[:min(most, len(strays))], ", "), more, strings.Join(strays, ",")))
}

// targets tells whether labels are targets of a regression; see ByLabels.
func (l *labelled) targets(o *Options) bool {
	switch {
	case o.Kind == Regression:
		return true
	case o.Positive != "" || l.words != nil || o.Kind == OneVsRest || o.Kind == Softmax:
		return false
	case !takesSigns(o.loss()):
		return true
	case !o.loss().Labels():
		return l.few() != 2 || !l.all
	case o.Kind == TwoClasses || o.Loss != nil:
		return false
	case !l.all:
		return true
	case l.few() <= 2:
		return false
	case l.fractions():
		return true
	}
	rows := 0
	for _, c := range l.list() {
		rows += c.Count
	}
	return rows < rowsOfClass*len(l.list())
}

// fractions tells whether a label is no whole number.
func (l *labelled) fractions() bool {
	fraction := func(y float64) bool { return y != math.Trunc(y) }
	return slices.ContainsFunc(l.y, fraction) || slices.ContainsFunc(l.found, func(c sparse.Class) bool { return fraction(c.Label) })
}

// takesSigns tells whether a loss takes the labels -1 and +1.
func takesSigns(l loss.Loss) bool {
	_, err := l.Check([]float64{-1, 1})
	return err == nil
}

// sort finds out what the labels are: signs, classes or targets. weights are the weights of a
// negative and of a positive row, nil for 1.
func (p *Problem) sort(l *labelled) (weights *[2]float64, err error) {
	o := &p.o
	p.called = l
	switch logged, err := p.logged(); {
	case err != nil:
		return nil, err
	case logged:
		return nil, cmp.Or(p.checkLogged(), p.regress(l), p.checkExposure())
	case l.targets(o):
		return nil, cmp.Or(p.regress(l), p.checkExposure())
	}
	if err := p.checkExposure(); err != nil {
		return nil, err
	}
	if !l.all {
		return nil, badData(fmt.Errorf("there are more than %d distinct labels: they look like targets of a regression, not like classes", mostLabels))
	}
	for _, c := range l.list() {
		if c.Label-c.Label != 0 {
			return nil, badData(fmt.Errorf("there are labels that are %v: labels are finite numbers, or places of LabelNames", c.Label))
		}
	}
	if err := l.strays(o); err != nil {
		return nil, err
	}
	if !takesSigns(o.loss()) {
		return nil, badOption("Loss", o.Loss, "it is for targets; the labels are classes%s", l.legend())
	}
	positive, err := l.positive(o.Positive)
	if err != nil {
		return nil, err
	}
	if positive == nil && len(l.list()) > 2 && o.Kind != TwoClasses && !p.ranking() && o.Settings.Ranks == nil {
		p.several = &classes{whole: o.Kind == Softmax, of: l.places()}
		for _, c := range l.list() {
			p.several.labels, p.several.counts = append(p.several.labels, c.Label), append(p.several.counts, c.Count)
		}
		return nil, nil
	}
	if p.labels, err = sparse.BinaryClasses(l.list(), positive); err != nil {
		return nil, badData(&LabelsError{Count: len(l.list()), Words: l.words, Chosen: positive != nil, Message: l.unfit(err, positive)})
	}
	rows := 0
	for _, c := range l.list() {
		rows += c.Count
		if c.Label == p.labels.Positive {
			p.positives = c.Count
		}
	}
	switch {
	case o.ClassWeight.Balanced:
		negative, positive, err := erm.BalancedCounts(rows-p.positives, p.positives)
		return &[2]float64{negative, positive}, badData(err)
	case o.ClassWeight != ClassWeight{}:
		return &[2]float64{o.ClassWeight.Negative, o.ClassWeight.Positive}, nil
	}
	return nil, nil
}

// regress takes labels as targets.
func (p *Problem) regress(l *labelled) error {
	o := &p.o
	switch {
	case l.words != nil:
		return badData(fmt.Errorf("the labels are words, and a regression needs numbers%s", l.legend()))
	case o.ClassWeight != ClassWeight{}:
		return badOption("ClassWeight", o.ClassWeight, "it goes with two classes; the labels are targets of a regression")
	case o.Loss != nil && o.Loss.Labels():
		return badOption("Loss", o.Loss, "the losses of a regression are %s", strings.Join(targetLosses(), ", "))
	case p.ranking():
		return badOption("Solver", o.Solver, "it ranks two classes; the labels are targets of a regression")
	case o.Loss == nil:
		o.Loss, p.Loss = loss.Squared{}, loss.Squared{}
	}
	p.regression = true
	return nil
}

// targetLosses lists the names of the losses of targets.
func targetLosses() (names []string) {
	for _, name := range loss.Names() {
		if l, err := loss.Parse(name, 0); err == nil && !l.Labels() {
			names = append(names, name)
		}
	}
	return names
}

// linkedLosses lists the names of the losses of targets with a link, which have a deviance.
func linkedLosses() []string {
	return slices.DeleteFunc(targetLosses(), func(name string) bool { return loss.ParseLinked(name, 0) == nil })
}

// LabelsError says that labels are not the labels of two classes.
type LabelsError struct {
	// Count is the number of distinct labels, and Words the labels where they are words.
	Count int
	Words []string
	// Chosen says that Options.Positive named the positive class.
	Chosen bool
	// Message says what is wrong with the labels.
	Message string
}

func (e *LabelsError) Error() string {
	return e.Message + (&labelled{words: e.Words}).legend()
}

// signs are +1 for rows of the positive class, and -1 for others: y itself if its labels are 1 and -1.
func (p *Problem) signs(y []float64) []float64 {
	if l := &p.labels; l.Positive == 1 && l.Negative == -1 && !l.Rest {
		return y
	}
	signs := make([]float64, len(y))
	for i, v := range y {
		signs[i] = -1
		if v == p.labels.Positive {
			signs[i] = 1
		}
	}
	return signs
}

// Words are what the labels of the model are called, nil where they are numbers.
func (p *Problem) Words() []string {
	l := p.called
	switch {
	case l == nil:
		return nil
	case l.words == nil || p.several != nil:
		return l.words
	case p.labels.Rest:
		return []string{l.word(p.labels.Positive), l.rest()}
	}
	return []string{l.word(p.labels.Positive), l.word(p.labels.Negative)}
}

// Word is what a label is called: a word where labels are words, or its digits.
func (p *Problem) Word(label float64) string {
	if p.called == nil {
		return (&labelled{}).word(label)
	}
	return p.called.word(label)
}

// LabelText says in a few words what the labels stand for.
func (p *Problem) LabelText() string {
	switch {
	case p.regression:
		return "targets of a regression"
	case p.several != nil && p.several.whole:
		return fmt.Sprintf("%d classes", len(p.several.labels))
	case p.several != nil:
		return fmt.Sprintf("%d classes, each against the rest", len(p.several.labels))
	}
	text := p.labels.String()
	if p.called != nil && p.called.words != nil {
		negative := "the rest"
		if !p.labels.Rest {
			negative = p.Word(p.labels.Negative)
		}
		text = p.Word(p.labels.Positive) + " against " + negative
	}
	n, _, _, _ := p.Shape()
	return text + fmt.Sprintf(" (%d and %d rows)", p.positives, n-p.positives)
}

// signs are +1 for rows of a class of several, and -1 for the rest.
func (c *classes) signs(class int) []float64 {
	y := make([]float64, len(c.of))
	for i, k := range c.of {
		y[i] = -1
		if int(k) == class {
			y[i] = 1
		}
	}
	return y
}

// share is the share of the rows whose class was predicted, by their weights (nil for 1).
func (c *classes) share(predicted []uint32, weight []float64) float64 {
	right, total := 0.0, 0.0
	for i, k := range predicted {
		w := weightOf(weight, i)
		if total += w; k == c.of[i] {
			right += w
		}
	}
	return right / total
}

// weightOf is the weight of a row; nil weights are 1.
func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}
