package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Ranks are the processes that a command runs on together.
type Ranks interface {
	solvers.Ranks
	// End ends all processes with an exit status, at once. It does not return.
	End(status int)
}

// RunOn has the command be one of several processes. Rank 0 alone speaks for all.
func (a *App) RunOn(ranks Ranks) {
	a.Ranks = &speaking{ranks, a, a.Out, a.Err}
	if ranks.Rank() > 0 {
		a.Out, a.Err = io.Discard, io.Discard
	}
}

// speaking are ranks. A rank that has to end the others prints the reason.
type speaking struct {
	Ranks
	a        *App
	out, err io.Writer
}

// Abort ends all ranks by the exit status of an error.
func (s *speaking) Abort(err error) {
	status := ExitStatus(err)
	s.a.Out, s.a.Err = s.out, s.err
	s.a.Fail(fmt.Errorf("rank %d: %w", s.Rank(), Plain(err)), status)
	s.End(status)
}

// Sum, Max, Broadcast and Gather call the methods of solvers.Ranks. If one fails, the ranks are
// out of step, so all ranks end.
func (s *speaking) Sum(dst []float64, nodes []solvers.ShardNode) error {
	return s.check(s.Ranks.Sum(dst, nodes))
}

func (s *speaking) Max(v []float64) error    { return s.check(s.Ranks.Max(v)) }
func (s *speaking) Broadcast(b []byte) error { return s.check(s.Ranks.Broadcast(b)) }

func (s *speaking) Gather(b []byte) ([][]byte, error) {
	all, err := s.Ranks.Gather(b)
	return all, s.check(err)
}

func (s *speaking) check(err error) error {
	if err != nil {
		s.Abort(err)
	}
	return err
}

// agreedError is known to all ranks.
type agreedError struct{ error }

func (e agreedError) Unwrap() error { return e.error }

// said is what a rank tells the others where all are to go on or none.
type said struct {
	Status int
	Error  string
	Echo   bool // the error came from another rank
	Data   []byte
}

// Share gives every rank the data of all ranks. If err is not nil on any rank, all ranks
// return an error instead: the error of the first such rank.
func (a *App) Share(err error, data []byte) ([][]byte, error) {
	if a.Ranks == nil {
		return [][]byte{data}, err
	}
	var agreed agreedError
	if errors.As(err, &agreed) {
		return nil, err
	}
	mine := said{Status: ExitStatus(err), Data: data}
	if err != nil {
		var echo *shards.RankError
		mine.Error, mine.Echo, mine.Data = err.Error(), errors.As(err, &echo), nil
	}
	text, wrong := json.Marshal(mine)
	if wrong != nil {
		return nil, wrong
	}
	texts, wrong := a.Ranks.Gather(text)
	if wrong != nil {
		return nil, errors.Join(err, wrong)
	}
	all, parts := make([]said, len(texts)), make([][]byte, len(texts))
	for k, text := range texts {
		if wrong := json.Unmarshal(text, &all[k]); wrong != nil {
			return nil, fmt.Errorf("rank %d is of another version: %w", k, wrong)
		}
		parts[k] = all[k].Data
	}
	if worst := firstFailed(all); worst >= 0 {
		return nil, agreedError{all[worst].failure(err, worst, a.Ranks.Rank(), all)}
	}
	return parts, nil
}

// firstFailed is the first rank on which something went wrong, -1 for none.
func firstFailed(all []said) int {
	echo := -1
	for k, s := range all {
		switch {
		case s.Status == ExitDone:
		case !s.Echo:
			return k
		case echo < 0:
			echo = k
		}
	}
	return echo
}

// failure returns the error that all ranks report: s is the failure of the first failed rank,
// own is the error of this rank. If all ranks have the same error, the message names no rank.
func (s said) failure(own error, rank, here int, all []said) error {
	everywhere := true
	for _, other := range all {
		everywhere = everywhere && other.Error == s.Error
	}
	err := own
	if rank != here {
		err = errors.New(s.Error)
	}
	if !everywhere && !s.Echo {
		err = fmt.Errorf("rank %d: %w", rank, err)
	}
	switch s.Status {
	case ExitUsage:
		return usageError{err}
	case exitData:
		return dataError{err}
	}
	return err
}

// Together has all ranks go on or none.
func (a *App) Together(err error) error {
	_, err = a.Share(err, nil)
	return err
}
