package report

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// Measured is how good a model is on some rows.
type Measured struct {
	// Name is the name of the rows, and Kind what they are: one of the kinds below.
	Name, Kind string
	// Every is 1 where all rows were measured; else one row of Every was.
	Every  int
	Report *lanes.Report
	// Problem says why nothing was measured, "" where something was.
	Problem string
	// Positive is the label that was measured against the rest, "" for the labels of the model.
	Positive string
	// Missing and Unseen are as in input.Dataset, of all rows.
	Missing, Unseen []int64

	path                 string      // of the model, "" where it was just trained
	model                model.Model // nil where scores alone are known
	targets, predictions []float64   // of a regression
	rows                 int64       // of which Every were measured
}

// The kinds of rows.
const (
	trainingRows   = "training rows"
	validationRows = "validation rows"
	heldOutRows    = "held-out rows"
	foldRows       = "rows of the folds"
	givenRows      = "the rows given"
)

// mostMeasured is the most memory that measuring may take.
const mostMeasured = 1 << 30

// rowBytes is about what measuring takes for a row.
const rowBytes = 150

// newMeasured begins to measure all rows of a kind and a name.
func newMeasured(m model.Model, name, kind string) *Measured {
	return &Measured{Name: console.Printable(name, ""), Kind: kind, Every: 1, model: m}
}

// Measure measures a model on scored rows, in about budget bytes of memory: of
// too many rows it takes one of every few.
func Measure(m model.Model, name, kind string, rows int, budget int64, blocks iter.Seq2[model.Scored, error]) *Measured {
	width := m.About().Width()
	most := max(budget/(rowBytes+int64(8*width)), 1000)
	seen := newMeasured(m, name, kind)
	seen.Every, seen.rows = max(int((int64(rows)+most-1)/most), 1), int64(rows)
	var err error
	if seen.Report, err = lanes.EvaluateBlocks(m, seen.some(blocks, width), lanes.EvaluateOptions{}); err != nil {
		seen.Problem = console.Plain(err).Error()
	}
	return seen
}

// some yields one of every few rows, and keeps the targets and predictions of a regression.
func (s *Measured) some(blocks iter.Seq2[model.Scored, error], width int) iter.Seq2[model.Scored, error] {
	return func(yield func(model.Scored, error) bool) {
		first := 0 // row of the next block that is taken
		for block, err := range blocks {
			if err == nil && s.Every > 1 {
				own := &sparse.Data{LabelNames: block.LabelNames}
				own.Y, own.Weight, own.Offset = every(s.Every, first, block.Y), every(s.Every, first, block.Weight), every(s.Every, first, block.Offset)
				var scores []float64
				for ; first < len(block.Y); first += s.Every {
					scores = append(scores, block.Scores[first*width:(first+1)*width]...)
				}
				first -= len(block.Y)
				block = model.Scored{Data: own, Scores: scores}
			}
			if err == nil && s.model.About().Regression {
				s.targets, s.predictions = append(s.targets, block.Y...), append(s.predictions, block.Scores...)
				s.model.About().Originals(s.targets[len(s.targets)-len(block.Y):])
				for i, v := range block.Offset {
					s.predictions[len(s.predictions)-len(block.Y)+i] += v
				}
				s.model.About().Means(s.predictions[len(s.predictions)-len(block.Y):])
			}
			if !yield(block, err) {
				return
			}
		}
	}
}

// every takes one of every few values from first on; nil of nil.
func every(stride, first int, values []float64) (list []float64) {
	for k := first; k < len(values); k += stride {
		list = append(list, values[k])
	}
	return list
}

// scored scores rows that are in memory.
func scored(m model.Model, pool *sparse.Pool, data *sparse.Data) iter.Seq2[model.Scored, error] {
	return model.ScoreBlocks(context.Background(), m, pool, func(yield func(*sparse.Data, error) bool) { yield(data, nil) })
}

// section is what a page shows of measured rows.
type section struct {
	Rows, About string
	Training    bool
	Facts       [][2]string
	Curves      []plots.Inline
	Lift        *lift
	Confusion   *confusion
	Lorenz      *lorenz
	Calibration *calibration
	Classes     *classes
	Targets     *targets
}

