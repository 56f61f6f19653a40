// Command classes times the training of several classes against LIBLINEAR, end to
// end: reading, training and saving, each by its own program, in turn. It compares the
// objectives of the models class by class. It also times a regularisation path with
// warm starts against one without.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

func main() {
	log.SetFlags(0)
	program := flag.String("lanes", "../bin/lanes", "the lanes command")
	rounds := flag.Int("rounds", 3, "rounds of runs in turn")
	gap := flag.Float64("gap", 1e-4, "duality gap of every class")
	newtons := flag.String("liblinear", "0,7", "LIBLINEAR's solvers, at their default tolerances")
	sources := flag.String("peers", "", "folder with liblinear-2.50, without which Debian's counts")
	bin := flag.String("bin", "../bin/peers", "folder that it is built into")
	points := flag.Int("path", 10, "points of the path, 0 for none")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("name data files")
	}
	rivals := strings.Split(*newtons, ",")
	liblinear, version, err := peers.Train(*sources, *bin)
	if err != nil {
		fmt.Println(err)
		rivals = nil
	}
	for _, path := range flag.Args() {
		if err := compare(path, *program, *rounds, *gap, liblinear, version, rivals, *points); err != nil {
			log.Fatalf("%s: %v", path, err)
		}
	}
}

// entry is a program that trains.
type entry struct {
	name    string
	command []string
	model   string
	seconds []float64 // of the clock
	cpu     []float64 // of all threads
}

