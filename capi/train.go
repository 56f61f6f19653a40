package main

/*
#define LANES_TYPES
#include "lanes.h"

static inline int lanes_tell(lanes_progress f, const lanes_point *point, void *context) { return f(point, context); }
*/
import "C"

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

var errOptions = errors.New("options")

// request is the JSON of lanes_train.
type request struct {
	lanes.Options
	loss.Text
	Settings struct {
		MaxEpochs         float64 `json:"max_passes"`
		MaxSeconds        float64 `json:"max_seconds"`
		MaxIterations     int64   `json:"max_iterations"`
		GapTolerance      float64 `json:"gap_tolerance"`
		GradientTolerance float64 `json:"gradient_tolerance"`
		BatchSize         int     `json:"batch_size"`
		Seed              uint64  `json:"seed"`
		Workers           int     `json:"workers"`
		Shards            int     `json:"shards"`
		RecordEvery       float64 `json:"record_every"`
		Checkpoint        string  `json:"checkpoint"`
		CheckpointSeconds float64 `json:"checkpoint_seconds"`
		Overwrite         bool    `json:"overwrite"`
		Resume            string  `json:"resume"`
		Patience          int     `json:"patience"`
	} `json:"settings"`
	Search *struct {
		Path             bool      `json:"path"`
		Folds            int       `json:"folds"`
		Weights          []float64 `json:"weights"`
		OverL1           bool      `json:"over_l1"`
		One              bool      `json:"one"`
		OneStandardError bool      `json:"one_standard_error"`
	} `json:"search"`
	For *struct {
		Metric string `json:"metric"`
		Folds  int    `json:"folds"`
	} `json:"for"`
	Names []string `json:"feature_names"`
	Trace bool     `json:"trace"`
}

// readOptions reads a JSON object, all of whose fields must be known.
func readOptions(text *C.char, into any) error {
	if text == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(C.GoString(text))))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = errors.New("more follows the object")
		}
	}
	if option := (*lanes.OptionError)(nil); err == nil || errors.As(err, &option) {
		return err
	}
	return fmt.Errorf("%w: the JSON cannot be read: %w", errOptions, err)
}

func (r *request) finish() (err error) {
	if r.Options.Loss, err = r.Text.Parse(); err != nil {
		return fmt.Errorf("%w: loss: %w", errOptions, err)
	}
	s := &r.Settings
	seconds := func(v float64) time.Duration {
		return time.Duration(min(max(v, 0), math.MaxInt64/2e9) * float64(time.Second))
	}
	r.Options.FeatureNames = r.Names
	r.Options.Settings = solvers.Settings{
		MaxEpochs: s.MaxEpochs, MaxTime: seconds(s.MaxSeconds), MaxIterations: s.MaxIterations,
		GapTolerance: s.GapTolerance, GradientTolerance: s.GradientTolerance, BatchSize: s.BatchSize, Seed: s.Seed,
		Workers: s.Workers, Shards: s.Shards, RecordEvery: s.RecordEvery, Checkpoint: s.Checkpoint,
		CheckpointEvery: seconds(s.CheckpointSeconds), Overwrite: s.Overwrite, Resume: s.Resume, Patience: s.Patience,
	}
	return nil
}

// watch tells the caller of a run, and keeps its points if they are wanted.
type watch struct {
	tell    C.lanes_progress
	context unsafe.Pointer
	stop    context.CancelFunc
	keep    bool

	lock sync.Mutex
	last C.lanes_point
	trace
}

// mostPoints is the number of points that a trace keeps.
const mostPoints = 1 << 16

// trace keeps the points of a run. Once it is full it drops every second point, and keeps one of
// twice as many from then on.
type trace struct {
	kept  []point
	every int // of how many points one is kept, less 1
	seen  int
	end   point
}

