package score

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// Scorer computes the scores of rows. A Model is one, and so is Streamed. It serves one goroutine at
// a time.
type Scorer interface {
	// All computes the scores of all rows with parameters w, shared by the workers of a pool.
	All(pool *sparse.Pool, dst, w []float64) error
}

// Streamed has the scores of Linear for rows that stay in their file: the same bits. It holds a group of
// rows for each worker of the pool. It serves one goroutine at a time. By the weights of several classes, one class
// after the other, it has a score of each class for a row, side by side.
type Streamed struct {
	Rows *sparse.Stream

	held []sparse.StreamGroup
}

// Parameters returns the number of columns.
func (m *Streamed) Parameters() int {
	if m.Rows == nil {
		return 0
	}
	return m.Rows.Cols()
}

// Bytes returns how much memory the groups of a number of workers take.
func (m *Streamed) Bytes(workers int) int64 {
	if m.Rows == nil || workers < 1 {
		return 0
	}
	largest := int64(0)
	for k := range m.Rows.Groups() {
		largest = max(largest, m.Rows.GroupBytes(k))
	}
	return int64(min(workers, m.Rows.Groups())) * largest
}

// All reads the file once. Errors: dst or w of another length than the rows or columns, a
// *sparse.FormatError of rows that cannot be read.
func (m *Streamed) All(pool *sparse.Pool, dst, w []float64) error {
	if m.Rows == nil {
		return errors.New("score: there are no rows")
	}
	count := classes(w, m.Rows.Cols())
	if count == 0 || len(dst) != m.Rows.Rows()*count {
		return fmt.Errorf("score: %d scores by %d weights of %d rows with %d columns", len(dst), len(w), m.Rows.Rows(), m.Rows.Cols())
	}
	workers := min(pool.Workers(), m.Rows.Groups())
	if len(m.held) < workers {
		m.held = make([]sparse.StreamGroup, workers)
	}
	s := &scoring{m: m, dst: dst, w: w, count: count, errs: make([]error, workers)}
	matrix.Run(pool, workers, s)
	return errors.Join(s.errs...)
}

// scoring is one All.
type scoring struct {
	m      *Streamed
	dst, w []float64
	count  int          // of classes
	next   atomic.Int64 // group that nobody has taken
	failed atomic.Bool
	errs   []error // of the workers
}

// Block is the work of one worker.
func (s *scoring) Block(worker int) {
	rows, group := s.m.Rows, &s.m.held[worker]
	for !s.failed.Load() {
		k := int(s.next.Add(1)) - 1
		if k >= rows.Groups() {
			return
		}
		err := rows.Load(group, k)
		if err == nil {
			first, end := rows.GroupRows(k)
			err = scores(group.Rows().WithBias(rows.Bias()), nil, s.dst[first*s.count:end*s.count], s.w)
		}
		if err != nil {
			s.errs[worker] = err
			s.failed.Store(true)
		}
	}
}
