package command

import (
	"go/parser"
	"go/token"
	"os"
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
	order := strings.Fields("console input fitting plots receipt report bench")
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