func (t *trace) add(p point) {
	if t.end = p; t.seen&t.every == 0 {
		t.kept = append(t.kept, p)
	}
	if t.seen++; len(t.kept) < mostPoints {
		return
	}
	for k := range mostPoints / 2 {
		t.kept[k] = t.kept[2*k]
	}
	t.kept, t.every = t.kept[:mostPoints/2], 2*t.every+1
}

// points are the points that were kept, and the last one.
func (t *trace) points() []point {
	if t.seen > 0 && (t.seen-1)&t.every != 0 {
		return append(t.kept, t.end)
	}
	return t.kept
}

// point is a point of a run in JSON.
type point struct {
	Fit       int      `json:"fit,omitempty"`
	Passes    float64  `json:"passes"`
	Seconds   float64  `json:"seconds"`
	Objective *float64 `json:"objective"`
	Gradient  *float64 `json:"gradient_norm"`
	Gap       *float64 `json:"duality_gap"`
	Metric    *float64 `json:"metric,omitempty"`
	NonZeros  int      `json:"nonzero_weights,omitempty"`
}

// finite is nil for a number that JSON does not have.
func finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

func pointOf(fit int, p solvers.Point) point {
	return point{fit, p.Epochs, p.Seconds, finite(p.Objective), finite(p.GradientNorm), finite(p.Gap), finite(p.Metric), p.NonZeros}
}

// fitWatch is told of one fit.
type fitWatch struct {
	*watch
	fit int
}

func (f fitWatch) Record(p solvers.Point) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.keep {
		f.add(pointOf(f.fit, p))
	}
	f.last = C.lanes_point{
		fit: C.int32_t(f.fit), nonzeros: C.int32_t(p.NonZeros), passes: C.double(p.Epochs), seconds: C.double(p.Seconds),
		objective: C.double(p.Objective), gradient_norm: C.double(p.GradientNorm), gap: C.double(p.Gap), metric: C.double(p.Metric),
	}
	return nil
}

// call tells the caller of the last point; the lock is held.
func (w *watch) call() {
	if w.tell != nil {
		last := w.last
		if C.lanes_tell(w.tell, &last, w.context) != 0 {
			w.stop()
		}
	}
}

func (w *watch) Begin(lanes.Stage)               {}
func (w *watch) Fit(number int) solvers.Recorder { return fitWatch{w, number} }
func (w *watch) Running(int)                     {}
func (w *watch) Trying(related.Progress)         {}
func (w *watch) Sweep(int64, int64)              {}
func (w *watch) End()                            {}

// begin has the caller be told ten times a second, until the function that it returns is called.
func (w *watch) begin() (end func()) {
	if w.tell == nil {
		return func() {}
	}
	const pause = 100 * time.Millisecond
	var (
		timer *time.Timer
		ended bool
	)
	w.lock.Lock()
	defer w.lock.Unlock()
	timer = time.AfterFunc(pause, func() {
		w.lock.Lock()
		defer w.lock.Unlock()
		if !ended {
			w.call()
			timer.Reset(pause)
		}
	})
	return func() {
		w.lock.Lock()
		defer w.lock.Unlock()
		ended = true
		timer.Stop()
	}
}

