package lanes_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// filled is a matrix of full rows.
func filled(t *testing.T, n, d int, values []float64) *sparse.Matrix {
	t.Helper()
	ptr, columns := []int64{0}, []uint32{}
	for i := range n {
		for j := range d {
			columns = append(columns, uint32(j))
		}
		ptr = append(ptr, int64((i+1)*d))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// rationals are rows of whole numbers.
func rationals(rows [][]int) [][]*big.Rat {
	out := make([][]*big.Rat, len(rows))
	for i, row := range rows {
		for _, v := range row {
			out[i] = append(out[i], big.NewRat(int64(v), 1))
		}
	}
	return out
}

// echelon reduces rows, and returns the columns of their pivots.
func echelon(rows [][]*big.Rat) (pivots []int) {
	if len(rows) == 0 {
		return nil
	}
	for j := range rows[0] {
		k := len(pivots)
		for i := k; i < len(rows); i++ {
			if rows[i][j].Sign() == 0 {
				continue
			}
			rows[k], rows[i] = rows[i], rows[k]
			by := new(big.Rat).Inv(rows[k][j])
			for c := range rows[k] {
				rows[k][c] = new(big.Rat).Mul(rows[k][c], by)
			}
			for o := range rows {
				if o == k {
					continue
				}
				f := rows[o][j]
				for c := range rows[o] {
					rows[o][c] = new(big.Rat).Sub(rows[o][c], new(big.Rat).Mul(f, rows[k][c]))
				}
			}
			pivots = append(pivots, j)
			break
		}
	}
	return pivots
}

// separates tells by enumeration whether a direction v has a_i'v >= 0 for all rows and > 0 for one, and
// v'l >= 0 for all limits l. The independent columns decide. The cone of such v then has no line. So if
// it is not {0} it has an extreme ray, on which all but one of the dimensions are tight.
func separates(a [][]int, limits ...[]int) bool {
	all := slices.Concat(a, limits)
	columns := echelon(rationals(all))
	k := len(columns)
	if k == 0 {
		return false
	}
	own := make([][]int, len(all))
	for i, row := range all {
		for _, j := range columns {
			own[i] = append(own[i], row[j])
		}
	}
	exact := rationals(own)
	try := func(tight [][]int) bool {
		rows := rationals(tight)
		pivots := echelon(rows)
		if len(pivots) != k-1 {
			return false
		}
		free := 0
		for slices.Contains(pivots, free) {
			free++
		}
		v := make([]*big.Rat, k)
		v[free] = big.NewRat(1, 1)
		for i, j := range pivots {
			v[j] = new(big.Rat).Neg(rows[i][free])
		}
		above, below, moved := false, false, false
		for i, row := range exact {
			sum := new(big.Rat)
			for j, x := range row {
				sum.Add(sum, new(big.Rat).Mul(x, v[j]))
			}
			above, below = above || sum.Sign() > 0, below || sum.Sign() < 0
			moved = moved || sum.Sign() != 0 && i < len(a)
		}
		return above != below && moved
	}
	var choose func(from int, tight [][]int) bool
	choose = func(from int, tight [][]int) bool {
		if len(tight) == k-1 {
			return try(tight)
		}
		for i := from; i < len(own); i++ {
			if choose(i+1, append(tight[:len(tight):len(tight)], own[i])) {
				return true
			}
		}
		return false
	}
	return choose(0, nil)
}

// TestSeparable: enumeration tells which small problems of whole numbers are separable, wholly or
// in part. Such problems end without a minimum and name a column; all others converge.
func TestSeparable(t *testing.T) { testSeparable(t, 400, false, false) }

// TestSeparableBesideBounds: the same where some weights have bounds, which their growth has to keep.
func TestSeparableBesideBounds(t *testing.T) { testSeparable(t, 200, true, false) }

// TestSeparableDependent: the same where columns are sums of others, too.
func TestSeparableDependent(t *testing.T) { testSeparable(t, 60, true, true) }

// TestSeparableLevel: one level of a category has rows of one class. Its own weight may not fall, but those of the
// other levels may rise while the intercept falls. Without that level there is a minimum, whose weights are not unique.
func TestSeparableLevel(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, levels := range []int{5, 12, 16} {
		for first := range 2 {
			o := lanes.Options{Penalty: lanes.NoPenalty, Kind: lanes.TwoClasses, Intercept: lanes.FreeIntercept, Bounds: map[string]lanes.Interval{}}
			for j := range levels {
				o.Bounds[strconv.Itoa(j+1)] = lanes.NotNegative()
			}
			values, y := []float64(nil), []float64(nil)
			for i := range 40 * levels {
				level := first + i%(levels-first)
				row := make([]float64, levels+8)
				row[level], row[levels], row[levels+1], row[levels+3+random.IntN(5)] = 1, float64(level*level%7-3)/3, random.NormFloat64(), 1
				row[levels+2] = row[levels] - 2*row[levels+4]
				values = append(values, row...)
				label := -1.0
				if level > 0 && random.NormFloat64()+row[levels+1] > 0 {
					label = 1
				}
				y = append(y, label)
			}
			f, err := lanes.Train(t.Context(), &sparse.Data{X: filled(t, len(y), levels+8, values), Y: y}, o)
			if err != nil {
				t.Fatal(err)
			}
			status, kind := solvers.NoMinimum, notes.Separable
			if first == 1 {
				status, kind = solvers.Converged, notes.Collinear
			}
			if f.Result.Status != status || len(f.Notes) == 0 || f.Notes[0].Kind != kind {
				t.Errorf("%d levels from %d on: %v with a gap of %v, notes %v", levels, first, f.Result.Status, f.Result.Gap, f.Notes)
			}
		}
	}
}

func testSeparable(t *testing.T, want int, bounded, dependent bool) {
	random := rand.New(rand.NewPCG(5, 6))
	separable, converged, partly := 0, 0, 0
	for separable+converged < want {
		n, d := 5+random.IntN(8), 1+random.IntN(3)
		o := lanes.Options{Penalty: lanes.NoPenalty, Kind: lanes.TwoClasses, Intercept: lanes.NoIntercept}
		if random.IntN(3) > 0 {
			o.Intercept = lanes.FreeIntercept
		}
		rows, y, weight, offset := [][]float64{}, []float64{}, []float64{}, []float64{}
		a := [][]int{}
		direction := random.Perm(5)
		for i := range n {
			row := make([]int, d)
			side := 0
			for j := range row {
				row[j] = random.IntN(5) - 2
				side += row[j] * (direction[j] - 2)
			}
			label := 2*random.IntN(2) - 1
			if side != 0 && random.IntN(5) > 0 { // most problems are nearly separable
				label = 1
				if side < 0 {
					label = -1
				}
			}
			if dependent {
				row = append(row, row[0]-2*row[d-1], 3*row[0])
			}
			if i > 0 && random.IntN(3) == 0 { // the same row again, with any label
				row = row[:0]
				for _, v := range rows[len(rows)-1] {
					row = append(row, int(v))
				}
			}
			floats, signed := []float64{}, []int{}
			for _, v := range row {
				floats, signed = append(floats, float64(v)), append(signed, label*v)
			}
			if o.Intercept == lanes.FreeIntercept {
				signed = append(signed, label)
			}
			rows, y = append(rows, floats), append(y, float64(label))
			weight, offset = append(weight, float64(random.IntN(4))/2), append(offset, float64(random.IntN(5)-2))
			if weight[i] > 0 {
				a = append(a, signed)
			}
		}
		if d = len(rows[0]); len(a) == 0 {
			continue
		}
		x := filled(t, n, d, slices.Concat(rows...))
		data := &sparse.Data{X: x, Y: y, Weight: weight}
		if random.IntN(2) == 0 {
			data.Offset = offset
		}
		var limits [][]int
		if bounded {
			o.Bounds, limits = someBounds(random, d, len(a[0]))
		}
		f, err := lanes.Train(t.Context(), data, o)
		if bad := (*lanes.DataError)(nil); errors.As(err, &bad) || err != nil && strings.Contains(err.Error(), "of one class") || err != nil && strings.Contains(err.Error(), "weight") {
			continue
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		is := separates(a, limits...)
		switch {
		case is != (f.Result.Status == solvers.NoMinimum), !is && f.Result.Status != solvers.Converged:
			t.Errorf("separable %v, but %v; rows %v, labels %v, weights %v, offsets %v, intercept %v", is, f.Result.Status, rows, y, weight, data.Offset, o.Intercept)
		case is != (len(f.Notes) > 0 && f.Notes[0].Kind == notes.Separable):
			t.Errorf("separable %v, notes %v", is, f.Notes)
		}
		if is {
			separable++
			if f.Metrics["train_accuracy"] < 1 {
				partly++
			}
		} else {
			converged++
		}
	}
	t.Logf("%d separable (%d with errors), %d not", separable, partly, converged)
	if separable < want/4 || converged < want/4 || partly < want/20 {
		t.Errorf("%d separable (%d with errors), %d not", separable, partly, converged)
	}
}

// someBounds are bounds of some of d weights, of one side or both, and what they ask of directions of k
// elements that lead nowhere else.
func someBounds(random *rand.Rand, d, k int) (bounds map[string]lanes.Interval, limits [][]int) {
	bounds = map[string]lanes.Interval{}
	for j := range d {
		b := lanes.Interval{Lower: math.Inf(-1), Upper: math.Inf(1)}
		if random.IntN(2) == 0 {
			b.Lower = float64(random.IntN(3) - 2)
		}
		if random.IntN(3) == 0 {
			b.Upper = float64(random.IntN(3))
		}
		for side, end := range map[int]float64{1: b.Lower, -1: b.Upper} {
			if !math.IsInf(end, 0) {
				limit := make([]int, k)
				limit[j] = side
				limits = append(limits, limit)
			}
		}
		bounds[strconv.Itoa(j+1)] = b
	}
	return bounds, limits
}

// TestSeparableClasses: each class against the rest without a minimum has its note.
func TestSeparableClasses(t *testing.T) {
	data := &sparse.Data{}
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	for i := range 60 {
		if err := b.AddRow([]int{i % 3}, []float64{1}); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, float64(i%3))
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	f, err := lanes.Train(t.Context(), data, lanes.Options{Kind: lanes.OneVsRest, Penalty: lanes.NoPenalty})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(f.Notes, func(n notes.Note) bool { return n.Kind == notes.Separable }) {
		t.Errorf("%v, notes %v", f.Result.Status, f.Notes)
	}
}

// TestSeparableByPlane: rows of both labels lie on a plane through 0, and the others on their sides of
// it. One row on the wrong side leaves a minimum.
func TestSeparableByPlane(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for k := range 40 {
		n, d := 120, 2+k%7
		normal := make([]float64, d)
		for j := range normal {
			normal[j] = float64(random.IntN(9) - 4)
		}
		normal[d-1] = 1
		var values []float64
		y := make([]float64, n)
		for i := range n {
			row, side := make([]float64, d), 0.0
			for j := range d - 1 {
				row[j] = math.Round(random.NormFloat64()*1e9) / 1024
				side -= row[j] * normal[j]
			}
			row[d-1], y[i] = side, float64(2*random.IntN(2)-1)
			if i >= 60 {
				row[d-1] += y[i] * (1 + random.ExpFloat64()) * 1e6
			}
			values = append(values, row...)
		}
		data := &sparse.Data{X: filled(t, n, d, values), Y: y}
		f := train(t, data, lanes.Options{Penalty: lanes.NoPenalty})
		if f.Result.Status != solvers.NoMinimum {
			t.Errorf("normal %v: %v, gradient %g, weights %v", normal, f.Result.Status, f.Result.GradientNorm, f.Result.Weights)
		}
		y[60] = -y[60]
		if f = train(t, data, lanes.Options{Penalty: lanes.NoPenalty}); f.Result.Status != solvers.Converged {
			t.Errorf("normal %v, with a row on the wrong side: %v, gradient %g, weights %v", normal, f.Result.Status, f.Result.GradientNorm, f.Result.Weights)
		}
	}
}

// TestSeparableElsewhere: other losses and any penalty have a minimum, and so have rows that no
// direction separates, however rare a column or small its numbers are.
func TestSeparableElsewhere(t *testing.T) {
	n := 4000
	rows, y := make([][]float64, n), make([]float64, n)
	for i := range rows {
		y[i] = float64(2*(i*i%3%2) - 1)
		rows[i] = []float64{float64(i%7) - 3, 0, 1e-9 * float64(i%11)}
	}
	rows[5][1], rows[6][1], rows[7][1] = 1, 1, 1
	y[5], y[6], y[7] = 1, 1, 1
	data := func() *sparse.Data {
		x := filled(t, n, 3, slices.Concat(rows...))
		return &sparse.Data{X: x, Y: y}
	}
	for name, c := range map[string]struct {
		o    lanes.Options
		want solvers.Status
	}{
		"logistic": {lanes.Options{Penalty: lanes.NoPenalty}, solvers.NoMinimum}, "free": {lanes.Options{Penalty: lanes.NoPenalty, Intercept: lanes.FreeIntercept}, solvers.NoMinimum},
		"penalty": {lanes.Options{Penalty: lanes.Penalty{C: 1e9}}, solvers.Converged}, "hinge": {lanes.Options{Penalty: lanes.NoPenalty, Loss: loss.SquaredHinge{}}, solvers.Converged},
	} {
		f := train(t, data(), c.o)
		if f.Result.Status != c.want {
			t.Errorf("%s: %v", name, f.Result.Status)
		}
		if c.want == solvers.NoMinimum && (f.Notes[0].String() != "no minimum: the rows are separable by column 2; add a penalty by Penalty") {
			t.Errorf("%s: %v", name, f.Notes)
		}
	}
	y[6] = -1
	f := train(t, data(), lanes.Options{Penalty: lanes.NoPenalty, Intercept: lanes.FreeIntercept})
	if f.Result.Status != solvers.Converged || len(f.Notes) > 0 {
		t.Fatalf("%v, %v", f.Result.Status, f.Notes)
	}
	// At the minimum the rare column's rows have as many positives as their probabilities say.
	sum := 0.0
	for i := 5; i < 8; i++ {
		z := f.Result.Weights[3]
		for j, x := range rows[i] {
			z += x * f.Result.Weights[j]
		}
		sum += 1 / (1 + math.Exp(-z))
	}
	if !(math.Abs(sum-2) <= 1e-2) {
		t.Errorf("probabilities of 2 positive rows sum to %v", sum)
	}
}

// TestFarRows: rows of very different sizes that one direction separates have no minimum.
func TestFarRows(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 26))
	for k := range repeat.Size(200, 40) {
		n, d := 60, 2+k%5
		if k%20 == 0 {
			n, d = 3000, 12
		}
		var values []float64
		y := make([]float64, n)
		for i := range n {
			side, size := 0.0, math.Exp(4*random.NormFloat64())
			for j := range d {
				x := size * random.NormFloat64()
				values, side = append(values, x), side+x*float64(j%3-1)
			}
			y[i] = math.Copysign(1, side)
		}
		f := train(t, &sparse.Data{X: filled(t, n, d, values), Y: y}, lanes.Options{Penalty: lanes.NoPenalty})
		if f.Result.Status != solvers.NoMinimum {
			t.Errorf("problem %d: %v, accuracy %v", k, f.Result.Status, f.Metrics["train_accuracy"])
		}
	}
}

// TestUnitsOfColumns: without a penalty a column in another unit has weights in the inverse unit, and
// other weights stay as they are.
func TestUnitsOfColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 36))
	const n = 500
	for k := range 60 {
		phi, unit := []loss.Loss{loss.Logistic{}, loss.Squared{}}[k%2], math.Ldexp(1, -k/2)
		plain, scaled := []float64{}, []float64{}
		y := make([]float64, n)
		for i := range n {
			a, b := random.NormFloat64(), random.NormFloat64()
			plain, scaled = append(plain, a, b), append(scaled, a, unit*b)
			y[i] = math.Copysign(1, 0.5*a+b+1.5*random.NormFloat64())
		}
		o := lanes.Options{Penalty: lanes.NoPenalty, Loss: phi, Intercept: lanes.FreeIntercept}
		if phi == (loss.Squared{}) {
			o.Kind = lanes.Regression
		}
		want := train(t, &sparse.Data{X: filled(t, n, 2, plain), Y: y}, o).Result
		got := train(t, &sparse.Data{X: filled(t, n, 2, scaled), Y: y}, o).Result
		for j, scale := range []float64{1, unit, 1} {
			if got.Status != solvers.Converged || !(math.Abs(got.Weights[j]*scale-want.Weights[j]) <= 3e-3) {
				t.Errorf("%v: %v, weights %v, want %v with the second in units of %g", phi, got.Status, got.Weights, want.Weights, unit)
			}
		}
	}
}

