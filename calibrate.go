package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// The ways to calibrate scores: see Options.Calibrate.
const (
	// Sigmoid makes log odds a s + b of a score s, for two classes or for each class against the rest
	// (Platt 1999, "Probabilistic outputs for support vector machines", with his smoothed targets).
	Sigmoid = "sigmoid"
	// Isotone makes a rising function of the scores of two classes their probabilities, by pooling
	// adjacent violators (Zadrozny, Elkan 2002, "Transforming classifier scores into accurate multiclass
	// probability estimates"). Shares stay as far from 0 and 1 as Platt's targets.
	Isotone = "isotonic"
	// Temperature divides the scores of a softmax by a number (Guo and others 2017, "On calibration of
	// modern neural networks").
	Temperature = "temperature"
)

// Calibrations lists the ways to calibrate scores.
func Calibrations() []string { return []string{Sigmoid, Isotone, Temperature} }

// Calibration says how scores became log odds. The model has both numbers in its weights.
type Calibration struct {
	// Method is Sigmoid, Isotone or Temperature.
	Method string `json:"method"`
	// Folds is the number of folds whose scores were calibrated: each by a fit of the other folds.
	Folds int `json:"folds"`
	// Slopes and Intercepts have a number for each score of a row; a temperature is 1 divided by its
	// slope. Isotone only shifts scores, so that a probability of 1/2 is at 0.
	Slopes     []float64 `json:"slopes"`
	Intercepts []float64 `json:"intercepts"`
	// Before and After are measures of the scores of the folds.
	Before CalibrationMeasures `json:"before"`
	After  CalibrationMeasures `json:"after"`
}

// CalibrationMeasures say how good probabilities are; nil where scores were no log odds.
type CalibrationMeasures struct {
	LogLoss          *float64 `json:"log_loss"`
	CalibrationError *float64 `json:"calibration_error"`
}

// checkCalibrate refuses what cannot be calibrated.
func (p *Problem) checkCalibrate(s *Search) error {
	o := &p.o
	softmax := p.several != nil && p.several.whole
	switch {
	case o.Calibrate == "":
		return nil
	case !slices.Contains(Calibrations(), o.Calibrate):
		return badOption("Calibrate", o.Calibrate, "want %s", strings.Join(Calibrations(), ", "))
	case p.several != nil && o.Calibrate == Isotone:
		return badOption("Calibrate", o.Calibrate, "it is for two classes")
	case p.regression:
		return badOption("Calibrate", o.Calibrate, "probabilities are of classes, not of targets")
	case p.network != nil:
		return badOption("Calibrate", o.Calibrate, "it is for linear models: leave {Hidden} out")
	case p.Offset != nil:
		return badOption("Calibrate", o.Calibrate, "offsets are added to scores after a calibration: leave them out")
	case softmax != (o.Calibrate == Temperature):
		return badOption("Calibrate", o.Calibrate, "%s is for {Kind} softmax, %s for two classes and one-vs-rest, %s for two classes", Temperature, Sigmoid, Isotone)
	case o.validates():
		return badOption("Calibrate", o.Calibrate, "the fits of folds cannot stop by {Validation}: leave it out, or give {Settings.MaxEpochs}")
	case s.alongPath:
		return badOption("Calibrate", o.Calibrate, "it is for one model, not for all points of a path: choose one by {Search.Folds}")
	}
	return nil
}

