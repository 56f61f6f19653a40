package shards_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n, d     int
		nonZeros int64
		want     int
	}{
		{1, 1, 1, 1}, {0, 0, 0, 1}, {1000, 10, 40, 1}, {1000, 10, 79, 1}, {1000, 10, 80, 2}, {1000, 10, 10239, 128},
		{1000, 10, 10240, 256}, {1000, 1, 1 << 40, 256}, {255, 1, 1 << 40, 128}, {256, 1, 1 << 40, 256},
		{1e9, 1e6, 40e9, 256}, {1e7, 1e6, 4e8, 64}, {math.MaxInt, math.MaxInt, math.MaxInt64, 1},
	} {
		if got := shards.Count(c.n, c.d, c.nonZeros); got != c.want {
			t.Errorf("%d rows, %d columns, %d non-zeros: %d shards, not %d", c.n, c.d, c.nonZeros, got, c.want)
		}
	}
}

func TestMost(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 2: 2, 3: 4, 4: 4, 5: 8, 500: 512, 512: 512, 513: 1024} {
		if got := shards.Most(n); got != want {
			t.Errorf("%d rows have %d shards at most, not %d", n, got, want)
		}
	}
}

// Cuts are whole, in order and even; so is what ranks own.
func TestCut(t *testing.T) {
	for _, n := range []int{0, 1, 7, 128, 1000, math.MaxInt} {
		for _, count := range []int{1, 2, 8, 256} {
			if shards.Cut(n, count, 0) != 0 || shards.Cut(n, count, count) != n {
				t.Errorf("%d rows in %d shards: from %d to %d", n, count, shards.Cut(n, count, 0), shards.Cut(n, count, count))
			}
			for v := range count {
				rows := shards.Cut(n, count, v+1) - shards.Cut(n, count, v)
				if rows < n/count || rows-n/count > 1 {
					t.Errorf("%d rows in %d shards: %d in shard %d", n, count, rows, v)
				}
			}
		}
	}
	for _, size := range []int{1, 2, 3, 7, 16, 40} {
		next := 0
		for rank := range size {
			first, end := shards.Owned(16, rank, size)
			if first != next || end < first {
				t.Errorf("rank %d of %d owns %d to %d after %d", rank, size, first, end, next)
			}
			next = end
		}
		if next != 16 {
			t.Errorf("%d ranks own %d shards of 16", size, next)
		}
	}
}

// tree is the definition: the sum of the halves of what is listed.
func tree(list [][]float64) []float64 {
	if len(list) == 1 {
		return slices.Clone(list[0])
	}
	left, right := tree(list[:len(list)/2]), tree(list[len(list)/2:])
	for j := range left {
		left[j] += right[j]
	}
	return left
}

// numbers is Rows of one number a row, in blocks of two pieces.
type numbers struct {
	shards.Memory
	slow   bool
	broken int // shard that cannot be loaded, -1 for none
	panics bool
}

func (r *numbers) Slow() bool { return r.slow }

func (r *numbers) Blocks(shard int) int {
	rows := shards.Cut(r.Rows(), r.Shards, shard+1) - shards.Cut(r.Rows(), r.Shards, shard)
	return (rows + 2*shards.Piece - 1) / (2 * shards.Piece)
}

func (r *numbers) Span(shard, block int) (first, end int) {
	first = shards.Cut(r.Rows(), r.Shards, shard) + 2*shards.Piece*block
	return first, min(first+2*shards.Piece, shards.Cut(r.Rows(), r.Shards, shard+1))
}

var errBroken = errors.New("the shard is broken")

func (r *numbers) Load(b *shards.Block, shard, block int) error {
	if shard == r.broken {
		if r.panics {
			panic(errBroken)
		}
		return errBroken
	}
	if err := r.Memory.Load(b, shard, 0); err != nil {
		return err
	}
	from := min(2*shards.Piece*block, len(b.Y))
	b.First, b.Row, b.Y = b.First+from, b.Row+from, b.Y[from:min(from+2*shards.Piece, len(b.Y))]
	if rand.IntN(4) == 0 {
		runtime.Gosched()
	}
	return nil
}

