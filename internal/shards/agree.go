package shards

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/solvers"
)

// RankError is what went wrong on another rank.
type RankError struct {
	Rank int
	Text string
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %s", e.Rank, e.Text) }

// Agree lets all ranks go on or none: if one rank has an error, every rank returns an error, and
// that rank its own.
func Agree(ranks solvers.Ranks, err error) error {
	if ranks == nil || ranks.Size() == 1 {
		return err
	}
	text := ""
	if err != nil {
		text = "!" + err.Error()
	}
	all, failed := ranks.Gather([]byte(text))
	if failed != nil || err != nil {
		return errors.Join(err, failed)
	}
	for rank, text := range all {
		if len(text) > 0 {
			return &RankError{rank, string(text[1:])}
		}
	}
	return nil
}

// Total replaces every element of v by its sum over ranks. The elements have to be whole
// numbers whose sums float64 holds, as their order depends on the number of ranks.
func Total(ranks solvers.Ranks, v []float64) error {
	if ranks == nil || ranks.Size() == 1 {
		return nil
	}
	count := 1
	for count < ranks.Size() {
		count *= 2
	}
	first, end := Owned(count, ranks.Rank(), ranks.Size())
	f := forest{nodes: make(map[span][]float64), freed: func([]float64) {}}
	f.add(first, 1, v) // there are as many shards as ranks, so that every rank has one
	for shard := first + 1; shard < end; shard++ {
		f.add(shard, 1, make([]float64, len(v)))
	}
	dst := make([]float64, len(v))
	if err := ranks.Sum(dst, f.list()); err != nil {
		return err
	}
	copy(v, dst)
	return nil
}
