package faults

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/command"
)

// The folders and files of a run, in its own folder.
const (
	inputs    = "in"
	outputs   = "out"
	temporary = "tmp"
	stdout    = "stdout"
)

// Run is a command line. Its inputs begin with in/, its outputs with out/.
type Run struct {
	Name string
	Args []string
	// resume are the arguments that go on from the checkpoint of the run to the model of the run.
	resume []string
}

// files returns the arguments in a folder, without the folder.
func (r *Run) files(folder string) (names []string) {
	for _, arg := range r.Args {
		if name, is := strings.CutPrefix(arg, folder+"/"); is {
			names = append(names, name)
		}
	}
	return names
}

// Runs returns the command lines.
func Runs() []*Run {
	var list []*Run
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line != "" {
			line, resume, _ := strings.Cut(line, " ; ")
			r := &Run{Name: line, Args: append(strings.Fields(line), "--workers", "1")}
			if resume != "" {
				r.resume = append(strings.Fields(resume), "--workers", "1")
			}
			list = append(list, r)
		}
	}
	return list
}

const lines = `
train in/rows.txt --model out/model.txt --receipt out/receipt.json --plot out/curves.svg --json
train in/rows.txt --trace out/points.csv --model out/arrays.npz
train in/table.csv --target label --model out/model.txt --html out/page.html
train in/table.csv --target label --holdout 0.25 --model out/model.txt
train in/table.jsonl --target label --model out/model.txt --json
train in/rows.lanes --memory 12MB --model out/model.txt
train in/table.lanes --model out/model.txt
train in/rows.txt.gz --cv 2 --path --model out/model.txt --plot out/path.png
train in/rows.txt --valid in/valid.txt --initial in/start.model --model out/model.txt
train in/rows.txt --solver svrg --epochs 6 --checkpoint out/run.ckpt --checkpoint-every 1ns --model out/model.txt --force ; train in/rows.txt --solver svrg --epochs 6 --resume out/run.ckpt --model out/model.txt
train in/rows.txt --solver svrg --epochs 6 --resume in/run.ckpt --model out/model.txt
train in/large.txt --epochs 3 --model out/model.txt
predict in/table.model in/table.csv --out out/scores.txt
predict in/table.model in/table.csv
predict in/rows.model in/rows.txt --probability --json
predict in/rows.model in/large.txt --out out/scores.txt
eval in/table.model in/table.csv --html out/page.html --plot out/curves.svg
eval in/rows.model in/rows.lanes --json
eval --scores in/scores.txt
convert in/rows.txt out/rows.lanes --force
convert in/table.csv out/table.lanes --target label --force
convert in/large.txt out/large.lanes --force
convert in/rows.lanes out/rows.txt --force
convert in/rows.txt out/rows.txt.gz --force
convert in/rows.model out/arrays.npz --force
convert in/rows.model out/few.json --to sparse-model --force
convert in/rows.txt -
info in/rows.txt --lipschitz
info in/table.csv --target label --recipe
info in/table.lanes --json
info in/rows.model --top 3
generate clicks --rows 40 --out out/clicks.csv
generate clicks --rows 2000
compare in/rows.txt --solvers newton,svrg --epochs 4 --html out/page.html
portfolio in/returns.csv --points 3 --plot out/frontier.svg --trace out/points.csv
verify in/receipt.json in/rows.txt
`

// A kit holds the inputs of all runs, in two versions with other rows.
type kit struct{ first, second string }

