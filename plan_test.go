package lanes

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// TestPlanGrows: what a flag certainly takes is in the plan, however small it is beside the
// rest. How close plans are, TestPlansOfMemory of the command tells.
func TestPlanGrows(t *testing.T) {
	t.Parallel()
	const n, d, each = 300, 200, 2
	rows := func(far float64) *sparse.Matrix {
		ptr, columns, values := []int64{0}, []uint32{}, []float64{}
		for i := range n {
			columns, values = append(columns, 0, uint32(100+i%100)), append(values, float64(i)+far, 0.5)
			ptr = append(ptr, int64(each*(i+1)))
		}
		x, err := sparse.NewCSR(d, ptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, far := rows(0), rows(1e9)
	sparsely := func(_ *Search, p *Problem) { p.l1, p.Intercept = 1, true }
	offset := func(_ *Search, p *Problem) { p.data.X = far }
	of := func(k int) *classes { return &classes{labels: make([]float64, k)} }
	for what, c := range map[string]struct {
		workers int
		before  func(*Search, *Problem)
		change  func(*Search, *Problem)
		least   int64
	}{
		"class weights":        {1, nil, func(_ *Search, p *Problem) { p.o.ClassWeight = Balanced }, 8 * n},
		"unit":                 {1, nil, func(_ *Search, p *Problem) { p.o.Normalize = "unit" }, 8 * each * n},
		"minmax":               {1, nil, func(_ *Search, p *Problem) { p.o.Normalize = "minmax" }, 8*each*n + 8*2*d},
		"std":                  {1, nil, func(_ *Search, p *Problem) { p.o.Normalize = "std" }, 8*each*n + 8*11*d},
		"folds":                {1, nil, func(f *Search, _ *Problem) { f.Folds = 3 }, x.Bytes() + 3*8*d},
		"a fold more":          {1, func(f *Search, _ *Problem) { f.Folds = 3 }, func(f *Search, _ *Problem) { f.Folds = 4 }, 8 * d},
		"folds at a time":      {3, nil, func(f *Search, _ *Problem) { f.Folds = 3 }, 3 * x.Bytes()},
		"a path":               {1, nil, func(f *Search, _ *Problem) { f.alongPath, f.One = true, false }, usualPoints * 8 * d},
		"a class more":         {1, func(_ *Search, p *Problem) { p.several = of(3) }, func(_ *Search, p *Problem) { p.several = of(4) }, 2 * 8 * (n + d)},
		"the softmax":          {1, nil, func(_ *Search, p *Problem) { p.several = of(3); p.several.whole = true }, 3 * 8 * (n + d)},
		"far columns":          {1, sparsely, offset, 2 * (8 + 4) * each * n},
		"far columns of folds": {3, func(f *Search, p *Problem) { f.Folds = 3; sparsely(f, p) }, offset, 3 * 2 * (8 + 4) * each * n},
		"a penalty":            {1, nil, sparsely, x.Bytes()},
		"hidden":               {1, nil, func(_ *Search, p *Problem) { p.network = &score.Network{Hidden: []int{3}} }, 2 * 8 * d},
		"minmax of few columns": {1, func(_ *Search, p *Problem) { p.columns = 2 },
			func(_ *Search, p *Problem) { p.o.Normalize = "minmax" }, (8 + 4) * each * n}, // before they are packed
		"the softmax of few columns": {1, func(_ *Search, p *Problem) { p.columns = 2 },
			func(_ *Search, p *Problem) { p.several = of(3); p.several.whole = true }, 3 * 8 * n},
		"a class more of the softmax of few columns": {1, func(_ *Search, p *Problem) { p.columns, p.several = 2, of(3); p.several.whole = true },
			func(_ *Search, p *Problem) { p.several = of(4); p.several.whole = true }, 3 * 8 * n},
		"a class more of few columns": {1, func(_ *Search, p *Problem) { p.columns, p.several = 2, of(3) },
			func(_ *Search, p *Problem) { p.several = of(4) }, 2 * 8 * n},
		"a class more of many columns": {1, func(_ *Search, p *Problem) { p.columns, p.several = 10*d, of(3) },
			func(_ *Search, p *Problem) { p.several = of(4) }, 2 * 8 * 10 * d},
		"free intercepts of 900 classes": {3, func(f *Search, p *Problem) { f.Folds, p.several = 3, of(900); p.several.whole = true },
			func(_ *Search, p *Problem) { p.Intercept = true }, 3 * 8 * 900 * 900},
		"a fold of 3 classes": {1, func(f *Search, p *Problem) { f.Folds, p.several = 3, of(3) },
			func(f *Search, _ *Problem) { f.Folds = 4 }, 3 * 8 * d},
		"a point of 3 classes": {1, func(f *Search, p *Problem) {
			f.alongPath, f.One, f.Weights, p.several = true, false, make([]float64, 3), of(3)
		},
			func(f *Search, _ *Problem) { f.Weights = make([]float64, 4) }, 3 * 8 * d},
	} {
		f, p := &Search{One: true}, planned(d, x)
		if c.before != nil {
			c.before(f, p)
		}
		before := p.need(f, c.workers, false)
		if c.change(f, p); p.need(f, c.workers, false) < before+float64(c.least) {
			t.Errorf("%s: the plan grows by %v bytes, not by %d", what, p.need(f, c.workers, false)-before, c.least)
		}
	}
	f, p := &Search{One: true}, planned(d, x)
	one := p.need(f, 3, true)
	if one != p.need(f, 3, false) {
		t.Error("a single run keeps its state twice")
	}
	if own := fitMemories["erm"]; one < 8*(own.columns*d+own.rows*n)+float64(x.Bytes()) {
		t.Errorf("the plan of a run, of %v bytes, does not cover the rows by columns", one)
	}
	f.Folds = 3
	if saved := p.need(f, 3, true) - p.need(f, 3, false); saved < 3*3*8*(n+d) {
		t.Errorf("three running folds that are saved take %v bytes more", saved)
	}
	p.columns = 2
	if saved := p.need(f, 3, true) - p.need(f, 3, false); saved < 3*3*8*n {
		t.Errorf("three running folds of few columns that are saved take %v bytes more", saved)
	}
	p.path, p.Intercept = true, true
	near := p.need(f, 3, false) - p.need(f, 1, false)
	offset(f, p)
	if grows := p.need(f, 3, false) - p.need(f, 1, false) - near; grows < 2*2*(8+4)*each*n {
		t.Errorf("two more folds of far columns take %v bytes more", grows)
	}
	for what, change := range map[string]func(*Search, *Problem){
		"folds": func(f *Search, _ *Problem) { f.Folds = 3 }, "points": func(f *Search, _ *Problem) { f.alongPath, f.One = true, false },
		"classes": func(_ *Search, p *Problem) { p.several = of(3) },
	} {
		f, p := &Search{One: true}, planned(d, x)
		change(f, p)
		if grows := p.need(f, 3, false) - p.need(f, 1, false); grows < 2*8*(n+d) {
			t.Errorf("%s on three workers: the plan grows by %v bytes, not by two fits", what, grows)
		}
		if saved := p.need(f, 3, true) - p.need(f, 3, false); saved < 3*3*8*(n+d) {
			t.Errorf("%s: three running fits that are saved take %v bytes more", what, saved)
		}
		for _, run := range []struct {
			solvers.Settings
			need float64
		}{
			{solvers.Settings{}, p.need(f, runtime.GOMAXPROCS(0), false)}, // where workers are not named, all cores are
			{solvers.Settings{Workers: 1}, p.need(f, 1, false)},
			{solvers.Settings{Workers: 3, Checkpoint: "saved"}, p.need(f, 3, true)},
			{solvers.Settings{Workers: 3, Resume: "saved"}, p.need(f, 3, false)},
		} {
			for limit, fits := range map[int64]bool{int64(run.need) + 1: true, int64(run.need) - 1: false} {
				p.o.MaxMemory, p.settings = limit, run.Settings
				err := p.checkMemory(f)
				if (err == nil) != fits {
					t.Errorf("%s: %v bytes needed and %d allowed: %v", what, run.need, limit, err)
				}
				if err != nil && !strings.Contains(err.Error(), "(row 100 has the index 200)") { // the first of three
					t.Errorf("%s: %v", what, err)
				}
			}
		}
	}
}

// planned returns a problem of the given number of columns for Newton's method.
func planned(columns int, x *sparse.Matrix) *Problem {
	p := &Problem{columns: columns, data: &sparse.Data{X: x}}
	p.method, _ = findSolver("newton", nil)
	return p
}

// TestMemoryOfEveryFit: a plan covers the memory of each solver that a run may take. The plan of
// a named solver covers this solver only.
func TestMemoryOfEveryFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s          Search
		p          Problem
		candidates []string
	}{
		{Search{}, Problem{l1: 1}, []string{"erm", "elasticnet"}},
		{Search{}, Problem{path: true}, []string{"erm", "elasticnet"}},
		{Search{searches: true}, Problem{}, []string{"erm", "ap", "pauc"}},
	} {
		c.p.method.Name = Auto
		most := c.p.fitMemory(&c.s)
		for _, name := range c.candidates {
			if own := fitMemories[name]; most.columns < own.columns || most.rows < own.rows {
				t.Errorf("%v: the plan has %+v, %s takes %+v", c.s, most, name, own)
			}
		}
	}
	for name, family := range map[string]string{"newton": "erm", "ai-sarah-uniform": "ai-sarah-uniform", "prox-sdca": "sdca", "adap": "ap", "sorr-dca": "pauc"} {
		p := &Problem{}
		p.method, _ = findSolver(name, nil)
		if got := p.fitMemory(&Search{}); got != fitMemories[family] {
			t.Errorf("%s: %+v, not the memory of %s", name, got, family)
		}
	}
}

// TestUsualLimit: where no limit is named, few rows may take more than a thousand times their size.
func TestUsualLimit(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewCSR(1, []int64{0, 1, 2}, []uint32{0, 0}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	f, p := &Search{One: true}, planned(150000, x)
	if need := p.need(f, 1, false); need <= float64(limitPerByte*x.Bytes()) || need > fewBytes {
		t.Fatalf("%v bytes are needed", need)
	}
	if err := p.checkMemory(f); err != nil {
		t.Error(err)
	}
	p.o.MaxMemory = 1e6
	var refusal *MemoryError
	if err := p.checkMemory(f); !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	p.o.MaxMemory = refusal.Need + 1
	if err := p.checkMemory(f); err != nil {
		t.Errorf("%v: %v", refusal, err)
	}
}
