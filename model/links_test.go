package model

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLinksNoSolvers: a program that reads a model and scores links no solver and nothing
// that only training needs.
func TestLinksNoSolvers(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go list: %v, %s", err, out)
	}
	const module = "github.com/lanes-go/lanes/"
	found := 0
	for path := range strings.FieldsSeq(string(out)) {
		name, ours := strings.CutPrefix(path, module)
		if !ours {
			continue
		}
		found++
		family := strings.HasPrefix(name, "solvers/") && name != "solvers/score"
		if family || name == "internal/run" || name == "internal/catalog" || name == "internal/certificate" || name == "internal/precise" {
			t.Errorf("package model imports %s, if not by itself", name)
		}
	}
	if found < 8 {
		t.Errorf("%d packages of the module: %s", found, out)
	}
}
