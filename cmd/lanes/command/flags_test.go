package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// inside runs the command in this process, which is fast enough for tables of hundreds.
func inside(args ...string) outcome { return insideOf(strings.NewReader(""), args...) }

// insideOf runs the command with a standard input.
func insideOf(in io.Reader, args ...string) outcome {
	var out, stderr bytes.Buffer
	status := Run(args, in, &out, &stderr)
	return outcome{status, out.String(), stderr.String()}
}

// badValues has what no flag of a kind takes, by command and flag, or by flag. A value
// stands alone where the kind of the flag already says what is wrong.
var badValues = map[string][]string{
	"info plan": {"", "x", "8GB,", "8GB,2", "8GB,0x2", "8GB,2x0", "8GB,2x", "8GB,2x2x2", "8GB,1e9x2", "-8GB"},
	"json":      {"maybe"}, "full": {"x"}, "quiet": {"2"}, "strict": {"2"}, "seed": {"-1", "x", "1.5"}, "workers": {"-1", "x", "70000"},
	"merge": {"x"}, "zero-based": {"x"}, "float32": {"x"}, "generate": {"cube", "onehot:n=x", "onehot:n=-3", "onehot:q=3", ""},
	"loss": {"hingy", ""}, "huber": {"0", "-1", "x", "NaN", "Inf"}, "lambda": {"-1", "abc", "NaN", "Inf", ""}, "C": {"0", "-1", "x", "NaN", "Inf", "1e-320"},
	"l1": {"-1", "x", "NaN", "Inf"}, "l1-groups": {"1-", "x", "0", "3-1", "1,,2", "1-99999999", "table", ""}, "sparse": {"x"}, "intercept": {"x"}, "penalty": {"1", "1=x", "=2", "1=2,1=3", "1=-1", "nosuch=2", "1=NaN", ""}, "penalties": {}, "nonnegative": {"nosuch", "1,,2", "1,1", ""}, "bounds": {},
	"bias": {"x"}, "normalize": {"max", ""}, "positive": {"nan", "x"}, "class-weight": {"3", "a:b", "-1:2", "0:0", "1:Inf", "NaN:1"},
	"fpr": {"1", "0.5,0.1", "-1,0.5", "0,1.5", "a,b", "NaN,1", ""}, "tpr": {"-0.1", "1", "x", "NaN"}, "range": {"3", "5,2", "-1,3", "0.5,1.5", "a,b", "0,1000000", "NaN,3", "0,0", "0.1,NaN", ""},
	"epochs": {"0", "-1", "x", "NaN"}, "time": {"0", "-1s", "x", "3"}, "gap": {"0", "-1", "x", "NaN", "Inf"}, "grad": {"0", "-1", "NaN", "Inf"}, "tol": {"0", "-1", "x", "NaN", "Inf"},
	"batch": {"0", "-1", "x", "1.5"}, "shards": {"0", "-2", "3", "x", "4194304"}, "set": {"gamma", "=1", "nosuch=1", "step=x", "step=-1"}, "record-every": {"0", "-1", "NaN", "Inf"},
	"plot": {"curve.pdf", "curve"}, "solver": {"nosuch", "scvrg", ""}, "list": {"x"}, "model": {}, "trace": {}, "receipt": {}, "checkpoint": {},
	"force": {"x"}, "checkpoint-every": {"-1s", "0", "x"}, "resume": {}, "valid": {}, "initial": {}, "names": {}, "sparse-model": {"x"}, "top": {"0", "-1", "x"}, "metric": {"nosuch", "pauc:", "pauc:2,1", "pauc:0,1,1"},
	"patience": {"-1", "0", "x"}, "hidden": {"0", "-3", "x", "1,2,3", "3,"}, "activation": {"step"}, "multiclass": {"x"}, "path": {"x"},
	"lambdas": {"1", "1:2", "0:0", "a:b", "1:0.1:0", "1:0.1:x", "NaN:1", "1:-1"}, "cv": {"-1", "0", "1", "x"}, "one-se": {"x"}, "for": {"deviance", "nosuch", "accuracy", "pauc:", "pauc:2,1", "pauc:0,1,1", ""}, "paper": {"x"},
	"max-memory": {"x", "-1GB", "GB", "NaN"}, "memory": {"x", "-1GB", "GB", "NaN"}, "labels": {}, "predict labels": {"x"}, "probability": {"x"}, "scores": {}, "out": {}, "lipschitz": {"x"}, "solvers": {"nosuch", "svrg,svrg", "svrg,soap", ""}, "seeds": {"0", "-1", "x", "1.5", "2000"}, "html": {}, "to": {"csv"}, "paths": {"x"},
	"portfolio solver": {"svrg", ""}, "portfolio set": {"gamma", "nosuch=1", "step=x"}, "risk": {"0", "-1", "NaN", "Inf"}, "portfolio lambda": {"-1", "NaN", "Inf"},
	"limit": {"0", "-1", "NaN", "Inf"}, "long-only": {"x"}, "frontier": {"0", "1,-1", "x", "NaN", "Inf"}, "points": {"1", "0", "-1", "1001", "x"}, "holdout": {"-0.1", "1", "NaN"}, "train holdout": {"0", "1", "-0.1", "NaN", "x"}, "holdout-by": {},
	"portfolio missing": {"guess", ""}, "fraction": {"x"}, "table": {"0", "-1", "x"}, "date-format": {"ydm", ""}, "portfolio generate": {"n=0", "x=3", "n=x", "n=99999999999"},
	"filter": {"(", "nosuch"}, "bench paths": {"sse2", "generic,x"}, "lengths": {"x", "0", "8,-1", "999999999"}, "core": {"x", "-2", "99999"}, "against": {}, "from": {}, "bench format": {"csv", ""}, "quick": {"x"},
	"rows": {"0", "-1", "x", "300000000000000"}, "first": {"-1", "x", "300000000000000"}, "share": {"0", "1", "-1", "x", "NaN"}, "generate out": {"x.xz", "x.bz2", ""},
	"train time": {"0", "-1s", "3"}, "format": {"xls", ""}, "encoding": {}, "separator": {}, "header": {"x"}, "no-header": {"x"}, "quotes": {"x"}, "bad-rows": {"-1", "x", "1.5"}, "max-columns": {"0", "-1", "x", "1.5"},
	"target": {}, "number": {}, "category": {}, "text": {}, "times": {}, "ignore": {}, "weight": {}, "offset": {}, "exposure": {}, "id": {}, "group": {},
	"cross": {}, "hash": {"0", "-1", "31", "x"}, "scale": {"max", ""}, "bins": {"1", "0", "-1", "x", "autos"}, "spline": {}, "monotone": {"age", "age=", "=up", "age=over"}, "min-count": {"0", "-1", "x"}, "min-df": {"0", "x"}, "ngrams": {"0", "x"}, "counts": {"x"},
	"missing": {}, "decimal": {}, "thousands": {}, "recipe": {}, "info recipe": {"x"},
	"inference": {"x"}, "calibrate": {"x", ""}, "info inference": {}, "coefficients": {}, "covariance": {"hc4", ""}, "level": {"0", "1", "-1", "x", "NaN"},
	"cost": {"1", "1,5", "fp=1", "fp=1,fn=0", "fp=1,fn=-1", "fp=1,fp=2", "fp=x,fn=1", "fp=1,fn=NaN", "fp=Inf,fn=1", "fp=1,fn=2,fn=3"},
	"help": {"x"}, "eval positive": {"x"}, "eval fpr": {"1", "0.5,0.1", "-1,0.5", "0,1.5", "a,b", "NaN,1"}, "portfolio epochs": {"0", "-1", "NaN"}, "portfolio time": {"-1s", "x"},
}

