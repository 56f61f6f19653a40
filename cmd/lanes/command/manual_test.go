package command

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers/registry"
)

// TestManualPages: every command that users see has a page that names all of its flags. A line of
// a page is a request of roff only if it begins a part of the page.
func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code := Run([]string{"manual", dir}, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
		t.Fatalf("lanes manual: exit status %d", code)
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".TP": true, ".PP": true, ".B": true, ".nf": true, ".fi": true, ".nh": true, ".ad": true}
	check := func(name, page string, flags []*cli.Flag) {
		for _, f := range flags {
			if !strings.Contains(page, `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)+`\fR`) {
				t.Errorf("%s: no --%s", name, f.Name)
			}
		}
		for k, line := range strings.Split(page, "\n") {
			if first, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") && !requests[first] || strings.HasPrefix(line, "'") {
				t.Errorf("%s: line %d is a request: %s", name, k+1, line)
			}
		}
	}
	pages := 0
	var look func(cmd *cli.Command)
	look = func(cmd *cli.Command) {
		if cmd.Hidden {
			return
		}
		pages++
		name := strings.ReplaceAll(cmd.Path(), " ", "-")
		content, err := os.ReadFile(filepath.Join(dir, "man1", name+".1"))
		if err != nil {
			t.Fatal(err)
		}
		var flags []*cli.Flag
		for _, set := range []*cli.FlagSet{cmd.OwnFlags(), cmd.AllFlags()} {
			set.VisitAll(func(f *cli.Flag) { flags = append(flags, f) })
		}
		check(name, string(content), flags)
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(&console.App{}))
	for _, topic := range topics {
		content, err := os.ReadFile(filepath.Join(dir, "man7", "lanes-"+topic.Name+".7"))
		if err != nil {
			t.Fatal(err)
		}
		check("lanes-"+topic.Name, string(content), topic.Flags(trainFlags()))
	}
	files, err := os.ReadDir(filepath.Join(dir, "man1"))
	if err != nil || len(files) != pages || pages < 10 {
		t.Errorf("%d pages of %d commands: %v", len(files), pages, err)
	}
	for _, shell := range []string{"lanes.bash", "_lanes", "lanes.fish", "lanes.ps1"} {
		if info, err := os.Stat(filepath.Join(dir, "completions", shell)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", shell, err)
		}
	}
}

func TestRoff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":         "plain",
		`a\b --c`:       `a\eb \-\-c`,
		".start\n'next": "\\&.start\n\\&'next",
		"in. 'side":     "in. 'side",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, not %q", text, got, want)
		}
	}
}

// TestHelp: every page of the help has at most HelpLines lines of 100 characters, of which at
// most HelpText explain; every flag stands on one line, in a group of the command's page or on
// the page of its topic.
func TestHelp(t *testing.T) {
	t.Parallel()
	page := func(args ...string) string {
		t.Helper()
		o := inside(append([]string{"help"}, args...)...)
		if o.status != exitDone {
			t.Fatalf("lanes help %v: %s", args, o.stderr)
		}
		if lines := strings.Count(o.out, "\n"); lines > console.HelpLines {
			t.Errorf("lanes help %v: %d lines", args, lines)
		}
		for line := range strings.Lines(o.out) {
			if len(line) > 101 {
				t.Errorf("lanes help %v: a line of %d characters: %s", args, len(line)-1, line)
			}
		}
		return o.out
	}
	onTopic := map[string]string{} // page of each flag
	for k := range topics {
		text := page(topics[k].Name)
		if !strings.Contains(text, topics[k].Text) {
			t.Errorf("lanes help %s lacks its text", topics[k].Name)
		}
		for _, flag := range topics[k].Flags(trainFlags()) {
			if strings.Count(text, "\n  --"+flag.Name+" ") != 1 {
				t.Errorf("lanes help %s: --%s does not stand there once", topics[k].Name, flag.Name)
			}
			onTopic[flag.Name] = topics[k].Name
		}
	}
	page()
	for _, cmd := range newRoot(&console.App{}).Commands() {
		if cmd.Hidden || cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		text := page(cmd.Name())
		if lines := strings.Count(cmd.Long, "\n") + 1; lines > console.HelpText {
			t.Errorf("%s: %d lines explain it", cmd.Name(), lines)
		}
		check := func(flag *cli.Flag) {
			if flag.Name == "help" {
				return
			}
			if of := flag.Annotations["group"]; len(of) == 0 || !strings.Contains(" Data Table Returns Model Penalty Stopping Search Evaluation Output Resume Resources Measurement ", " "+of[0]+" ") {
				t.Errorf("%s: --%s has the group %v", cmd.Name(), flag.Name, of)
			}
			topic, alone := console.TopicOf(flag)
			switch count := strings.Count(text, "\n  --"+flag.Name+" "); {
			case alone && (count != 0 || onTopic[flag.Name] != topic || !strings.Contains(text, topic)):
				t.Errorf("%s: --%s stands there %d times and on the page %q, not on the page %q alone", cmd.Name(), flag.Name, count, onTopic[flag.Name], topic)
			case !alone && count != 1:
				t.Errorf("%s: --%s stands there %d times", cmd.Name(), flag.Name, count)
			}
			if value, _ := cli.UnquoteUsage(flag); strings.ToUpper(value) != value {
				t.Errorf("%s: --%s has the value %q, the name of a type", cmd.Name(), flag.Name, value)
			}
		}
		cmd.OwnFlags().VisitAll(check)
		cmd.AllFlags().VisitAll(check)
	}
}

// TestFormerNames: a former name of a flag is the flag.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	hash := func(flags ...string) any {
		return object(t, inside(append([]string{"train", "--generate", "onehot:n=50", "--solver", "svrg", "--json"}, flags...)...).out)["weights_sha256"]
	}
	if now, before, more := hash("--epochs", "2"), hash("--passes", "2"), hash("--epochs", "4"); now == nil || now != before || now == more {
		t.Errorf("--epochs 2: %v, --passes 2: %v, --epochs 4: %v", now, before, more)
	}
	if o := inside("train", "--passes", "0"); !strings.Contains(o.stderr, "--epochs 0: ") {
		t.Errorf("--passes 0: %s", o.stderr)
	}
}

// TestListOfSolvers: --list has a line for each solver, --list SOLVER one for each parameter.
func TestListOfSolvers(t *testing.T) {
	t.Parallel()
	all := inside("train", "--list")
	lines := strings.Split(all.out, "\n")
	for _, s := range registry.All() {
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, "  "+s.Name+" ") && strings.HasSuffix(line, s.About)
		}) {
			t.Errorf("%s has no line", s.Name)
		}
		one := inside("train", "--list", s.Name)
		if got := strings.Count(one.out, "  --set "); one.status != exitDone || got != len(s.Parameters) {
			t.Errorf("--list %s: exit status %d, %d parameters, not %d", s.Name, one.status, got, len(s.Parameters))
		}
	}
	if most := len(registry.All()) + 8; strings.Count(all.out, "\n") > most {
		t.Errorf("the list has more than %d lines: %s", most, all.out)
	}
	if o := inside("train", "--list", "svrgg"); o.status != exitUsage || !strings.Contains(o.stderr, "did you mean svrg") {
		t.Errorf("--list svrgg: exit status %d, %s", o.status, o.stderr)
	}
}
