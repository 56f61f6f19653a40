package erm

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Needs returns the memory that Newton's method takes in each of a number of processes, in bytes. With the
// least memory, one worker reads all rows from the file in every pass. With the whole memory, so many workers keep
// all rows of their process after the first pass. Processes are at most the shards of Shards. Memory of p is not looked at.
// It costs a look at the index of the file, not at its rows. Several goroutines may call it.
//
// Error: p is no problem that SolveStreamed takes, processes is less than 1 or more than the shards, or workers
// less than 1.
func (p *Streamed) Needs(processes, workers int) (least, whole int64, err error) {
	if err := p.check(); err != nil {
		return 0, 0, err
	}
	settings := solvers.Settings{Shards: p.Shards(), Workers: 1}
	if processes < 1 || processes > settings.Shards || workers < 1 {
		return 0, 0, fmt.Errorf("erm: the rows have %d shards, and cannot be shared by %d processes of %d workers", settings.Shards, processes, workers)
	}
	fixed, size := p.newtonMemory()
	own := *p
	for rank := range processes {
		if processes > 1 {
			settings.Ranks = share{rank: rank, size: processes}
		}
		own.Memory = 1
		_, _, err := own.plan(settings, fixed, size, false)
		var short *MemoryError
		if !errors.As(err, &short) {
			return 0, 0, err
		}
		own.Memory = short.Need
		rows, _, err := own.plan(settings, fixed, size, false)
		if err != nil {
			return 0, 0, err
		}
		first, end := shards.Owned(settings.Shards, rank, processes)
		all, few := rows.Whole(workers)
		least = max(least, short.Need)
		whole = max(whole, short.Need-few+all+8*size*2*int64(min(workers, end-first)))
	}
	return least, whole, nil
}

// share is one of several processes, which says nothing to the others.
type share struct {
	shards.Alone
	rank, size int
}

func (s share) Rank() int { return s.rank }
func (s share) Size() int { return s.size }
