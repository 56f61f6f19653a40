package sparse

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"github.com/lanes-go/lanes/internal/base/decimal"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/matrix"
)

const (
	defaultChunk = 1 << 17 // bytes of text that one worker takes at a time
	// defaultMaxLine is longer than the text of a row with five million entries. Reading a line
	// takes about three times its length in memory.
	defaultMaxLine = 1 << 26
)

// textReader reads LIBSVM text with several workers. Each takes the next run of whole lines, parses
// it on its own and appends the rows when all earlier ones are in. So the rows and the first error
// do not depend on the number of workers.
type textReader struct {
	name           string
	rules          textRules
	chunk, maxLine int
	total          int64        // bytes of the source, 0 where unknown
	consumed       func() int64 // of the total
	exact          bool         // the source's bytes are the text's

	input  sync.Mutex // held by the worker that reads
	source io.Reader
	carry  []byte // the start of a line whose end is still to come
	taken  int    // chunks handed out
	ended  bool

	turn    sync.Mutex
	ready   *sync.Cond
	commit  int // chunk whose turn it is
	err     error
	lines   int64
	store   *matrix.Store
	dropped int64
	labels  []float64
	query   []int64
	words   labelWords
	before  bool // rows of an earlier block were read, with words as labels or not
	queried bool // and queries

	progress func(bytes, rows int64)
}

// textTask is what a worker takes from the input.
type textTask struct {
	textChunk
	number   int
	consumed int64
	err      error // of the source, after the lines of this task
}

func (r *textReader) run(workers int) error {
	r.ready = sync.NewCond(&r.turn)
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(r.work)
	}
	r.work()
	group.Wait()
	return r.err
}

func (r *textReader) work() {
	task := new(textTask)
	for r.take(task) {
		if task.bad == nil {
			task.parse(&r.rules)
		}
		if !r.append(task) {
			return
		}
	}
}

// take fills task with the next whole lines of the input.
func (r *textReader) take(task *textTask) bool {
	r.input.Lock()
	defer r.input.Unlock()
	if r.ended {
		return false
	}
	task.number, task.err, task.bad = r.taken, nil, nil
	r.taken++
	if need := max(r.chunk, len(r.carry)) + decimal.Pad; len(task.text) < need {
		task.text = make([]byte, need)
	}
	n := copy(task.text, r.carry)
	cut := 0
	for cut == 0 && !r.ended {
		if n > r.maxLine {
			task.end, r.ended = 0, true
			task.lines, task.firstLine = 0, 0
			task.bad = &FormatError{Line: 1, Message: fmt.Sprintf("the line is longer than %d bytes, more than a row may have: are the ends of lines missing?", r.maxLine)}
			return true
		}
		if n+decimal.Pad >= len(task.text) {
			task.text = append(task.text, make([]byte, len(task.text))...)
		}
		from := n
		n, task.err = readFull(r.source, task.text[:len(task.text)-decimal.Pad], n)
		r.ended = task.err != nil
		cut = from + bytes.LastIndexByte(task.text[from:n], '\n') + 1
		if cut == from {
			cut = 0
		}
	}
	if task.err == io.EOF {
		task.err = nil
		if cut < n {
			task.text[n] = '\n'
			cut = n + 1
			n++
		}
	}
	task.end, task.consumed = cut, r.consumed()
	r.carry = append(r.carry[:0], task.text[cut:n]...)
	return true
}

// readFull reads until b is full or the source ends.
func readFull(source io.Reader, b []byte, n int) (int, error) {
	for idle := 0; n < len(b); {
		m, err := source.Read(b[n:])
		n += m
		if err != nil {
			return n, err
		}
		if idle++; m > 0 {
			idle = 0
		} else if idle > 100 {
			return n, io.ErrNoProgress
		}
	}
	return n, nil
}

// append waits for the task's turn and adds its rows; it returns whether to go
// on.
func (r *textReader) append(task *textTask) bool {
	r.turn.Lock()
	defer r.turn.Unlock()
	for r.commit != task.number && r.err == nil {
		r.ready.Wait()
	}
	if r.err != nil {
		return false
	}
	r.err = r.add(task)
	r.commit++
	r.ready.Broadcast()
	return r.err == nil
}

func (r *textReader) add(task *textTask) error {
	bad := task.bad
	if task.firstLine > 0 && (r.before || r.store.Rows() > 0) && task.firstQuery != (r.queried || len(r.query) > 0) {
		bad = &FormatError{Line: int64(task.firstLine), Column: task.firstColumn, Message: mixedQuery}
	}
	if task.firstLine > 0 && (r.before || r.store.Rows() > 0) && task.words.used != r.words.used {
		bad = &FormatError{Line: int64(task.firstLine), Column: 1, Message: mixedLabels(task.words.used, task.words.first)}
	}
	if bad != nil {
		bad.Name = r.name
		bad.Line += r.lines
		return bad
	}
	r.lines += task.lines
	r.dropped += task.dropped
	rows, entries := len(task.labels), len(task.columns)
	r.expect(r.store.Rows()+rows, int(r.store.Entries())+entries, task)
	if err := r.store.Append(task.lengths, task.columns, task.values, task.sum); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	if rows > 0 && task.words.used {
		r.words.used = true
		for k, label := range task.labels {
			task.labels[k] = r.words.label([]byte(task.words.names[int(label)]))
		}
	}
	var err error
	if r.labels, err = memory.Grow("the labels", r.labels, rows, r.store.Wanted()); err == nil && len(task.query) > 0 {
		r.query, err = memory.Grow("the groups of rows", r.query, rows, r.store.Wanted())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	r.labels, r.query = append(r.labels, task.labels...), append(r.query, task.query...)
	if r.progress != nil {
		r.progress(task.consumed, int64(r.store.Rows()))
	}
	if task.err != nil {
		return &streamError{task.err, r.lines}
	}
	return nil
}

// expect extrapolates the final size from what has been read so far. Memory is
// only reserved by it, so it leans to the large side where pages that are never
// touched are never committed.
func (r *textReader) expect(rows, entries int, task *textTask) {
	factor := 8.0
	if r.total > 0 {
		factor = 1.0
		if task.consumed < r.total {
			factor = float64(r.total) / float64(max(task.consumed, 1))
			if bits.UintSize == 64 {
				factor *= 1.5
			} else {
				factor *= 1.05
			}
		}
		if !r.exact {
			factor = min(factor, 64)
		}
	} else if bits.UintSize == 32 {
		factor = 1
	}
	r.store.Expect(int(float64(rows)*factor), int(float64(entries)*factor))
}

// streamError is a failure of the source after the given number of lines.
type streamError struct {
	err   error
	lines int64
}

func (e *streamError) Error() string { return e.err.Error() }
