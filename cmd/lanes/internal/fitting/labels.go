package fitting

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// classes turns labels into signs, or leaves them as targets.
func (f *ProblemFlags) classes(p *Prepared) error {
	list := sparse.CountClasses(p.Data.Y)
	if f.multiclass && len(list) > 2 {
		p.Several = newClassSet(p.Data, list, f.Softmax)
		return nil
	}
	weights, err := f.twoClasses(p, list, true)
	if p.Y = p.Data.Y; err != nil || p.Regression {
		return err
	}
	if p.Y, err = input.SignsOf(p.Data, p.labels, false); err == nil && weights != nil {
		p.SampleWeight, err = erm.ClassWeight(p.Y, nil, weights[0], weights[1])
	}
	return err
}

// twoClasses finds out which of the labels are positive, or leaves them as targets: the
// squared and the Huber loss fit targets if there are more than two distinct labels. all is
// false if list lacks some labels. weights are of a negative and of a positive row, nil for 1.
func (f *ProblemFlags) twoClasses(p *Prepared, list []sparse.Class, all bool) (weights *[2]float64, err error) {
	canRegress := f.Kind == kernels.Squared || f.Kind == kernels.Huber
	if canRegress && f.PositiveLabel == nil && !f.multiclass && p.Data.LabelNames == nil && len(list) != 2 {
		p.Regression = true
		if f.ClassWeight != "" {
			return nil, console.Usagef("--class-weight goes with two classes; %s has targets for a regression", p.Data.Name)
		}
		return nil, nil
	}
	if !all {
		return nil, console.BadData(fmt.Errorf("%s: there are more than %d distinct labels: they look like targets of a regression (--loss squared), not like classes", p.Data.Name, mostLabels))
	}
	if p.labels, err = sparse.BinaryClasses(list, f.PositiveLabel); err != nil {
		return nil, f.noClasses(p, err, len(list))
	}
	rows := 0
	for _, c := range list {
		rows += c.Count
		if c.Label == p.labels.Positive {
			p.Positives = c.Count
		}
	}
	switch f.ClassWeight {
	case "":
		return nil, nil
	case "balanced":
		negative, positive, err := erm.BalancedCounts(rows-p.Positives, p.Positives)
		if err != nil {
			err = console.BadData(fmt.Errorf("%s: %w", p.Data.Name, err))
		}
		return &[2]float64{negative, positive}, err
	}
	return &[2]float64{f.weights[1], f.weights[0]}, nil
}

// noClasses says what to do about labels that are not of two classes.
func (f *ProblemFlags) noClasses(p *Prepared, err error, count int) error {
	hint := ""
	if f.PositiveLabel == nil && count > 2 {
		hint = ", train each against the rest (--multiclass)"
		if p.Data.LabelNames == nil {
			hint += ", or fit the labels as targets of a regression (--loss squared)"
		}
	}
	hint += p.Data.Legend()
	return console.BadData(fmt.Errorf("%s: %w%s", p.Data.Name, err, hint))
}

// words are what the labels of a model are called, nil where they are numbers.
func (p *Prepared) words() []string {
	switch names := p.Data.LabelNames; {
	case names == nil || p.Several != nil:
		return names
	case p.labels.Rest:
		return []string{p.Data.Word(p.labels.Positive), p.Data.RestWord()}
	}
	return []string{p.Data.Word(p.labels.Positive), p.Data.Word(p.labels.Negative)}
}

// LabelText says what the signs stand for.
func (p *Prepared) LabelText() string {
	if p.Regression {
		return "targets of a regression"
	}
	if p.Several != nil {
		return p.Several.String()
	}
	text := p.labels.String()
	if p.Data.LabelNames != nil {
		negative := "the rest"
		if !p.labels.Rest {
			negative = p.Data.Word(p.labels.Negative)
		}
		text = p.Data.Word(p.labels.Positive) + " against " + negative
	}
	n, _, _, _ := p.Shape()
	return text + fmt.Sprintf(" (%d and %d rows)", p.Positives, n-p.Positives)
}

// classSet is what several classes add to a problem.
type classSet struct {
	labels []float64
	of     []uint32 // the class of each row
	counts []int
	whole  bool // one model of all
}

// newClassSet sorts the rows of data by the classes of their labels.
func newClassSet(data *input.Dataset, list []sparse.Class, whole bool) *classSet {
	c := &classSet{whole: whole}
	for _, class := range list {
		c.labels, c.counts = append(c.labels, class.Label), append(c.counts, class.Count)
	}
	c.of, _ = input.ClassesOf(data, c.labels)
	return c
}

func (c *classSet) String() string {
	if c.whole {
		return fmt.Sprintf("%d classes", len(c.labels))
	}
	return fmt.Sprintf("%d classes, each against the rest", len(c.labels))
}

// FindPositive numbers the labels of data and reads --positive as a label of data: a number, or a word where those are
// words.
func (f *ProblemFlags) FindPositive(data *input.Dataset) error {
	data.NumberLabels()
	if f.positive == "" {
		return nil
	}
	if data.LabelNames == nil {
		label, err := input.ParseLabel(f.positive)
		f.PositiveLabel = label
		return err
	}
	k := slices.Index(data.LabelNames, f.positive)
	if k < 0 {
		return console.BadData(fmt.Errorf("%s: no row has the label %s, which is to be the positive class%s", data.Name, f.positive, data.Legend()))
	}
	label := float64(k + 1)
	if len(data.LabelNames) == 2 {
		label = float64(2*k - 1)
	}
	f.PositiveLabel = &label
	return nil
}
