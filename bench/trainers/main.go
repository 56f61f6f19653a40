// Command trainers times solvers of lanes, LIBLINEAR and scikit-learn to the same
// relative suboptimality of the same objective: logistic regression without a
// bias, lambda = 1/(C n). It prints a Markdown table.
//
// The optimum comes from a solve to a relative gap of 1e-12. LIBLINEAR and
// scikit-learn have no target of that kind, so each is run over a grid of
// tolerances and the quickest run that is good enough counts; only training is
// timed, not reading.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/liblinear"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

//go:embed sklearn.py
var sklearn string

// The relative suboptimalities that are timed.
var targets = [...]float64{1e-3, 1e-6}

func main() {
	names := flag.String("solvers", "auto,newton,prox-sdca", "solvers of lanes")
	workers := flag.Int("workers", 1, "threads of lanes")
	rounds := flag.Int("rounds", 5, "runs of each, of which the median counts")
	costs := flag.String("C", "1,0.1,10", "values of C = 1/(lambda n)")
	python := flag.String("python", "/usr/bin/python3", "a Python with scikit-learn, empty for none")
	limit := flag.Float64("limit", 20, "seconds after which a peer's finer tolerances are not tried")
	flag.Parse()
	fmt.Printf("Seconds of training to relative suboptimality 1e-3 / 1e-6, %d thread(s) of lanes, one of the peers.\n\n", *workers)
	solvers := strings.Split(*names, ",")
	fmt.Printf("| data | C | %s | LIBLINEAR -s 0 | LIBLINEAR -s 7 | scikit-learn, best | best peer / %s |\n", strings.Join(solvers, " | "), solvers[0])
	fmt.Printf("|---|---|%s---|---|---|---|\n", strings.Repeat("---|", len(solvers)))
	for _, source := range flag.Args() {
		if err := run(source, solvers, *workers, *rounds, *costs, *python, *limit); err != nil {
			fmt.Fprintln(os.Stderr, "trainers:", source+":", err)
			os.Exit(1)
		}
	}
}

// load reads FILE, FILE@LABEL (that label against the rest) or generate:SHAPE.
func load(source string) (*sparse.Matrix, []float64, error) {
	if shape, found := strings.CutPrefix(source, "generate:"); found {
		s, err := sparse.ParseShape(shape, 1)
		if err != nil {
			return nil, nil, err
		}
		data, err := s.Generate(nil)
		if err != nil {
			return nil, nil, err
		}
		return data.X, data.Y, nil
	}
	var positive *float64
	if file, label, found := strings.Cut(source, "@"); found {
		v, err := strconv.ParseFloat(label, 64)
		if err != nil {
			return nil, nil, err
		}
		source, positive = file, &v
	}
	data, err := sparse.ReadFile(source, sparse.ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	y, _, err := sparse.BinaryLabels(data.Y, positive)
	return data.X, y, err
}

// times holds seconds to each target; +Inf where it was not reached.
type times [len(targets)]float64

func never() times { return times{math.Inf(1), math.Inf(1)} }

func (t times) String() string {
	cells := make([]string, len(t))
	for i, v := range t {
		if cells[i] = "-"; !math.IsInf(v, 1) {
			cells[i] = fmt.Sprintf("%.3f", v)
		}
	}
	return strings.Join(cells, " / ")
}

// take lowers t where an objective reached in the given seconds is good enough.
func (t *times) take(seconds, objective, optimum float64) {
	for i, target := range targets {
		if objective-optimum <= target*optimum {
			t[i] = math.Min(t[i], seconds)
		}
	}
}

func (t times) best(u times) times {
	for i := range t {
		t[i] = math.Min(t[i], u[i])
	}
	return t
}

func run(source string, names []string, workers, rounds int, costs, python string, limit float64) error {
	x, y, err := load(source)
	if err != nil {
		return err
	}
	peer, err := liblinear.NewProblem(x, y)
	if err != nil && liblinear.Available {
		return err
	}
	if liblinear.Available {
		defer peer.Free()
	}
	for _, text := range strings.Split(costs, ",") {
		c, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / (c * float64(len(y)))}
		optimum, err := optimum(p)
		if err != nil {
			return err
		}
		ours := never() // of the first one named
		cells := make([]string, len(names))
		for i, name := range names {
			t, err := timeSolver(p, name, workers, rounds, optimum)
			if err != nil {
				return err
			}
			cells[i] = t.String()
			if i == 0 {
				ours = t
			}
		}
		rival := never()
		for _, s := range []int{0, 7} {
			t := never()
			if liblinear.Available {
				t = timePeer(p, peer, s, c, rounds, optimum, limit)
			}
			cells = append(cells, t.String())
			rival = rival.best(t)
		}
		t, name := timeSklearn(x, y, python, c, optimum, limit)
		cells = append(cells, strings.TrimSpace(t.String()+" "+name))
		rival = rival.best(t)
		ratios := make([]string, len(targets))
		for i := range targets {
			ratios[i] = fmt.Sprintf("**%.1f**", rival[i]/ours[i])
		}
		fmt.Printf("| %s | %g | %s | %s |\n", filepath.Base(source), c, strings.Join(cells, " | "), strings.Join(ratios, " / "))
	}
	return nil
}

