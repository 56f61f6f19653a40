package table

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/notes"
)

// budget bounds the bytes of vocabularies.
type budget struct {
	most int64
	used atomic.Int64
}

// vocabularyBytes returns how many bytes vocabularies may take: most, or a quarter of the free
// memory where most is 0.
func vocabularyBytes(most int64) int64 {
	if most > 0 {
		return most
	}
	if free, known := memory.Available(); known {
		return free / 4
	}
	return math.MaxInt64
}

// vocabulary counts the values or words of a column for all workers. Workers count in counters
// of a bounded size, which they flush into it, so that a key stands in memory about once.
type vocabulary struct {
	column string
	noun   string // what the keys are
	most   int    // keys; 0 means any number
	budget *budget
	// given says that the vocabulary has too many keys or takes too much memory, and counts no
	// more. err says why, once all workers have ended.
	given atomic.Bool
	err   error
	// tooMany says that it has more than most keys.
	tooMany bool

	mutex  sync.Mutex
	keys   dictionary
	counts []int64
}

// keyCounter counts keys for one worker: in how many documents each occurs.
type keyCounter struct {
	into      *vocabulary
	most      int // keys, before it is flushed
	document  int64
	keys      dictionary
	counts    []int64
	documents []int64 // the last document with each key
}

// newCounter returns a counter for one of several workers.
func newCounter(into *vocabulary, workers int) *keyCounter {
	return &keyCounter{into: into, most: max(1<<10, 1<<16/workers)}
}

// add counts a key in the present document, which stands for n documents.
func (c *keyCounter) add(key []byte, n int64) {
	k := c.keys.add(key)
	if k == len(c.counts) {
		c.counts, c.documents = append(c.counts, n), append(c.documents, c.document)
	} else if c.documents[k] != c.document {
		c.counts[k] += n
		c.documents[k] = c.document
	}
}

// next begins another document.
func (c *keyCounter) next() {
	c.document++
	if c.keys.len() > c.most || len(c.keys.text) > 32*c.most {
		c.flush()
	}
}

// flush moves the counts to the vocabulary.
func (c *keyCounter) flush() {
	v := c.into
	v.mutex.Lock()
	defer v.mutex.Unlock()
	before := v.keys.size()
	for k := range c.keys.len() {
		if v.given.Load() {
			break
		}
		if i := v.keys.add(c.keys.key(k)); i < len(v.counts) {
			v.counts[i] += c.counts[k]
		} else {
			v.counts = append(v.counts, c.counts[k])
			v.check(&before)
		}
	}
	c.keys.clear()
	c.counts, c.documents = c.counts[:0], c.documents[:0]
}

// check gives the vocabulary up if its newest key was too much. before is its size in the budget.
func (v *vocabulary) check(before *int64) {
	size, count := v.keys.size(), v.keys.len()
	used := v.budget.used.Add(size - *before)
	*before = size
	switch {
	case v.most > 0 && count > v.most:
		v.tooMany = true
	case used > v.budget.most:
		v.err = overfull(v.column, v.noun, count, size, v.budget.most)
	default:
		return
	}
	v.given.Store(true)
	v.budget.used.Add(-size)
	v.keys, v.counts = dictionary{}, nil
}

// overfull is the error of a vocabulary that takes too much memory.
func overfull(column, noun string, count int, size, most int64) error {
	return fmt.Errorf("column %q has at least %s %s, which take %s: vocabularies may take %s (Wanted.MaxMemory); hash them with --hash 22 (Wanted.Hash)",
		column, notes.Grouped(int64(count)), noun, memory.Text(size), memory.Text(most))
}
