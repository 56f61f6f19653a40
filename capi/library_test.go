package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// library builds the C library in a folder of its own.
func library(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc: install gcc and libc6-dev")
	}
	folder := t.TempDir()
	run(t, folder, "go", "build", "-buildmode=c-shared", "-o", filepath.Join(folder, "liblanes.so"), ".")
	return folder
}

// run runs a program, with the library of a folder, and returns its output.
func run(t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "CGO_ENABLED=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// prototypes lists the functions of a header, without names of parameters, comments and const.
func prototypes(header string) []string {
	header = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(header, " ")
	header = regexp.MustCompile(`\bextern\b|\bconst\b|\bstruct\b`).ReplaceAllString(header, " ")
	var list []string
	for _, f := range regexp.MustCompile(`lanes_status\s+(lanes_\w+)\s*\(([^)]*)\)`).FindAllStringSubmatch(header, -1) {
		text := f[1]
		for _, parameter := range strings.Split(f[2], ",") {
			stars := strings.Repeat("*", strings.Count(parameter, "*"))
			fields := strings.Fields(strings.ReplaceAll(parameter, "*", " "))
			text += " " + strings.Join(fields[:len(fields)-1], " ") + stars
		}
		list = append(list, text)
	}
	return list
}

// TestHeader compares lanes.h, which people wrote, with what cgo generates of the Go code.
func TestHeader(t *testing.T) {
	folder := library(t)
	ours, err := os.ReadFile("lanes.h")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(folder, "liblanes.h"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, f := range prototypes(string(theirs)) {
		want[f] = true
	}
	if len(want) < 20 {
		t.Fatalf("only %d functions in the generated header", len(want))
	}
	for _, f := range prototypes(string(ours)) {
		if !want[f] {
			t.Errorf("lanes.h has %q, which the Go code has not", f)
		}
		delete(want, f)
	}
	for f := range want {
		t.Errorf("lanes.h lacks %q", f)
	}
}

// compile compiles a C program with the library of a folder.
func compile(t *testing.T, folder, source string) string {
	t.Helper()
	program := filepath.Join(folder, strings.TrimSuffix(filepath.Base(source), ".c"))
	run(t, folder, "gcc", "-g", "-O1", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I.", source, "-L"+folder, "-llanes", "-lm", "-lpthread", "-o", program)
	return program
}

// TestC runs the tests in C, with 100,000 wrong calls (2,000 with -short), and under valgrind.
func TestC(t *testing.T) {
	folder := library(t)
	program := compile(t, folder, "testdata/test.c")
	var rows strings.Builder
	for i := range 60 {
		fmt.Fprintf(&rows, "%s 1:%d 2:1\n", []string{"ham", "spam"}[i%2], (i%2*2-1)*i)
	}
	if err := os.WriteFile(filepath.Join(folder, "rows.txt"), []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	calls := "100000"
	if testing.Short() {
		calls = "2000"
	}
	t.Log(run(t, folder, program, folder, calls))
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Log("valgrind is not there: memory was not checked")
		return
	}
	// Valgrind takes the stacks of goroutines for memory that nobody may write, and their values
	// for undefined ones: it checks addresses and leaks of C code alone. Its default scheduler
	// lets one thread run on while the others wait for ever; the fair one gives each its turn.
	cmd := exec.Command("valgrind", "-q", "--fair-sched=yes", "--undef-value-errors=no", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
		"--suppressions=testdata/go.supp", program, folder, "300")
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder)
	switch out, err := cmd.CombinedOutput(); {
	case strings.Contains(string(out), "Illegal opcode"):
		t.Log("valgrind lacks an instruction of this Go runtime: memory was not checked")
	case err != nil:
		t.Fatalf("valgrind: %v\n%s", err, out)
	}
}

// TestCommand compares the hash of weights with the hash that the command prints, for the same
// rows and settings.
func TestCommand(t *testing.T) {
	command := filepath.Join("..", "bin", "lanes")
	if _, err := os.Stat(command); err != nil {
		t.Skip("no bin/lanes: make build")
	}
	folder := library(t)
	program := compile(t, folder, "testdata/hash.c")
	random := rand.New(rand.NewPCG(3, 4))
	var text, csv strings.Builder
	csv.WriteString("size,job,pays\n")
	for range 500 {
		z := random.NormFloat64()
		fmt.Fprint(&text, []string{"-1", "+1"}[random.IntN(2)])
		for j := range 9 {
			if v := random.NormFloat64() + z; random.IntN(2) > 0 {
				fmt.Fprintf(&text, " %d:%.5g", j+1, v)
			}
		}
		text.WriteByte('\n')
		fmt.Fprintf(&csv, "%.3f,%s,%s\n", z, []string{"cook", "smith", "clerk"}[random.IntN(3)], []string{"no", "yes"}[random.IntN(2)])
	}
	rows, table := filepath.Join(folder, "rows.svm"), filepath.Join(folder, "table.csv")
	for path, content := range map[string]string{rows: text.String(), table: csv.String()} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(out string) string {
		found := regexp.MustCompile(`"weights_sha256": *"([0-9a-f]{64})"`).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("no hash in %s", out)
		}
		return found[1]
	}
	seen := map[string]bool{}
	bounds := filepath.Join(folder, "bounds")
	if err := os.WriteFile(bounds, []byte("3,-0.1,0.1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ kind, file, options, flags string }{
		{"rows", rows, `{"kind":"two classes"}`, ""},
		{"rows", rows, `{"kind":"two classes","intercept":"free","settings":{"gap_tolerance":1e-9,"workers":2}}`, "--intercept --gap 1e-9"},
		{"rows", rows, `{"kind":"two classes","loss":"squared-hinge","penalty":{"l2":0.01}}`, "--loss squared-hinge --lambda 0.01"},
		{"rows", rows, `{"kind":"two classes","loss":"hinge","penalty":{"l2":0.01}}`, "--loss hinge --lambda 0.01"},
		{"rows", rows, `{"kind":"two classes","penalty":{"l1":0.01}}`, "--l1 0.01 --lambda 0"},
		{"rows", rows, `{"kind":"two classes","penalty":{"l2":0.01},"bounds":{"*":[0,null],"3":[-0.1,0.1]}}`, "--lambda 0.01 --nonnegative * --bounds " + bounds},
		{"rows", rows, `{"kind":"two classes","solver":"svrg","settings":{"seed":5,"max_passes":7,"gap_tolerance":1e-30}}`, "--solver svrg --seed 5 --passes 7 --gap 1e-30"},
		{"table", table, `{}`, "--target pays"},
	} {
		ours := hash(run(t, folder, program, c.kind, c.file, c.options, "pays"))
		out, _ := exec.Command(command, append([]string{"train", c.file, "--json"}, strings.Fields(c.flags)...)...).Output() // status 1: above the tolerance
		if theirs := hash(string(out)); ours != theirs {
			t.Errorf("%s: %s from C, %s from the command", c.flags, ours, theirs)
		}
		if seen[ours] {
			t.Errorf("%s: the weights of other settings", c.flags)
		}
		seen[ours] = true
	}
}

// TestExample runs the example.
func TestExample(t *testing.T) {
	folder := library(t)
	saved := filepath.Join(folder, "train.model")
	out := run(t, folder, compile(t, folder, "example/train.c"), saved)
	if text, err := os.ReadFile(saved); err != nil || !strings.Contains(string(text), "solver_type") {
		t.Errorf("the example saves %v, %.40q", err, text)
	}
	for _, want := range []string{"\"status\":\"converged\"", "score of a row: -3.670710"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
