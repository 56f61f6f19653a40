package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// values are variables of every type.
type values struct {
	yes    bool
	word   string
	n      int
	u      uint64
	x      float64
	d      time.Duration
	words  []string
	whole  []string
	ints   []int
	floats []float64
	how    string
}

func (v *values) flags() *FlagSet {
	s := &FlagSet{Normalize: func(name string) string {
		if name == "old" {
			return "word"
		}
		return name
	}}
	s.Add("yes", "a bool", &v.yes).Letter = "y"
	for name, to := range map[string]any{"word": &v.word, "n": &v.n, "u": &v.u, "x": &v.x, "d": &v.d, "words": &v.words, "ints": &v.ints, "floats": &v.floats} {
		s.Add(name, "a `VALUE`", to)
	}
	s.AddWhole("whole", "a `VALUE`", &v.whole)
	s.Add("how", "a `VALUE`", &v.how).NoOptDefVal = "so"
	return s
}

func TestParse(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		v      values
		others string
	}{
		"a --yes b":                    {values{yes: true}, "a b"},
		"-y - --yes=false":             {values{}, "-"},
		"--word --yes x":               {values{word: "--yes"}, "x"},
		"--word=a=b --old c":           {values{word: "c"}, ""},
		"--word=":                      {values{}, ""},
		"--n -0x10 --u 0x10":           {values{n: -16, u: 16}, ""},
		"--x 1e-9 --d 90s":             {values{x: 1e-9, d: 90 * time.Second}, ""},
		`--words a,"b,c" --words d`:    {values{words: []string{"a", "b,c", "d"}}, ""},
		"--whole a,b --whole c":        {values{whole: []string{"a,b", "c"}}, ""},
		"--ints 1,2 --floats 1e-9,inf": {values{ints: []int{1, 2}, floats: []float64{1e-9, 1 / zero}}, ""},
		"--how x":                      {values{how: "so"}, "x"},
		"--how=x":                      {values{how: "x"}, ""},
		"a -- --yes -y":                {values{}, "a --yes -y"},
	} {
		var v values
		others, err := v.flags().Parse(strings.Fields(line))
		if err != nil || !reflect.DeepEqual(v, want.v) || strings.Join(others, " ") != want.others {
			t.Errorf("%s: %+v and %q, %v", line, v, others, err)
		}
	}
	for line, want := range map[string]error{
		"--nosuch=3": &UnknownFlagError{"nosuch", false}, "-5": &UnknownFlagError{"5", true}, "-yx": &UnknownFlagError{"yx", true},
	} {
		if _, err := new(values).flags().Parse([]string{line}); !reflect.DeepEqual(err, want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"--n x", "--u -1", "--x 1,2", "--d 3", "--yes=2", "--ints 1,x", "--floats x", `--words "a`, "--n 99999999999999999999"} {
		before := values{n: 7, ints: []int{7}}
		v := before
		_, err := v.flags().Parse(strings.Fields(line))
		if bad := new(ValueError); !errors.As(err, &bad) || !reflect.DeepEqual(v, before) {
			t.Errorf("%s: %v, %+v", line, err, v)
		}
	}
	if _, err := new(values).flags().Parse([]string{"--word"}); err == nil || err.Error() != "--word needs a value" {
		t.Error(err)
	}
}

var zero float64

// TestDefaults: a default of a list is replaced, then extended.
func TestDefaults(t *testing.T) {
	t.Parallel()
	var v values
	s := v.flags()
	f := s.Lookup("words")
	if err := f.SetDefault("a,b"); err != nil || f.DefValue != "[a,b]" || f.Changed || !slices.Equal(v.words, []string{"a", "b"}) {
		t.Errorf("%v: %q, %q", err, f.DefValue, v.words)
	}
	if _, err := s.Parse([]string{"--words", "c", "--words", "d"}); err != nil || !slices.Equal(v.words, []string{"c", "d"}) || !s.Changed("words") || s.Changed("ints") {
		t.Errorf("%v: %q", err, v.words)
	}
	if err := s.Lookup("n").SetDefault("x"); err == nil {
		t.Error("x is a number")
	}
}