// TestSmallColumn: a weak column of small numbers alone has its weight at the minimum, not 0.
func TestSmallColumn(t *testing.T) {
	const n = 1000
	var values []float64
	y := make([]float64, n)
	for i := range n { // 0.55 of the rows have the sign of their label
		values, y[i] = append(values, 1e-9), 1
		if i%20 < 9 {
			y[i] = -1
		}
	}
	f := train(t, &sparse.Data{X: filled(t, n, 1, values), Y: y}, lanes.Options{Penalty: lanes.NoPenalty})
	want := math.Log(0.55/0.45) * 1e9
	if f.Result.Status != solvers.Converged || !(math.Abs(f.Result.Weights[0]-want) <= 1e-2*want) {
		t.Errorf("%v, weights %v, want %v", f.Result.Status, f.Result.Weights, want)
	}
}

// TestCollinear: columns that are sums of others are named, and no others.
func TestCollinear(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	n := 300
	rows, y := make([][]float64, n), make([]float64, n)
	for i := range rows {
		r := []float64{random.NormFloat64(), random.NormFloat64(), 0, float64(i % 3), 0, 0, 0}
		for range 5 {
			r = append(r, random.NormFloat64())
		}
		sum := r[7] + 2*r[8] + 3*r[9] + 4*r[10]
		r = append(r, sum+5*r[11], sum, 0.1*r[0]-3*r[1])
		r[2] = 3*r[0] - 0.1*r[1]
		r[4+i%3] = 1
		rows[i], y[i] = r, 2*math.Round(random.Float64())-1
	}
	pose := func(columns ...int) *sparse.Data {
		var values []float64
		for _, r := range rows {
			for _, j := range columns {
				values = append(values, r[j])
			}
		}
		x := filled(t, n, len(columns), values)
		return &sparse.Data{X: x, Y: y}
	}
	names := func(names ...string) lanes.Options { return lanes.Options{FeatureNames: names} }
	for name, c := range map[string]struct {
		data *sparse.Data
		free bool
		want string
		o    lanes.Options
	}{
		"sum":                {pose(0, 1, 2), false, "column 3 is a sum of column 1, column 2", lanes.Options{}},
		"the largest first":  {pose(1, 0, 2), false, "column 3 is a sum of column 2, column 1", lanes.Options{ZeroBased: false}},
		"a negative one":     {pose(0, 1, 14), false, "column 3 is a sum of column 2, column 1", lanes.Options{}},
		"from 0":             {pose(1, 0, 2), false, "column 2 is a sum of column 1, column 0", lanes.Options{ZeroBased: true}},
		"names":              {pose(1, 0, 2), false, "c is a sum of column 2, a", names("a", "", "c")},
		"again":              {pose(0, 1, 0), true, "column 3 is a sum of column 1", lanes.Options{}},
		"dummies":            {pose(4, 5, 6), true, "the intercept is a sum of column 1, column 2, column 3", lanes.Options{}},
		"without intercept":  {pose(4, 5, 6), false, "", lanes.Options{}},
		"number and dummies": {pose(3, 4, 5, 6), false, "column 4 is a sum of ", lanes.Options{}},
		"independent":        {pose(0, 1, 3), true, "", lanes.Options{}},
		"many": {pose(0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3), false,
			"column 4 is a sum of column 1; column 5 is a sum of column 2; column 6 is a sum of column 3; and 9 more", lanes.Options{}},
		"two":   {pose(0, 0, 1, 1), false, "column 2 is a sum of column 1; column 4 is a sum of column 3", lanes.Options{}},
		"three": {pose(0, 0, 0, 0), false, "column 2 is a sum of column 1; column 3 is a sum of column 1; column 4 is a sum of column 1", lanes.Options{}},
		"four":  {pose(0, 0, 0, 0, 0), false, "column 4 is a sum of column 1; and 1 more", lanes.Options{}},
		"of 4":  {pose(7, 8, 9, 10, 13), false, "column 5 is a sum of column 4, column 3, column 2 and 1 more", lanes.Options{}},
		"of 5":  {pose(7, 8, 9, 10, 11, 12), false, "column 6 is a sum of column 5, column 4, column 3 and 2 more", lanes.Options{}},
	} {
		for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}} {
			o := c.o
			o.Penalty, o.Loss = lanes.NoPenalty, phi
			if phi == (loss.Squared{}) {
				o.Kind = lanes.Regression
			}
			if c.free {
				o.Intercept = lanes.FreeIntercept
			}
			f := train(t, c.data, o)
			text := ""
			if len(f.Notes) > 0 && f.Notes[0].Kind == notes.Collinear {
				text = f.Notes[0].String()
			}
			whole := strings.HasPrefix(text, "the weights are not unique: column") || strings.HasPrefix(text, "the weights are not unique: the intercept") || c.o.FeatureNames != nil
			if whole = whole && strings.HasSuffix(text, "; a penalty by Penalty makes them unique"); f.Result.Status != solvers.Converged || !strings.Contains(text, c.want) || whole != (c.want != "") || c.want == "" && text != "" {
				t.Errorf("%s, %v: %v, %q, want %q", name, phi, f.Result.Status, text, c.want)
			}
			if f = train(t, c.data, lanes.Options{Loss: phi, Kind: o.Kind}); len(f.Notes) > 0 {
				t.Errorf("%s, %v, with a penalty: %v", name, phi, f.Notes)
			}
		}
	}
}

