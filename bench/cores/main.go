// Command cores times training on one thread and on several, in turn, in one process: a path
// of regularisation weights and a cross-validation of one; of single fits and of classes
// command trainers tells it with -workers 1,2. Beside that stands what the machine
// has to give: how many times as much gets done by as many runs at once, of one thread each
// and on copies of the data. Cores that share their memory and a cache take longer than one
// alone, however the work is split. It prints a Markdown table of medians, and fails where
// the weights of two numbers of threads differ in a bit.
//
// The data are the sets of two classes of package datasets.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 5, "rounds, of which the medians count")
	workers := flag.Int("workers", 2, "threads to compare with one")
	flag.Parse()
	fmt.Printf("| data | training | seconds on 1 thread | on %[1]d | 1 / %[1]d | %[1]d runs at once |\n|---|---|---|---|---|---|\n", *workers)
	for _, source := range flag.Args() {
		x, y, err := datasets.Open(source)
		if err != nil {
			log.Fatalf("%s: %v", source, err)
		}
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(x.Rows())}}
		copies, err := copiesOf(x, *workers)
		if err != nil {
			log.Fatalf("%s: %v", source, err)
		}
		for _, j := range []job{path(p), folds(p)} {
			if err := j.compare(filepath.Base(source), copies, *rounds); err != nil {
				log.Fatalf("%s, %s: %v", source, j.name, err)
			}
		}
	}
}

// copiesOf returns count copies of x, which share no memory.
func copiesOf(x *sparse.Matrix, count int) ([]*sparse.Matrix, error) {
	all := make([]uint32, x.Rows())
	for i := range all {
		all[i] = uint32(i)
	}
	copies := make([]*sparse.Matrix, count)
	for k := range copies {
		var err error
		if copies[k], err = x.PickRows(nil, all); err != nil {
			return nil, err
		}
	}
	return copies, nil
}

// job is some training on rows; run returns all weights.
type job struct {
	name string
	run  func(x *sparse.Matrix, workers int) ([]float64, error)
}

// compare trains on one thread, on as many as there are copies, and on all copies at once.
func (j *job) compare(data string, copies []*sparse.Matrix, rounds int) error {
	workers := len(copies)
	var one, several, gains, most []float64
	for range rounds {
		first, a, err := j.timed(copies[:1], 1)
		if err != nil {
			return err
		}
		second, b, err := j.timed(copies[:1], workers)
		if err != nil {
			return err
		}
		apart, c, err := j.timed(copies, 1)
		if err != nil {
			return err
		}
		for k, w := range append(apart, second...) {
			if !slices.Equal(first[0], w) {
				return fmt.Errorf("the weights of 1 and of %d threads differ (%d)", workers, k)
			}
		}
		one, several, gains, most = append(one, a), append(several, b), append(gains, a/b), append(most, float64(workers)*a/c)
	}
	fmt.Printf("| %s | %s | %.4f | %.4f | **%.2f** | %.2f |\n", data, j.name,
		contest.Median(one), contest.Median(several), contest.Median(gains), contest.Median(most))
	return nil
}

// timed trains on all copies at the same time, and returns the weights of each, and the
// seconds until all are done.
func (j *job) timed(copies []*sparse.Matrix, workers int) ([][]float64, float64, error) {
	all, errs := make([][]float64, len(copies)), make([]error, len(copies))
	var group sync.WaitGroup
	runtime.GC()
	begun := time.Now()
	for k := range copies {
		group.Go(func() { all[k], errs[k] = j.run(copies[k], workers) })
	}
	group.Wait()
	return all, time.Since(begun).Seconds(), errors.Join(errs...)
}

func settings(workers int) solvers.Settings {
	return solvers.Settings{GapTolerance: 1e-5, MaxEpochs: 10000, Workers: workers}
}

// on is p on a copy of its rows.
func on(p *erm.Problem, x *sparse.Matrix) *erm.Problem {
	q := *p
	q.X = x
	return &q
}

func path(p *erm.Problem) job {
	lambdas, least, err := related.UsualLambdas(p)
	lambdas = lambdas[:least]
	return job{fmt.Sprintf("path of %d", len(lambdas)), func(x *sparse.Matrix, workers int) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		fits, err := related.Path(context.Background(), on(p, x), lambdas, related.Run{Solve: auto.Solve, Settings: settings(workers)})
		return weights(fits), err
	}}
}

func folds(p *erm.Problem) job {
	lambdas, least, err := related.UsualLambdas(p)
	lambdas = lambdas[:least]
	const count = 5
	return job{fmt.Sprintf("%d folds of a path of %d", count, len(lambdas)), func(x *sparse.Matrix, workers int) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		v := related.Validation{Folds: count, Metric: metrics.Metric{Name: "logloss", Direction: metrics.LowerIsBetter, Compute: metrics.LogLoss}}
		found, err := related.CrossValidate(context.Background(), on(p, x), lambdas, v, related.Run{Solve: auto.Solve, Settings: settings(workers)})
		if err != nil {
			return nil, err
		}
		return slices.Concat(found.Values...), nil
	}}
}

func weights(fits []*solvers.Result) []float64 {
	var all []float64
	for _, r := range fits {
		if r != nil {
			all = append(all, r.Weights...)
		}
	}
	return all
}
