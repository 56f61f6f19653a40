package shards_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/solvers"
)

// TestAgree: every process receives an error of one process, and that process its own error
// unchanged.
func TestAgree(t *testing.T) {
	broken := errors.New("")
	for _, size := range []int{1, 2, 5} {
		for bad := -1; bad < size; bad++ {
			for rank, err := range shardstest.Run(size, func(ranks solvers.Ranks) error {
				if ranks.Rank() == bad {
					return shards.Agree(ranks, broken)
				}
				return shards.Agree(ranks, nil)
			}) {
				var other *shards.RankError
				switch {
				case bad < 0 && err != nil, rank == bad && !errors.Is(err, broken),
					bad >= 0 && rank != bad && (!errors.As(err, &other) || other.Rank != bad):
					t.Errorf("%d ranks, %d fails: rank %d gets %v", size, bad, rank, err)
				}
			}
		}
	}
	if err := shards.Agree(nil, broken); err != broken {
		t.Errorf("alone: %v", err)
	}
}

func TestTotal(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 7, 9} {
		err := errors.Join(shardstest.Run(size, func(ranks solvers.Ranks) error {
			k := float64(ranks.Rank())
			v := []float64{1, k, 1 << 50}
			n := float64(size)
			if err := shards.Total(ranks, v); err != nil || !slices.Equal(v, []float64{n, n * (n - 1) / 2, n * (1 << 50)}) {
				return fmt.Errorf("rank %v of %d: %v, %v", k, size, v, err)
			}
			return nil
		})...)
		if err != nil {
			t.Error(err)
		}
	}
}
