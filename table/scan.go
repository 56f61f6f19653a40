package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/parquet"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// format reads the rows of a file in one pass.
type format interface {
	// take fills p with the next rows as they stand in the file, or returns io.EOF behind the
	// last ones. One goroutine calls it at a time.
	take(p *part) error
	// cells cuts the rows of a part into cells, and sets p.places. Several goroutines call it at
	// once, with parts of their own. Malformed rows go to b.bad; an error ends the pass.
	cells(p *part, b *block) error
	// close ends the pass. No other call is under way, and none follows.
	close() error
}

// part is what a worker takes from a file.
type part struct {
	// text holds whole lines in its first end bytes, and pad bytes more.
	text []byte
	end  int
	// rows are the rows from first to last-1 of a file without lines.
	first, last int64
	// pages hold these rows of a Parquet file.
	pages parquet.Rows
	// places is the number of lines, or rows, of the part; before of them stand before its text.
	places int64
	before uint32
	// marks is a workspace of cells.
	marks []uint32
}

// task is a part with its place among all parts.
type task[T any] struct {
	part
	in     format
	over   []format // files before, whose rows were all taken; closed when the task is committed
	block  block
	own    T
	number int
	cut    int // bad rows, which are not among the rows of block
	file   int
	err    error
}

// pass is one pass of several workers over all files of a source.
type pass[T any] struct {
	s       *Source
	ctx     context.Context
	columns []int
	work    func(*T, *block) error
	commit  func(*T, *block) error

	input sync.Mutex // held by the worker that takes
	in    format     // of the file that is read, nil between two files
	begun int        // files
	over  []format   // files whose rows were all taken, until a task has them
	taken int
	ended bool

	turn   sync.Mutex
	ready  *sync.Cond
	next   int // task whose turn it is
	err    error
	rows   int64
	at     int // file of the task before
	place  int64
	bad    int
	cut    int64    // bad rows, which rows does not count
	first  error    // the first bad row
	hashes [2]noted // lines that begin with #
	nested []noted  // arrays in the wanted columns
	filled []bool   // files with rows
	panics panics.Catcher
}

// scan reads the wanted columns of all rows of a source. Each worker has a T of its own: work
// takes the cells of a block into it, on several goroutines; commit, which may be nil, is called
// with it in the order of the rows. scan returns all T. The first error in the order of the rows
// ends it, and ctx once it is done.
func scan[T any](ctx context.Context, s *Source, columns []int, work, commit func(*T, *block) error) ([]*T, error) {
	p := &pass[T]{s: s, ctx: contexts.Given(ctx), columns: columns, work: work, commit: commit, filled: make([]bool, len(s.files))}
	p.ready = sync.NewCond(&p.turn)
	tasks := make([]*task[T], s.workers())
	own := make([]*T, len(tasks))
	var group sync.WaitGroup
	for k := range tasks {
		tasks[k] = new(task[T])
		own[k] = &tasks[k].own
		group.Go(func() {
			if !p.panics.Do(func() { p.run(tasks[k]) }) {
				p.end(errors.New("a worker ended"))
			}
		})
	}
	group.Wait()
	if p.in != nil {
		p.over = append(p.over, p.in)
	}
	for _, t := range tasks {
		p.over = append(p.over, t.over...)
	}
	if p.err == nil {
		p.err = p.noteBad()
	}
	p.err = errors.Join(p.err, closeAll(p.over))
	p.panics.Repeat()
	if p.err == nil {
		s.noteLines(p.hashes, p.rows)
		s.noteEmpty(p.filled)
		s.noteNested(columns, p.nested, p.rows)
	}
	return own, p.err
}

func closeAll(files []format) (err error) {
	for _, f := range files {
		err = errors.Join(err, f.close())
	}
	return err
}

// workers is the number of goroutines of a pass.
func (s *Source) workers() int {
	workers := s.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return min(workers, matrix.MaxWorkers)
}

// end ends the pass by an error.
func (p *pass[T]) end(err error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.ready.Broadcast()
}

func (p *pass[T]) run(t *task[T]) {
	for p.take(t) {
		t.block.clear(len(p.columns))
		t.cut = 0
		if t.err == nil {
			if t.err = t.in.cells(&t.part, &t.block); t.err == nil {
				t.cut = len(t.block.bad)
				t.err = p.work(&t.own, &t.block)
			}
		}
		if !p.append(t) {
			return
		}
	}
}

// take fills t with the next rows of the files. It returns false behind the last ones.
func (p *pass[T]) take(t *task[T]) bool {
	p.input.Lock()
	defer p.input.Unlock()
	if p.ended {
		return false
	}
	t.in, t.places, t.number = nil, 0, p.taken
	p.taken++
	t.err = io.EOF
	for t.err == io.EOF {
		if t.err = contexts.Err(p.ctx); t.err == nil && p.in == nil {
			if p.begun == len(p.s.files) {
				p.ended = true
				return false
			}
			var in format
			if in, t.err = p.s.begin(p.ctx, p.begun, p.columns); t.err == nil {
				p.in = in
				p.begun++
			}
		}
		if t.err == nil {
			t.in, t.file = p.in, p.begun-1
			t.err = t.in.take(&t.part)
		}
		if t.err == io.EOF {
			p.over, p.in = append(p.over, p.in), nil
		}
	}
	t.over, p.over = p.over, nil
	p.ended = t.err != nil
	return true
}

