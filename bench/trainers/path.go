package main

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
)

//go:embed driver/path.R
var pathSource []byte

// pathGap is the gap of our points, as a share of the objective without features.
const pathGap = 1e-5

// longestPath is how long glmnet may take for a data set, exact points included.
const longestPath = 2 * time.Minute

// exactGap is the gap of points whose weights are compared.
const exactGap = 5e-11

// path compares the path of L1 norms of glmnet with ours along the same points: 100 points of a
// logistic loss with an intercept, as glmnet chooses them. It reports processor seconds, how far
// each is above the minimum, and the weights of both where they are exact.
func (o *options) path(sources []string) error {
	glmnet, err := peers.GlmnetTitle()
	if err != nil {
		fmt.Println("glmnet is absent:", err)
		return nil
	}
	fmt.Println("| data | points | " + glmnet + ", s | lanes, s | glmnet / lanes | largest suboptimality of glmnet | of lanes | largest difference of exact weights |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, source := range sources {
		if err := o.pathOf(source); err != nil {
			fmt.Fprintf(os.Stderr, "trainers: %s: %v\n", source, err)
		}
	}
	return nil
}

func (o *options) pathOf(source string) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(o.temporary, "lanes-path")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := datasets.WriteTriplets(folder, x, y); err != nil {
		return err
	}
	script := filepath.Join(folder, "path.R")
	if err := os.WriteFile(script, pathSource, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestPath)
	defer cancel()
	command := exec.CommandContext(ctx, "Rscript", script, fmt.Sprint(o.rounds))
	command.Dir, command.Stderr = folder, os.Stderr
	if out, err := command.Output(); err != nil {
		return fmt.Errorf("glmnet: %w: %s", err, out)
	}
	times, err := datasets.ReadFloats(filepath.Join(folder, "seconds"))
	if err != nil {
		return err
	}
	lambdas, err := datasets.ReadFloats(filepath.Join(folder, "lambdas"))
	if err != nil {
		return err
	}
	theirs, err := datasets.ReadFloats(filepath.Join(folder, "weights"))
	if err != nil {
		return err
	}
	exact, err := datasets.ReadFloats(filepath.Join(folder, "exact"))
	if err != nil {
		return err
	}
	p := &erm.Problem{X: x.WithBias(1), Y: y, Loss: loss.Logistic{}, Intercept: true}
	width := x.Cols() + 1
	if len(theirs) != len(lambdas)*width || len(exact) != len(theirs) {
		return fmt.Errorf("glmnet wrote %d and %d weights for %d points of %d columns", len(theirs), len(exact), len(lambdas), width)
	}
	seconds := math.Inf(1)
	var ours [][]float64
	for range o.rounds {
		begun := contest.Seconds()
		if ours, err = along(p, lambdas, pathGap*math.Ln2); err != nil {
			return err
		}
		seconds = min(seconds, contest.Seconds()-begun)
	}
	best, err := along(p, lambdas, exactGap)
	if err != nil {
		return err
	}
	worst, own, apart := 0.0, 0.0, 0.0
	for k, l1 := range lambdas {
		p.Penalty = penalty.ElasticNet{L1: l1, L2: p.Ridge()}
		least := l1Value(p, best[k])
		worst = max(worst, l1Value(p, theirs[k*width:][:width])/least-1)
		own = max(own, l1Value(p, ours[k])/least-1)
		for j, w := range exact[k*width:][:width] {
			apart = max(apart, math.Abs(w-best[k][j]))
		}
	}
	least := math.Inf(1)
	for _, t := range times {
		least = min(least, t)
	}
	fmt.Printf("| %s | %d | %.3f | %.3f | **%.1f** | %.1e | %.1e | %.1e |\n", filepath.Base(source), len(lambdas), least, seconds, least/seconds, worst, own, apart)
	return nil
}

// along solves every point from the one before.
func along(p *elasticnet.Problem, lambdas []float64, gap float64) ([][]float64, error) {
	path, err := elasticnet.NewPath(p, nil)
	if err != nil {
		return nil, err
	}
	var list [][]float64
	for _, l1 := range lambdas {
		got, err := path.Solve(context.Background(), penalty.ElasticNet{L1: l1, L2: p.Ridge()}, solvers.Settings{GapTolerance: gap, MaxEpochs: 1e5, Workers: 1})
		if err != nil {
			return nil, err
		}
		list = append(list, got.Weights)
	}
	return list, nil
}
