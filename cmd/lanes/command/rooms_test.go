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

// TestRoomsInOrder: a room imports only those before it.
func TestRoomsInOrder(t *testing.T) {
	t.Parallel()
	const folder = "github.com/lanes-go/lanes/cmd/lanes/internal/"
	order := strings.Fields("console input fitting plots receipt report bench")
	rooms, err := os.ReadDir("../internal")
	if err != nil || len(rooms) != len(order) {
		t.Fatalf("%d rooms, %d in the list, %v", len(rooms), len(order), err)
	}
	for at, room := range order {
		files, err := filepath.Glob(filepath.Join("../internal", room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("there is no room %s: %v", room, err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				other, is := strings.CutPrefix(path, folder)
				other, _, inside := strings.Cut(other, "/")
				if is && !inside && !slices.Contains(order[:at], other) {
					t.Errorf("%s imports %s", name, other)
				}
			}
		}
	}
}