type (
	confusion struct {
		Threshold, Note string
		Labels          []string
		Rows            []confusionRow
	}
	confusionRow struct {
		Label string
		Cells []confusionCell
	}
	confusionCell struct {
		Count, Percent, Share string
		Wrong                 bool
	}
	calibration struct {
		Pictures []plots.Inline
		Head     []string
		Bins     [][]string
		Note     string
	}
	lift struct {
		Pictures []plots.Inline
		Rows     [][]string
		Note     string
	}
	lorenz struct {
		Pictures []plots.Inline
		Note     string
	}
	classes struct {
		Pictures []plots.Inline
		Rows     [][]string
		More     string
	}
	targets struct {
		Pictures        []plots.Inline
		Head, Quantiles []string
	}
)

// Measured shows measured rows, nil without any.
func (p *modelPage) Measured() *section {
	seen := p.seen
	if seen == nil {
		return nil
	}
	s := &section{Rows: seen.Kind, Training: seen.Kind == trainingRows}
	if seen.Problem != "" {
		s.About = "Nothing was measured: " + seen.Problem
		return s
	}
	e := seen.Report
	s.About = fmt.Sprintf("%s rows of %s.", grouped(float64(e.Rows)), seen.Name)
	if seen.Every > 1 {
		s.About += fmt.Sprintf(" They are one of every %d: all of them would not fit in memory.", seen.Every)
	}
	switch seen.Kind {
	case trainingRows:
		s.About += " The model was fitted to these rows and does worse on new ones: --valid DATA, or lanes eval, shows by how much."
	case heldOutRows:
		s.About += " The model was not fitted to these rows, and nothing was chosen by them."
	case foldRows:
		s.About += " Each was scored by a fit of the rows of the other folds, by the way of training that was chosen. The choice was made by these rows, too."
	case validationRows:
		s.About += " The model was not fitted to these rows, but the point of the run, or the penalty, was chosen by them."
	}
	for _, line := range e.Missing {
		s.About += " " + strings.ToUpper(line[:1]) + line[1:] + "."
	}
	fields, _ := fieldsOf(e)
	for _, name := range sortedKeys(fields) {
		if v, err := strconv.ParseFloat(string(fields[name]), 64); err == nil && name != "n" && name != "classes" {
			s.Facts = append(s.Facts, [2]string{metricText(name), fmt.Sprintf("%.6g", v)})
		}
	}
	switch {
	case seen.targets != nil:
		s.Targets = seen.targetsPart()
		s.means(e)
	case e.Ranking != nil:
		s.twoClasses(seen)
	case e.Classes != nil:
		s.classes(e)
	}
	if e.Calibration != nil {
		s.Calibration = calibrationPart(e)
	}
	return s
}

// twoClasses shows curves and decisions.
func (s *section) twoClasses(seen *Measured) {
	e := seen.Report
	total := e.Ranking.Positives + e.Ranking.Negatives
	curves, err := plots.InlineCurves(&plots.Curves{Ranking: e.Ranking, AP: e.AveragePrecision, AUC: e.AUROC, Prevalence: e.Positives / total})
	if err == nil {
		s.Curves = curves
	}
	s.Lift = liftPart(e)
	positive, negative := "positive", "negative"
	switch m := seen.model; {
	case seen.Positive != "":
		positive, negative = brief(seen.Positive), "the rest"
	case m != nil:
		about := m.About()
		if labels := about.Labels(); len(labels) > 1 && !about.Rest {
			negative = brief(about.Word(labels[1]))
		} else {
			negative = "the rest"
		}
		positive = brief(about.Word(about.Positive))
	}
	c := e.Confusion
	s.Confusion = confusionPart([]string{positive, negative}, [][]float64{{c.TruePositive, c.FalseNegative}, {c.FalsePositive, c.TrueNegative}})
	s.Confusion.Threshold = "at score 0"
	if e.Calibration != nil {
		s.Confusion.Threshold += ", probability 0.5"
	}
	s.Confusion.Note = fmt.Sprintf("Precision %.4g, recall %.4g, F1 %.4g of %s. Shares are of the actual rows of a label.", c.Precision(), c.Recall(), c.F1(), positive)
}

