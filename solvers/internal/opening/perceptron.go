package opening

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
)

// The fit that a perceptron starts from.
const (
	fitPasses   = 20
	fitPatience = 5    // passes without a smaller loss on the rows held out
	fitRate     = 0.01 // of the first step; the last is a hundredth of it
	fitDecrease = 0.99
	fitBeta1    = 0.9
	fitBeta2    = 0.999
	fitEpsilon  = 1e-8
	fitBatch    = 64 // rows of a batch at least
	fitMost     = 1024
	// One row in fitHold is held out, of many rows about mostHeld, of few none.
	fitHold   = 10
	leastHeld = 50
	mostHeld  = 1 << 14
)

// perceptron starts where a few passes of Adam end.
type perceptron struct{ *score.Perceptron }

// Start fits w from Initial with lambda = 1/n, by at most 20 passes of Adam with steps
// that decrease linearly. A tenth of the rows is held out: of the means of the iterates
// of each pass the one with the least loss there is the result. A step is dense: its
// batch is as large as makes the non-zeros in it about as many as the columns, within
// bounds.
func (m perceptron) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	n := m.X().Rows()
	if len(w) != m.Parameters() {
		return 0, fmt.Errorf("score: %d parameters for a %s, which has %d", len(w), m, m.Parameters())
	}
	if n == 0 || len(y) != n || weight != nil && len(weight) != n {
		return 0, fmt.Errorf("score: %d labels and %d weights for %d rows", len(y), len(weight), n)
	}
	begun := time.Now()
	over := func() bool {
		return ctx.Err() != nil || settings.MaxTime > 0 && time.Since(begun) >= settings.MaxTime
	}
	f := newFit(m.Perceptron, y, weight, settings.Seed)
	for waited := 0; f.t < f.steps && waited < fitPatience && !over(); waited++ {
		for range f.batches.PerPass() {
			if over() {
				break
			}
			if err := f.step(); err != nil {
				return 0, fmt.Errorf("warm start: %w", err)
			}
		}
		better, err := f.look()
		if err != nil {
			return 0, fmt.Errorf("warm start: %w", err)
		}
		if better {
			waited = -1
		}
	}
	copy(w, f.best)
	return int(math.Ceil(float64(f.t*len(f.batch.rows)) / float64(n))), nil
}

// fit is a run of Adam on the logistic loss.
type fit struct {
	m              *score.Perceptron
	batches        *passes.Batches
	train          []uint32 // what the batches choose from
	y, weight      []float64
	batch, held    labelled
	settings       kernels.AdamSettings
	power1, power2 float64
	t, steps       int
	w, g, m1, m2   []float64
	sum            []float64 // of the iterates of a pass
	count          int
	best           []float64
	least          float64 // loss
}

// labelled holds rows with their labels and weights, and room for their scores.
type labelled struct {
	rows         []uint32
	y, weight, z []float64
}

func newLabelled(rows int, weighted bool) labelled {
	l := labelled{rows: make([]uint32, rows), y: make([]float64, rows), z: make([]float64, rows)}
	if weighted {
		l.weight = make([]float64, rows)
	}
	return l
}

func (f *fit) set(l *labelled, k int, row uint32) {
	l.rows[k], l.y[k] = row, f.y[row]
	if f.weight != nil {
		l.weight[k] = f.weight[row]
	}
}

func newFit(m *score.Perceptron, y, weight []float64, seed uint64) *fit {
	n := len(y)
	f := &fit{m: m, y: y, weight: weight, power1: 1, power2: 1, least: math.Inf(1), w: m.Initial(seed)}
	random := random.New(seed)
	one := uint64(max(fitHold, n/mostHeld))
	if n < leastHeld*fitHold {
		one = 0
	}
	var held []uint32
	positives, total := 0.0, 0.0
	for i, v := range y {
		counts := 1.0
		if weight != nil {
			counts = weight[i]
		}
		total += counts
		if v > 0 {
			positives += counts
		}
		if one > 0 && random.Below(one) == 0 {
			held = append(held, uint32(i))
		} else {
			f.train = append(f.train, uint32(i))
		}
	}
	f.held = newLabelled(len(held), weight != nil)
	for k, row := range held {
		f.set(&f.held, k, row)
	}
	if positives > 0 && positives < total {
		f.w[len(f.w)-1] = kernels.LogOf(positives / (total - positives))
	}
	f.best = append([]float64{}, f.w...)
	for _, v := range []*[]float64{&f.g, &f.m1, &f.m2, &f.sum} {
		*v = make([]float64, len(f.w))
	}
	perRow := max(1, m.X().NNZ()/int64(n))
	size := int(min(fitMost, max(fitBatch, int64(m.Network().Features)/perRow)))
	f.batches = passes.NewBatches(len(f.train), size, passes.DropTail, random)
	f.batch = newLabelled(f.batches.Largest(), weight != nil)
	f.settings = kernels.AdamSettings{Beta1: fitBeta1, Beta2: fitBeta2, Epsilon: fitEpsilon, Lambda: 1 / float64(n)}
	f.steps = fitPasses * f.batches.PerPass()
	return f
}

// loss computes the sum of the losses of rows at w, and leaves its slopes in l.z.
func (f *fit) loss(l *labelled, w []float64) (float64, error) {
	if err := f.m.Scores(l.z, l.rows, w); err != nil {
		return 0, err
	}
	return direct.LossGradient(kernels.Logistic, l.z, l.z, l.y, l.weight, 0), nil
}

func (f *fit) step() error {
	b := &f.batch
	for k, place := range f.batches.Next() {
		f.set(b, k, f.train[place])
	}
	if _, err := f.loss(b, f.w); err != nil {
		return err
	}
	clear(f.g)
	direct.Scale(b.z, 1/float64(len(b.z)), b.z)
	if err := f.m.AddGradient(f.g, b.rows, b.z, f.w); err != nil {
		return err
	}
	f.power1, f.power2 = float64(f.power1*fitBeta1), float64(f.power2*fitBeta2)
	f.settings.Rate = float64(fitRate * (1 - float64(fitDecrease*float64(f.t))/float64(f.steps)))
	f.t++
	f.count++
	direct.Adam(f.w, f.m1, f.m2, f.g, f.settings, f.power1, f.power2)
	direct.Axpy(1, f.w, f.sum)
	return nil
}

// look takes the mean of a pass for the best point if it is one, and begins the next.
func (f *fit) look() (better bool, err error) {
	if f.count == 0 {
		return false, nil
	}
	direct.Scale(f.sum, 1/float64(f.count), f.sum)
	loss := float64(-f.t) // without rows to tell, the last is the best
	if len(f.held.rows) > 0 {
		if loss, err = f.loss(&f.held, f.sum); err != nil {
			return false, err
		}
	}
	if largest := kernels.MaxAbs(f.sum); loss < f.least && largest-largest == 0 {
		f.least, better = loss, true
		copy(f.best, f.sum)
	}
	f.count = 0
	clear(f.sum)
	return better, nil
}