// beside has the flags without which one has no effect.
var beside = map[string][]string{
	"predict cost": {"--labels"}, "covariance": {"--inference"}, "level": {"--inference"}, "coefficients": {"--inference", "--lambda", "0"}, "info coefficients": {"--inference", "tiny"}, "info covariance": {"--inference", "tiny"}, "info level": {"--inference", "tiny"},
	"l1-groups": {"--l1", "0.1"}, "huber": {"--loss", "huber"}, "fpr": {"--solver", "agd-sbcd"}, "tpr": {"--solver", "agd-sbcd"}, "eval tpr": {"--fpr", "0,0.5"}, "range": {"--solver", "sorr-agd"}, "batch": {"--solver", "svrg"},
	"compare fpr": {"--solvers", "agd-sbcd"}, "compare tpr": {"--solvers", "agd-sbcd"}, "compare range": {"--solvers", "sorr-agd"}, "set": {"--solver", "svrg"}, "compare set": {"--solvers", "svrg"}, "compare risk": {"--solvers", "scvrg"}, "compare limit": {"--solvers", "scvrg"}, "compare long-only": {"--solvers", "scvrg"}, "compare fraction": {"--solvers", "scvrg"},
	"checkpoint-every": {"--checkpoint", "run.ckpt"}, "metric": {"--valid", "tiny"}, "patience": {"--valid", "tiny"},
	"hidden": {"--solver", "adap"}, "activation": {"--solver", "adap", "--hidden", "3"}, "lambdas": {"--path"}, "portfolio set": {"--solver", "scvrg"},
	"info huber": {"--lipschitz", "--loss", "huber"},
}

