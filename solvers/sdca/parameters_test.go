package sdca

import (
	"errors"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// TestEveryParameter lays every solver beside its listing with each parameter off its
// default.
func TestEveryParameter(t *testing.T) {
	t.Parallel()
	concave := randomProblem(t, loss.Squared{}, 40, 15, 4, 0.03, true)
	negative(concave)
	full, few := randomProblem(t, loss.Logistic{}, 40, 6, 5, 0.03, true), randomProblem(t, loss.Logistic{}, 60, 200, 2, 0.03, true)
	few.X = few.X.WithBias(0)
	var runs []solvetest.Listed[Method]
	// add has a round of the solver followed by one of the listing.
	add := func(name string, p *erm.Problem, rounds, steps int, round func(l *listing) error, looks func(loop dualLoop) error, set ...string) {
		runs = append(runs, solvetest.Listed[Method]{Solver: name, Set: set, Follows: func(m Method) error {
			loop, _ := loopOf(t, p, m, solvers.Settings{Seed: listingSeed, BatchSize: 3})
			if prox, is := loop.(*proxLoop); is {
				prox.share = 0 // to the last bit
			}
			if looks != nil {
				if err := looks(loop); err != nil {
					return err
				}
			}
			l := newListing(p, nil, listingSeed)
			var c run.Control
			for range rounds {
				for range steps {
					loop.Next(&c)
				}
				if err := round(l); err != nil {
					return err
				}
				if err := l.apart(loop); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	const average = "average-convex=true"
	adf := func(average bool) func(*listing) error {
		return func(l *listing) error {
			l.adfSDCA(l.gamma(average))
			return nil
		}
	}
	byColumns := func(want bool) func(dualLoop) error {
		return func(loop dualLoop) error {
			if columns := loop.(*adaptiveLoop).near != nil; columns != want {
				return errors.New("other margins")
			}
			return nil
		}
	}
	add("adfsdca", concave, 20, 1, adf(true), nil, average)
	add("adfsdca", full, 20, 1, adf(false), byColumns(true), "columns=true")
	add("adfsdca", few, 20, 1, adf(false), byColumns(false), "full=true")
	plus := func(average, paper bool, shrink float64) func(*listing) error {
		return func(l *listing) error {
			most := l.most(average)
			if paper {
				most = l.unbounded
			}
			l.adfSDCAPlus(l.gamma(average), shrink, most, func() {})
			return nil
		}
	}
	add("adfsdca+", concave, 2, 40, plus(true, false, 10), nil, average)
	add("adfsdca+", full, 2, 40, plus(false, false, 3), nil, "shrink=3")
	add("adfsdca+", full, 1, 40, plus(false, true, 10), nil, "paper=true")
	add("adfsdca-minibatch", concave, 10, 1, func(l *listing) error {
		draws, err := sampling.NewBatch(l.n, 3)
		if err != nil {
			return err
		}
		return l.minibatch(l.gamma(true), 3, draws)
	}, nil, average)
	for name, uniform := range map[string]bool{"dfsdca": true, "is-sdca": false} {
		add(name, concave, 80, 1, func(l *listing) error {
			p, theta := l.fixed(true, uniform)
			i := 0
			if uniform {
				i = int(l.random.Below(uint64(l.n)))
			} else {
				alias, err := sampling.NewAlias(p)
				if err != nil {
					return err
				}
				i = int(alias.Draw((*sampling.Random)(l.random)))
			}
			l.step(i, theta/p[i], l.residue(i))
			return nil
		}, nil, average)
	}
	add("prox-sdca", full, 6, 40, func(l *listing) error {
		for _, i := range l.shuffled() {
			l.ascend(i)
		}
		return nil
	}, nil, "no-shrinking=true")
	add("prox-sdca", full, 6, 40, func(l *listing) error {
		for _, i := range l.drawn() {
			l.ascend(i)
		}
		return nil
	}, nil, "with-replacement=true")
	solvetest.EveryParameter(t, Solvers(), ByName, runs, "adfsdca/paper") // which poses the problem alone
}

// TestDrawnInMemory: rows in shards and in a file come from buffers, and Prox does not draw from all
// of them.
func TestDrawnInMemory(t *testing.T) {
	p := shardedProblem(t, loss.Logistic{}, 100, 20, false)
	got, err := Solve(t.Context(), p, Prox{WithReplacement: true}, solvers.Settings{Shards: 2, MaxEpochs: 1})
	if err == nil || got != nil || !strings.Contains(err.Error(), "with-replacement") {
		t.Errorf("error %v, result %v", err, got)
	}
	for _, s := range Solvers() {
		if s.Name != (Prox{}).Name() {
			continue
		}
		ready, err := s.New(map[string]string{"with-replacement": "true"})
		if err != nil {
			t.Fatal(err)
		}
		task := &solvers.Task{Problem: solvers.Problem{Loss: p.Loss, Penalty: p.Penalty}, Rows: &solvers.Rows{}}
		if _, err := ready.Solve(t.Context(), task, solvers.Settings{MaxEpochs: 1}); err == nil || !strings.Contains(err.Error(), "with-replacement") {
			t.Errorf("rows in a file: error %v", err)
		}
	}
}
