package sparse

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/matrix"
)

type tallyTask struct {
	seen  []atomic.Int32
	pause time.Duration
}

func (t *tallyTask) Block(i int) {
	t.seen[i].Add(1)
	if t.pause > 0 {
		time.Sleep(t.pause)
	}
}

func TestPoolRunsEveryBlockOnce(t *testing.T) {
	for workers := 1; workers <= 5; workers++ {
		p := matrix.NewPool(workers)
		if p.Workers() != workers {
			t.Errorf("%d workers, want %d", p.Workers(), workers)
		}
		for round := range 3000 {
			task := &tallyTask{seen: make([]atomic.Int32, round%23)}
			if round%500 == 0 {
				task.pause = 200 * time.Microsecond
				time.Sleep(time.Millisecond) // so that helpers fall asleep
			}
			matrix.Run(p, len(task.seen), task)
			for i := range task.seen {
				if n := task.seen[i].Load(); n != 1 {
					t.Fatalf("%d workers, round %d: block %d ran %d times", workers, round, i, n)
				}
			}
		}
		p.Close()
		task := &tallyTask{seen: make([]atomic.Int32, 3)}
		matrix.Run(p, 3, task)
		if task.seen[2].Load() != 1 {
			t.Error("a closed pool did not run the blocks")
		}
		p.Close()
	}
}

func TestPoolEndsItsGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		matrix.NewPool(4).Close()
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait > 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestPoolBoundsWorkers(t *testing.T) {
	p := matrix.NewPool(1 << 30)
	defer p.Close()
	if p.Workers() != matrix.MaxWorkers {
		t.Errorf("%d workers", p.Workers())
	}
}

// TestPoolIsShared: products of several goroutines that share a pool have the bits of products
// without a pool. One goroutine closes the pool half-way.
func TestPoolIsShared(t *testing.T) {
	const n, d = 40000, 500
	b := NewBuilder(BuilderOptions{Columns: d})
	for i := range n {
		if err := b.AddRow([]int{i % 7, 10 + i%400, 450 + i%50}, []float64{1 / float64(i+1), 2, float64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	w, c := make([]float64, d), make([]float64, n)
	for j := range w {
		w[j] = 1 / float64(j+3)
	}
	for i := range c {
		c[i] = 1 / (float64(i) - 12333.5)
	}
	products := func(p *Pool) []float64 {
		scores, sums := make([]float64, n), make([]float64, d)
		if err := errors.Join(x.MulVec(p, scores, w), x.AddTrans(p, sums, c)); err != nil {
			t.Error(err)
		}
		return append(scores, sums...)
	}
	want := products(nil)
	p := NewPool(4)
	var all sync.WaitGroup
	for k := range 6 {
		all.Go(func() {
			for round := range 30 {
				if k == 0 && round == 15 {
					p.Close()
				}
				if got := products(p); !slices.Equal(got, want) {
					t.Errorf("goroutine %d, round %d: other bits than without a pool", k, round)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestPoolWithinItself: a block may use the pool that it runs in.
func TestPoolWithinItself(t *testing.T) {
	p := matrix.NewPool(3)
	defer p.Close()
	inner := &tallyTask{seen: make([]atomic.Int32, 5)}
	matrix.Run(p, 20, blockFunc(func(int) { matrix.Run(p, len(inner.seen), inner) }))
	for i := range inner.seen {
		if n := inner.seen[i].Load(); n != 20 {
			t.Errorf("block %d ran %d times, not 20", i, n)
		}
	}
}

type blockFunc func(int)

func (f blockFunc) Block(i int) { f(i) }
