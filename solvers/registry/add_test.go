package registry

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// TestAdd: a solver of the program is found by its name, and no name is taken twice.
func TestAdd(t *testing.T) {
	defer func() { added.list = nil }()
	make := func(map[string]string) (solvers.Ready, error) { return solvers.Ready{Text: "made"}, nil }
	for _, wrong := range []solvers.Solver{{}, {New: make}, {Description: solvers.Description{Name: "mine"}}, {Description: solvers.Description{Name: "svrg"}, New: make}} {
		if err := Add(wrong); err == nil {
			t.Errorf("%q is added", wrong.Name)
		}
	}
	mine := solvers.Solver{Description: solvers.Description{Name: "mine"}, New: make}
	if err := Add(mine); err != nil {
		t.Fatal(err)
	}
	if err := Add(mine); err == nil {
		t.Error("a name is taken twice")
	}
	found, err := Find("mine")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := found.New(nil); err != nil || m.Text != "made" || !slices.ContainsFunc(All(), func(s solvers.Solver) bool { return s.Name == "mine" }) {
		t.Errorf("%+v, %v", m, err)
	}
}
