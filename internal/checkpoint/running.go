package checkpoint

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/solvers"
)

// Running holds the states of subruns, runs that are parts of a larger run such as the fits of a
// path, until they end: the checkpoint of the larger run holds them. A subrun is found by its
// number, and may have subruns itself. A nil Running holds nothing.
type Running struct {
	change  func(func()) // of the larger run: makes a change, and saves it where that is due
	every   time.Duration
	saved   []byte
	live    func(*Coder) // visits what saved is made of
	subruns map[int]*Running
}

// NewRunning returns one for a larger run that changes its state by the function change, which
// admits one change at a time. Its parts are saved after every such duration.
func NewRunning(every time.Duration, change func(func())) *Running {
	return &Running{change: change, every: every}
}

// Change makes a change of the larger run's state.
func (r *Running) Change(change func()) { r.change(change) }

type runningKey struct{}

// place is the larger run that the runs of a context belong to. Runs that take it one after the
// other are subruns 0, 1 and so on.
type place struct {
	within *Running
	next   atomic.Int64
}

func placeOf(ctx context.Context) *place {
	at, _ := ctx.Value(runningKey{}).(*place)
	return at
}

// Context returns a context whose runs are subruns of r, or independent runs if r is nil.
func (r *Running) Context(ctx context.Context) context.Context {
	if r != nil {
		return context.WithValue(ctx, runningKey{}, &place{within: r})
	}
	if placeOf(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, runningKey{}, (*place)(nil))
}

// InSubrun returns a context whose runs are subruns of subrun k, if the runs of ctx are subruns.
func InSubrun(ctx context.Context, k int) context.Context {
	at := placeOf(ctx)
	if at == nil {
		return ctx
	}
	return at.within.subrun(k).Context(ctx)
}

// DropSubrun forgets subrun k of the run that ctx belongs to. Call it within a Change.
func DropSubrun(ctx context.Context, k int) {
	if at := placeOf(ctx); at != nil {
		delete(at.within.subruns, k)
	}
}

// NextSubrun returns the place of the next run of ctx, nil if it is part of no larger run.
func NextSubrun(ctx context.Context) *Running {
	at := placeOf(ctx)
	if at == nil {
		return nil
	}
	return at.within.subrun(int(at.next.Add(1) - 1))
}

func (r *Running) subrun(k int) (subrun *Running) {
	r.change(func() {
		if r.subruns == nil {
			r.subruns = make(map[int]*Running)
		}
		if r.subruns[k] == nil {
			r.subruns[k] = NewRunning(r.every, r.change)
		}
		subrun = r.subruns[k]
	})
	return subrun
}

// Live restores what state visits, if a run of this identity saved it, and visits it whenever the
// larger run is saved. Everything that state visits may be changed by Change alone.
func (r *Running) Live(identity Identity, state func(*Coder)) error {
	live := func(c *Coder) {
		if identity.state(c); c.Err() == nil {
			state(c)
		}
	}
	if r.saved != nil {
		if err := Decode(r.saved, live); err != nil && !errors.Is(err, errAnother) {
			return err
		}
	}
	r.Change(func() { r.live = live })
	return nil
}

const (
	deepestSubrun = 8       // parts of parts
	mostRunning   = 1 << 30 // numbers of parts
)

// State visits the states of all runs that have not ended.
func (r *Running) State(c *Coder) { r.state(c, 0) }

func (r *Running) state(c *Coder, depth int) {
	if depth > deepestSubrun {
		c.Fail(errors.New("runs within runs without end"))
		return
	}
	text := string(r.saved)
	if r.live != nil && !c.Restoring() {
		text = string(Encode(r.live))
	}
	if c.Text(&text); c.Restoring() && text != "" {
		r.saved = []byte(text)
	}
	numbers := slices.Sorted(maps.Keys(r.subruns))
	count := len(numbers)
	c.Count(&count, mostRunning)
	for i := 0; i < count && c.Err() == nil; i++ {
		k := 0
		if !c.Restoring() {
			k = numbers[i]
		}
		c.Count(&k, mostRunning)
		subrun := r.subruns[k]
		if c.Restoring() {
			subrun = r.subrun(k)
		}
		subrun.state(c, depth+1)
	}
}

// OpenSubrun returns a checkpoint that is Within subrun.
func OpenSubrun(subrun *Running, identify func() (Identity, error), state func(*Coder)) (*File, error) {
	c := &File{state: state}
	return c, c.Within(subrun, identify)
}

// Within makes c the checkpoint of a subrun, and restores its saved state. Its state goes into the
// checkpoint of the larger run. identify returns the run's identity; it is called when something is
// saved or restored. If subrun is nil, nothing changes.
func (c *File) Within(subrun *Running, identify func() (Identity, error)) error {
	if subrun == nil || identify == nil {
		return nil
	}
	c.within, c.identify, c.every = subrun, identify, subrun.every
	c.next = time.Now().Add(c.every)
	if subrun.saved == nil {
		return nil
	}
	identity, err := identify()
	if err != nil {
		return err
	}
	err = readCheckpoint(subrun.saved, &identity, c.state)
	if errors.Is(err, errAnother) {
		return nil // a run that did not come to its end before this one
	}
	if err != nil {
		return errors.Join(solvers.ErrResume, err)
	}
	return nil
}

// saveWithin gives the state to the larger run.
func (c *File) saveWithin() error {
	identity, err := c.identify()
	if err != nil {
		return err
	}
	var out sizedBuffer
	for range 2 { // first for its size
		if err := writeCheckpoint(&out, identity, c.state); err != nil {
			return err
		}
		out.made()
	}
	c.within.Change(func() { c.within.saved = out.bytes })
	return nil
}

// sizedBuffer counts what is written to it, and then holds it.
type sizedBuffer struct {
	size  int
	bytes []byte
}

func (b *sizedBuffer) made() {
	if b.bytes == nil {
		b.bytes = make([]byte, 0, b.size)
	}
}

func (b *sizedBuffer) Write(p []byte) (int, error) {
	if b.bytes == nil {
		b.size += len(p)
	} else {
		b.bytes = append(b.bytes, p...)
	}
	return len(p), nil
}
