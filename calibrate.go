package lanes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
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

// usualFolds is the number of folds of a calibration whose model was not chosen by folds.
const usualFolds = 5

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
	case o.Validation != nil:
		return badOption("Calibrate", o.Calibrate, "the fits of folds cannot stop by {Validation}: leave it out, or give {Settings.MaxEpochs}")
	case s.alongPath:
		return badOption("Calibrate", o.Calibrate, "it is for one model, not for all points of a path: choose one by {Search.Folds}")
	}
	return nil
}

// calibrate makes the scores of the model log odds, by the scores of folds.
func (f *Fitted) calibrate(ctx context.Context) error {
	m, linear := f.Model.(*model.Linear)
	if !linear {
		return badOption("Calibrate", f.Problem.o.Calibrate, "it is for linear models")
	}
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
			if c.Slopes[k], c.Intercepts[k], err = s.sigmoid(k); err != nil {
				return badData(err)
			}
		}
	}
	calibrated, err := m.Scaled(c.Slopes, c.Intercepts)
	if err != nil {
		return badData(err)
	}
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
	calibrated.Meta.Calibration = c.Method
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

// mostSteps is the number of Newton's steps to a calibration.
const mostSteps = 100

// sigmoid fits the log odds a s + b of class k, or of the positive one, by Newton's method with a line
// search (Lin, Lin, Weng 2007, "A note on Platt's probabilistic outputs for support vector machines",
// algorithm 1). Scores are divided by their largest size meanwhile.
func (h *held) sigmoid(k int) (a, b float64, err error) {
	n := len(h.y)
	s, t := make([]float64, n), make([]float64, n)
	var above, below, size float64
	for i, y := range h.y {
		s[i] = h.scores[i*h.width+k]
		size = max(size, math.Abs(s[i]))
		if h.width > 1 && y == float64(k) || h.width == 1 && y > 0 {
			t[i] = 1
			above += h.weight[i]
		} else {
			below += h.weight[i]
		}
	}
	if !(above > 0 && below > 0) || size == 0 {
		return 0, 0, fmt.Errorf("scores cannot be calibrated: %g rows are of the class by weight, %g are not, and the largest score is %g", above, below, size)
	}
	// Targets are those of one more row of each class.
	targets := [2]float64{1 / (below + 2), (above + 1) / (above + 2)}
	for i := range t {
		s[i] /= size
		t[i] = targets[int(t[i])]
	}
	b = kernels.LogOf((above + 1) / (below + 1))
	loss := func(a, b float64) (sum float64) {
		for i, v := range s {
			z := float64(a*v) + b
			sum += float64(h.weight[i] * (kernels.LogOf(1+kernels.ExpOf(-math.Abs(z))) + max(z, 0) - float64(t[i]*z)))
		}
		return sum
	}
	now := loss(a, b)
	for range mostSteps {
		var g0, g1, h00, h01, h11 float64
		for i, v := range s {
			p := kernels.SigmoidOf(float64(a*v) + b)
			c, q := float64(h.weight[i]*(p-t[i])), float64(h.weight[i]*float64(p*(1-p)))
			g0 += float64(c * v)
			g1 += c
			h00 += float64(float64(q*v) * v)
			h01 += float64(q * v)
			h11 += q
		}
		h00, h11 = h00+1e-12*(above+below), h11+1e-12*(above+below)
		det := float64(h00*h11) - float64(h01*h01)
		d0, d1 := -(float64(h11*g0)-float64(h01*g1))/det, -(float64(h00*g1)-float64(h01*g0))/det
		slope := float64(g0*d0) + float64(g1*d1)
		if !(slope < -1e-15*(above+below)) {
			break
		}
		step := 1.0
		for ; step > 1e-10; step /= 2 {
			if next := loss(a+float64(step*d0), b+float64(step*d1)); next < now+float64(1e-4*float64(step*slope)) {
				a, b, now = a+float64(step*d0), b+float64(step*d1), next
				break
			}
		}
		if step <= 1e-10 {
			break
		}
	}
	if !(a > 0) {
		return 0, 0, fmt.Errorf("scores cannot be calibrated: rows that folds left out have no higher scores in the class than outside (slope %.3g)", a/size)
	}
	return a / size, b, nil
}

// pooled is a run of scores with the share of positive rows, by weight.
type pooled struct{ low, high, mass, above float64 }

// isotonic fits the rising function of scores that is nearest to the signs, by squares.
func (h *held) isotonic() (*model.Isotonic, error) {
	order := make([]int, len(h.y))
	var above, below float64
	for i, y := range h.y {
		if order[i] = i; y > 0 {
			above += h.weight[i]
		} else {
			below += h.weight[i]
		}
	}
	if !(above > 0 && below > 0) {
		return nil, fmt.Errorf("scores cannot be calibrated: %g rows are positive by weight, and %g are not", above, below)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.scores[a], h.scores[b]) })
	var pools []pooled
	for _, i := range order {
		one := pooled{h.scores[i], h.scores[i], h.weight[i], 0}
		if h.y[i] > 0 {
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
		share := min(max(p.above/p.mass, 1/(below+2)), (above+1)/(above+2))
		f.Scores, f.Shares = append(f.Scores, p.low), append(f.Shares, share)
		if p.high > p.low {
			f.Scores, f.Shares = append(f.Scores, p.high), append(f.Shares, share)
		}
	}
	return f, nil
}

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
