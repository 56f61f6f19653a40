package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/yuin/goldmark/ast"
)

// block is a code block of a page: commands, or text that the commands before it print.
type block struct{ language, text string }

// blocks returns the code blocks of a page whose language is sh, console or text.
func blocks(p *page) (list []block) {
	_ = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if b, ok := n.(*ast.FencedCodeBlock); ok && entering {
			if language := string(b.Language(p.source)); language == "sh" || language == "console" || language == "text" {
				list = append(list, block{language, string(b.Lines().Value(p.source))})
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

// unprinted returns the first line of text that out lacks, "" if it has all in this order. Blanks
// count as one, and a line may be the beginning of a printed one.
func unprinted(text, out string) string {
	plain := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	printed := strings.Split(out, "\n")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		at := slices.IndexFunc(printed, func(p string) bool { return strings.HasPrefix(plain(p), plain(line)) })
		if at < 0 {
			return line
		}
		printed = printed[at+1:]
	}
	return ""
}

// bin is the folder of the built command.
var bin string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

// buildAndRun builds the command, and runs the tests.
func buildAndRun(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "lanes-site"); err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(bin)
	if out, err := exec.Command("go", "-C", "../..", "build", "-o", filepath.Join(bin, "lanes"), "./cmd/lanes").CombinedOutput(); err != nil {
		log.Printf("go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// TestHelpPages makes the pages of the command's help.
func TestHelpPages(t *testing.T) {
	s := &site{}
	if err := s.addHelp(filepath.Join(bin, "lanes")); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, p := range s.pages {
		pages[p.file] = string(p.source)
	}
	for name, want := range map[string]string{"train": "Usage: lanes train", "eval": "Usage: lanes eval", "tables": "# lanes help tables", "checkpoints": "--resume", "info": "# lanes info"} {
		if !strings.Contains(pages["help/"+name+".md"], want) {
			t.Errorf("the page of lanes help %s lacks %q:\n%s", name, want, pages["help/"+name+".md"])
		}
	}
}

// TestGuideNamesEverySolver holds the guide against the solvers that the command lists.
func TestGuideNamesEverySolver(t *testing.T) {
	guide, err := os.ReadFile("../solvers.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command(filepath.Join(bin, "lanes"), "train", "--list", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var listed struct{ Solvers []struct{ Name string } }
	if err := json.Unmarshal(list, &listed); err != nil || len(listed.Solvers) == 0 {
		t.Fatalf("%v in %s", err, list)
	}
	for _, s := range listed.Solvers {
		if !strings.Contains(string(guide), "`"+s.Name+"`") {
			t.Errorf("docs/solvers.md does not name %s", s.Name)
		}
	}
}

// TestTutorials runs the commands of each tutorial, block after block, in a folder of its own. It
// compares what they print with the blocks of text behind them.
func TestTutorials(t *testing.T) {
	files, err := filepath.Glob("../tutorials/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tutorials: %v", err)
	}
	var compared atomic.Int32
	t.Run("pages", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				compared.Add(runTutorial(t, file))
			})
		}
	})
	if compared.Load() < 5 {
		t.Errorf("%d blocks of text were compared", compared.Load())
	}
}

// runTutorial runs a tutorial and returns the number of blocks of text that were compared.
func runTutorial(t *testing.T, file string) (compared int32) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, out := t.TempDir(), ""
	for _, b := range blocks(parse("", file, source)) {
		switch b.language {
		case "sh":
			command := exec.Command("sh", "-euc", b.text)
			command.Dir = dir
			command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			text, err := command.CombinedOutput()
			if out = string(text); err != nil {
				t.Fatalf("%v in:\n%s\n%s", err, b.text, lastLines(text))
			}
		case "console":
			if strings.Contains(b.text, "examples/serve") {
				askService(t, dir, b.text)
				compared++
			}
		case "text":
			if line := unprinted(b.text, out); line != "" {
				t.Errorf("the commands before do not print %q, but:\n%s", line, out)
			}
			compared++
		}
	}
	return compared
}

// askService runs examples/serve on the model in a folder. It sends the row of every curl of a
// block, and compares the answer with the line behind it. SIGTERM ends the service in order.
func askService(t *testing.T, dir, text string) {
	pairs := regexp.MustCompile(`curl -d '([^']*)' .*\n(.*)\n`).FindAllStringSubmatch(text, -1)
	if len(pairs) == 0 {
		t.Fatalf("no row and answer in %s", text)
	}
	program := filepath.Join(dir, "serve")
	if out, err := exec.Command("go", "-C", "../..", "build", "-o", program, "./examples/serve").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	server := exec.Command(program, "-model", "a9a.model", "-address", address)
	server.Dir = dir
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for _, pair := range pairs {
		if got := answer(address, pair[1]); got != pair[2] {
			t.Errorf("the service answers %q, and the page has %s", got, pair[2])
		}
	}
	if err := errors.Join(server.Process.Signal(syscall.SIGTERM), server.Wait()); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// answer returns the answer of the service to a row, once it has a model, or "".
func answer(address, row string) string {
	for try := range 100 {
		reply, err := http.Post("http://"+address, "application/json", strings.NewReader(row))
		if err == nil {
			text, err := io.ReadAll(reply.Body)
			reply.Body.Close()
			if err == nil && reply.StatusCode != http.StatusServiceUnavailable {
				return strings.TrimSpace(string(text))
			}
		}
		time.Sleep(time.Duration(try+1) * 10 * time.Millisecond)
	}
	return ""
}

// TestUnprinted: a figure that was not printed, or in another order, is found.
func TestUnprinted(t *testing.T) {
	const out = "status   converged after 3 epochs\nAUC  0.75\n  gap 1\n"
	for text, want := range map[string]string{
		"status converged after\nAUC     0.75\ngap 1\n": "",
		"AUC 0.76\n":                "AUC 0.76",
		"gap 1\nAUC 0.75\n":         "AUC 0.75",
		"AUC 0.75\nAUC 0.75\ngap 1": "AUC 0.75",
	} {
		if got := unprinted(text, out); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// lastLines returns the end of an output.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