// arguments are what a command is called with.
var arguments = map[string][]string{
	"train": {"tiny"}, "verify": {"receipt", "tiny"}, "compare": {"tiny"}, "predict": {"--model", "model", "tiny"}, "eval": {"--model", "model", "tiny"}, "info": {"tiny"},
	"convert": {"tiny", "out"}, "generate": {"clicks"}, "portfolio": {"returns"}, "cpu": {}, "bench": {}, "version": {},
}

// eachFlag calls f for every flag of every command.
func eachFlag(f func(command string, flag *cli.Flag)) {
	root := newRoot(&console.App{})
	for _, cmd := range root.Commands() {
		if cmd.Hidden || slices.Contains([]string{"completion", "help"}, cmd.Name()) {
			continue
		}
		cmd.Flags().VisitAll(func(flag *cli.Flag) { f(cmd.Name(), flag) })
	}
}

// playground is a directory with the files of arguments.
func playground(t *testing.T) (files int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"tiny": tiny, "returns": "Date,A,B\n20200102,1,-1\n20200103,-2,1\n20200106,1,1\n20200107,3,1\n20200108,-1,0.5\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if o := inside("train", "tiny", "--quiet", "--model", "model", "--receipt", "receipt"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	return 4
}

// sameValue tells whether an error shows a value as it was given, or a part of it. The same
// number or time in other letters counts too.
func sameValue(shown, given string) bool {
	if strings.Contains(given, shown) {
		return true
	}
	x, err1 := strconv.ParseFloat(shown, 64)
	y, err2 := strconv.ParseFloat(given, 64)
	if err1 == nil && err2 == nil {
		return x == y || x != x && y != y
	}
	a, err1 := time.ParseDuration(shown)
	b, err2 := time.ParseDuration(given)
	return err1 == nil && err2 == nil && a == b
}