// calibrate makes the scores of the model log odds, by the scores of folds.
func (f *Fitted) calibrate(ctx context.Context) error {
	m := f.Model.(*model.Linear) // as there is no network
	width := m.Width()
	c := &Calibration{Method: f.Problem.o.Calibrate, Folds: f.folds(), Slopes: make([]float64, width), Intercepts: make([]float64, width)}
	s := held{width: width}
	var blocks []model.Scored
	var wrong error
	err := f.foldScores(ctx, func(b model.Scored) bool {
		var y []float64
		if y, wrong = m.Targets(b.Data); wrong != nil {
			return false
		}
		b.Scores = slices.Clone(b.Scores)
		blocks = append(blocks, b)
		s.scores, s.y = append(s.scores, b.Scores...), append(s.y, y...)
		for i := range y {
			s.weight = append(s.weight, direct.Weight(b.Weight, i))
		}
		return true
	})
	if err = cmp.Or(err, wrong); err != nil {
		return fmt.Errorf("the calibration: %w", plain(err))
	}
	var steps *model.Isotonic
	switch c.Method {
	case Isotone:
		if steps, err = s.isotonic(); err != nil {
			return badData(err)
		}
		c.Slopes[0], c.Intercepts[0] = 1, -centre(steps)
	case Temperature:
		beta := s.temperature()
		for k := range c.Slopes {
			c.Slopes[k] = beta
		}
	default:
		for k := range width {
			if c.Slopes[k], c.Intercepts[k], err = s.sigmoid(ctx, k, f.Problem.settings.Workers); err != nil {
				return badData(err)
			}
		}
	}
	calibrated, err := m.Scaled(c.Slopes, c.Intercepts)
	if err != nil {
		return badData(err)
	}
	calibrated.Meta.Calibration = c.Method // probabilities are no longer by the link of the loss
	if steps != nil {
		calibrated.SolverType, calibrated.Meta.Isotonic = m.SolverType, steps
	}
	if c.Before, err = measureProbabilities(m, blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		for i := range b.Scores {
			b.Scores[i] = float64(c.Slopes[i%width]*b.Scores[i]) + c.Intercepts[i%width]
		}
	}
	if c.After, err = measureProbabilities(calibrated, blocks); err != nil {
		return err
	}
	f.Model, f.Calibration = calibrated, c
	return nil
}

// measureProbabilities measures scored rows whose scores are log odds, if they are.
func measureProbabilities(m *model.Linear, blocks []model.Scored) (c CalibrationMeasures, err error) {
	if !m.Logistic() {
		return c, nil
	}
	r, err := EvaluateBlocks(m, func(yield func(model.Scored, error) bool) {
		for _, b := range blocks {
			if !yield(b, nil) {
				return
			}
		}
	}, EvaluateOptions{})
	if err == nil {
		c = CalibrationMeasures{&r.LogLoss, &r.CalibrationError}
	}
	return c, err
}

// centre moves the scores of a calibration so that 0 is where it crosses 1/2, and returns by how much.
// It is 0 where it crosses nowhere.
func centre(f *model.Isotonic) float64 {
	k := slices.IndexFunc(f.Shares, func(p float64) bool { return p > 0.5 })
	if k <= 0 {
		return 0
	}
	low, high := f.Shares[k-1], f.Shares[k]
	at := f.Scores[k-1] + float64((f.Scores[k]-f.Scores[k-1])*((0.5-low)/(high-low)))
	for i := range f.Scores {
		f.Scores[i] -= at
	}
	return at
}

// held are scores of rows by fits that did not see them.
type held struct {
	scores, y, weight []float64 // width scores a row; y is the place of the class, or a sign
	width             int
}

// of tells whether a row is of class k, or positive.
func (h *held) of(i, k int) bool {
	return h.width > 1 && h.y[i] == float64(k) || h.width == 1 && h.y[i] > 0
}

// targets returns Platt's targets of rows outside and inside of class k: as if there was one more row
// inside and one outside. It is an error if there are only rows of one kind.
func (h *held) targets(k int) (low, high float64, err error) {
	var above, below float64
	for i, weight := range h.weight {
		if h.of(i, k) {
			above += weight
		} else {
			below += weight
		}
	}
	if !(above > 0 && below > 0) {
		err = fmt.Errorf("scores cannot be calibrated: %g rows are of the class by weight, and %g are not", above, below)
	}
	return 1 / (below + 2), (above + 1) / (above + 2), err
}

// nearFit is the gradient norm at which the fit of log odds ends, as a share of the mean weight.
const nearFit = 1e-9

