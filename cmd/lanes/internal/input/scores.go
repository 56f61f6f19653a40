package input

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/sparse"
)

// longestScores bounds the bytes of a line of label and score.
const longestScores = 1 << 16

// ReadScores reads lines of label and score, from text that may be compressed.
func ReadScores(a *console.App, path string) (name string, labels, scores []float64, err error) {
	in, name, err := open(a, path)
	if err != nil {
		return "", nil, nil, err
	}
	defer in.Close()
	text, err := sparse.Decompress(in)
	if err != nil {
		return "", nil, nil, console.BadData(fmt.Errorf("%s: %w", name, console.Bare(err)))
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestScores)
	number := int64(0)
	trouble := func(message string) error {
		return console.BadData(&sparse.FormatError{Name: name, Line: number, Message: message})
	}
	for lines.Scan() {
		number++
		fields := strings.FieldsFunc(lines.Text(), func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' })
		if len(fields) == 0 {
			continue
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
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		number++
		return "", nil, nil, trouble(fmt.Sprintf("the line has more than %d bytes, where a label and a score should stand", longestScores))
	} else if err != nil {
		return "", nil, nil, console.BadData(fmt.Errorf("%s: %w", name, console.Bare(err)))
	}
	if len(scores) == 0 {
		return "", nil, nil, console.BadData(fmt.Errorf("%s holds no scores", name))
	}
	return name, labels, scores, nil
}
