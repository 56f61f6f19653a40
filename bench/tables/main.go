//go:build linux

// Command tables compares lanes with scikit-learn's usual pipeline on tables, from the file to
// the model. Each runs in processes of its own, in turn.
//
//	tables -only quality    test measures on the tables of a folder;
//	tables -only times      seconds and memory of a table 50 times over and of generated clicks;
//	tables -only reading    CSV beside LIBSVM text of the same rows;
//	tables -only headline   generated clicks, compressed, within a bound of memory; draws a picture
//
// What is not there, as the folder of tables or scikit-learn, is left out with a remark.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
)

// bench holds the settings of a run, and its folder.
type bench struct {
	lanes, python, data, folder  string
	rounds, times, workers       int
	rows                         int64
	memory, flags, cost, picture string
	pipeline                     string // the script of scikit-learn, "" where that is not there
	limit                        time.Duration
}

func main() {
	b := &bench{}
	flag.StringVar(&b.lanes, "lanes", "../bin/lanes", "the lanes command")
	flag.StringVar(&b.python, "python", "/usr/bin/python3", "a Python with pandas and scikit-learn")
	flag.StringVar(&b.data, "data", "../../shared/data/tables", "folder of the tables")
	temporary := flag.String("temporary", "", "folder for generated files, which are removed (default: the system's)")
	only := flag.String("only", "quality,times,reading", "what to do, parted by commas")
	flag.IntVar(&b.rounds, "rounds", 3, "runs of each command whose time is taken")
	flag.IntVar(&b.times, "times", 50, "how often the rows of adult.csv are repeated")
	flag.IntVar(&b.workers, "workers", 0, "threads of lanes, 0 for all cores")
	flag.Int64Var(&b.rows, "rows", 10_000_000, "rows of generated clicks")
	flag.StringVar(&b.memory, "memory", "4GB", "memory of the headline")
	flag.StringVar(&b.cost, "C", "0.05", "C of the headline")
	flag.StringVar(&b.flags, "flags", "--target click --hash 22 --bins 32", "flags of lanes train for generated clicks")
	flag.DurationVar(&b.limit, "limit", 30*time.Minute, "time of scikit-learn on a table, all rounds together")
	flag.StringVar(&b.picture, "picture", "", "file that the headline draws, .png or .svg")
	flag.Parse()
	err := b.run(*temporary, strings.Split(*only, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func (b *bench) run(temporary string, parts []string) (err error) {
	if b.lanes, err = filepath.Abs(b.lanes); err != nil {
		return err
	}
	if b.folder, err = os.MkdirTemp(temporary, "lanes-tables"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	if err := os.Setenv("TMPDIR", b.folder); err != nil { // where lanes puts caches
		return err
	}
	if out, err := exec.Command(b.python, "-c", "import sklearn, pandas; print(sklearn.__version__, pandas.__version__)").CombinedOutput(); err != nil {
		remark("scikit-learn is left out: %v: %s", err, out)
	} else {
		b.pipeline = b.path("pipeline.py")
		if err := os.WriteFile(b.pipeline, pipelineScript, 0o600); err != nil {
			return err
		}
		remark("scikit-learn and pandas %s", bytes.TrimSpace(out))
	}
	for _, part := range parts {
		do := map[string]func() error{"quality": b.quality, "times": b.races, "reading": b.reading, "headline": b.headline}[part]
		if do == nil {
			return fmt.Errorf("-only %s: want quality, times, reading or headline", part)
		}
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}

// remark tells people something beside the results.
func remark(format string, args ...any) { fmt.Fprintf(os.Stderr, "tables: "+format+"\n", args...) }

func (b *bench) path(name string) string { return filepath.Join(b.folder, name) }

// took is what a process needed, and what it printed.
type took struct {
	seconds, busy, peakMB float64
	output                bytes.Buffer
}

// process runs a command.
func process(ctx context.Context, name string, arguments ...string) (*took, error) {
	t := &took{}
	command := exec.CommandContext(ctx, name, arguments...)
	command.Stdout = &t.output
	var err error
	if t.seconds, t.busy, err = contest.Process(command); err != nil {
		return nil, err
	}
	t.peakMB, _ = contest.PeakMB(command.ProcessState)
	return t, nil
}

// call runs lanes with --json and reads what it prints into v.
func (b *bench) call(v any, arguments ...string) (*took, error) {
	arguments = append(arguments, "--json", "--quiet")
	if b.workers > 0 {
		arguments = append(arguments, fmt.Sprintf("--workers=%d", b.workers))
	}
	t, err := process(context.Background(), b.lanes, arguments...)
	if err == nil {
		err = json.Unmarshal(t.output.Bytes(), v)
	}
	return t, err
}

// measures say how good a model is on test rows.
type measures struct {
	LogLoss  float64 `json:"log_loss"`
	AUC      float64 `json:"auroc"`
	AP       float64 `json:"average_precision"`
	Features int     `json:"features"` // of scikit-learn
}

// training is what lanes train prints.
type training struct {
	Rows    int64   `json:"n"`
	Columns int     `json:"d"`
	Status  string  `json:"status"`
	Gap     float64 `json:"duality_gap"`
	Value   float64 `json:"objective"`
	Load    float64 `json:"load_seconds"`
	Train   float64 `json:"train_seconds"`
}

// fit trains on a table and measures the model on another. reading are the flags of both.
func (b *bench) fit(train, test, reading, flags string) (m measures, t training, cost *took, err error) {
	model := b.path("lanes.model")
	cost, err = b.call(&t, strings.Fields("train "+train+" --model "+model+" "+reading+" "+flags)...)
	if err == nil && test != "" {
		_, err = b.call(&m, strings.Fields("eval --model "+model+" "+test+" "+reading)...)
	}
	return m, t, cost, err
}
