package synthetic

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/metrics"
)

// Clicks describes a log of clicks: a table of text with the column click, 0 or 1, and 39
// features. i1 to i13 are heavy-tailed numbers. c1 to c26 are categories, each a word of 8
// hexadecimal digits or missing. Values follow power laws; categories have from 10 to 5 million
// values. A planted logistic model draws the clicks. A row depends on its number and Seed alone.
// Clicks is safe for concurrent use.
type Clicks struct {
	First, Rows int64 // number of the first row, from 0, and how many rows
	Seed        uint64
	Share       float64 // expected share of clicks, in (0, 1)
}

// Planted says how the planted model does on the rows that were written. It is safe for
// concurrent reading.
type Planted struct {
	Rows, Clicks int64
	// AUC is the area under the ROC curve of the planted scores, 0.5 if all rows are of one
	// class. LogLoss is their mean log loss.
	AUC, LogLoss float64
}

// mostRows bounds the numbers of rows.
const mostRows = 1 << 48

func (c Clicks) check() error {
	switch {
	case c.Rows < 1 || c.Rows > mostRows:
		return fmt.Errorf("synthetic: %d rows: want 1 to %d", c.Rows, int64(mostRows))
	case c.First < 0 || c.First > mostRows:
		return fmt.Errorf("synthetic: the first row is %d: want 0 to %d", c.First, int64(mostRows))
	case !(c.Share > 0 && c.Share < 1):
		return fmt.Errorf("synthetic: a share of clicks of %v: want a number between 0 and 1", c.Share)
	}
	return nil
}

// tally counts the rows by the planted margin: first those without a click, then those with one.
type tally [2][margins]int64

func (t *tally) add(other *tally) {
	for click := range t {
		for cell, count := range other[click] {
			t[click][cell] += count
		}
	}
}

// planted measures the planted margins. They have so few values that counts say all.
func (t *tally) planted() (Planted, error) {
	p := Planted{AUC: 0.5}
	var score, label, weight []float64
	for click, counts := range t {
		for cell, count := range counts {
			if count == 0 {
				continue
			}
			score = append(score, marginOf(cell))
			label = append(label, float64(2*click-1))
			weight = append(weight, float64(count))
			p.Rows += count
			p.Clicks += int64(click) * count
		}
	}
	var err, err2 error
	if p.LogLoss, err = metrics.LogLoss(score, label, weight); p.Clicks > 0 && p.Clicks < p.Rows {
		p.AUC, err2 = metrics.AUROC(score, label, weight)
	}
	return p, errors.Join(err, err2)
}
