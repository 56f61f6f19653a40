package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

type options struct {
	rounds                           int
	limit                            float64
	only, families, splices, sources []string
	costs                            []float64
}

func (o *options) setCosts(list []string) error {
	for _, text := range list {
		c, err := strconv.ParseFloat(text, 64)
		if err != nil || !(c > 0) {
			return fmt.Errorf("-C %s: want a positive number", text)
		}
		o.costs = append(o.costs, c)
	}
	return nil
}

// cell is one problem, trained to one relative gap.
type cell struct {
	name  string
	solve func(gap float64) (*solvers.Result, error)
	gap   float64
}

func (c *cell) run() error {
	_, err := c.solve(c.gap)
	return err
}

// cells poses the problems of all data sets, and leaves out cells that take too long.
func (o *options) cells() (list []cell, err error) {
	for _, source := range o.sources {
		for _, splice := range append([]string{""}, o.splices...) {
			from := source
			if splice != "" {
				from += "#" + splice
			}
			x, y, err := datasets.Open(from)
			if errors.Is(err, datasets.ErrFewer) {
				continue
			}
			if err != nil {
				return nil, err
			}
			name := filepath.Base(from)
			for _, cost := range o.costs {
				for _, family := range o.families {
					solve := pose(family, x, y, cost)
					if solve == nil {
						continue
					}
					found, err := o.targets(fmt.Sprintf("%s %s C=%v", name, family, cost), solve)
					if err != nil {
						return nil, err
					}
					list = append(list, found...)
				}
			}
		}
	}
	return list, nil
}

// targets returns a cell for each relative gap.
func (o *options) targets(name string, solve func(gap float64) (*solvers.Result, error)) (list []cell, err error) {
	begun := contest.Seconds()
	rough, err := solve(math.Inf(1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	fine, err := solve(1e-3 * rough.Objective)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if fine.Status == solvers.Converged {
		for _, target := range contest.Targets {
			list = append(list, cell{fmt.Sprintf("%s at %g", name, target), solve, target * fine.Objective})
		}
	}
	if took := contest.Seconds() - begun; took > 2*o.limit {
		return nil, nil
	}
	return list, nil
}

// pose returns how a family trains on rows, nil where it does not fit them.
func pose(family string, x *sparse.Matrix, y []float64, cost float64) func(gap float64) (*solvers.Result, error) {
	settings := func(gap float64) solvers.Settings {
		s := solvers.Settings{MaxEpochs: 2000, Workers: 1, GapTolerance: gap}
		if math.IsInf(gap, 1) {
			s.GapTolerance, s.MaxEpochs = 0, 10
		}
		return s
	}
	classes := slices.Compact(slices.Sorted(slices.Values(y)))
	p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (cost * float64(len(y)))}}
	switch {
	case family == "softmax" && len(classes) > 2:
		q := &softmax.Problem{X: x, Count: len(classes), Lambda: p.Ridge()}
		for _, v := range y {
			k, _ := slices.BinarySearch(classes, v)
			q.Class = append(q.Class, uint32(k))
		}
		return func(gap float64) (*solvers.Result, error) {
			return softmax.Solve(context.Background(), q, softmax.Newton{}, settings(gap))
		}
	case family == "softmax" || len(classes) > 2:
		return nil
	case strings.HasPrefix(family, "smooth"):
		switch {
		case strings.Contains(family, "hinge"):
			p.Loss = loss.SquaredHinge{}
		case strings.Contains(family, "huber"):
			p.Loss = loss.Huber{Delta: 0.5}
		}
		return func(gap float64) (*solvers.Result, error) {
			return auto.Solve(context.Background(), p, settings(gap))
		}
	}
	q := p.With(penalty.ElasticNet{L1: p.Ridge(), L2: p.Ridge()})
	q.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(q.Penalty), L2: 0}
	switch hinge := strings.Contains(family, "hinge"); {
	case hinge:
		q.Loss = loss.SquaredHinge{}
	case strings.Contains(family, "intercept"):
		q.X, q.Intercept = q.X.WithBias(1), true
	}
	return func(gap float64) (*solvers.Result, error) {
		return elasticnet.Solve(context.Background(), q, elasticnet.ProximalNewton{}, settings(gap))
	}
}
