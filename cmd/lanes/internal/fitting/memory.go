package fitting

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/elasticnet"
)

// fitRoom is what a fit takes, in vectors of one number a column and of one a row, and in
// copies of the data: the most that was seen, garbage included. TestPlansOfMemory compares plans
// with what the kernel counts.
type fitRoom struct{ columns, rows, copies float64 }

// fitRooms has the fits of a family, and of solvers that take more than it.
var fitRooms = map[string]fitRoom{
	"erm": {12, 9, 0}, "ai-sarah-importance": {6, 16, 0}, "ai-sarah-uniform": {6, 16, 0},
	"sdca": {8, 21, 0}, "elasticnet": {28, 20, 5}, "ap": {24, 20, 0}, "pauc": {18, 19, 0},
}

// Vectors of one number a column that stay while other fits run.
const (
	vectorsOfRest   = 7 // for each class against the rest, and as many of a row
	vectorsOfClass  = 8 // for each class of the softmax, and half as many of a row
	vectorsOfPoint  = 2 // for each point of a path
	vectorsOfFold   = 2
	vectorsOfScaler = 12
	vectorsOfSaved  = 16 // for each running fit whose state is saved, and as many of a row
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

// fitRoom returns the most that one of the solvers takes.
func (f *ProblemFlags) fitRoom(p *Prepared) (most fitRoom) {
	rooms := []fitRoom{fitRooms["erm"]}
	switch {
	case p.L1 > 0 || p.path:
		rooms = append(rooms, fitRooms["elasticnet"])
	case f.For != "":
		rooms = append(rooms, fitRooms["ap"], fitRooms["pauc"])
	}
	for _, name := range f.Solvers {
		room, own := fitRooms[name]
		if !own {
			room = fitRooms[Description(name).Family]
		}
		if rooms = append(rooms, room); len(f.Solvers) == 1 && name != AutoName {
			rooms = rooms[1:]
		}
	}
	for _, r := range rooms {
		most.columns, most.rows, most.copies = max(most.columns, r.columns), max(most.rows, r.rows), max(most.copies, r.copies)
	}
	if p.path { // its fits share a copy
		most.copies = 0
	}
	return most
}

// need plans the memory of a run on some workers, beside the data that were read. saves tells
// whether a checkpoint keeps the states of running fits.
func (f *ProblemFlags) need(p *Prepared, workers int, saves bool) float64 {
	x := p.Data.X
	column, row, entries := 8*float64(p.Columns), 8*float64(x.Rows()), float64(x.NNZ())
	data, centred := float64(x.Bytes()), 0.0
	if p.Intercept && (p.L1 > 0 || p.path) && elasticnet.Centres(x) {
		data = max(data, row+12*entries) // of any values
		centred = 2 * data               // the copy, and what it is made of
	}
	room, kept, rest, fits := f.fitRoom(p), 0.0, 0.0, 1
	if len(f.Network.Hidden) > 0 {
		room.columns *= float64(max(f.Network.Hidden[0], 1))
	}
	classes := 1
	if p.Several != nil {
		if classes = len(p.Several.labels); p.Several.whole {
			room.columns += float64(vectorsOfClass * classes)
			room.rows += float64(vectorsOfClass / 2 * classes)
		} else {
			kept += float64(vectorsOfRest * classes)
			rest = float64(vectorsOfRest*classes) * row
			fits = classes
		}
	}
	if f.Path {
		points := cmp.Or(f.points, defaultPoints)
		fits *= points
		kept += float64(vectorsOfPoint * classes * points)
	}
	fit := room.columns*column + room.rows*row + room.copies*data
	if f.Folds > 0 {
		fits *= f.Folds
		kept += float64(vectorsOfFold * classes * f.Folds)
		fit += float64(x.Bytes()) + centred // the rows of a fold
	}
	if saves && fits > 1 {
		fit += vectorsOfSaved * (column + row)
	}
	need := float64(min(workers, fits))*fit + kept*column + rest + centred
	need += data // by columns, or in the order of their lengths
	switch f.Normalize {
	case model.NormalizeUnit:
		need += 8 * entries
	case model.NormalizeMinMax, model.NormalizeStd:
		need += vectorsOfScaler*column + 20*entries
	}
	if f.ClassWeight != "" {
		need += row
	}
	return need
}

// workers is how many --workers asks for, 0 for all cores.
func (f *RunFlags) workers() int {
	if f.app == nil {
		return 0
	}
	return f.app.Workers
}

// checkRoom refuses what would take more memory than there is, or than data of their
// size are likely to be worth, before any of it is taken.
func (f *ProblemFlags) checkRoom(p *Prepared, run *RunFlags) error {
	need := f.need(p, cmp.Or(run.workers(), runtime.GOMAXPROCS(0)), run.Checkpoint != "")
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