func newNumbers(t *testing.T, n, count int) *numbers {
	builder := sparse.NewBuilder(sparse.BuilderOptions{Columns: 1})
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Ldexp(rand.Float64()-0.5, rand.IntN(40))
		if err := builder.AddRow([]int{0}, []float64{1}); err != nil {
			t.Fatal(err)
		}
	}
	x, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &numbers{Memory: shards.Memory{X: x, Y: y, Shards: count}, broken: -1}
}

// add sums the numbers of a block in their order, and their count.
func add(_ int, b *shards.Block, node []float64) error {
	for from, to := range b.Pieces {
		for _, v := range b.Y[from:to] {
			node[0] += v
		}
	}
	node[1] += float64(len(b.Y))
	return nil
}

// TestSum: the sum has the bits of the definition, for any number of workers and processes,
// loaded ahead or not. The sum takes as few nodes as possible.
func TestSum(t *testing.T) {
	for _, count := range []int{1, 2, 16, 64} {
		rows := newNumbers(t, 40*shards.Piece+5, count)
		list := make([][]float64, count)
		for v := range list {
			node := make([]float64, 2)
			for i := shards.Cut(rows.Rows(), count, v); i < shards.Cut(rows.Rows(), count, v+1); i++ {
				node[0] += rows.Y[i]
				node[1]++
			}
			list[v] = node
		}
		want := tree(list)
		for _, workers := range []int{1, 2, 5} {
			for _, slow := range []bool{false, true} {
				for _, few := range []bool{false, true} {
					for _, size := range []int{1, 2, 3, 7, 70} {
						what := fmt.Sprintf("%d shards, %d workers, slow %t, few nodes %t, %d ranks", count, workers, slow, few, size)
						rows := *rows
						rows.slow = slow
						errs := shardstest.Run(size, func(ranks solvers.Ranks) error {
							pool := matrix.NewPool(workers)
							defer pool.Close()
							o := shards.Options{Shards: count, Ranks: ranks, Pool: pool}
							if few {
								o.NodeElements = 1
							}
							g := shards.NewGroup(&rows, o)
							for range 2 {
								got := []float64{7, 7}
								if err := g.Sum(got, add); err != nil {
									return err
								}
								if !slices.Equal(got, want) {
									return fmt.Errorf("%v, not %v", got, want)
								}
							}
							return nil
						})
						if err := errors.Join(errs...); err != nil {
							t.Fatalf("%s: %v", what, err)
						}
					}
				}
			}
		}
	}
}

// Blocks that Only excludes are not loaded, and the sum covers the other blocks.
func TestSumOnly(t *testing.T) {
	rows := newNumbers(t, 40*shards.Piece+5, 16)
	for _, slow := range []bool{false, true} {
		for what, needs := range map[string]func(first, end int) bool{
			"all": func(int, int) bool { return true }, "none": func(int, int) bool { return false },
			"half of a shard": func(first, end int) bool { return first%shards.Piece != 0 }, "the first": func(first, _ int) bool { return first == 0 },
		} {
			rows := *rows
			rows.slow = slow
			pool := matrix.NewPool(2)
			g := shards.NewGroup(&rows, shards.Options{Shards: 16, Pool: pool})
			g.Only(needs)
			want, got := 0.0, make([]float64, 2)
			for v := range 16 {
				for k := range rows.Blocks(v) {
					if first, end := rows.Span(v, k); needs(first, end) {
						want += float64(end - first)
					}
				}
			}
			if err := g.Sum(got, add); err != nil || got[1] != want {
				t.Errorf("%s, slow %t: %v rows, not %v, error %v", what, slow, got[1], want, err)
			}
			if g.Only(nil); g.Sum(got, add) != nil || got[1] != float64(rows.Rows()) {
				t.Errorf("%v rows once nothing is left out", got[1])
			}
			pool.Close()
		}
	}
}

