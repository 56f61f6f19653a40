package fitting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/memory"
)

// The memory of a run is that of vectors of one number a column. These are the most
// that solvers were seen to take, garbage included.
const (
	vectorsOfLoss    = 12
	vectorsOfRanking = 20
	vectorsOfClass   = 4 // for each class of several; twice that, and as many of a row, for the softmax
	vectorsOfFold    = 2
	vectorsOfScaler  = 6
)

// Where nobody names a limit, a run may take what is free, but not more than a
// thousand times the data: where much fewer columns are used than there are, a slip in
// an index is likelier than a wish.
const (
	leastRoom   = 4 << 30
	roomPerByte = 1000
	fewBytes    = 16 << 20 // that are there
)

// ParseMemory reads a size as in 8GB, 500M or 2GiB, the value of a flag; "" is 0, for none.
func ParseMemory(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(text, "BbIiKkMmGgTt ")
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	v, err := strconv.ParseFloat(number, 64)
	known := false
	for exponent, letter := range []string{"", "k", "m", "g", "t"} {
		base := 1000.0
		switch {
		case unit == letter || unit == letter+"b":
		case unit == letter+"ib" && letter != "":
			base = 1024
		default:
			continue
		}
		known = true
		for range exponent {
			v *= base
		}
	}
	if err != nil || !known || !(v >= 1 && v < math.MaxInt64) {
		return 0, console.BadFlag(flag, text, "give a size as in 8GB, 500MB or 2GiB")
	}
	return int64(v), nil
}

// need estimates the memory of a run.
func (f *ProblemFlags) need(p *Prepared) float64 {
	vectors, rows := vectorsOfLoss, 0.0
	if slices.ContainsFunc(f.Solvers, Special) {
		vectors = vectorsOfRanking
	}
	if len(f.Network.Hidden) > 0 {
		vectors *= max(f.Network.Hidden[0], 1)
	}
	classes := 1
	if p.Several != nil {
		classes = len(p.Several.labels)
		vectors += vectorsOfClass * classes
		if p.Several.whole {
			vectors += vectorsOfClass * classes
			rows = 8 * vectorsOfClass * float64(classes) * float64(p.Data.X.Rows())
		}
	}
	if f.Path {
		vectors += classes * max(f.points, defaultPoints)
	}
	vectors += classes * vectorsOfFold * f.Folds
	if f.Normalize == "minmax" {
		vectors += vectorsOfScaler
	}
	return 8*float64(vectors)*float64(p.Columns) + rows
}

// checkRoom refuses what would take more memory than there is, or than data of their
// size are likely to be worth, before any of it is taken.
func (f *ProblemFlags) checkRoom(p *Prepared) error {
	need := f.need(p)
	limit, whose := float64(f.mostMemory), "that --max-memory allows"
	if f.mostMemory == 0 {
		limit, whose = max(leastRoom, roomPerByte*float64(p.Data.X.Bytes())), "that data of this size may take"
		if need > fewBytes { // looking costs as much as training on a thousand rows
			if available, known := memory.Available(); known && float64(available) < limit {
				limit, whose = float64(available), "that are free"
			}
		}
	}
	if need <= limit {
		return nil
	}
	about := p.Data.X.Describe()
	estimate := memory.Text(int64(min(need, math.MaxInt64/2)))
	place := ""
	if about.LastColumn >= 0 {
		place = fmt.Sprintf(" (row %d has the index %d)", rowWith(p, about.LastColumn)+1, about.LastColumn+1)
	}
	return console.BadData(fmt.Errorf("%s: a run on its %d columns%s, of which %d are used, would take about %s of memory, more than the %s %s: number the features without gaps, or hash them to fewer; --max-memory %s allows it",
		p.Data.Name, p.Columns, place, about.UsedColumns, estimate, memory.Text(int64(limit)), whose, strings.ReplaceAll(estimate, " ", "")))
}

// rowWith finds the first row with an entry in the last column that has one.
func rowWith(p *Prepared, column int) int {
	for i := range p.Data.X.Rows() {
		for j := range p.Data.X.Row(i) {
			if j == column {
				return i
			}
		}
	}
	return 0
}
