package peers

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// rows are LIBSVM text of one column.
const rows = "+1 1:1\n+1 1:1\n+1 1:1\n-1 1:1\n-1 1:1\n-1 1:-1\n"

// optimum minimises w^2/(2 C) + sum of log(1 + exp(-y x w)) over rows at C = 1, by bisection of
// the derivative.
func optimum() float64 {
	low, high := -10.0, 10.0
	for range 100 {
		w := (low + high) / 2
		slope := w - 4/(1+math.Exp(w)) + 2/(1+math.Exp(-w))
		if slope < 0 {
			low = w
		} else {
			high = w
		}
	}
	return low
}

// Every installed peer finds the weight of a problem of one column; the version is in its title.
func TestInstalled(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "data")
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(name, title string, trainer *Trainer, solver string) {
		t.Helper()
		defer trainer.End()
		took, w, err := trainer.Train(Request{Solver: solver, C: 1, Tolerance: 1e-8})
		if err != nil || len(w) != 1 || math.Abs(w[0]-optimum()) > 1e-4 {
			t.Errorf("%s: %v, not %v; %v", title, w, optimum(), err)
		}
		if !(took.Clock > 0) || !strings.HasPrefix(title, name+" ") || !strings.ContainsAny(title, "0123456789") {
			t.Errorf("%q took %v", title, took)
		}
	}
	l, err := NewLIBLINEAR(folder)
	if err != nil {
		t.Log(err)
	} else {
		check("LIBLINEAR", l.Title, l.Trainer(file, 60), "0")
		trainer := l.Trainer(file, 60)
		defer trainer.End()
		_, w, err := trainer.Train(Request{Solver: "6", C: 1, Tolerance: 1e-8, Intercept: true})
		if l.FreeIntercept != (err == nil && len(w) == 2) {
			t.Errorf("%s: free intercept %v, but %v, %v", l.Title, l.FreeIntercept, w, err)
		}
	}
	for module, solver := range map[string]string{"sklearn": "lbfgs", "cyanure": "qning-miso/1", "glum": "irls-ls"} {
		p, err := NewPython("/usr/bin/python3", module, folder)
		if err != nil {
			t.Log(err)
			continue
		}
		check(strings.Replace(module, "sklearn", "scikit-learn", 1), p.Title, p.Trainer(file, 60), solver)
	}
}

func TestAbsent(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/python3"); err != nil {
		t.Skip("there is no /usr/bin/python3")
	}
	if _, err := NewPython("/usr/bin/python3", "lanes_has_no_such_module", t.TempDir()); err == nil || !strings.Contains(err.Error(), "No module named 'lanes_has_no_such_module'") {
		t.Errorf("error %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if l, err := NewLIBLINEAR(t.TempDir()); l != nil || err == nil || err.Error() != "install liblinear-tools" {
		t.Errorf("%v, error %v", l, err)
	}
	if _, err := GlmnetTitle(); err == nil || err.Error() != "install r-cran-glmnet" {
		t.Errorf("error %v", err)
	}
}
