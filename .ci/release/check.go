package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sample is a program that takes every step of the library.
//
//go:embed testdata/sample.go
var sample string

// check tries the ways of README: the command by go install, and the library by go get. The library
// runs with the example of README, the sample, and the examples of a user's own loss, penalty and solver.
// check also builds the whole module's own tests, and compares NOTICES with the licences of the
// linked modules.
func check(s *stranger) error {
	want, err := notices(s.root)
	if err != nil {
		return err
	}
	if got, err := os.ReadFile(filepath.Join(s.work, "tree", "NOTICES")); err != nil || string(got) != want {
		return fmt.Errorf("NOTICES lacks licences of what is linked, or has others: run make notices (%v)", err)
	}
	if _, err := s.do("install", nil, "go", "install", modulePath+"/cmd/lanes@"+s.version); err != nil {
		return err
	}
	lanes := filepath.Join(s.work, "go", "bin", "lanes")
	said, err := s.do("install", nil, lanes, "--version")
	if err != nil {
		return err
	}
	if want = "lanes " + s.version; said != want {
		return fmt.Errorf("lanes --version says %q, not %q", said, want)
	}
	// Generated data stand for a user's first files.
	for _, args := range [][]string{
		{"convert", "--quiet", "--generate", "onehot:n=2000", "a9a"},
		{"convert", "--quiet", "--generate", "onehot:n=500", "a9a.t"},
		{"train", "--quiet", "a9a", "--model", "a9a.model"},
	} {
		if _, err := s.do("library", nil, lanes, args...); err != nil {
			return err
		}
	}
	example, err := s.example()
	if err != nil {
		return err
	}
	files := map[string]string{"main.go": example, "sample/main.go": sample}
	owns := []string{"loss", "penalty", "solvers/erm"}
	for _, own := range owns {
		if files[own+"/own_test.go"], err = output(s.root, nil, "git", "show", "HEAD:"+own+"/example_own_test.go"); err != nil {
			return err
		}
	}
	library := filepath.Join(s.work, "library")
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(library, filepath.Dir(name)), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(library, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/stranger"},
		{"get", modulePath + "@" + s.version},
		{"mod", "tidy"},
		{"vet", "./..."},
	} {
		if _, err := s.do("library", nil, "go", args...); err != nil {
			return err
		}
	}
	for _, program := range []string{".", "./sample"} {
		said, err := s.do("library", nil, "go", "run", program)
		if err != nil {
			return err
		}
		if said == "" {
			return fmt.Errorf("go run %s prints nothing", program)
		}
		fmt.Println(said)
	}
	for _, own := range owns {
		if said, err = s.do("library", nil, "go", "test", "-run", "Own", "-v", "./"+own); err != nil {
			return err
		}
		if !strings.Contains(said, "PASS: ExampleOwn") {
			return fmt.Errorf("the example of one's own %s did not run: %s", own, said)
		}
	}
	// What the command needs is nothing that users of the library have to take.
	list, err := s.do("library", nil, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./...")
	if err != nil {
		return err
	}
	const heavy = "gonum.org/v1/plot"
	if strings.Contains(list, heavy) {
		return fmt.Errorf("a program that imports the library needs %s", heavy)
	}
	// The checkout itself, without a workspace.
	if _, err := output(s.root, append(os.Environ(), "GOWORK=off"), "go", "build", "./..."); err != nil {
		return err
	}
	fmt.Println("release check: ok")
	return nil
}

// example is the first Go program of README.
func (s *stranger) example() (string, error) {
	text, err := output(s.root, nil, "git", "show", "HEAD:README.md")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(text, "```go\n")
	code, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		return "", errors.New("README.md has no example in Go")
	}
	if !strings.HasPrefix(code, "package main") {
		return "", errors.New("the example of README.md is not a whole program: it does not begin with package main")
	}
	return code, nil
}
