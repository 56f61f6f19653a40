package checkpoint

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
)

// everything visits one of each kind of state.
type everything struct {
	i       int
	j       int64
	u       uint64
	b       bool
	f       float64
	floats  []float64
	rows    []uint32
	records []matrix.Record
	source  *random.Source
}

func newEverything() *everything {
	return &everything{
		floats: make([]float64, 3), rows: make([]uint32, 2), records: make([]matrix.Record, 2),
		source: random.New(8),
	}
}

func (e *everything) State(c *Coder) {
	c.Int(&e.i)
	c.Int64(&e.j)
	c.Uint64(&e.u)
	c.Bool(&e.b)
	c.Float64(&e.f)
	c.Floats(e.floats)
	c.Uint32s(e.rows)
	c.Records(e.records)
	c.Random(e.source)
}

func TestCoder(t *testing.T) {
	e := newEverything()
	e.i, e.j, e.u, e.b, e.f = -3, math.MinInt64, math.MaxUint64, true, math.Copysign(0, -1)
	copy(e.floats, []float64{1, math.Inf(-1), 5e-324})
	copy(e.rows, []uint32{7, math.MaxUint32})
	e.records[1] = matrix.Record{W: 1, U: 2, Last: 3, S: 4}
	e.source.Sign()
	var file bytes.Buffer
	if err := writeCheckpoint(&file, testIdentity, e.State); err != nil {
		t.Fatal(err)
	}
	got := newEverything()
	if err := readCheckpoint(file.Bytes(), &testIdentity, got.State); err != nil {
		t.Fatal(err)
	}
	if got.i != e.i || got.j != e.j || got.u != e.u || !got.b || math.Float64bits(got.f) != 1<<63 ||
		!slices.Equal(got.floats, e.floats) || !slices.Equal(got.rows, e.rows) || !slices.Equal(got.records, e.records) {
		t.Errorf("restored %+v", got)
	}
	for range 20 {
		if a, b := e.source.Below(1000), got.source.Below(1000); a != b {
			t.Fatalf("the numbers differ: %v and %v", a, b)
		}
	}
	for _, change := range []func(*everything){
		func(e *everything) { e.floats = e.floats[:2] },
		func(e *everything) { e.rows = append(e.rows, 1) },
		func(e *everything) { e.records = nil },
	} {
		other := newEverything()
		change(other)
		if err := readCheckpoint(file.Bytes(), &testIdentity, other.State); err == nil {
			t.Error("a state of another shape was restored")
		}
	}
}