// newKit makes the inputs in a folder.
func newKit(dir string) (*kit, error) {
	k := &kit{filepath.Join(dir, "first"), filepath.Join(dir, "second")}
	for seed, dir := range []string{k.first, k.second} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		for name, text := range map[string]string{
			"rows.txt": rowsText(random, 40), "valid.txt": rowsText(random, 20), "large.txt": rowsText(random, 40000),
			"table.csv": tableText(random, 30, false), "table.jsonl": tableText(random, 30, true),
			"scores.txt": scoresText(random), "returns.csv": returnsText(random),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				return nil, err
			}
		}
		in := func(name string) string { return filepath.Join(dir, name) }
		for _, args := range [][]string{
			{"convert", in("rows.txt"), in("rows.lanes")},
			{"convert", in("rows.txt"), in("rows.txt.gz")},
			{"convert", in("table.csv"), in("table.lanes"), "--target", "label"},
			{"train", in("rows.txt"), "--model", in("rows.model"), "--receipt", in("receipt.json")},
			{"train", in("valid.txt"), "--model", in("start.model")},
			{"train", in("table.csv"), "--target", "label", "--model", in("table.model")},
			{"train", in("rows.txt"), "--solver", "svrg", "--epochs", "3", "--checkpoint", in("run.ckpt")},
		} {
			var out, stderr bytes.Buffer
			if status := command.Run(append(args, "--quiet"), bytes.NewReader(nil), &out, &stderr); status > 1 {
				return nil, fmt.Errorf("lanes %s: exit status %d: %s", strings.Join(args, " "), status, stderr.String())
			}
		}
	}
	return k, nil
}

func rowsText(random *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		y := 2*random.IntN(2) - 1
		fmt.Fprintf(&b, "%+d", y)
		for j := 1; j <= 12; j++ {
			if j%3 == 0 || random.IntN(3) == 0 {
				fmt.Fprintf(&b, " %d:%.3f", j, float64(random.Float64())+float64(float64(y*(j%2))/4))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func tableText(random *rand.Rand, n int, json bool) string {
	format := "%s,%.2f,%s,%d\n"
	var b strings.Builder
	if json {
		format = `{"label":"%s","size":%.2f,"colour":"%s","count":%d}` + "\n"
	} else {
		b.WriteString("label,size,colour,count\n")
	}
	for range n {
		k := random.IntN(2)
		fmt.Fprintf(&b, format, []string{"yes", "not"}[k], 1+float64(random.Float64()*4)+float64(k), []string{"red", "sky", "tan"}[random.IntN(3)], 10+random.IntN(80))
	}
	return b.String()
}

func scoresText(random *rand.Rand) string {
	var b strings.Builder
	for range 30 {
		k := random.IntN(2)
		fmt.Fprintf(&b, "%d %.3f\n", k, 1+float64(random.Float64())+float64(k))
	}
	return b.String()
}

func returnsText(random *rand.Rand) string {
	var b strings.Builder
	b.WriteString("date,first,second,third\n")
	for k := range 56 {
		fmt.Fprintf(&b, "2020-%02d-%02d,%+.2f,%+.2f,%+.2f\n", 1+k/28, 1+k%28, random.NormFloat64(), random.NormFloat64(), random.NormFloat64())
	}
	return b.String()
}

// contentOf is the content of an input after a change.
func (k *kit) contentOf(name string, kind Kind) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(k.first, name))
	if err != nil {
		return nil, err
	}
	switch kind {
	case Halved:
		return b[:len(b)/2], nil
	case Emptied:
		return nil, nil
	}
	other, err := os.ReadFile(filepath.Join(k.second, name))
	if kind == Grown {
		if at := bytes.IndexByte(other, '\n'); at >= 0 { // without the names of columns
			other = other[at+1:]
		}
		return append(b, other...), err
	}
	return other, err
}

// change changes an input in the folder of a run.
func (k *kit) change(dir, name string, kind Kind) error {
	path := filepath.Join(dir, inputs, name)
	if kind == Removed {
		return os.Remove(path)
	}
	content, err := k.contentOf(name, kind)
	if err != nil {
		return err
	}
	if kind == Replaced {
		if err := os.WriteFile(path+".new", content, 0o666); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if kind != Grown {
		if _, err := file.WriteAt(content, 0); err != nil {
			return err
		}
		if err := file.Truncate(int64(len(content))); err != nil {
			return err
		}
	} else if _, err := file.WriteAt(content[info.Size():], info.Size()); err != nil {
		return err
	}
	if kind == Dated {
		return os.Chtimes(path, info.ModTime(), info.ModTime())
	}
	return nil
}
