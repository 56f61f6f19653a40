package lanes

import (
	"context"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// toldApart has the classes of rows in a file told from the rest, each by labels and weights of its own.
func (p *Problem) toldApart(c *related.Classes) error {
	c.Class, c.Weight, c.Together, c.Finish = nil, nil, false, nil
	for k, label := range p.several.labels {
		rows := *p.stream
		rows.Labels = &sparse.LabelMap{Positive: p.called.inFile(label), Rest: true}
		switch w := p.o.ClassWeight; {
		case w.Balanced:
			count := p.several.counts[k]
			negative, positive, err := erm.BalancedCounts(p.rows()-count, count)
			if err != nil {
				return badData(err)
			}
			rows.ClassWeights = &[2]float64{negative, positive}
		case w != ClassWeight{}:
			rows.ClassWeights = &[2]float64{w.Negative, w.Positive}
		}
		c.InFile = append(c.InFile, &rows)
	}
	return nil
}

// classesInFile are the labels of the classes as the file of the rows has them.
func (p *Problem) classesInFile() []float64 {
	labels := make([]float64, len(p.several.labels))
	for k, label := range p.several.labels {
		labels[k] = p.called.inFile(label)
	}
	return labels
}

// softmaxInFile trains one model of all classes of rows in a file.
func (p *Problem) softmaxInFile(ctx context.Context, s solvers.Settings) (*Fitted, error) {
	q := &softmax.Streamed{Rows: p.stream, Labels: p.classesInFile(), Lambda: p.Ridge(), Intercept: p.Intercept}
	if p.o.ClassWeight.Balanced {
		for _, count := range p.several.counts {
			q.Weights = append(q.Weights, balanced(p.rows(), len(p.several.counts), count))
		}
	}
	by := softmax.Newton{}
	m := solvers.Ready{Description: solvers.Description{Name: by.Name()}, Text: by.Name()}
	return p.alone(ctx, m.Name, m, s, func(s solvers.Settings) (*solvers.Result, error) {
		return softmax.SolveStreamed(ctx, q, by, s)
	})
}

// solveRows solves a problem over rows in a file.
func (p *Problem) solveRows(rows *solvers.Rows) related.Solve {
	own := *p
	own.stream = rows
	return p.counted(own.solveBy())
}

// measureClassesInFile adds the accuracy of the training rows, and with each the F1 of every class.
func (p *Problem) measureClassesInFile(ctx context.Context, f *Fitted, each bool) error {
	tables, err := (&erm.Streamed{Rows: p.stream.Stream}).MeasureClasses(ctx, f.Result.Weights, p.classesInFile(), solvers.Settings{Shards: f.Used.Shards, Workers: f.Used.Workers})
	switch {
	case err != nil && ctx.Err() != nil: // the run was interrupted, or is now
		return nil
	case err != nil:
		return err
	}
	right, total := 0.0, 0.0
	for k, table := range tables {
		right += table.TruePositive
		total += table.TruePositive + table.FalseNegative
		if each {
			f.Fits[k].F1 = table.F1()
		}
	}
	f.Metrics["train_accuracy"] = right / total
	return nil
}
