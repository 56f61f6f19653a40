//go:build mpi

// Command scaling measures what a run on several processes costs here, and computes from
// that what it would cost on many machines: the figures of docs/scaling.md.
//
//	scaling [-rounds 5] [-rows 400000] [-columns 1000000] [-entries 40] [-folder DIR]
//
// It starts itself under mpirun with 1, 2 and 4 ranks, in turn, and prints tables.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/sparse"
)

// setup is one way to run.
type setup struct {
	Ranks, Workers int
	TCP            bool // between the ranks, not shared memory
}

func (s setup) String() string {
	text := fmt.Sprintf("%d x %d", s.Ranks, s.Workers)
	if s.TCP {
		text += ", TCP"
	}
	return text
}

func main() {
	var o options
	flag.IntVar(&o.rows, "rows", 400000, "rows of the data")
	flag.IntVar(&o.columns, "columns", 1000000, "columns")
	flag.IntVar(&o.entries, "entries", 40, "entries of a row")
	flag.IntVar(&o.passes, "passes", 14, "passes of a run")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of all setups in turn; the fastest counts")
	flag.StringVar(&o.folder, "folder", os.TempDir(), "where the data are kept while they are needed")
	flag.BoolVar(&o.measure, "measure", false, "be one of the ranks that are measured")
	flag.StringVar(&o.file, "file", "", "the rows that a rank trains on")
	flag.IntVar(&o.shards, "shards", 0, "shards of a run, at least the number of ranks (default: by the data)")
	flag.IntVar(&o.workers, "workers", 1, "workers of a rank")
	flag.Parse()
	do := o.drive
	if o.measure {
		do = o.rank
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(1)
	}
}

type options struct {
	rows, columns, entries, passes, rounds int
	folder, file                           string
	measure                                bool
	shards, workers                        int
}

// drive measures all setups in turn and prints what comes of them.
func (o *options) drive() error {
	folder, err := os.MkdirTemp(o.folder, "lanes-scaling-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	large, thin := filepath.Join(folder, "large.lanes"), filepath.Join(folder, "thin.lanes")
	if err := o.generate(large, o.rows); err != nil {
		return err
	}
	if err := o.generate(thin, 64); err != nil {
		return err
	}
	if o.shards == 0 {
		o.shards = shards.Count(o.rows, o.columns, int64(o.rows)*int64(o.entries))
	}
	setups := []setup{{1, 1, false}, {1, 2, false}, {2, 1, false}, {4, 1, false}, {2, 1, true}}
	measured := make(map[setup][]figures)
	var vectors []figures
	for range o.rounds {
		for _, s := range setups {
			f, err := o.start(s, large, o.shards)
			if err != nil {
				return err
			}
			measured[s] = append(measured[s], f)
		}
		f, err := o.start(setups[0], thin, 1)
		if err != nil {
			return err
		}
		vectors = append(vectors, f)
	}
	fmt.Printf("%d rows of %d entries in %d columns, %d shards, the fastest of %d rounds\n\n", o.rows, o.entries, o.columns, o.shards, o.rounds)
	fastest := make(map[setup]figures)
	for s, list := range measured {
		fastest[s] = best(list)
	}
	c := fit(o, fastest, best(vectors))
	printMeasured(setups, fastest)
	printModel(o, setups, fastest, c)
	printPredictions(c)
	return nil
}

// start runs ranks and returns what rank 0 says.
func (o *options) start(s setup, file string, shards int) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	args := []string{"--oversubscribe", "-np", fmt.Sprint(s.Ranks)}
	if s.TCP {
		args = append(args, strings.Fields("--mca pml ob1 --mca btl tcp,self")...)
	}
	args = append(args, self, "-measure", "-file", file, "-shards", fmt.Sprint(shards), "-workers", fmt.Sprint(s.Workers),
		"-passes", fmt.Sprint(o.passes), "-columns", fmt.Sprint(o.columns))
	cmd := exec.Command("mpirun", args...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("%v: %w", s, err)
	}
	return f, json.Unmarshal(out, &f)
}

// generate writes rows whose entries are 1 in columns that are drawn evenly, with labels
// of a planted model.
func (o *options) generate(path string, rows int) error {
	random := rand.New(rand.NewPCG(1, 2))
	planted := make([]float64, o.columns)
	for j := range planted {
		planted[j] = random.Float64() - 0.5
	}
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: o.columns})
	y := make([]float64, rows)
	ones, columns := make([]float64, o.entries), make([]int, o.entries)
	for k := range ones {
		ones[k] = 1
	}
	for i := range y {
		// One column of every range, so that they ascend and differ.
		y[i] = -1
		score := 2 * (random.Float64() - 0.5)
		for k := range columns {
			low, high := k*o.columns/o.entries, (k+1)*o.columns/o.entries
			columns[k] = low + random.IntN(high-low)
			score += planted[columns[k]]
		}
		if score > 0 {
			y[i] = 1
		}
		if err := b.AddRow(columns, ones); err != nil {
			return err
		}
	}
	x, err := b.Build()
	if err != nil {
		return err
	}
	return sparse.WriteCacheFile(path, &sparse.Data{X: x, Y: y})
}
