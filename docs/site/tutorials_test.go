package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// blocks returns the code blocks of a page whose language is sh.
func blocks(p *page) (commands []string) {
	_ = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if b, ok := n.(*ast.FencedCodeBlock); ok && entering && string(b.Language(p.source)) == "sh" {
			commands = append(commands, string(b.Lines().Value(p.source)))
		}
		return ast.WalkContinue, nil
	})
	return commands
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

// TestTutorials runs the commands of each tutorial, block after block, in a folder of its own.
func TestTutorials(t *testing.T) {
	files, err := filepath.Glob("../tutorials/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tutorials: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, block := range blocks(parse("", file, source)) {
				command := exec.Command("sh", "-euc", block)
				command.Dir = dir
				command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				if out, err := command.CombinedOutput(); err != nil {
					t.Fatalf("%v in:\n%s\n%s", err, block, lastLines(out))
				}
			}
		})
	}
}

// lastLines returns the end of an output.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