// mostConfused is the largest number of classes whose confusion is shown.
const mostConfused = 20

// classes shows several classes.
func (s *section) classes(e *lanes.Report) {
	part := &classes{}
	var names []string
	for _, c := range e.Classes {
		name := brief(fmt.Sprint(c.Label))
		names = append(names, name)
		if len(part.Rows) < mostClassRows {
			part.Rows = append(part.Rows, []string{name, grouped(c.Rows), fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.F1)})
		}
	}
	if len(names) > len(part.Rows) {
		part.More = fmt.Sprintf("The first %d of %d classes are shown; lanes eval --json has all.", len(part.Rows), len(names))
	}
	if len(names) <= mostClassRows {
		part.Pictures = plots.InlineClasses(classScores(e))
	}
	s.Classes = part
	if len(names) <= mostConfused {
		s.Confusion = confusionPart(names, e.Table)
		s.Confusion.Threshold = "for the class of the largest score"
		s.Confusion.Note = "Shares are of the actual rows of a class."
	}
}

// confusionPart is a table of decisions.
func confusionPart(labels []string, table [][]float64) *confusion {
	c := &confusion{Labels: labels}
	for k, row := range table {
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		line := confusionRow{Label: labels[k]}
		for j, v := range row {
			cell := confusionCell{Count: grouped(v), Wrong: j != k, Share: "0"}
			if sum > 0 {
				cell.Share = fmt.Sprintf("%.3f", v/sum)
				if len(labels) <= 6 {
					cell.Percent = fmt.Sprintf("%.1f %%", 100*v/sum)
				}
			}
			line.Cells = append(line.Cells, cell)
		}
		c.Rows = append(c.Rows, line)
	}
	return c
}

// calibrationPart compares probabilities with what came true.
func calibrationPart(e *lanes.Report) *calibration {
	c := &calibration{Pictures: plots.InlineCalibration(e.Calibration, e.CalibrationError), Head: []string{"probability", "rows", "predicted", "came true"}}
	for _, b := range e.Calibration {
		if b.Weight > 0 {
			c.Bins = append(c.Bins, []string{fmt.Sprintf("%.1f to %.1f", b.Low, b.High), grouped(b.Weight), fmt.Sprintf("%.4f", b.Predicted), fmt.Sprintf("%.4f", b.Observed)})
		}
	}
	c.Note = fmt.Sprintf("Calibration error %.4g: the mean distance of the probability from the share that came true.", e.CalibrationError)
	if e.Classes != nil {
		c.Note += " The probabilities are of the predicted class."
	}
	return c
}

// liftPart shows how many positives the rows of the highest scores have, nil for rows without a lift.
func liftPart(e *lanes.Report) *lift {
	pictures, err := plots.InlineLift(e.Ranking, e.Lift)
	if err != nil || e.Lift == nil {
		return nil
	}
	part := &lift{Pictures: pictures}
	for k, b := range e.Lift {
		name := fmt.Sprintf("%d %% to %d %%", 100*k/len(e.Lift), 100*(k+1)/len(e.Lift))
		part.Rows = append(part.Rows, []string{name, hundredths(b.Weight), hundredths(b.Positives), fmt.Sprintf("%.3f", b.Lift), fmt.Sprintf("%.1f %%", 100*b.Captured)})
	}
	part.Note = "Lift is the share of positives of a tenth, divided by that of all rows; captured are the positives that the tenth and those before it have."
	if distance, score, err := e.Ranking.KS(); err == nil && distance > 0 {
		part.Note += fmt.Sprintf(" KS %.4g is the largest distance of the rates of true and false positives, from score %.4g on; Gini %.4g is 2 AUC - 1.", distance, score, e.Gini)
	}
	return part
}

// hundredths writes a weight of rows that are cut, rounded.
func hundredths(v float64) string { return grouped(math.Round(float64(v*100)) / 100) }

