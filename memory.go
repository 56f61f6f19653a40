package lanes

import (
	"cmp"
	"math"
	"runtime"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/sparse"
)

// usualPoints is the number of points of a path whose weights are not given.
const usualPoints = 20

// fitMemory is the memory of a fit: the number of vectors with one number a column, of vectors
// with one number a row, and of copies of the data. It bounds what was seen, garbage included;
// TestPlansOfMemory compares plans with what the kernel counts.
type fitMemory struct{ columns, rows, copies float64 }

// fitMemories holds the memory of a family's fits, and of solvers that take more.
var fitMemories = map[string]fitMemory{
	"erm": {12, 9, 0}, "ai-sarah-importance": {6, 16, 0}, "ai-sarah-uniform": {6, 16, 0},
	"sdca": {8, 21, 0}, "elasticnet": {28, 20, 5}, "ap": {24, 20, 0}, "pauc": {18, 19, 0},
	"shards": {20, 9, 0},
}

// Vectors of one number a column that stay while other fits run.
const (
	vectorsOfRest   = 7  // for each class against the rest, and as many of a row
	vectorsOfClass  = 8  // for each class of the softmax, and half as many of a row
	vectorsOfNorms  = 16 // the same beside norms
	vectorsOfPoint  = 2  // for each point of a path
	vectorsOfFold   = 2
	vectorsOfScaler = 12
	vectorsOfSaved  = 16 // for each running fit whose state is saved, and as many of a row
)

// Without MaxMemory a run may take the free memory, but at most limitPerByte times the data (or
// leastLimit): data with far more columns than used ones are likely to have a mistaken index.
// Plans up to fewBytes are not compared with the free memory.
const (
	leastLimit   = 4 << 30
	limitPerByte = 1000
	fewBytes     = 16 << 20
)

// fitMemory returns the most that one of the solvers takes.
func (p *Problem) fitMemory(s *Search) (most fitMemory) {
	candidates := []fitMemory{fitMemories["erm"]}
	switch name := p.method.Name; {
	case p.sparse():
		candidates = append(candidates, fitMemories["elasticnet"])
	case s.searches:
		candidates = append(candidates, fitMemories["ap"], fitMemories["pauc"])
	case name != Auto:
		named, own := fitMemories[name]
		if !own {
			named = fitMemories[p.method.Family]
		}
		candidates = []fitMemory{named}
	}
	if p.settings.Shards > 0 {
		candidates = append(candidates, fitMemories["shards"])
	}
	for _, r := range candidates {
		most.columns, most.rows, most.copies = max(most.columns, r.columns), max(most.rows, r.rows), max(most.copies, r.copies)
	}
	if p.path { // its fits share a copy
		most.copies = 0
	}
	return most
}

// need plans the memory of a run on some workers, beside the data that were read. saves tells
// whether a checkpoint keeps the states of running fits.
func (p *Problem) need(s *Search, workers int, saves bool) float64 {
	x := p.data.X
	column, row, entries := float64(8*float64(p.columns)), float64(8*float64(x.Rows())), float64(x.NNZ())
	data, centred := float64(x.Bytes()), 0.0
	if p.Intercept && p.sparse() && elasticnet.Centres(x) {
		data = max(data, row+float64(12*entries)) // of any values
		centred = 2 * data                        // the copy, and what it is made of
	}
	vectors, kept, rest, pairs, fits := p.fitMemory(s), 0.0, 0.0, 0.0, 1
	if p.network != nil {
		vectors.columns *= float64(p.network.Hidden[0])
	}
	classes := 1
	if p.several != nil {
		if classes = len(p.several.labels); p.several.whole {
			each := vectorsOfClass
			if p.sparse() {
				each = vectorsOfNorms
			}
			vectors.columns += float64(each * classes)
			vectors.rows += float64(each / 2 * classes)
			if p.Intercept {
				pairs = float64(8 * classes * classes)
			}
		} else {
			kept += float64(vectorsOfRest * classes)
			rest = float64(vectorsOfRest*classes) * row
			fits = classes
		}
	}
	if (s.alongPath || s.Folds > 0) && !s.One {
		points := cmp.Or(len(s.Weights), usualPoints)
		fits *= points
		kept += float64(vectorsOfPoint * classes * points)
	}
	fit := float64(vectors.columns*column) + float64(vectors.rows*row) + float64(vectors.copies*data) + pairs
	if s.Folds > 0 {
		fits *= s.Folds
		kept += float64(vectorsOfFold * classes * s.Folds)
		fit += float64(x.Bytes()) + centred // the rows of a fold
	}
	if saves && fits > 1 {
		fit += float64(vectorsOfSaved * (column + row))
	}
	need := float64(float64(min(workers, fits))*fit) + float64(kept*column) + rest + centred
	need += data // by columns, or in the order of their lengths
	switch p.o.Normalize {
	case model.NormalizeUnit:
		need += float64(8 * entries)
	case model.NormalizeMinMax, model.NormalizeStd:
		need += float64(vectorsOfScaler*column) + float64(20*entries)
	}
	if (p.o.ClassWeight != ClassWeight{}) {
		need += row
	}
	return need
}

// checkMemory refuses a run whose plan exceeds the limit, before any memory is taken. The limit
// is MaxMemory, or else the free memory and what data of this size may take.
func (p *Problem) checkMemory(s *Search) error {
	x := p.data.X
	need := p.need(s, cmp.Or(p.settings.Workers, runtime.GOMAXPROCS(0)), p.settings.Checkpoint != "")
	limit, whose := float64(p.o.MaxMemory), "that are allowed"
	if p.o.MaxMemory == 0 {
		limit, whose = max(leastLimit, limitPerByte*float64(x.Bytes())), "that data of this size may take"
		if need > fewBytes { // asking costs as much as training on a thousand rows
			if available, known := memory.Available(); known && float64(available) < limit {
				limit, whose = float64(available), "that are free"
			}
		}
	}
	if need <= limit {
		return nil
	}
	about := x.Describe()
	e := &MemoryError{Need: int64(min(need, math.MaxInt64/2)), Limit: int64(limit), Whose: whose, Columns: p.columns, Used: about.UsedColumns}
	if about.LastColumn >= 0 {
		e.Row, e.LastColumn = rowWith(x, about.LastColumn)+1, about.LastColumn+1
	}
	return e
}

// rowWith finds the first row with an entry in a column that has one.
func rowWith(x *sparse.Matrix, column int) int {
	for i := range x.Rows() {
		for j := range x.Row(i) {
			if j == column {
				return i
			}
		}
	}
	return 0
}
