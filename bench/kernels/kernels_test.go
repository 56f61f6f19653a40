package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// notTimed says why a function of package kernels is no task.
var notTimed = map[string]string{
	"ParseLoss":     "no kernel",
	"RankThreshold": "KthLargest with two counts",
	"NewPairBlock":  "its methods are tasks",
}

// TestEveryKernelIsTimed: every exported function of package kernels is a task or has a
// reason not to be.
func TestEveryKernelIsTimed(t *testing.T) {
	files, err := filepath.Glob("../../kernels/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	exported := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && f.Name.IsExported() {
				exported[f.Name.Name] = true
			}
		}
	}
	timed := map[string]bool{}
	for _, task := range publicTasks() {
		timed[regexp.MustCompile(`^\w+`).FindString(task.name)] = true
	}
	for name := range exported {
		if !timed[name] && notTimed[name] == "" {
			t.Errorf("kernels.%s is no task", name)
		}
	}
	for name := range notTimed {
		if !exported[name] || timed[name] {
			t.Errorf("kernels.%s is no function, or a task", name)
		}
	}
}

// TestWays runs every way once, on a few elements, and on the first size of every table.
func TestWays(t *testing.T) {
	tables := rowTables()
	for _, task := range publicTasks() {
		n := min(task.longest, 16)
		tables = append(tables, table{task, "", []size{{"", n, 1}}})
	}
	for _, of := range tables {
		if testing.Short() && of.longest == 0 {
			continue // matrices take a second to make
		}
		ways := of.ways(of.sizes[0].n)
		if ways[0].name != "lanes" || len(ways) < 2 {
			t.Errorf("%s: the first of %d ways is %s", of.name, len(ways), ways[0].name)
		}
		for _, w := range ways {
			w.run(1)
		}
	}
}

// TestRepeatIsInlined: where a call of repeat is not inlined, nor are the short public
// kernels in it, which a program's own call of them would be. Then the linker keeps it.
func TestRepeatIsInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	file := filepath.Join(t.TempDir(), "kernels")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(symbols), " main.measure") {
		t.Fatal("no symbols")
	}
	if strings.Contains(string(symbols), " main.repeat\n") {
		t.Error("a call of repeat is not inlined")
	}
}