//export lanes_train
func lanes_train(rows, validation *C.lanes_rows, initial C.lanes_model, options *C.char, progress C.lanes_progress, caller unsafe.Pointer, out *C.lanes_model, result, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		if out == nil {
			return wrong("model is NULL")
		}
		out.id = 0
		data, err := rowsOf("rows", rows)
		if err != nil {
			return err
		}
		var r request
		if err := readOptions(options, &r); err != nil {
			return err
		}
		if err := r.finish(); err != nil {
			return err
		}
		r.Program = "lanes, C library"
		if validation != nil {
			if r.Validation, err = rowsOf("validation", validation); err != nil {
				return err
			}
		}
		if initial.id != 0 {
			if r.Initial, err = models.get(initial.id); err != nil {
				return err
			}
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		w := &watch{tell: progress, context: caller, stop: stop, keep: r.Trace}
		if progress != nil || r.Trace {
			r.Watch = w
		}
		end := w.begin()
		var f *lanes.Fitted
		switch {
		case r.For != nil && r.Search != nil:
			err = fmt.Errorf("%w: give search or for, not both", errOptions)
		case r.For != nil:
			f, err = lanes.For(ctx, data, r.For.Metric, r.For.Folds, r.Options)
		case r.Search != nil:
			s := lanes.Search{Options: r.Options, Folds: r.Search.Folds, Weights: r.Search.Weights, OverL1: r.Search.OverL1, One: r.Search.One, OneStandardError: r.Search.OneStandardError}
			if r.Search.Path {
				f, err = lanes.Path(ctx, data, s)
			} else {
				f, err = lanes.CrossValidate(ctx, data, s)
			}
		default:
			f, err = lanes.Train(ctx, data, r.Options)
		}
		end()
		if f != nil && f.Model != nil {
			var points []model.Model
			if r.Search != nil && r.Search.Path {
				for k := range f.Fits {
					point, wrong := f.PointModel(k)
					if wrong != nil {
						return wrong
					}
					points = append(points, point)
				}
			}
			out.id = models.put(f.Model)
			if points != nil {
				paths.Store(out.id, points)
			}
			if wrong := writeJSON(result, w.report(f)); err == nil {
				err = wrong
			}
		}
		return err
	})
}

// report is the JSON of a result.
func (w *watch) report(f *lanes.Fitted) any {
	r := f.Result
	type fit struct {
		Weight    float64  `json:"weight,omitempty"`
		Label     *float64 `json:"label,omitempty"`
		Status    string   `json:"status"`
		Passes    float64  `json:"passes"`
		Objective *float64 `json:"objective"`
		Gap       *float64 `json:"duality_gap"`
		NonZeros  int      `json:"nonzero_weights,omitempty"`
	}
	var fits []fit
	for _, one := range f.Fits {
		if one.Result == nil {
			continue
		}
		v := fit{Weight: one.Weight, Status: one.Result.Status.String(), Passes: one.Result.Total.Epochs,
			Objective: finite(one.Result.Objective), Gap: finite(one.Result.Gap), NonZeros: one.Result.NonZeros}
		if one.Weight == 0 {
			v.Label = &one.Label
		}
		fits = append(fits, v)
	}
	metrics := map[string]float64{}
	for name, v := range f.Metrics {
		if v-v == 0 {
			metrics[name] = v
		}
	}
	var folds any
	if f.Folds != nil {
		values := make([][]*float64, len(f.Folds.Values))
		for k, row := range f.Folds.Values {
			values[k] = finites(row)
		}
		folds = map[string]any{"values": values, "metric": f.Folds.Metric.Name, "folds": f.Folds.Folds, "chosen": f.Folds.Chosen, "weights": f.Folds.Lambdas,
			"mean": finites(f.Folds.Mean), "standard_error": finites(f.Folds.Error), "best": f.Best, "at_edge": f.AtEdge}
	}
	return map[string]any{
		"status": r.Status.String(), "solver": r.Solver, "objective": finite(r.Objective), "duality_gap": finite(r.Gap), "gradient_norm": finite(r.GradientNorm),
		"passes": r.Total.Epochs, "iterations": r.Total.Iterations, "seconds": f.Seconds, "weights_sha256": solvers.HashWeights(r.Weights),
		"cpu_path": r.CPUPath, "workers": r.Workers, "seed": r.Seed, "metrics": metrics, "fits": fits, "best": f.Best, "folds": folds, "inference": f.Inference, "calibration": f.Calibration,
		"unsolved": f.Unsolved, "made": cmp.Or(f.Made, 1), "nonzero_weights": f.Problem.NonZeros(r.Weights), "trace": w.points(), "model": about(f.Model), "notes": noteList(f.Notes),
	}
}

func finites(v []float64) []*float64 {
	list := make([]*float64, len(v))
	for i, x := range v {
		list[i] = finite(x)
	}
	return list
}
