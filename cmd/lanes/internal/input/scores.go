package input

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// ReadScores reads lines of label and score.
func ReadScores(a *console.App, path string) (name string, labels, scores []float64, err error) {
	name = path
	in := a.In
	if path == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(path)
		if err != nil {
			return "", nil, nil, console.BadData(console.FileTrouble(err, path))
		}
		defer file.Close()
		in = file
	}
	lines := bufio.NewScanner(in)
	for number := int64(1); lines.Scan(); number++ {
		fields := strings.FieldsFunc(lines.Text(), func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' })
		if len(fields) == 0 {
			continue
		}
		trouble := func(message string) error {
			return console.BadData(&sparse.FormatError{Name: name, Line: number, Message: message})
		}
		if len(fields) != 2 {
			return "", nil, nil, trouble(fmt.Sprintf("%d numbers where a label and a score should stand", len(fields)))
		}
		label, err1 := strconv.ParseFloat(fields[0], 64)
		score, err2 := strconv.ParseFloat(fields[1], 64)
		if err1 != nil || label-label != 0 {
			return "", nil, nil, trouble(fmt.Sprintf("label %.40q is not a finite number", fields[0]))
		}
		if err2 != nil || score != score {
			return "", nil, nil, trouble(fmt.Sprintf("score %.40q is not a number", fields[1]))
		}
		labels, scores = append(labels, label), append(scores, score)
	}
	if err := lines.Err(); err != nil && err != io.EOF {
		return "", nil, nil, console.BadData(fmt.Errorf("%s: %w", name, console.Bare(err)))
	}
	if len(scores) == 0 {
		return "", nil, nil, console.BadData(fmt.Errorf("%s holds no scores", name))
	}
	return name, labels, scores, nil
}

// Score reads data and scores their rows by a model.
func Score(a *console.App, m model.Model, path string, f *DataFlags) (*Dataset, []float64, error) {
	about := m.About()
	zero := about.Meta != nil && about.Meta.ZeroBased
	if given := f.cmd.Flags().Changed("zero-based"); given && about.Meta != nil && zero != f.Zero {
		a.Note("the indices of the training text began at %d; those of %s are taken to begin at %d, as the flag says", FirstIndex(zero), path, FirstIndex(f.Zero))
		zero = f.Zero
	}
	data, err := Read(a, path, f, sparse.ReadOptions{Columns: about.Features, ZeroBased: zero})
	if err != nil {
		return nil, nil, err
	}
	if err := FitColumns(a, data, about.Features); err != nil {
		return nil, nil, err
	}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	scores, err := m.Scores(pool, data.X)
	if err != nil {
		return nil, nil, console.BadData(fmt.Errorf("%s: %w", data.Name, console.Plain(err)))
	}
	for i, s := range scores {
		if s-s != 0 {
			return nil, nil, console.BadData(fmt.Errorf("%s: the score of row %d is %v: its values are too large for this model", data.Name, i*len(data.Y)/len(scores)+1, s))
		}
	}
	return data, scores, nil
}
