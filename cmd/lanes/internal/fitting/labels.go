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

// classes turns labels into signs, or leaves them as targets: the squared and
// the Huber loss fit targets where there are more than two distinct labels.
func (f *ProblemFlags) classes(p *Prepared) error {
	y := p.Data.Y
	if f.findClasses(p) {
		return nil
	}
	canRegress := f.Kind == kernels.Squared || f.Kind == kernels.Huber
	if canRegress && f.PositiveLabel == nil && !f.multiclass && p.Data.LabelNames == nil && len(sparse.CountClasses(y)) != 2 {
		p.Regression, p.Y = true, y
		if f.ClassWeight != "" {
			return console.Usagef("--class-weight goes with two classes; %s has targets for a regression", p.Data.Name)
		}
		return nil
	}
	signs, labels, err := sparse.BinaryLabels(y, f.PositiveLabel)
	if err != nil {
		return f.noClasses(p, err, len(sparse.CountClasses(y)))
	}
	p.Y, p.labels = signs, labels
	for _, s := range signs {
		if s > 0 {
			p.Positives++
		}
	}
	if f.ClassWeight == "" {
		return nil
	}
	positive, negative := f.weights[0], f.weights[1]
	if f.ClassWeight == "balanced" {
		if negative, positive, err = erm.BalancedWeights(signs); err != nil {
			return console.BadData(fmt.Errorf("%s: %w", p.Data.Name, err))
		}
	}
	p.SampleWeight, err = erm.ClassWeight(signs, nil, negative, positive)
	return err
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

// findClasses sorts the labels of more than two classes; fewer leave it to the
// ordinary training of two.
func (f *ProblemFlags) findClasses(p *Prepared) bool {
	if !f.multiclass {
		return false
	}
	list := sparse.CountClasses(p.Data.Y)
	if len(list) <= 2 {
		return false
	}
	p.Several = &classSet{whole: f.Softmax}
	for _, c := range list {
		p.Several.labels, p.Several.counts = append(p.Several.labels, c.Label), append(p.Several.counts, c.Count)
	}
	p.Several.of, _ = input.ClassesOf(p.Data, p.Several.labels)
	return true
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
