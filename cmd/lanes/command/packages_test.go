package command

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPackagesInOrder: a package of the command imports only packages before it in the list.
func TestPackagesInOrder(t *testing.T) {
	t.Parallel()
	const folder = "github.com/lanes-go/lanes/cmd/lanes/internal/"
	order := strings.Fields("cli console input fitting plots receipt report bench")
	packages, err := os.ReadDir("../internal")
	if err != nil || len(packages) != len(order) {
		t.Fatalf("%d packages, %d in the list, %v", len(packages), len(order), err)
	}
	for at, name := range order {
		files, err := filepath.Glob(filepath.Join("../internal", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("there is no package %s: %v", name, err)
		}
		for _, path := range files {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				other, is := strings.CutPrefix(imported, folder)
				other, _, inside := strings.Cut(other, "/")
				if is && !inside && !slices.Contains(order[:at], other) {
					t.Errorf("%s imports %s", path, other)
				}
			}
		}
	}
}

// TestNoCgo: a plain go install of the command needs no C: package net, which needs it where
// CGO_ENABLED is 1, is not in it.
func TestNoCgo(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-deps", "..")
	list.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 100 {
		t.Fatalf("%d packages: %s", len(packages), out)
	}
	for _, c := range []string{"runtime/cgo", "net", "os/user"} {
		if slices.Contains(packages, c) {
			t.Errorf("the command needs package %s", c)
		}
	}
}