// What fails, panics or is stopped ends every rank and leaves the destination alone. A panic
// is repeated on the caller's goroutine of its rank; nobody waits for its nodes, which are few.
func TestSumFails(t *testing.T) {
	rows := newNumbers(t, 40*shards.Piece, 16)
	for _, slow := range []bool{false, true} {
		for _, size := range []int{1, 3} {
			for _, workers := range []int{1, 3} {
				for _, kind := range []string{"load", "add", "stop", "load panics", "add panics"} {
					if kind == "stop" && size > 1 {
						continue
					}
					rows := *rows
					rows.slow = slow
					var asked atomic.Int64
					want, use, o := errBroken, add, shards.Options{Shards: 16}
					switch kind {
					case "load":
						rows.broken = 11
					case "add":
						use = func(worker int, b *shards.Block, node []float64) error {
							if b.Row > rows.Rows()/2 {
								return errBroken
							}
							return add(worker, b, node)
						}
					case "stop":
						want, o.Stop = shards.ErrStopped, func() bool { return asked.Add(1) > 9 }
					case "load panics":
						rows.broken, rows.panics, o.NodeElements = 11, true, 1
					case "add panics":
						o.NodeElements = 1
						use = func(worker int, b *shards.Block, node []float64) error {
							if b.Row > rows.Rows()/2 {
								panic(errBroken)
							}
							return add(worker, b, node)
						}
					}
					var repeated atomic.Int64
					errs := shardstest.Run(size, func(ranks solvers.Ranks) (err error) {
						defer func() {
							if caught, _ := recover().(*panics.Caught); caught != nil {
								repeated.Add(1)
								err = caught
							}
						}()
						pool := matrix.NewPool(workers)
						defer pool.Close()
						o := o
						o.Ranks, o.Pool = ranks, pool
						dst := []float64{3, 4}
						err = shards.NewGroup(&rows, o).Sum(dst, use)
						if !slices.Equal(dst, []float64{3, 4}) {
							t.Errorf("%s: the destination is %v", kind, dst)
						}
						return err
					})
					panicked := strings.HasSuffix(kind, "panics")
					if panicked != (repeated.Load() > 0) {
						t.Errorf("%s, slow %t, %d workers, %d ranks: %d panics", kind, slow, workers, size, repeated.Load())
					}
					for rank, err := range errs {
						if !errors.Is(err, want) && !(panicked && size > 1 && err != nil) {
							t.Errorf("%s, slow %t, %d workers: rank %d of %d: error %v", kind, slow, workers, rank, size, err)
						}
					}
				}
			}
		}
	}
}

// A sweep is left within a block of many rows, and a block that was left is not part of any sum.
func TestStopWithinABlock(t *testing.T) {
	const pieces = 200
	rows := &newNumbers(t, pieces*shards.Piece, 1).Memory
	pool := matrix.NewPool(1)
	defer pool.Close()
	for last := range 6 {
		asked, seen := 0, 0
		dst := []float64{3, 4}
		group := shards.NewGroup(rows, shards.Options{Shards: 1, Pool: pool, Stop: func() bool {
			asked++
			return asked > last
		}})
		err := group.Sum(dst, func(_ int, b *shards.Block, node []float64) error {
			for range b.Pieces {
				seen++
			}
			return nil
		})
		// It asks before the block, three times within it, and behind it.
		most := min(64*last, pieces)
		if stopped := last < 5; errors.Is(err, shards.ErrStopped) != stopped || stopped && !slices.Equal(dst, []float64{3, 4}) || seen != most {
			t.Errorf("stopped at question %d: error %v, sums %v, %d pieces of %d", last+1, err, dst, seen, most)
		}
	}
}

// A list of nodes that is no tree is an error.
func TestFinishRefuses(t *testing.T) {
	one := func(first, count int) solvers.ShardNode {
		return solvers.ShardNode{First: first, Count: count, Sum: []float64{1}}
	}
	const part, single, elements = "do not make a whole tree", "a node of", "elements of 1"
	sum := func(v ...float64) []solvers.ShardNode { return []solvers.ShardNode{{Count: 1, Sum: v}} }
	for k, c := range []struct {
		nodes []solvers.ShardNode
		says  string
	}{
		{nil, part}, {[]solvers.ShardNode{one(1, 1)}, part}, {[]solvers.ShardNode{one(0, 1), one(2, 1)}, part}, {[]solvers.ShardNode{one(0, 2), one(2, 1)}, part}, {[]solvers.ShardNode{one(0, 1), one(0, 1)}, part},
		{[]solvers.ShardNode{one(0, 3)}, single}, {[]solvers.ShardNode{one(0, 0)}, single}, {[]solvers.ShardNode{one(1, 2)}, single}, {[]solvers.ShardNode{one(-2, 2)}, single},
		{sum(1, 2), "2 " + elements}, {sum(), "0 " + elements},
	} {
		if err := shards.Finish([]float64{0}, c.nodes); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("list %d: error %v, want %s", k, err, c.says)
		}
	}
}
