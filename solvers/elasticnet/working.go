package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

const (
	// leastWorking is the number of columns that may join a working set of any problem.
	leastWorking = 64
	// The number of rows for each column that may join the first working set, or a later one.
	rowsPerFirst, rowsPerJoin = 32, 8
	// gramSweeps is the number of epochs of coordinate descent that a matrix of the model may
	// cost, beside the epochs that left models unsolved.
	gramSweeps = 24
)

// choose lists the columns of the next working set: all columns with a weight, and the columns
// with the largest violations. leastWorking columns may join, or one for rowsPerFirst rows.
// Later two columns may join for each column with a weight, or one for rowsPerJoin rows. All
// columns are listed if half of them are, or would be by leastWorking.
func (l *loop) choose() []uint32 {
	switch {
	case l.level == 0 && l.comprises():
		return ascending(l.d)
	case l.grouped != nil:
		return l.chooseGroups()
	}
	sizes := direct.Borrow(2 * l.d)
	defer direct.Return(sizes)
	used, beyond := 0, 0
	for j, v := range l.v[:l.d] {
		size := math.Abs(v)
		if l.w[j] != 0 {
			used++
			size = 0
		}
		sizes[j] = size
		beyond += int(bit(size > 0))
	}
	fills := l.fills()
	most := max(leastWorking, l.n/rowsPerFirst)
	if used > 0 {
		most = max(most, 2*used, l.n/rowsPerJoin)
	}
	if fills {
		most = l.mostTall(used)
	}
	if most = min(most, beyond); !fills && 2*max(used+most, leastWorking) >= l.d {
		return ascending(l.d)
	}
	return largest(sizes, most, beyond, used, func(j int) bool { return l.w[j] != 0 || fills && l.filled(j) })
}

// largest lists the columns that stay, some of which are used, and most columns of the largest sizes, of which
// beyond are above 0. sizes has room for as many elements behind them, which it overwrites.
func largest(sizes []float64, most, beyond, used int, stays func(j int) bool) []uint32 {
	d := len(sizes) / 2
	least, equal := 0.0, 0 // of the sizes that join, and how many of its equals do
	if most < beyond {
		value, above, _, err := kernels.RankThreshold(sizes[:d], most, sizes[d:])
		direct.Must(err)
		least, equal = value, most-above
	}
	list := make([]uint32, 0, used+most)
	for j, size := range sizes[:d] {
		joins := size > least
		if size == least && equal > 0 {
			joins, equal = true, equal-1
		}
		if joins || stays(j) {
			list = append(list, uint32(j))
		}
	}
	return list
}

// part is the problem on the columns of a working set, and the quadratic model of its smooth part
// at a point. The intercept is the last column, if the problem has one.
type part struct {
	list    []uint32
	k       int // regularised columns
	entries int64
	cost    int64 // of the model as a matrix, where known
	// dense tells that the model is a matrix: products then go by rows, which have the
	// intercept's ones, and by columns, the stored ones alone, otherwise.
	dense   bool
	rows    direct.Matrix     // without entries where the columns are shared
	columns *matrix.ByColumns // these among others
	numbers []uint32          // which of columns they are
	extra   float64           // the value of the column that is not stored, 0 for none
	gram    []float64
	held    []float64 // the curvatures that it is made of
	formed  bool      // it is made for the step that is being taken
	ridges  []float64 // the weights of half the squares, nil where all have the same
	exact   bool      // it is the problem's: of a loss that equals its model
	means   []float64 // of the columns, where an intercept was taken out of it
	factor  factor    // of the matrix in this step
	factors int       // Cholesky factors of this step
	// Otherwise columns of the rows are, scaled by the roots of their curvatures: in steps, or in
	// tall, whose columns have no indices.
	tall  *matrix.DenseColumns
	limit int // epochs before tall columns become a matrix
	spent int // epochs over tall columns that did not solve the model
	// unsolved tells that the last epochs ended above their target.
	unsolved bool
	steps    *matrix.Steps
	last     []float64 // the one that is not stored
	moved    []float64 // the sum of these columns, each times how far its weight has moved
	along    []float64 // the same for a direction, and steps over it
	ahead    *matrix.Steps

	slope, diagonal, to []float64 // of the model: slopes, curvatures, weights
	groups              []partGroup
}

