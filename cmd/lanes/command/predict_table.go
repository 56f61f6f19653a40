package command

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
)

// runTable writes the table at path, or its columns ids, with the predictions beside.
func (p *prediction) runTable(path string, f *input.DataFlags, out string) error {
	t, err := input.OpenTable(p.a, path, &f.Table, p.encoder, out == "")
	if err != nil {
		return err
	}
	defer t.Close()
	keep := f.Table.IDs
	if len(keep) == 0 {
		keep = t.Readable()
		if err := t.TellUnread(keep); err != nil {
			return err
		}
	}
	if err := t.Lacks("id", keep); err != nil {
		return err
	}
	fill := func(w io.Writer) error { return p.printTable(w, t, keep) }
	if out == "" {
		err = fill(p.a.Output())
	} else {
		err = p.a.Write("file of predictions", out, fill)
	}
	if err != nil || !p.a.JSON {
		return err
	}
	missing, unseen := t.Counts(p.encoder)
	return p.a.PrintJSON(map[string]any{"n": t.Scored, "out": out, "missing": missing, "unseen": unseen})
}

// columns names the columns of predictions beside the columns of a table: a name that the table
// has already gets predicted_ in front.
func (p *prediction) columns(beside []string) (names []string) {
	switch what := "score"; {
	case p.about.Regression:
		names = []string{"prediction"}
	case p.about.Classes != nil:
		if p.m.Logistic() {
			what = "probability"
		}
		for _, label := range p.about.Classes {
			names = append(names, what+"="+p.about.Word(label))
		}
		names = append(names, "label")
	case p.m.Logistic():
		names = []string{"score", "probability", "label"}
	default:
		names = []string{"score", "label"}
	}
	for k := range names {
		for slices.Contains(beside, names[k]) {
			names[k] = "predicted_" + names[k]
		}
	}
	return names
}

// printTable writes the rows of a table as CSV, block after block.
func (p *prediction) printTable(w io.Writer, t *input.Table, keep []string) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	out := csv.NewWriter(buffer)
	record := append(slices.Clone(keep), p.columns(t.Names())...)
	out.Write(record)
	var shares []float64
	width := p.about.Width()
	for block, err := range t.Score(context.Background(), p.m, p.encoder, keep, false) {
		if err != nil {
			return err
		}
		shares = append(shares[:0], block.Scores...)
		if p.about.Means(shares); p.m.Logistic() {
			if err := p.m.Probabilities(shares); err != nil {
				return err
			}
		}
		for i := range block.Scored.Y {
			at, end := i*width, (i+1)*width
			record = append(record[:0], block.Kept(i)...)
			record = p.appendTo(record, block.Scores[at:end], shares[at:end])
			out.Write(record)
		}
		out.Flush()
		if err := buffer.Flush(); err != nil {
			return err
		}
	}
	out.Flush()
	if err := buffer.Flush(); err != nil {
		return err
	}
	return t.TellSeen(p.encoder)
}

// appendTo appends what is predicted for a row, by its scores and its shares: its probabilities, the
// mean of a regression, or else its scores.
func (p *prediction) appendTo(record []string, scores, shares []float64) []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case p.about.Regression:
		return append(record, number(shares[0]))
	case p.about.Classes != nil:
		for _, v := range shares {
			record = append(record, number(v))
		}
	default:
		record = append(record, number(scores[0]))
		if p.m.Logistic() {
			record = append(record, number(shares[0]))
		}
	}
	return append(record, p.about.Word(p.label(scores)))
}