func compare(path, program string, rounds int, gap float64, liblinear, version string, rivals []string, points int) error {
	folder, err := os.MkdirTemp("", "classes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	text := filepath.Join(folder, "data")
	if err := unpack(path, text); err != nil {
		return err
	}
	var entries []*entry
	for _, workers := range []string{"1", "2"} {
		model := filepath.Join(folder, "ours"+workers)
		entries = append(entries, &entry{name: "lanes, workers " + workers, model: model, command: []string{program, "train", text, "--multiclass", "--C", "1",
			"--gap", strconv.FormatFloat(gap, 'g', -1, 64), "--workers", workers, "--model", model, "--json", "--quiet"}})
	}
	for _, s := range rivals {
		model := filepath.Join(folder, "theirs"+s)
		entries = append(entries, &entry{name: version + " -s " + s, model: model, command: []string{liblinear, "-q", "-s", s, text, model}})
	}
	for range rounds {
		for _, e := range entries {
			begun := time.Now()
			run := exec.Command(e.command[0], e.command[1:]...)
			if err := run.Run(); err != nil {
				return fmt.Errorf("%v: %w", e.command, err)
			}
			e.seconds = append(e.seconds, time.Since(begun).Seconds())
			e.cpu = append(e.cpu, (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds())
		}
	}

	data, err := sparse.ReadFile(text, sparse.ReadOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("\n%s: %d rows, %d columns, %d classes, C = 1, gap %g a class, whole processes, medians of %d runs in turn. The last columns compare objectives class by class with those of lanes on one worker.\n\n",
		filepath.Base(path), data.X.Rows(), data.X.Cols(), len(sparse.CountClasses(data.Y)), gap, rounds)
	objectives := make([][]float64, len(entries))
	best, bestCPU := math.Inf(1), math.Inf(1)
	for k, e := range entries {
		if objectives[k], err = objectivesOf(e.model, data); err != nil {
			return err
		}
		if k >= 2 {
			best, bestCPU = min(best, contest.Median(e.seconds)), min(bestCPU, contest.Median(e.cpu))
		}
	}
	rows := [][]string{{"program", "seconds", "of the processors", "best LIBLINEAR / lanes", "of the processors", "sum of objectives", "lanes lower or equal in", "lanes above it by at most"}}
	for k, e := range entries {
		seconds, cpu := contest.Median(e.seconds), contest.Median(e.cpu)
		row := []string{e.name, fmt.Sprintf("%.3f", seconds), fmt.Sprintf("%.3f", cpu), "", "", fmt.Sprintf("%.8g", total(objectives[k])), "", ""}
		switch {
		case k >= 2:
			worst, lower := math.Inf(-1), 0
			for c, theirs := range objectives[k] {
				worst = max(worst, objectives[0][c]/theirs-1)
				if objectives[0][c] <= theirs {
					lower++
				}
			}
			row[6], row[7] = fmt.Sprintf("%d of %d classes", lower, len(objectives[0])), fmt.Sprintf("%.1g of it", worst)
		case len(rivals) > 0:
			row[3], row[4] = fmt.Sprintf("**%.2f**", best/seconds), fmt.Sprintf("**%.2f**", bestCPU/cpu)
		}
		rows = append(rows, row)
	}
	contest.Table(os.Stdout, rows)
	if points > 1 {
		return paths(data, points)
	}
	return nil
}

func total(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum
}

// objectivesOf returns P of every class, in ascending order of label.
func objectivesOf(file string, data *sparse.Data) ([]float64, error) {
	read, err := model.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, linear := read.(*model.Linear)
	if !linear {
		return nil, fmt.Errorf("%s is no linear model", file)
	}
	place := make(map[float64]int)
	for k, label := range m.Classes {
		place[label] = k
	}
	n, d := data.X.Rows(), m.Columns()
	z, y := make([]float64, n), make([]float64, n)
	var out []float64
	for _, class := range sparse.CountClasses(data.Y) {
		w := m.Weights[place[class.Label]*d:][:d]
		for i, label := range data.Y {
			y[i] = -1
			if label == class.Label {
				y[i] = 1
			}
		}
		if err := data.X.MulVec(nil, z, w); err != nil {
			return nil, err
		}
		loss, err := kernels.LossSum(kernels.Logistic, z, y, nil, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, (loss+kernels.SquaredNorm(w)/2)/float64(n))
	}
	return out, nil
}

// paths times one class against the rest along a path, with warm starts and without.
func paths(data *sparse.Data, points int) error {
	classes := sparse.CountClasses(data.Y)
	y, _, err := sparse.BinaryLabels(data.Y, &classes[0].Label)
	if err != nil {
		return err
	}
	n := float64(len(y))
	p := &erm.Problem{X: data.X, Y: y, Loss: kernels.Logistic}
	lambdas, err := related.Lambdas(100/n, 0.1/n, points)
	if err != nil {
		return err
	}
	fmt.Printf("\nA path of %d points, C from 0.01 to 10, of class %v against the rest, one worker, by the clock; medians of 5 runs in turn.\n\n", points, classes[0].Label)
	rows := [][]string{{"gap", "warm, s", "passes", "cold, s", "passes", "cold / warm"}}
	for _, gap := range []float64{1e-4, 1e-6} {
		settings := solvers.Settings{GapTolerance: gap, MaxPasses: 10000, Workers: 1}
		var warm, cold, ratios []float64
		var passes [2]float64
		for range 5 {
			begun := time.Now()
			fits, err := related.Path(context.Background(), p, lambdas, related.Run{Solve: auto.Solve, Settings: settings})
			if err != nil {
				return err
			}
			warm = append(warm, time.Since(begun).Seconds())
			passes = [2]float64{related.Total(fits).Total.Passes}
			begun = time.Now()
			for _, lambda := range lambdas {
				one := *p
				one.Lambda = lambda
				r, err := auto.Solve(context.Background(), &one, settings)
				if err != nil {
					return err
				}
				passes[1] += r.Total.Passes
			}
			cold = append(cold, time.Since(begun).Seconds())
			ratios = append(ratios, cold[len(cold)-1]/warm[len(warm)-1])
		}
		rows = append(rows, []string{
			fmt.Sprint(gap), fmt.Sprintf("%.3f", contest.Median(warm)), fmt.Sprintf("%.0f", passes[0]),
			fmt.Sprintf("%.3f", contest.Median(cold)), fmt.Sprintf("%.0f", passes[1]), fmt.Sprintf("**%.2f**", contest.Median(ratios)),
		})
	}
	contest.Table(os.Stdout, rows)
	return nil
}

// unpack writes the text of a file that may be compressed.
func unpack(path, to string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	text, free, err := sparse.Decompress(in)
	if err != nil {
		return err
	}
	defer free()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, text); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