// TestNotesNameColumns: notes name columns of a table as its encoder does, and list columns by what they
// add to the scores, whatever their units are.
func TestNotesNameColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var values, y []float64
	for len(y) < 200 {
		small, large := random.NormFloat64(), random.NormFloat64()
		if score := large + 0.4*small; !(math.Abs(score) <= 0.1) {
			values, y = append(values, small/1000, large), append(y, math.Copysign(1, score))
		}
	}
	f := train(t, &sparse.Data{X: filled(t, len(y), 2, values), Y: y}, lanes.Options{Penalty: lanes.NoPenalty})
	if want := "no minimum: the rows are separable by column 2, column 1; add a penalty by Penalty"; len(f.Notes) != 1 || f.Notes[0].String() != want {
		t.Errorf("%v, want %q", f.Notes, want)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	text := "y,length,twice,colour\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%d,%s\n", i*i%7%2, i*7919%101, 2*(i*7919%101), []string{"red", "blue"}[i*i%11%2])
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	data := encoded(t, path, table.Wanted{Target: "y"})
	f = train(t, data, lanes.Options{Penalty: lanes.NoPenalty})
	want := "the weights are not unique: twice is a sum of length; the intercept is a sum of colour=blue, colour=red; a penalty by Penalty makes them unique"
	if got := f.Notes[len(f.Notes)-1].String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
