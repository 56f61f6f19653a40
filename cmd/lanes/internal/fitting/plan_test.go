package fitting

import (
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
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
	sparsely := func(_ *ProblemFlags, p *Prepared) { p.L1, p.Intercept = 1, true }
	offset := func(_ *ProblemFlags, p *Prepared) { p.Data.X = far }
	classes := func(k int) *classSet { return &classSet{labels: make([]float64, k)} }
	for what, c := range map[string]struct {
		workers int
		before  func(*ProblemFlags, *Prepared)
		change  func(*ProblemFlags, *Prepared)
		least   int64
	}{
		"class weights":        {1, nil, func(f *ProblemFlags, _ *Prepared) { f.ClassWeight = "balanced" }, 8 * n},
		"unit":                 {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Normalize = "unit" }, 8 * each * n},
		"minmax":               {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Normalize = "minmax" }, 8*each*n + 8*2*d},
		"std":                  {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Normalize = "std" }, 8*each*n + 8*11*d},
		"folds":                {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Folds = 3 }, x.Bytes() + 3*8*d},
		"a fold more":          {1, func(f *ProblemFlags, _ *Prepared) { f.Folds = 3 }, func(f *ProblemFlags, _ *Prepared) { f.Folds = 4 }, 8 * d},
		"folds at a time":      {3, nil, func(f *ProblemFlags, _ *Prepared) { f.Folds = 3 }, 3 * x.Bytes()},
		"a path":               {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Path = true }, defaultPoints * 8 * d},
		"a class more":         {1, func(_ *ProblemFlags, p *Prepared) { p.Several = classes(3) }, func(_ *ProblemFlags, p *Prepared) { p.Several = classes(4) }, 2 * 8 * (n + d)},
		"the softmax":          {1, nil, func(_ *ProblemFlags, p *Prepared) { p.Several = classes(3); p.Several.whole = true }, 3 * 8 * (n + d)},
		"far columns":          {1, sparsely, offset, 2 * (8 + 4) * each * n},
		"far columns of folds": {3, func(f *ProblemFlags, p *Prepared) { f.Folds = 3; sparsely(f, p) }, offset, 3 * 2 * (8 + 4) * each * n},
		"a penalty":            {1, nil, sparsely, x.Bytes()},
		"hidden":               {1, nil, func(f *ProblemFlags, _ *Prepared) { f.Network.Hidden = []int{3} }, 2 * 8 * d},
		"minmax of few columns": {1, func(_ *ProblemFlags, p *Prepared) { p.Columns = 2 },
			func(f *ProblemFlags, _ *Prepared) { f.Normalize = "minmax" }, (8 + 4) * each * n}, // before they are packed
		"the softmax of few columns": {1, func(_ *ProblemFlags, p *Prepared) { p.Columns = 2 },
			func(_ *ProblemFlags, p *Prepared) { p.Several = classes(3); p.Several.whole = true }, 3 * 8 * n},
		"a class more of the softmax of few columns": {1, func(_ *ProblemFlags, p *Prepared) { p.Columns, p.Several = 2, classes(3); p.Several.whole = true },
			func(_ *ProblemFlags, p *Prepared) { p.Several = classes(4); p.Several.whole = true }, 3 * 8 * n},
		"a class more of few columns": {1, func(_ *ProblemFlags, p *Prepared) { p.Columns, p.Several = 2, classes(3) },
			func(_ *ProblemFlags, p *Prepared) { p.Several = classes(4) }, 2 * 8 * n},
		"a class more of many columns": {1, func(_ *ProblemFlags, p *Prepared) { p.Columns, p.Several = 10*d, classes(3) },
			func(_ *ProblemFlags, p *Prepared) { p.Several = classes(4) }, 2 * 8 * 10 * d},
		"a fold of 3 classes": {1, func(f *ProblemFlags, p *Prepared) { f.Folds, p.Several = 3, classes(3) },
			func(f *ProblemFlags, _ *Prepared) { f.Folds = 4 }, 3 * 8 * d},
		"a point of 3 classes": {1, func(f *ProblemFlags, p *Prepared) { f.Path, f.points, p.Several = true, 3, classes(3) },
			func(f *ProblemFlags, _ *Prepared) { f.points = 4 }, 3 * 8 * d},
	} {
		f, p := &ProblemFlags{Solvers: []string{"newton"}}, &Prepared{Columns: d, Data: &input.Dataset{Data: &sparse.Data{X: x}}}
		if c.before != nil {
			c.before(f, p)
		}
		before := f.need(p, c.workers, false)
		if c.change(f, p); f.need(p, c.workers, false) < before+float64(c.least) {
			t.Errorf("%s: the plan grows by %v bytes, not by %d", what, f.need(p, c.workers, false)-before, c.least)
		}
	}
	f, p := &ProblemFlags{Solvers: []string{"newton"}}, &Prepared{Columns: d, Data: &input.Dataset{Data: &sparse.Data{X: x}}}
	one := f.need(p, 3, true)
	if one != f.need(p, 3, false) {
		t.Error("a single run keeps its state twice")
	}
	if room := fitRooms["erm"]; one < 8*(room.columns*d+room.rows*n)+float64(x.Bytes()) {
		t.Errorf("the plan of a run, of %v bytes, has no room for the rows by columns", one)
	}
	f.Folds = 3
	if saved := f.need(p, 3, true) - f.need(p, 3, false); saved < 3*3*8*(n+d) {
		t.Errorf("three running folds that are saved take %v bytes more", saved)
	}
	p.Columns = 2
	if saved := f.need(p, 3, true) - f.need(p, 3, false); saved < 3*3*8*n {
		t.Errorf("three running folds of few columns that are saved take %v bytes more", saved)
	}
	p.path, p.Intercept = true, true
	near := f.need(p, 3, false) - f.need(p, 1, false)
	offset(f, p)
	if grows := f.need(p, 3, false) - f.need(p, 1, false) - near; grows < 2*2*(8+4)*each*n {
		t.Errorf("two more folds of far columns take %v bytes more", grows)
	}
	for what, change := range map[string]func(*ProblemFlags, *Prepared){
		"folds": func(f *ProblemFlags, _ *Prepared) { f.Folds = 3 }, "points": func(f *ProblemFlags, _ *Prepared) { f.Path = true },
		"classes": func(_ *ProblemFlags, p *Prepared) { p.Several = classes(3) },
	} {
		f, p := &ProblemFlags{Solvers: []string{"newton"}}, &Prepared{Columns: d, Data: &input.Dataset{Data: &sparse.Data{X: x}}}
		change(f, p)
		if grows := f.need(p, 3, false) - f.need(p, 1, false); grows < 2*8*(n+d) {
			t.Errorf("%s on three workers: the plan grows by %v bytes, not by two fits", what, grows)
		}
		if saved := f.need(p, 3, true) - f.need(p, 3, false); saved < 3*3*8*(n+d) {
			t.Errorf("%s: three running fits that are saved take %v bytes more", what, saved)
		}
		for _, run := range []struct {
			RunFlags
			need float64
		}{
			{RunFlags{}, f.need(p, runtime.GOMAXPROCS(0), false)}, // where workers are not named, all cores are
			{RunFlags{app: &console.App{Workers: 1}}, f.need(p, 1, false)},
			{RunFlags{app: &console.App{Workers: 3}, Checkpoint: "saved"}, f.need(p, 3, true)},
			{RunFlags{app: &console.App{Workers: 3}, Resume: "saved"}, f.need(p, 3, false)},
		} {
			for limit, fits := range map[int64]bool{int64(run.need) + 1: true, int64(run.need) - 1: false} {
				f.mostMemory = limit
				err := f.checkRoom(p, &run.RunFlags)
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

// TestRoomOfEveryFit: a plan has room for each of the solvers that a run may take, and of a solver
// that was named for no other.
func TestRoomOfEveryFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		solvers []string
		aim     string // --for
		p       Prepared
		rooms   []string
	}{
		{[]string{AutoName}, "", Prepared{L1: 1}, []string{"erm", "elasticnet"}},
		{[]string{AutoName}, "", Prepared{path: true}, []string{"erm", "elasticnet"}},
		{[]string{AutoName}, "ap", Prepared{}, []string{"erm", "ap", "pauc"}},
		{[]string{"ai-sarah-uniform", "newton"}, "", Prepared{}, []string{"ai-sarah-uniform", "erm"}},
		{[]string{"prox-sdca", "newton"}, "", Prepared{}, []string{"sdca", "erm"}},
	} {
		f := &ProblemFlags{Solvers: c.solvers}
		f.For = c.aim
		most := f.fitRoom(&c.p)
		for _, name := range c.rooms {
			if room := fitRooms[name]; most.columns < room.columns || most.rows < room.rows {
				t.Errorf("%v, for %q: room for %+v, %s takes %+v", c.solvers, c.aim, most, name, room)
			}
		}
	}
	for name, family := range map[string]string{"newton": "erm", "ai-sarah-uniform": "ai-sarah-uniform", "prox-sdca": "sdca", "adap": "ap", "sorr-dca": "pauc"} {
		if got := (&ProblemFlags{Solvers: []string{name}}).fitRoom(&Prepared{}); got != fitRooms[family] {
			t.Errorf("%s: %+v, not the room of %s", name, got, family)
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
	f, p := &ProblemFlags{Solvers: []string{"newton"}}, &Prepared{Columns: 150000, Data: &input.Dataset{Data: &sparse.Data{X: x}}}
	if need := f.need(p, 1, false); need <= float64(roomPerByte*x.Bytes()) || need > fewBytes {
		t.Fatalf("%v bytes are needed", need)
	}
	if err := f.checkRoom(p, &RunFlags{}); err != nil {
		t.Error(err)
	}
	f.mostMemory = 1e6
	refusal := f.checkRoom(p, &RunFlags{}).Error()
	_, advice, _ := strings.Cut(refusal, "; --max-memory ")
	if f.mostMemory, err = ParseMemory("max-memory", strings.TrimSuffix(advice, " allows it")); err == nil {
		err = f.checkRoom(p, &RunFlags{})
	}
	if err != nil {
		t.Errorf("%s: %v", refusal, err)
	}
}
