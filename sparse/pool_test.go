package sparse

import (
	"runtime"
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
		p := NewPool(workers)
		if p.Workers() != workers {
			t.Errorf("%d workers, want %d", p.Workers(), workers)
		}
		for round := range 3000 {
			task := &tallyTask{seen: make([]atomic.Int32, round%23)}
			if round%500 == 0 {
				task.pause = 200 * time.Microsecond
				time.Sleep(time.Millisecond) // so that helpers fall asleep
			}
			p.Run(len(task.seen), task)
			for i := range task.seen {
				if n := task.seen[i].Load(); n != 1 {
					t.Fatalf("%d workers, round %d: block %d ran %d times", workers, round, i, n)
				}
			}
		}
		p.Close()
		task := &tallyTask{seen: make([]atomic.Int32, 3)}
		p.Run(3, task)
		if task.seen[2].Load() != 1 {
			t.Error("a closed pool did not run the blocks")
		}
		p.Close()
	}
}

func TestPoolEndsItsGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		NewPool(4).Close()
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait > 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestPoolBoundsWorkers(t *testing.T) {
	p := NewPool(1 << 30)
	defer p.Close()
	if p.Workers() != matrix.MaxWorkers {
		t.Errorf("%d workers", p.Workers())
	}
}
