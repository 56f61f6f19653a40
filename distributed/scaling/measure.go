//go:build mpi

package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/lanes-go/lanes/distributed"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// figures are the measured costs of one setup, in seconds. Costs of a pass are means over ranks,
// from the second point of a run on, when all rows are in memory.
type figures struct {
	Pass, Computing, Waiting, Moving float64
	CPU                              float64 // of all ranks together
	Passes                           float64 // of a Newton iteration
	Sums                             float64 // of a pass
	talking
}

// talking is what messages cost, and adding what they bring.
type talking struct {
	Latency, Byte float64 // of a message, and of every byte of a long one
	Meeting       float64
	Vector        float64 // a sum of one vector of all columns a rank
	Add           float64 // of a number to another, where vectors are long
}

// watch notes when points were reached, and what the calls of ranks had cost by then.
type watch struct {
	ranks *distributed.Ranks
	begun time.Time
	at    []time.Duration
	spent []distributed.Spent
	cpu   []float64
	pass  []float64
}

// Record notes a point.
func (w *watch) Record(p solvers.Point) error {
	w.at = append(w.at, time.Since(w.begun))
	w.spent = append(w.spent, w.ranks.Spent)
	w.pass = append(w.pass, p.Epochs)
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return err
	}
	w.cpu = append(w.cpu, float64(use.Utime.Nano()+use.Stime.Nano())/1e9)
	return nil
}

// rank is one of the ranks that are measured. Rank 0 prints the figures.
func (o *options) rank() error {
	ranks, stop, err := distributed.Start()
	if err != nil {
		return err
	}
	stream, err := sparse.OpenStream(context.Background(), o.file)
	if err != nil {
		return err
	}
	defer stream.Close()
	n := float64(stream.Rows())
	w := &watch{ranks: ranks, begun: time.Now()}
	_, err = erm.SolveStreamed(context.Background(), &erm.Streamed{
		Rows: stream, Labels: &sparse.LabelMap{Positive: 1, Negative: -1}, Problem: erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01 / n}},
	}, erm.Newton{}, solvers.Settings{
		MaxEpochs: float64(o.passes), GapTolerance: 1e-300, Shards: o.shards, Workers: o.workers, Ranks: ranks, Recorder: w,
	})
	if err != nil {
		return err
	}
	f := w.figures()
	if err := f.talk(ranks, o.columns); err != nil {
		return err
	}
	f.Add = adding(o.columns)
	if ranks.Rank() == 0 {
		if err := json.NewEncoder(os.Stdout).Encode(f); err != nil {
			return err
		}
	}
	return stop()
}

// figures returns the costs of the passes after the first point, as means over ranks.
func (w *watch) figures() (f figures) {
	last := len(w.at) - 1
	if last < 1 {
		return f
	}
	passes := w.pass[last] - w.pass[0]
	a, b := w.spent[0], w.spent[last]
	list := []float64{
		(w.at[last] - w.at[0]).Seconds() / passes,
		(b.Waiting - a.Waiting).Seconds() / passes,
		(b.Moving - a.Moving).Seconds() / passes,
		float64(b.Calls-a.Calls) / passes,
		(w.cpu[last] - w.cpu[0]) / passes * float64(w.ranks.Size()),
	}
	total := slices.Clone(list)
	if shards.Total(w.ranks, total) == nil { // near enough for figures
		for k := range total {
			list[k] = total[k] / float64(w.ranks.Size())
		}
	}
	f.Pass, f.Waiting, f.Moving, f.Sums = list[0], list[1], list[2], list[3]
	f.CPU = list[4]
	f.Computing = f.Pass - f.Waiting - f.Moving
	f.Passes = passes / float64(last)
	return f
}

// talk measures messages and sums.
func (f *figures) talk(ranks *distributed.Ranks, columns int) error {
	const long = 4 << 20
	if ranks.Size() > 1 {
		whole := math.Inf(1)
		f.Latency = whole
		for range 10 { // the first connects
			short, err := ranks.PingPong(8, 100)
			if err != nil {
				return err
			}
			large, err := ranks.PingPong(long, 3)
			if err != nil {
				return err
			}
			f.Latency, whole = min(f.Latency, short.Seconds()), min(whole, large.Seconds())
		}
		f.Byte = (whole - f.Latency) / long
	}
	size, rank := ranks.Size(), ranks.Rank()
	dst, node := make([]float64, columns), make([]float64, columns)
	var err error
	f.Meeting = typical(50, func() {
		if wrong := ranks.Broadcast([]byte{1}); wrong != nil {
			err = wrong
		}
	})
	f.Vector = typical(9, func() {
		if wrong := ranks.Sum(dst, []solvers.ShardNode{{First: rank, Count: 1, Sum: node}}); wrong != nil {
			err = wrong
		}
	})
	if size&(size-1) != 0 {
		f.Vector = math.NaN()
	}
	return err
}

// adding is the time to add a number of a long vector to another, and to clear it for the
// next shard.
func adding(columns int) float64 {
	a, b := make([]float64, columns), make([]float64, columns)
	return typical(15, func() {
		for j, v := range b {
			a[j] += v
		}
		clear(b)
	}) / float64(columns)
}

// typical is the median time of a call.
func typical(times int, call func()) float64 {
	list := make([]float64, times)
	for k := range list {
		start := time.Now()
		call()
		list[k] = time.Since(start).Seconds()
	}
	slices.Sort(list)
	return list[times/2]
}