// newPart makes the part of the listed columns. A list of few enough columns for a matrix is
// copied from the rows. Longer lists share one copy of X by columns.
func (l *loop) newPart(list []uint32) *part {
	inside := stored(list, l.p.X)
	s := &part{list: list, k: len(list), held: l.rows[2][:l.n], numbers: inside}
	if l.p.Intercept || len(inside) < len(list) {
		s.extra = l.p.X.Bias()
	}
	s.unevenly(l.objective)
	size := len(inside)
	if s.extra != 0 {
		size++
	}
	s.groups = l.partGroups(list)
	for _, v := range []*[]float64{&s.slope, &s.diagonal, &s.to} {
		*v = make([]float64, size)
	}
	s.rows.Pool = l.pool
	if l.fills() {
		l.fill(s)
		return s
	}
	if size > cost.Columns {
		s.columns = l.byColumns()
		s.entries = s.columns.Entries(inside)
	} else {
		s.numbers = ascending(len(inside))
		s.rows.Matrix = l.pick(list).WithBias(s.extra)
		s.entries = s.rows.NNZ()
	}
	if s.dense = l.densely(s); s.dense {
		// On sets of sparse columns an epoch by the matrix costs more than rows do.
		s.exact = l.exact && l.level == 0 && (l.all() || s.entries >= int64(l.n)*int64(size)/2)
		return s
	}
	if s.columns == nil {
		s.columns = matrix.NewByColumns(s.rows.WithBias(0), l.pool)
	}
	s.moved, s.last, s.along = make([]float64, l.n), make([]float64, l.n), make([]float64, l.n)
	return s
}

// pick copies the listed columns of the rows, without the bias column.
func (l *loop) pick(list []uint32) *sparse.Matrix {
	if len(list) == l.d {
		return l.x.Matrix
	}
	return direct.Value(matrix.PickColumns(l.x.Matrix, l.pool, stored(list, l.p.X)))
}

// pays tells whether the model as a matrix costs no more than the epochs have.
func (s *part) pays(spent int64) bool {
	size := int64(len(s.slope))
	if size > cost.Columns || size*size > spent {
		return false
	}
	if s.cost == 0 {
		s.cost = gramCost(s.rows.Matrix)
	}
	return s.cost <= spent
}

// densely tells whether the model of a part is a matrix.
func (l *loop) densely(s *part) bool {
	sweeps := gramSweeps
	if s.tall != nil {
		sweeps = tallSweeps
	}
	return s.pays(int64(sweeps+l.unsolved) * s.sweep())
}

// sweep estimates the multiplications of an epoch.
func (s *part) sweep() int64 {
	entries := s.entries
	if s.tall != nil {
		entries /= 2 // without indices, in vectors
	}
	return entries + 16*int64(len(s.slope))
}

// byColumns is the copy of X by columns.
func (o *objective) byColumns() *matrix.ByColumns {
	switch {
	case o.copied != nil:
	case o.copies != nil:
		o.copies.once.Do(func() { o.copies.x = matrix.NewByColumns(o.p.X.WithBias(0), o.x.Pool) })
		o.copied = o.copies.x
	default:
		o.copied = matrix.NewByColumns(o.p.X.WithBias(0), o.x.Pool)
	}
	return o.copied
}

// ascending is 0 to size-1.
func ascending(size int) []uint32 {
	numbers := make([]uint32, size)
	for a := range numbers {
		numbers[a] = uint32(a)
	}
	return numbers
}

// stored is a list without the bias column.
func stored(list []uint32, x *sparse.Matrix) []uint32 {
	if last := len(list) - 1; x.Bias() != 0 && last >= 0 && int(list[last]) == x.Cols()-1 {
		return list[:last]
	}
	return list
}