func optimum(p *erm.Problem) (float64, error) {
	result, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{MaxPasses: 20000, GapTolerance: 1e-13})
	if err != nil {
		return 0, err
	}
	if result.Gap > 1e-10*result.Objective {
		return 0, fmt.Errorf("no optimum: gap %v after %v passes", result.Gap, result.Total.Passes)
	}
	return result.Objective, nil
}

// solve runs a solver of lanes by name; auto chooses first.
func solve(ctx context.Context, p *erm.Problem, name string, settings solvers.Settings) error {
	if name == "auto" {
		name = auto.Choose(p)
	}
	if method, err := sdca.ByName(name, nil); err == nil {
		// It would evaluate the points at which it expects the target only.
		settings.RecordEvery = 1
		_, err := sdca.Solve(ctx, p, method, settings)
		return err
	}
	method, err := erm.ByName(name, nil)
	if err != nil {
		return err
	}
	_, err = erm.Solve(ctx, p, method, settings)
	return err
}

func timeSolver(p *erm.Problem, name string, workers, rounds int, optimum float64) (times, error) {
	var all [len(targets)][]float64
	for range rounds {
		runtime.GC()
		var trace solvers.Trace
		// The relative target in terms of the gap would be later; the record
		// tells when the objective itself was there.
		ctx, cancel := context.WithCancel(context.Background())
		recorder := recorderFunc(func(point solvers.Point) error {
			if point.Objective-optimum <= targets[len(targets)-1]*optimum {
				cancel()
			}
			return trace.Record(point)
		})
		choosing := time.Now()
		if name == "auto" {
			auto.Choose(p)
		}
		chosen := time.Since(choosing).Seconds()
		err := solve(ctx, p, name, solvers.Settings{MaxPasses: 1000, Workers: workers, Recorder: recorder})
		cancel()
		if err != nil {
			return never(), err
		}
		t := never()
		for _, point := range trace {
			t.take(chosen+point.Seconds, point.Objective, optimum)
		}
		for i := range t {
			all[i] = append(all[i], t[i])
		}
	}
	var t times
	for i := range t {
		t[i] = contest.Median(all[i])
	}
	return t, nil
}

type recorderFunc func(solvers.Point) error

func (f recorderFunc) Record(p solvers.Point) error { return f(p) }

func timePeer(p *erm.Problem, peer *liblinear.Problem, solver int, c float64, rounds int, optimum, limit float64) times {
	t := never()
	for _, tolerance := range []float64{1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6} {
		var seconds []float64
		var objective float64
		for range rounds {
			w, s := peer.Train(solver, c, tolerance)
			seconds = append(seconds, s)
			objective = evaluate(p, w)
			if s > limit/float64(rounds) {
				break
			}
		}
		t.take(contest.Median(seconds), objective, optimum)
		if !math.IsInf(t[len(t)-1], 1) || contest.Median(seconds) > limit {
			break
		}
	}
	return t
}

func evaluate(p *erm.Problem, w []float64) float64 {
	z := make([]float64, p.X.Rows())
	if err := p.X.MulVec(nil, z, w); err != nil {
		return math.NaN()
	}
	loss, err := kernels.LossSum(p.Loss, z, p.Y, nil, 1)
	if err != nil {
		return math.NaN()
	}
	return loss/float64(len(z)) + p.Lambda/2*kernels.SquaredNorm(w)
}

func timeSklearn(x *sparse.Matrix, y []float64, python string, c, optimum, limit float64) (times, string) {
	t := never()
	if python == "" {
		return t, ""
	}
	lines, err := sklearnLines(x, y, python, c, limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainers: scikit-learn left out:", err)
		return t, ""
	}
	name := ""
	for scan := bufio.NewScanner(bytes.NewReader(lines)); scan.Scan(); {
		var solver string
		var tolerance, seconds, objective float64
		if _, err := fmt.Sscan(scan.Text(), &solver, &tolerance, &seconds, &objective); err != nil {
			continue
		}
		before := t
		if t.take(seconds, objective, optimum); t[len(t)-1] < before[len(t)-1] {
			name = "(" + solver + ")"
		}
	}
	return t, name
}

func sklearnLines(x *sparse.Matrix, y []float64, python string, c, limit float64) ([]byte, error) {
	dir, err := os.MkdirTemp("", "lanes-trainers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, script := filepath.Join(dir, "data.svm"), filepath.Join(dir, "sklearn_peer.py")
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	err = errors.Join(sparse.WriteLIBSVM(f, &sparse.Data{X: x, Y: y}), f.Close(), os.WriteFile(script, []byte(sklearn), 0o600))
	if err != nil {
		return nil, err
	}
	command := exec.Command(python, script, file, fmt.Sprint(c), fmt.Sprint(limit))
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	command.Stderr = os.Stderr
	return command.Output()
}