// append waits for the turn of t and commits it; it returns whether to go on.
func (p *pass[T]) append(t *task[T]) bool {
	p.turn.Lock()
	defer p.turn.Unlock()
	for p.next != t.number && p.err == nil {
		p.ready.Wait()
	}
	if p.err != nil {
		return false
	}
	p.err = p.add(t)
	p.next++
	p.ready.Broadcast()
	return p.err == nil
}

func (p *pass[T]) add(t *task[T]) error {
	if t.in == nil {
		return t.err
	}
	if p.at < t.file {
		p.at, p.place = t.file, 0
	}
	over := t.over
	t.over = nil
	if err := closeAll(over); err != nil {
		return err
	}
	b := &t.block
	b.first, b.place = p.rows, p.place
	if err := memory.Check(p.s.files[t.file].name, partBytes, 1); err != nil {
		return err
	}
	if t.err == nil && p.commit != nil {
		t.err = p.commit(&t.own, b)
	}
	// work may have refused rows before rows that the format refused.
	slices.SortStableFunc(b.bad, func(x, y badRow) int { return cmp.Compare(x.place, y.place) })
	for _, bad := range b.bad {
		if p.bad++; p.bad > p.s.options.BadRows && p.s.options.BadShare == 0 {
			bad.message += leaveOut
			return p.s.trouble(t.file, p.place+int64(bad.place), bad)
		}
		err := p.s.trouble(t.file, p.place+int64(bad.place), bad)
		if p.first == nil {
			p.first = err
		}
		if p.s.options.Skipped != nil {
			p.s.options.Skipped(err)
		}
	}
	var bad *badRow
	if errors.As(t.err, &bad) {
		return p.s.trouble(t.file, p.place+int64(bad.place), *bad)
	}
	if t.err != nil {
		return t.err
	}
	for k, h := range b.hashes {
		p.hashes[k].add(p.s, t.file, p.place, h)
	}
	for k, n := range b.nested {
		if p.nested == nil {
			p.nested = make([]noted, b.width)
		}
		p.nested[k].add(p.s, t.file, p.place, n)
	}
	p.filled[t.file] = p.filled[t.file] || b.rows > 0
	p.rows += int64(b.rows)
	p.cut += int64(t.cut)
	p.place += t.places
	if p.s.options.Progress != nil {
		p.s.options.Progress(p.s.read.Load(), p.rows)
	}
	return nil
}

// noteBad notes the malformed rows of a pass, or refuses them if they are more than their share.
func (p *pass[T]) noteBad() error {
	if p.bad == 0 {
		return nil
	}
	share, rows := p.s.options.BadShare, p.rows+p.cut
	if p.bad > p.s.options.BadRows && float64(p.bad) > share*float64(rows) {
		return &sparse.FormatError{Name: p.s.files[0].name, Message: fmt.Sprintf("%s of %s rows are malformed, more than %g %%; the first one: %v",
			notes.Grouped(int64(p.bad)), notes.Grouped(rows), 100*share, p.first)}
	}
	p.s.notes.Set(notes.Note{Kind: notes.Malformed, Count: int64(p.bad), Of: rows, Then: fmt.Sprintf("left out, the first one: %v", p.first)})
	return nil
}

// ParseBadRows reads how many rows may be malformed: a whole number, or a share as in 1% or 0.5%.
func ParseBadRows(text string) (rows int, share float64, err error) {
	if number, found := strings.CutSuffix(text, "%"); found {
		share, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil && share >= 0 && share <= 100 {
			return 0, share / 100, nil
		}
	} else if rows, err = strconv.Atoi(text); err == nil && rows >= 0 {
		return rows, 0, nil
	}
	return 0, 0, fmt.Errorf("%q bad rows: want a whole number from 0 on, or a share from 0%% to 100%%", text)
}

// partBytes is about what a part takes until the next one.
const partBytes = 1 << 20

// leaveOut says at the end of an error how to go on without malformed rows.
const leaveOut = "; --bad-rows N leaves out up to N such rows, or a share as 1% (Options.BadRows)"

// trouble is the error of a bad row at a place of a file, from 0 on.
func (s *Source) trouble(file int, place int64, bad badRow) error {
	e := &sparse.FormatError{Name: s.files[file].name, Line: place + 1, Column: bad.at, Message: bad.message}
	if !s.lines {
		e.Line, e.Column, e.Message = 0, 0, fmt.Sprintf("row %d: %s", place+1, bad.message)
	}
	return e
}
