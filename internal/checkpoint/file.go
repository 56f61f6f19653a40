// Package checkpoint saves and restores the state of runs: what tells runs apart, the file, and
// the states of runs that are parts of a larger one.
package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// A write that failed is tried again after CheckpointEvery, within these bounds.
const (
	soonestRetry = time.Second
	latestRetry  = 30 * time.Second
)

// File is the file that a run saves its state to, from its beginning to its
// end. While it is open no other run, of this process or another one, can open it:
// the file beside it whose name ends in .lanes-lock is locked, which ends with the
// process, however that ends. Systems without such locks do without. The zero value saves
// nothing.
type File struct {
	path     string // "" saves nothing
	identity Identity
	state    func(*Coder)
	every    time.Duration
	next     time.Time
	warn     func(error)
	warned   string // of what, since the last success
	unlock   func()

	// Of a run that is part of a larger one, whose checkpoint holds its state.
	within   *Running
	identify func() (Identity, error)
}

// Open restores the state from Settings.Resume, where that is set, and
// makes ready to save it to Settings.Checkpoint, where that is. Close ends it.
func Open(s *solvers.Settings, identity Identity, state func(*Coder)) (*File, error) {
	c := &File{path: s.Checkpoint, identity: identity, state: state, every: s.CheckpointEvery, warn: s.Warn}
	if c.path != "" {
		if err := c.lock(); err != nil {
			return nil, err
		}
		if err := Check(s); err != nil {
			c.Close()
			return nil, err
		}
	}
	if s.Resume != "" {
		if err := c.load(s.Resume, s.Ranks); err != nil {
			c.Close()
			return nil, fmt.Errorf("solvers: %w from %s: %w", solvers.ErrResume, s.Resume, err)
		}
	}
	c.next = time.Now().Add(c.every)
	return c, nil
}

// lock keeps other runs from the file. A system or a directory that has no locks
// is no reason not to run.
func (c *File) lock() error {
	path := c.path
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	path, err := aside.Target(path)
	if err != nil {
		return fmt.Errorf("solvers: checkpoint %w", err)
	}
	unlock, err := lockFile(path + lockSuffix)
	switch {
	case errors.Is(err, solvers.ErrCheckpointInUse):
		return fmt.Errorf("solvers: checkpoint %s: %w", c.path, err)
	case err != nil:
		c.tell(fmt.Errorf("solvers: checkpoint %s is not locked against other runs: %w", c.path, err))
	default:
		c.unlock = unlock
		aside.Clean(path)
	}
	return nil
}

const lockSuffix = ".lanes-lock"

// Check tells whether the file to save to is there and may not be replaced.
func Check(s *solvers.Settings) error {
	info, err := os.Stat(s.Checkpoint)
	if s.Checkpoint == "" || s.Overwrite || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if from, err := os.Stat(s.Resume); s.Resume != "" && err == nil && os.SameFile(info, from) {
		return nil
	}
	return fmt.Errorf("solvers: checkpoint %s: %w", s.Checkpoint, solvers.ErrCheckpointExists)
}

func (c *File) load(path string, ranks solvers.Ranks) error {
	data, err := readShared(path, ranks)
	if err != nil {
		return err
	}
	return readCheckpoint(data, &c.identity, c.state)
}

// mostHead is more than a run's identity takes in a file.
const mostHead = 1 << 20

// StartSaved tells whether a checkpoint is of a run that began at a given point. What may be
// wrong with the file is for load to say.
func StartSaved(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	const before = len(checkpointMagic) + 8 // with the version
	head, err := io.ReadAll(io.LimitReader(file, mostHead))
	if err != nil || len(head) < before {
		return false
	}
	_, found := Identity(nil).properties(&Coder{rest: head[before:]}).value(startProperty)
	return found
}

var errNoFile = errors.New("it is not a regular file")

// readShared reads a file, of several ranks on the first, which gives it to the others.
func readShared(path string, ranks solvers.Ranks) (data []byte, err error) {
	if ranks == nil || ranks.Rank() == 0 {
		if info, wrong := os.Stat(path); wrong == nil && !info.Mode().IsRegular() {
			err = errNoFile // to read a pipe may take for ever
		} else {
			data, err = os.ReadFile(path)
		}
		var named *os.PathError
		if errors.As(err, &named) {
			err = named.Err
		}
	}
	if ranks == nil || ranks.Size() == 1 {
		return data, err
	}
	if err := shards.Agree(ranks, err); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	if err := ranks.Broadcast(length); err != nil {
		return nil, err
	}
	if ranks.Rank() > 0 {
		data = make([]byte, binary.LittleEndian.Uint64(length))
	}
	return data, ranks.Broadcast(data)
}

// Due tells whether it is time to save.
func (c *File) Due() bool {
	return (c.path != "" || c.within != nil) && !time.Now().Before(c.next)
}

// Try saves the state. A failure goes to Settings.Warn, once for each kind until a
// save succeeds, and the next try is due before long.
func (c *File) Try() {
	wait := c.every
	if err := c.Save(); err != nil {
		c.tell(err)
		wait = min(max(wait, soonestRetry), latestRetry)
	} else {
		c.warned = ""
	}
	c.next = time.Now().Add(wait)
}

func (c *File) tell(err error) {
	if c.warn != nil && err.Error() != c.warned {
		c.warned = err.Error()
		c.warn(err)
	}
}

// Save writes the file aside and renames it, so that the name always holds a whole
// checkpoint: the one before where this one fails. The state of a part of a larger run goes
// to that. Without a file it does nothing.
func (c *File) Save() error {
	if c.within != nil {
		return c.saveWithin()
	}
	if c.path == "" {
		return nil
	}
	err := aside.Write(c.path, func(w io.Writer) error { return writeCheckpoint(w, c.identity, c.state) })
	if err != nil {
		return fmt.Errorf("solvers: checkpoint %s: the run was not saved: %w", c.path, err)
	}
	return nil
}

// Close lets other runs have the file.
func (c *File) Close() {
	if c.unlock != nil {
		c.unlock()
		c.unlock = nil
	}
}
