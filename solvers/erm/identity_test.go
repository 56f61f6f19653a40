package erm

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// other is a loss of another name.
type other struct{ loss.Loss }

func (other) String() string { return "other" }

// TestIdentity: whatever a problem consists of tells it from others, and only that
// part of the identity differs which was changed.
func TestIdentity(t *testing.T) {
	// Rows of one column each, with equal values and labels where they change places:
	// sums over the rows of a column cannot tell these from one another.
	build := func(columns []uint32, value float64) *sparse.Matrix {
		ptr, values := []int64{0}, []float64{}
		for i := range columns {
			ptr, values = append(ptr, int64(i+1)), append(values, 1)
		}
		values[2] = value
		x, err := sparse.NewCSR(3, ptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	first := []uint32{0, 1, 1, 0, 2, 2}
	good := func() *Problem {
		return &Problem{X: build(first, 1), Y: []float64{1, 1, 1, 1, -1, -1}, Loss: loss.Huber{}, Penalty: penalty.Ridge{Lambda: 0.1}, SampleWeight: []float64{1, 1, 1, 1, 2, 1}, Offset: []float64{0, 0, 3, 0, 0, 1}}
	}
	want, err := risk.Identity(good(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sharded := func(p *Problem) checkpoint.Identity {
		f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: 2}, p,
			&run.Session{Settings: solvers.Settings{Shards: 2}, Ending: func() bool { return false }}, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := f.identity()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	same := sharded(good())
	for part, change := range map[string]func(p *Problem){
		"loss":                         func(p *Problem) { p.Loss = other{p.Loss} },
		"the loss's parameter":         func(p *Problem) { p.Loss = loss.Huber{Delta: 2} },
		"penalty":                      func(p *Problem) { p.Penalty = penalty.Ridge{Lambda: 0.2} },
		"the labels' checksum":         func(p *Problem) { p.Y[1], p.Y[4] = p.Y[4], p.Y[1] },
		"the sample weights' checksum": func(p *Problem) { p.SampleWeight[4], p.SampleWeight[5] = 1, 2 },
		"the offsets' checksum":        func(p *Problem) { p.Offset[0], p.Offset[2] = 3, 0 },
		"the matrix's checksum":        func(p *Problem) { p.X = build([]uint32{1, 0, 0, 1, 2, 2}, 1) },
	} {
		p := good()
		change(p)
		if slices.Equal(sharded(p), same) {
			t.Errorf("%s changed: the same identity by shards", part)
		}
		got, err := risk.Identity(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(got, want) {
			t.Errorf("%s changed: the same identity", part)
		}
		for k := range want {
			if (got[k] != want[k]) != (got[k].Name == part) {
				t.Errorf("%s changed: %v, before %v", part, got[k], want[k])
			}
		}
	}
	for what, change := range map[string]func(p *Problem){
		"no sample weights": func(p *Problem) { p.SampleWeight = nil },
		"unit weights":      func(p *Problem) { p.SampleWeight[4] = 1 },
		"a value":           func(p *Problem) { p.X = build(first, 2) },
		"a wider matrix":    func(p *Problem) { p.X = p.X.WithBias(1) },
		"an L1 norm":        func(p *Problem) { p.Penalty = penalty.ElasticNet{L1: 0.1, L2: 0.1} },
		"an intercept":      func(p *Problem) { p.Intercept = true },
		"offsets":           func(p *Problem) { p.Offset = make([]float64, 6) },
	} {
		p := good()
		change(p)
		if got, err := risk.Identity(p, nil); err != nil || slices.Equal(got, want) {
			t.Errorf("%s: the same identity (%v)", what, err)
		}
	}
}