// TestBadFlags gives every flag of every command a value that it cannot take. It wants exit
// status 2 and an error with the flag, the value and what is expected instead. With --json there
// is one JSON object; without it stdout is empty. Nothing is written.
func TestBadFlags(t *testing.T) {
	files := playground(t)
	tried := 0
	eachFlag(func(command string, flag *cli.Flag) {
		values, listed := badValues[command+" "+flag.Name]
		if !listed {
			values, listed = badValues[flag.Name]
		}
		if _, known := arguments[command]; !listed || !known {
			t.Errorf("lanes %s --%s is not in the table", command, flag.Name)
		}
		extra, found := beside[command+" "+flag.Name]
		if !found {
			extra = beside[flag.Name]
		}
		if command == "eval" && flag.Name == "fpr" {
			extra = nil
		}
		if command == "info" && flag.Name != "huber" {
			extra = append(slices.Clone(extra), "--lipschitz")
		}
		if command == "compare" && len(extra) > 1 && extra[0] == "--solver" {
			extra = append([]string{"--solvers"}, extra[1:]...)
		}
		if flag.Value.Type() == "string" && flag.DefValue == "" && !slices.Contains(values, "") {
			values = append(slices.Clone(values), "") // of a shell's variable that is not set
		}
		for _, value := range values {
			tried++
			args := append([]string{command}, arguments[command]...)
			if flag.Name == "generate" && command != "convert" {
				args = args[:1]
			} else if flag.Name == "generate" {
				args = []string{command, "out"}
			}
			args = append(append(args, extra...), "--"+flag.Name+"="+value)
			o := inside(args...)
			if o.status != exitUsage || o.out != "" || !strings.HasPrefix(o.stderr, "lanes: ") && flag.Name != "quiet" {
				t.Errorf("lanes %s: exit status %d\n%s%s", strings.Join(args, " "), o.status, o.stderr, o.out)
			}
			if flag.Name == "json" {
				continue
			}
			text := o.stderr
			o = inside(append(args, "--json")...)
			v := object(t, o.out)
			if o.status != exitUsage || v["status"] != "error" || v["exit_status"] != 2.0 || v["error"] == "" {
				t.Errorf("lanes %s --json: exit status %d, %q", strings.Join(args, " "), o.status, o.out)
			}
			shown, _ := v["value"].(string)
			expected, _ := v["expected"].(string)
			if v["flag"] != flag.Name || shown == "" && value != "" || !sameValue(shown, value) || len(expected) < 10 || strings.Contains(o.out, "strconv") ||
				!strings.Contains(text, "--"+flag.Name+" "+shown) && value != "" || !strings.Contains(text, expected) {
				t.Errorf("lanes %s --json: the error does not say flag, value and what is expected: %s%s", strings.Join(args, " "), o.out, text)
			}
		}
		if left, _ := os.ReadDir("."); len(left) != files {
			t.Fatalf("lanes %s --%s left something: %v", command, flag.Name, left)
		}
	})
	t.Logf("%d values", tried)
	for _, args := range [][]string{{"completion", "foo"}, {"help", "trian"}, {"help", "train", "foo"}, {"trian"}, {"--lambda", "abc"}, {"train", "--nosuch"}} {
		o := inside(append(args, "--json")...)
		if v := object(t, o.out); o.status != exitUsage || v["exit_status"] != 2.0 {
			t.Errorf("lanes %v: exit status %d, %s", args, o.status, o.out)
		}
	}
	for _, args := range [][]string{{"completion", "zsh"}, {"help"}, {"help", "train"}, {"help", "completion"}} {
		if o := inside(args...); o.status != exitDone || o.out == "" {
			t.Errorf("lanes %v: exit status %d, %s", args, o.status, o.stderr)
		}
	}
}

