package related

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestEachSharesTheWorkers: fits that run side by side have all workers between them, the
// last ones too, where they are fewer.
func TestEachSharesTheWorkers(t *testing.T) {
	for _, c := range []struct {
		workers int
		shares  []int
	}{
		{1, []int{1, 1, 1}}, {2, []int{1, 1, 1, 1, 2}}, {2, []int{1, 1}}, {2, []int{2}}, {5, []int{3, 2}},
		{4, []int{1, 1, 1, 1, 2, 2}}, {4, []int{1, 1, 1, 1, 4}}, {4, []int{1, 1, 1, 1, 2, 1, 1}}, {3, []int{1, 1, 1, 2, 1}},
	} {
		var mu sync.Mutex
		got := make([]int, len(c.shares))
		if err := each(context.Background(), c.workers, len(c.shares), func(_ context.Context, k, workers int) error {
			mu.Lock()
			defer mu.Unlock()
			got[k] = workers
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for k, want := range c.shares {
			if got[k] != want {
				t.Errorf("%d workers, %d fits: fit %d has %d, not %d", c.workers, len(c.shares), k, got[k], want)
			}
		}
	}
}

// TestEachEndsOthers: a panic ends the fits beside it. The caller does not wait until they are
// done.
func TestEachEndsOthers(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(2)
	defer func() {
		if recover() == nil {
			t.Error("the panic is lost")
		}
	}()
	each(context.Background(), 2, 2, func(ctx context.Context, k, _ int) error {
		begun.Done()
		if begun.Wait(); k == 0 {
			panic("one of two")
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
			t.Error("the other fit goes on")
		}
		return ctx.Err()
	})
}

// TestClassBlocks: blocks hold at most blockClasses, and two workers have as many.
func TestClassBlocks(t *testing.T) {
	for count := 2; count < 300; count++ {
		blocks := classBlocks(count)
		most := (count + blocks - 1) / blocks
		if most > blockClasses || count >= classesToShare && blocks%2 != 0 || blocks > count/2 {
			t.Errorf("%d classes: %d blocks, of up to %d", count, blocks, most)
		}
	}
}

// TestByClass: counting leaves rows in the order in which sorting does, which large classes
// take.
func TestByClass(t *testing.T) {
	order, class := make([]uint32, 1000), make([]uint32, 1000)
	for i := range order {
		order[i], class[i] = uint32(i*7%1000), uint32(i*i%13)
	}
	counted := byClass(slices.Clone(order), class)
	for i := range class {
		class[i] += math.MaxUint32 - 12
	}
	if sorted := byClass(order, class); !slices.Equal(counted, sorted) {
		t.Errorf("counted: %v, sorted: %v", counted, sorted)
	}
	if got := byClass(nil, nil); len(got) != 0 {
		t.Errorf("no rows: %v", got)
	}
}