// tree is a command with two subcommands.
func tree(out *bytes.Buffer, ran *string) *Command {
	run := func(cmd *Command, args []string) error {
		*ran += cmd.Path() + " " + strings.Join(args, " ")
		return nil
	}
	var seed int
	root := &Command{Use: "lanes", Version: "1.2", Out: out, Help: func(cmd *Command) error { *ran += "help of " + cmd.Path(); return nil }}
	root.AllFlags().Add("seed", "`N`", &seed)
	train := &Command{Use: "train [flags] [DATA]", Short: "Train", Args: Between(0, 1), Run: run}
	train.Flags().Add("solver", "`NAME` of it", new(string)).Complete = Fixed([]string{"adam", "newton", "a:b=c", "capital gain"})
	train.Flags().Add("target", "`COLUMN`", new(string))
	train.Flags().Add("set", "`LIST`", new([]string))
	root.AddCommand(train, &Command{Use: "help", Short: "Help", Complete: Fixed([]string{"train\tTrain", "topic"}), Run: run}, &Command{Use: "hidden", Hidden: true, Run: run})
	return root
}

func TestExecute(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"train x": "lanes train x", "--seed 5 train x": "lanes train x", "--seed=5 train --seed 6 x --solver help": "lanes train x", "help a b": "lanes help a b",
		"train help": "lanes train help", "train -h": "help of lanes train", "": "help of lanes", "--help": "help of lanes", "hidden": "lanes hidden ",
		"--version": "", "-v": "", "--seed 5": "help of lanes",
		"trian": `error: unknown command "trian"; did you mean train?`, "train a b": "error: train takes at most 1 argument, but got 2: lanes train [flags] [DATA]",
		"--seed train": `error: --seed "train": strconv.ParseInt: parsing "train": invalid syntax`, "train --version": "error: unknown flag --version",
	} {
		var out bytes.Buffer
		var ran string
		if _, err := tree(&out, &ran).Execute(strings.Fields(line)); err != nil {
			ran += "error: " + err.Error()
		}
		if ran != want || (out.String() == "lanes 1.2\n") != (line == "-v" || line == "--version") {
			t.Errorf("%q: %q and %q", line, ran, &out)
		}
	}
	var ran string
	root := tree(&bytes.Buffer{}, &ran)
	root.Before = func(*Command, []string) error { return errors.New("not now") }
	if cmd, err := root.Execute([]string{"train"}); err == nil || ran != "" || cmd.Name() != "train" || cmd.Root() != root {
		t.Errorf("%v, and %q ran", err, ran)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                          "help\tHelp\ntrain\tTrain\n:4\n",
		"tr":                        "train\tTrain\n:4\n",
		"--seed 5 tr":               "train\tTrain\n:4\n",
		"train ":                    ":0\n",
		"train --so":                "--solver\tNAME of it\n:4\n",
		"train --solver adam --s":   "--set\tLIST\n--seed\tN\n:4\n",
		"train --set a --se":        "--set\tLIST\n--seed\tN\n:4\n",
		"train --solver n":          "newton\n:4\n",
		"train --solver=a":          "--solver=adam\n--solver=a:b=c\n:4\n",
		"train --target ":           ":0\n",
		"train --seed ":             ":4\n",
		"train --nosuch=":           ":4\n",
		"train -- --so":             ":0\n",
		"help t":                    "train\tTrain\ntopic\n:4\n",
		"train --nosuch --solver n": "newton\n:4\n",
	} {
		var out bytes.Buffer
		if _, err := tree(&out, new(string)).Execute(append([]string{"__complete"}, strings.Split(line, " ")...)); err != nil || out.String() != want {
			t.Errorf("%q: %q, %v", line, &out, err)
		}
	}
}

// TestBash runs the script in bash, with a command that answers as lanes does.
func TestBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	script, err := Script("bash")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for line, want := range map[string]string{"lanes tr": "train", "lanes --seed 5 ": "help train", "lanes train --solver=a": "adam a:b=c", "lanes train --solver cap": `capital\ gain`, "lanes train --solver a:": "b=c"} {
		var answer bytes.Buffer
		tree(&answer, new(string)).Execute(append([]string{"__complete"}, strings.Split(line, " ")[1:]...))
		if err := os.WriteFile(filepath.Join(dir, "lanes"), []byte("#!/bin/sh\ncat <<'END'\n"+answer.String()+"END\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		words := "(" + strings.NewReplacer("=", " = ", ":", " : ").Replace(line)
		if strings.HasSuffix(line, " ") {
			words += `""`
		}
		run := exec.Command(bash, "-c", string(script)+"\nCOMP_LINE='"+line+"'; COMP_POINT=${#COMP_LINE}; COMP_WORDS="+words+"); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _lanes; echo \"${COMPREPLY[@]}\"")
		run.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := run.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}