// TestIdleFlags gives flags that would have no effect beside the others.
func TestIdleFlags(t *testing.T) {
	files := playground(t)
	for name, text := range map[string]string{"three": "1 1:1\n2 2:1\n3 3:1\n1 1:2\n", "targets": "0.5 1:1\n2 2:1\n3 3:1\n-1 1:2\n", "scores": "1 0.5\n-1 0.2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files++
	}
	for _, args := range [][]string{{"train", "targets", "--loss", "squared", "--model", "regression"}, {"train", "three", "--multiclass", "--model", "classes"}, {"train", "tiny", "--loss", "squared-hinge", "--model", "hinge"}} {
		if o := inside(append(args, "--quiet")...); o.status != exitDone {
			t.Fatal(o.stderr)
		}
		files++
	}
	for _, line := range []string{
		"train tiny --huber 2", "train tiny --huber 2 --loss squared", "compare tiny --huber 2", "info tiny --huber 2 --lipschitz", "info tiny --huber 2 --loss huber",
		"train tiny --fpr 0,0.1", "train tiny --fpr 0,0.1 --solver sorr-agd", "train tiny --fpr 0,0.1 --solver soap", "compare tiny --fpr 0,0.1", "train tiny --tpr 0.5", "train tiny --tpr 0.5 --solver soap", "train tiny --tpr 0.5 --solver svm-pauc-tight", "train tiny --tpr 0.5 --solver auc-m", "compare tiny --tpr 0.5", "eval --model m tiny --tpr 0.5",
		"train tiny --range 0.1,0.5", "train tiny --range 0.1,0.5 --solver agd-sbcd", "compare tiny --range 0.1,0.5",
		"train tiny --metric ap", "train tiny --metric ap --path", "train tiny --patience 3", "train tiny --patience 3 --cv 2", "train tiny --valid tiny --path --patience 3",
		"train tiny --hidden 3", "train tiny --activation relu", "train tiny --activation relu --solver adap", "train tiny --hidden 3 --solver svm-pauc-tight", "train tiny --hidden 3 --solver adap --bias",
		"train tiny --loss logistic --solver adap", "train tiny --loss squared --solver sorr-agd", "train tiny --class-weight balanced --solver soap", "train targets --loss squared --class-weight balanced",
		"train tiny --batch 3", "train tiny --batch 3 --solver newton", "train tiny --batch 3 --solver prox-sdca", "train tiny --batch 3 --solver soap", "train tiny --batch 3 --solver sorr-agd", "compare tiny --solvers newton,prox-sdca --batch 3", "compare tiny --risk 2", "compare tiny --metric ap", "compare returns --solvers scvrg --loss squared", "compare returns --solvers scvrg --valid returns", "compare returns --solvers scvrg --long-only --lambda 1",
		"train tiny --lambdas 1:0.1", "train tiny --one-se", "train tiny --one-se --path", "train tiny --one-se --cv 2", "train tiny --path --lambda 1", "train three --multiclass --positive 2",
		"train tiny --holdout-by 1", "train tiny --force", "train tiny --checkpoint-every 3s", "train tiny --set step=1", "train tiny --gap 1 --solver soap", "train tiny --paper", "train tiny --paper --solver svm-pauc-tight", "train tiny --paper --solver adap --set paper=true", "compare tiny --paper --solvers newton,adam",
		"verify receipt tiny --seed 1", "verify receipt tiny --valid tiny", "train --generate onehot:n=50 --merge", "train --generate onehot:n=50 --float32", "convert --generate onehot:n=50 --merge out", "info --generate onehot:n=50 --float32", "train --float32", "train --generate onehot:n=50 --zero-based", "eval --scores scores --zero-based", "info model --bias", "info model --positive 1", "info tiny --top 3", "info --generate onehot:n=50 --top 3", "info --model model tiny", "info --model model --bias", "train tiny --names tiny", "train tiny --sparse-model", "train tiny --sparse-model --model x.npz", "train tiny --solver adap --hidden 2 --sparse-model --model x", "train tiny --solver adap --hidden 2 --model x.npz", "convert model out --merge", "convert model out --to cache", "convert tiny out --to npz", "convert model model",
		"info tiny --loss squared", "info tiny --lambda 3", "info tiny --C 3", "info tiny --max-memory 1GB", "info tiny --bias", "info tiny --normalize unit", "info tiny --class-weight balanced", "info tiny --fpr 0,0.1", "info tiny --range 0.1,0.5",
		"eval --scores scores --merge", "eval --scores scores --float32", "eval --scores scores --model model", "eval --scores scores tiny",
		"eval --model regression targets --positive 2", "eval --model regression targets --fpr 0,0.1", "eval --model regression targets --plot x.png", "eval --model regression targets --cost fp=1,fn=2", "eval --model hinge tiny --cost fp=1,fn=2", "eval --model classes three --cost fp=1,fn=2", "predict --model regression targets --labels --cost fp=1,fn=2", "predict --model hinge tiny --labels --cost fp=1,fn=2", "predict --model classes three --labels --cost fp=1,fn=2", "predict --model model tiny --cost fp=1,fn=2", "eval --model classes three --fpr 0,0.1",
		"predict --model hinge tiny --probability", "predict --model regression targets --probability", "predict --model model tiny --labels --probability",
		"portfolio --missing mean", "portfolio --table 2", "portfolio --date-format dmy", "portfolio returns --long-only --lambda 1", "portfolio returns --long-only --limit 1", "portfolio returns --frontier 1 --points 5",
		"bench --format go", "bench --list --quick", "bench --list --lengths 8", "bench --list --html a.html", "bench --list --against tiny", "bench --list --from tiny", "bench --from tiny --quick", "bench --from tiny --filter dot",
	} {
		o := inside(append(strings.Fields(line), "--json")...)
		v := object(t, o.out)
		if o.status != exitUsage || v["exit_status"] != 2.0 {
			t.Errorf("lanes %s: exit status %d\n%s", line, o.status, o.stderr)
		}
		for _, flag := range []string{"hidden", "class-weight", "batch"} {
			if strings.HasPrefix(o.stderr, "lanes: --"+flag+" would have no effect here") && v["flag"] != flag {
				t.Errorf("lanes %s: the object does not name --%s: %s", line, flag, o.out)
			}
		}
	}
	if left, _ := os.ReadDir("."); len(left) != files {
		t.Errorf("files are left: %v", left)
	}
	// Each of them beside what it goes with.
	for _, line := range []string{
		"train tiny --huber 2 --loss huber", "compare tiny --huber 2 --loss huber --solvers newton", "info tiny --huber 2 --loss huber --lipschitz", "train tiny --fpr 0,0.6 --solver agd-sbcd --epochs 3", "train tiny --fpr 0,0.6 --tpr 0.5 --solver mb-pauc --epochs 3", "eval --model classes three --positive 2 --fpr 0,0.5 --tpr 0.25",
		"train tiny --range 0.1,0.5 --solver sorr-agd --epochs 3", "train tiny --valid tiny --metric ap --patience 3 --epochs 5", "train tiny --hidden 3 --activation relu --solver adap --epochs 3",
		"train tiny --batch 3 --solver svrg --epochs 3", "compare tiny --solvers newton,adam --batch 3", "compare tiny --solvers newton,adam --valid tiny --metric ap", "compare returns --solvers scvrg,agd --risk 2 --lambda 0 --fraction", "train three --multiclass --class-weight balanced", "info tiny --bias --lipschitz",
		"eval --model classes three --positive 2 --fpr 0,0.5", "portfolio returns --missing mean --holdout 0 --frontier 1",
	} {
		if o := inside(append(strings.Fields(line), "--quiet")...); o.status != exitDone {
			t.Errorf("lanes %s: exit status %d\n%s", line, o.status, o.stderr)
		}
	}
}

