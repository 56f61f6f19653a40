package shards

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// OtherMemory is for everything of constant size in a run over rows in a file, and twice more for messages
// between ranks.
const OtherMemory = 8 << 20

// Open plans how to read rows from their file with fixed bytes beside them, and the given elements in a sum over
// rows. mixes is FileOptions.Mixes. Of the settings it takes Shards, Workers and Ranks. A *MemoryError has the memory
// that r allows, and what is needed.
func Open(r *solvers.Rows, settings solvers.Settings, fixed, size int64, mixes bool) (*File, Options, error) {
	var o Options
	ranks := cmp.Or[solvers.Ranks](settings.Ranks, Alone{})
	workers := settings.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	first, end := Owned(settings.Shards, ranks.Rank(), ranks.Size())
	if ranks.Size() > 1 {
		fixed += 2 * OtherMemory
	}
	least := int64(Fewest(settings.Shards, end-first))
	usual := least + 2*int64(min(workers, end-first))
	limit := r.Memory
	if limit == 0 {
		limit = math.MaxInt64 / 4
	}
	file := FileOptions{
		Shards: settings.Shards, Rank: ranks.Rank(), Ranks: ranks.Size(), Workers: workers,
		Label: Label(r), Weigh: r.ClassWeights != nil, Progress: r.Progress, Mixes: mixes,
	}
	for nodes := usual; ; nodes = least {
		file.MemoryBytes = limit - r.Beside - OtherMemory - fixed - 8*nodes*size
		rows, err := NewFile(r.Stream, file)
		var short *MemoryError
		if errors.As(err, &short) && nodes > least {
			continue
		}
		if errors.As(err, &short) {
			return nil, o, &MemoryError{Available: limit, Need: limit - short.Available + short.Need}
		}
		o.Workers, o.NodeElements = rows.Workers(), int(nodes*size)
		return rows, o, err
	}
}

// Label is FileOptions.Label of rows: it turns the labels of rows from a row on into signs and weights. A label of
// no class is a *sparse.FormatError.
func Label(r *solvers.Rows) func(row int, y, weight []float64) error {
	return func(row int, y, weight []float64) error {
		for i, v := range y {
			if r.Labels == nil {
				break
			}
			sign, err := r.Labels.Sign(v)
			if err != nil {
				return &sparse.FormatError{Name: r.Stream.Name(), Message: fmt.Sprintf("row %d: %v, the classes: the file has changed since its labels were counted", row+i, err)}
			}
			y[i] = sign
			if weight == nil {
				continue
			}
			if weight[i] = r.ClassWeights[0]; sign > 0 {
				weight[i] = r.ClassWeights[1]
			}
		}
		return nil
	}
}
