package erm

import (
	"context"
	"errors"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestNeeds: with the least memory a run goes, and reads its rows in every pass; with one byte less it is
// refused. With the memory of all rows it reads them once, with less it does not. Processes are refused with as
// much as Needs says.
func TestNeeds(t *testing.T) {
	repeat.Skip(t)
	ctx := context.Background()
	c := streamed(t, "onehot:n=200000,d=400", loss.Logistic{})
	least, whole, err := c.p.Needs(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if alone := need(t, c.p, solvers.Settings{Workers: 1}); least != alone {
		t.Errorf("a run needs %d bytes, the plan says %d", alone, least)
	}
	read := func(memory int64) int64 {
		p := *c.p
		p.Memory = memory
		before, _ := p.Rows.Progress()
		if _, err := SolveStreamed(ctx, &p, Newton{}, solvers.Settings{Workers: 1, MaxEpochs: 5}); err != nil {
			t.Fatalf("%d bytes: %v", memory, err)
		}
		after, _ := p.Rows.Progress()
		return after - before
	}
	n := int64(c.p.Rows.Rows())
	if got := read(whole); got > n+n/50 {
		t.Errorf("with %d bytes %d rows were read, of %d", whole, got, n)
	}
	if got := read(whole - (whole-least)/4); got < n+n/5 {
		t.Errorf("with three quarters of that memory %d rows were read, of %d", got, n)
	}
	if got := read(least); got < 4*n {
		t.Errorf("with the least memory %d rows were read, of %d", got, n)
	}

	most := int64(0)
	two, half, err := c.p.Needs(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	shardstest.Run(2, func(ranks solvers.Ranks) error {
		p, short := *c.p, new(MemoryError)
		p.Memory = 1
		if _, _, err := p.open(solvers.Settings{Shards: p.Shards(), Workers: 1, Ranks: ranks}); !errors.As(err, &short) {
			t.Errorf("error %v", err)
		}
		ranks.Max(nil)
		if ranks.Rank() == 0 {
			most = short.Need
		}
		return nil
	})
	if two < most {
		t.Errorf("one of two processes needs %d bytes, the plan says %d", most, two)
	}
	if half-two > (whole-least)*6/10 || half-two < (whole-least)*4/10 {
		t.Errorf("the rows of one process take %d bytes, of one of two %d", whole-least, half-two)
	}
	for _, processes := range []int{0, -1, c.p.Shards() + 1} {
		if _, _, err := c.p.Needs(processes, 1); err == nil {
			t.Errorf("%d processes were planned", processes)
		}
	}
	if _, _, err := (*Streamed)(nil).Needs(1, 1); err == nil {
		t.Error("no problem was planned")
	}
}