func TestOutputsAreNotInputs(t *testing.T) {
	playground(t)
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, link := range []struct{ to, name string }{{"tiny", "soft"}, {"absent.png", "dangling.png"}, {".", "here"}, {"returns", "soft.png"}} {
		if err := os.Symlink(link.to, link.name); err != nil {
			t.Skip(err)
		}
	}
	for from, to := range map[string]string{"tiny": "hard", "model": "model.png"} {
		if err := os.Link(from, to); err != nil {
			t.Skip(err)
		}
	}
	if err := os.WriteFile("ckpt", []byte("no checkpoint"), 0o666); err != nil {
		t.Fatal(err)
	}
	full, err := filepath.Abs("tiny")
	if err != nil {
		t.Fatal(err)
	}
	before := read(t, "tiny") + read(t, "model") + read(t, "returns") + read(t, "ckpt")
	for _, line := range []string{
		"convert tiny tiny", "convert tiny ./tiny", "convert tiny soft", "convert soft tiny", "convert tiny hard", "convert tiny dir/../tiny", "convert tiny here/tiny", "convert tiny " + full,
		"train tiny --model tiny", "train tiny --receipt tiny", "train tiny --inference --lambda 0 --coefficients tiny", "info model --inference tiny --coefficients soft", "train tiny --receipt a --model ./a", "train tiny --model hard", "train soft --trace tiny", "train --generate onehot:n=50 --valid tiny --trace soft", "train tiny --resume ckpt --model ckpt", "train tiny --resume ckpt --trace here/ckpt",
		"train tiny --model a --trace a", "train tiny --model a --trace ./a", "train tiny --model a --trace here/a", "train tiny --plot absent.png --model dangling.png", "train tiny --model a --checkpoint dir/../a",
		"compare tiny --html tiny", "compare tiny --trace soft", "compare --generate onehot:n=50 --valid tiny --trace tiny", "compare returns --solvers scvrg --trace returns", "compare tiny --html a.png --plot ./a.png", "eval --model model tiny --plot model.png", "portfolio returns --trace returns", "portfolio returns --plot soft.png", "portfolio returns --trace a.png --plot here/a.png", "bench --against tiny --html soft",
	} {
		if o := inside(strings.Fields(line)...); o.status != exitUsage {
			t.Errorf("lanes %s: exit status %d\n%s%s", line, o.status, o.stderr, o.out)
		}
	}
	stdin, err := os.Open("tiny")
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if o := (invocation{args: []string{"convert", "-", "hard"}, stdin: stdin}).run(t); o.status != exitUsage {
		t.Errorf("standard input: exit status %d\n%s", o.status, o.stderr)
	}
	if after := read(t, "tiny") + read(t, "model") + read(t, "returns") + read(t, "ckpt"); after != before {
		t.Error("a file was replaced")
	}
	if o := inside("train", "tiny", "--quiet", "--resume", "ckpt", "--checkpoint", "here/ckpt"); o.status != exitData {
		t.Errorf("going on in the checkpoint's own file: exit status %d\n%s", o.status, o.stderr)
	}
}