// gradient writes the sums of the columns times coef to slope.
func (s *part) gradient(coef []float64) {
	if s.dense {
		clear(s.slope)
		s.rows.AddTrans(s.slope, coef)
		return
	}
	inside := len(s.numbers)
	direct.Must(s.columns.MulTransOf(s.rows.Pool, s.slope[:inside], s.numbers, coef))
	if s.extra != 0 {
		s.slope[inside] = float64(s.extra * kernels.Sum(coef))
	}
}

// product writes the sum of the columns times by to step.
func (s *part) product(step, by []float64) {
	if s.dense {
		s.rows.MulVec(step, by)
		return
	}
	inside, start := len(s.numbers), 0.0
	if s.extra != 0 {
		start = float64(s.extra * by[inside])
	}
	for i := range step {
		step[i] = start
	}
	direct.Must(s.columns.AddColumns(step, s.numbers, by[:inside]))
}

// begin forms the model for the curvatures h of the rows, divided by n. A matrix may keep older
// curvatures that differ by no more than slack. slope holds the slopes at w, where the weights
// begin. previous is the last model, nil for none.
func (s *part) begin(h, root, w []float64, slack, lambda float64, previous **matrix.ByColumns) {
	for a := range s.k {
		s.to[a] = w[s.list[a]]
	}
	switch {
	case s.exact:
		s.statistics(h, lambda)
		return
	case s.dense:
		s.form(h, root, slack, lambda)
		return
	}
	for i, v := range h {
		root[i] = math.Sqrt(v)
	}
	scaled := direct.Value(s.columns.ScaleRows(s.numbers, root, *previous))
	*previous = scaled
	copy(s.diagonal, scaled.SquaredNorms())
	clear(s.moved)
	s.steps = direct.Value(scaled.Steps(s.moved))
	s.ahead = direct.Value(scaled.Steps(s.along))
	if s.extra != 0 {
		direct.Scale(s.last, s.extra, root)
		s.diagonal[len(s.numbers)] = kernels.SquaredNorm(s.last)
	}
	for a := range s.k {
		s.diagonal[a] += s.square(a, lambda)
	}
}

// at returns the model's slope in the direction of a weight.
func (s *part) at(a int, moved, lambda float64) float64 {
	if s.dense {
		return s.slope[a]
	}
	g := s.slope[a]
	if a < s.k {
		g = math.FMA(s.square(a, lambda), moved, g)
	}
	return g + s.dot(s.moved, s.steps, a)
}

// move moves a weight.
func (s *part) move(a int, by float64) {
	switch {
	case s.dense:
		size := len(s.slope)
		direct.Axpy(by, s.gram[a*size:(a+1)*size], s.slope)
	default:
		s.add(s.moved, s.steps, a, by)
	}
}

// add adds a multiple of a column to a vector, over which steps are.
func (s *part) add(to []float64, steps *matrix.Steps, a int, by float64) {
	switch {
	case s.tall != nil && a < s.k:
		direct.Axpy(by, s.column(a), to)
	case s.tall != nil: // no column depends on the intercept
	case s.stored(a):
		steps.Add(uint32(a), by)
	default:
		direct.Axpy(by, s.last, to)
	}
}

// dot is the product of a column with a vector, over which steps are.
func (s *part) dot(v []float64, steps *matrix.Steps, a int) float64 {
	switch {
	case s.tall != nil && a < s.k:
		return direct.Dot(s.column(a), v)
	case s.tall != nil:
		return 0
	case s.stored(a):
		return steps.Dot(uint32(a))
	}
	return direct.Dot(s.last, v)
}

// fetch asks the caches for columns that are soon stepped on.
func (s *part) fetch(columns []uint32) {
	if s.steps != nil {
		s.steps.Fetch(columns)
	}
}

// stored tells whether a column is one of columns.
func (s *part) stored(a int) bool { return a < len(s.numbers) }