// sigmoid fits the log odds a s + b of class k, or of the positive one: a logistic fit, in which a row of
// the target t counts as a positive row by t of its weight, and as a negative one by the rest. Scores are
// divided by their largest size meanwhile.
func (h *held) sigmoid(ctx context.Context, k, workers int) (a, b float64, err error) {
	low, high, err := h.targets(k)
	if err != nil {
		return 0, 0, err
	}
	n := len(h.y)
	s, y, weight := make([]float64, 2*n), make([]float64, 2*n), make([]float64, 2*n)
	var size, mass float64
	for i, w := range h.weight {
		t := low
		if h.of(i, k) {
			t = high
		}
		s[i], y[i], y[n+i] = h.scores[i*h.width+k], 1, -1
		weight[i], weight[n+i] = float64(w*t), float64(w*(1-t))
		size, mass = max(size, math.Abs(s[i])), mass+w
	}
	if size == 0 {
		return 0, 0, errors.New("scores cannot be calibrated: all scores are 0")
	}
	for i := range n {
		s[i] /= size
		s[n+i] = s[i]
	}
	x, err := sparse.NewDense(nil, &sparse.Dense{Rows: 2 * n, Columns: 1, RowStride: 1, ColumnStride: 1, Float64: s})
	if err != nil {
		return 0, 0, err
	}
	r, err := erm.Solve(ctx, &erm.Problem{X: x.WithBias(1), Y: y, Loss: loss.Logistic{}, SampleWeight: weight, Intercept: true}, erm.Newton{},
		solvers.Settings{GradientTolerance: nearFit * mass / float64(2*n), MaxEpochs: usualPasses, Workers: workers})
	switch {
	case err != nil:
		return 0, 0, err
	case r.Status != solvers.Converged && r.Status != solvers.Stalled:
		return 0, 0, fmt.Errorf("scores cannot be calibrated: the fit of their log odds ended as %v", r.Status)
	}
	if a = r.Weights[0] / size; !(a > 0) {
		return 0, 0, fmt.Errorf("scores cannot be calibrated: rows that folds left out have no higher scores in the class than outside (slope %.3g)", a)
	}
	return a, r.Weights[1], nil
}

// pooled is a run of scores with the share of positive rows, by weight.
type pooled struct{ low, high, mass, above float64 }

// isotonic fits the rising function of scores that is nearest to the signs, by squares.
func (h *held) isotonic() (*model.Isotonic, error) {
	low, high, err := h.targets(0)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(h.y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.scores[a], h.scores[b]) })
	var pools []pooled
	for _, i := range order {
		one := pooled{h.scores[i], h.scores[i], h.weight[i], 0}
		if h.of(i, 0) {
			one.above = one.mass
		}
		if one.mass == 0 {
			continue
		}
		pools = append(pools, one)
		for n := len(pools) - 1; n > 0; n-- {
			last, before := &pools[n], &pools[n-1]
			if before.high < last.low && float64(before.above*last.mass) < float64(last.above*before.mass) {
				break
			}
			before.high, before.mass, before.above = last.high, before.mass+last.mass, before.above+last.above
			pools = pools[:n]
		}
	}
	f := new(model.Isotonic)
	for _, p := range pools {
		share := min(max(p.above/p.mass, low), high)
		f.Scores, f.Shares = append(f.Scores, p.low), append(f.Shares, share)
		if p.high > p.low {
			f.Scores, f.Shares = append(f.Scores, p.high), append(f.Shares, share)
		}
	}
	return f, nil
}

// mostSteps is the number of Newton's steps to a temperature.
const mostSteps = 100

// temperature returns the factor of all scores that makes the softmax's log loss least, by Newton's
// method within an interval: the loss is convex in it.
func (h *held) temperature() float64 {
	low, high, beta := 0.0, math.Inf(1), 1.0
	for range mostSteps {
		slope, bend := 0.0, 0.0
		for i, y := range h.y {
			row := h.scores[i*h.width : (i+1)*h.width]
			top := row[0]
			for _, v := range row {
				top = max(top, v)
			}
			var sum, first, second float64
			for _, v := range row {
				e := kernels.ExpOf(float64(beta * (v - top)))
				sum += e
				first += float64(e * (v - top))
				second += float64(float64(e*(v-top)) * (v - top))
			}
			mean := first / sum
			slope += float64(h.weight[i] * (mean - (row[int(y)] - top)))
			bend += float64(h.weight[i] * (second/sum - float64(mean*mean)))
		}
		if slope > 0 {
			high = beta
		} else {
			low = beta
		}
		next := beta - slope/bend
		if !(next > low && next < high) {
			next = min(2*beta, (low+min(high, 4*beta))/2)
		}
		if math.Abs(next-beta) <= 1e-12*beta {
			break
		}
		beta = next
	}
	return beta
}