// means shows how predictions of counts and amounts order the rows, and what their mean targets are.
func (s *section) means(e *lanes.Report) {
	if e.Lorenz != nil {
		best := e.Gini / e.NormalisedGini
		s.Lorenz = &lorenz{Pictures: plots.InlineLorenz(e.Lorenz, e.Gini, best)}
		s.Lorenz.Note = fmt.Sprintf("Gini %.4g is twice the area between the curve and the diagonal, %.4g of what the targets themselves have.", e.Gini, e.NormalisedGini)
	}
	if e.Targets == nil {
		return
	}
	c := &calibration{Pictures: plots.InlineMeans(e.Targets), Head: []string{"prediction", "weight", "mean prediction", "mean target"}}
	for _, b := range e.Targets {
		c.Bins = append(c.Bins, []string{fmt.Sprintf("%.4g to %.4g", b.Low, b.High), hundredths(b.Weight), fmt.Sprintf("%.4g", b.Predicted), fmt.Sprintf("%.4g", b.Observed)})
	}
	c.Note = "Ten parts of the rows of about equal weight, in the order of their predictions. Where the table has exposures, weights are these, and predictions and targets are a unit of exposure."
	s.Calibration = c
}

// targetsPart compares the predictions of a regression with its targets.
func (s *Measured) targetsPart() *targets {
	t := &targets{Pictures: plots.InlineTargets(s.targets, s.predictions)}
	rest := make([]float64, len(s.targets))
	for i, y := range s.targets {
		rest[i] = y - s.predictions[i]
	}
	slices.Sort(rest)
	for _, q := range []struct {
		name  string
		share float64
	}{{"least", 0}, {"5 %", 0.05}, {"25 %", 0.25}, {"median", 0.5}, {"75 %", 0.75}, {"95 %", 0.95}, {"largest", 1}} {
		t.Head = append(t.Head, q.name)
		t.Quantiles = append(t.Quantiles, fmt.Sprintf("%.4g", rest[int(q.share*float64(len(rest)-1))]))
	}
	return t
}

// MeasureTraining measures a model on the first of: the rows that were held out, the rows of the
// folds by the fits of the other folds (of rows in memory), the rows of --valid, its training rows. It reads streamed rows
// once more, and makes a fit for each fold.
func MeasureTraining(a *console.App, r *fitting.Trained, f *input.DataFlags, run *fitting.RunFlags) *Measured {
	p := r.Problem
	o := p.Options()
	rows, _, _, _ := p.Shape()
	m, name, kind := r.Model, p.Data.Name, trainingRows
	budget := int64(mostMeasured)
	var blocks iter.Seq2[model.Scored, error]
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	inFile := func(data *input.Dataset) {
		if run.Memory > 0 {
			budget = min(budget, run.Memory/4)
		}
		blocks = func(yield func(model.Scored, error) bool) {
			for _, path := range data.Files {
				for block, err := range input.ScoreRows(a, m, path, f, input.Scoring{Labelled: true}) {
					if !yield(block, err) || err != nil {
						return
					}
				}
			}
		}
	}
	switch {
	case r.HeldOut != nil:
		kind, rows = heldOutRows, len(r.HeldOut.Rows)
		blocks = scored(m, pool, r.HeldOut.Data)
	case (r.Folds != nil || r.Tried != nil) && p.Data.Stream == nil:
		kind, blocks = foldRows, r.FoldScores(context.Background())
	case o.Validation != nil:
		name, kind, rows = input.NameOf(run.Valid), validationRows, o.Validation.X.Rows()
		blocks = scored(m, pool, o.Validation)
	case o.ValidationStream != nil:
		name, kind, rows = input.NameOf(run.Valid), validationRows, o.ValidationStream.Rows()
		inFile(p.Valid)
	case p.Data.Stream != nil:
		inFile(p.Data)
	default:
		blocks = scored(m, pool, p.Data.Data)
	}
	seen := Measure(m, name, kind, rows, budget, blocks)
	if kind == validationRows {
		seen.Missing, seen.Unseen = p.Valid.Missing, p.Valid.Unseen
	}
	return seen
}
