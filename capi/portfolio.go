package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// returnBytes bounds what a portfolio takes for each return: two copies, and products of them.
const returnBytes = 24

//export lanes_portfolio
func lanes_portfolio(periods, assets C.int64_t, returns *C.double, options *C.char, weights *C.double, result, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		if periods < 0 || assets < 0 || periods > 0 && assets > math.MaxInt32 || periods > math.MaxInt32 {
			return wrong("there are %d periods of %d assets", periods, assets)
		}
		r, err := array[float64]("returns", unsafe.Pointer(returns), int64(periods)*int64(assets))
		if err != nil {
			return err
		}
		if err := memory.Check("the returns", int64(periods)*int64(assets), returnBytes); err != nil {
			return err
		}
		to, err := array[float64]("weights", unsafe.Pointer(weights), int64(assets))
		if err != nil {
			return err
		}
		o := struct {
			Risk       float64           `json:"risk"`
			L1         float64           `json:"l1"`
			Limit      float64           `json:"limit"`
			LongOnly   bool              `json:"long_only"`
			Solver     string            `json:"solver"`
			Parameters map[string]string `json:"parameters"`
			Gap        float64           `json:"gap_tolerance"`
			MaxEpochs  float64           `json:"max_passes"`
			Seconds    float64           `json:"max_seconds"`
			Seed       uint64            `json:"seed"`
		}{Risk: 1, Limit: 1, Solver: "agd", MaxEpochs: 10000}
		if err := readOptions(options, &o); err != nil {
			return err
		}
		method, err := compositional.ByName(o.Solver, o.Parameters)
		if err != nil {
			return fmt.Errorf("%w: %w", errOptions, err)
		}
		f, err := compositional.NewPortfolio(slices.Clone(r), int(periods), int(assets), o.Risk)
		if err != nil {
			return &lanes.DataError{Err: err}
		}
		p := &compositional.Problem{F: f, R: penalty.L1Box{Lambda: o.L1, Low: -o.Limit, High: o.Limit}}
		if o.LongOnly {
			p.R = penalty.Simplex{Total: 1}
		}
		largest := 0.0
		for _, v := range f.Mean() {
			largest = max(largest, math.Abs(v))
		}
		solved, err := compositional.Solve(context.Background(), p, method, solvers.Settings{
			MaxEpochs: o.MaxEpochs, MaxTime: time.Duration(min(max(o.Seconds, 0), 1e9) * float64(time.Second)),
			GapTolerance: cmp.Or(o.Gap, 1e-9*largest), Seed: o.Seed,
		})
		if err != nil {
			return err
		}
		copy(to, solved.Weights)
		mean, variance, err := f.Moments(solved.Weights)
		if err != nil {
			return err
		}
		return writeJSON(result, map[string]any{
			"status": solved.Status.String(), "objective": finite(solved.Objective), "duality_gap": finite(solved.Gap), "passes": solved.Total.Epochs,
			"mean": mean, "variance": variance, "weights_sha256": solvers.HashWeights(solved.Weights),
		})
	})
}
