package bench

import (
	"math"
	"slices"
	"testing"
)

// simple is a machine with round numbers: 10 GB/s everywhere but 1 GB/s from memory.
func simple() (*Report, *Limits) {
	r := &Report{Machine: Machine{L1: 1 << 15, L2: 1 << 20}, Sizes: []int{1 << 14, 1 << 18, 1 << 22}}
	r.Latencies = Latencies{Add: 2, MultiplyAdd: 4}
	r.Noise.Fastest = 1
	rates := []float64{10e9, 10e9, 1e9}
	l := Limits{Read: rates, Write: rates, Copy: rates, Update: rates, Accumulate: []float64{12e9, 15e9, 15e8}, Gather: []float64{5e9, 2e9, 1e8}, Scatter: []float64{4e9, 1e9, 1e8},
		MultiplyAdds: 8e9, Divisions: 1e9, Roots: 5e8, Call: 2}
	r.Limits = []Limits{l}
	return r, &r.Limits[0]
}

func TestBound(t *testing.T) {
	r, l := simple()
	for name, c := range map[string]struct {
		d     demand
		limit string
		ns    float64
	}{
		"a short call": {demand{read: 16, streamed: 16, operations: 2}, limitCall, 2},
		"no demand":    {demand{elements: 5}, limitNone, 0},
		// 16,000 bytes at 10 GB/s; loads, stores and copies go on side by side.
		"the first cache":         {demand{read: 16000, write: 8000, update: 4000, streamed: 28000}, "L1", 1600},
		"one is added to another": {demand{read: 8000, update: 8000, streamed: 16000}, "L1", 2000},
		"updates of it":           {demand{read: 8000, update: 12000, streamed: 20000}, "L1", 2400},
		"updates of memory":       {demand{read: 1 << 20, update: 3 << 20, streamed: 4 << 20}, "memory", 2<<20 + 4<<20},
		"copies in it":            {demand{read: 10000, write: 10000, streamed: 20000}, "L1", 2000},
		"the second, one by one":  {demand{read: 150000, write: 75000, update: 37144, streamed: 1 << 18}, "L2", 15000 + 7428.8 + 3785.6},
		// Four times the size where it is 10 GB/s, a quarter of that where it is 1: between them.
		"between two sizes":        {demand{read: 1 << 20, streamed: 1 << 20}, "L2", (1 << 20) / math.Sqrt(10)},
		"memory":                   {demand{read: 4 << 20, streamed: 4 << 20}, "memory", 4 << 20},
		"arithmetic":               {demand{read: 800, streamed: 800, operations: 16000}, limitArithmetic, 1000},
		"divisions and roots":      {demand{read: 800, streamed: 800, divisions: 100, roots: 50}, limitDivision, 200},
		"loads":                    {demand{loads: 1000, scattered: 1 << 18}, limitGather, 500},
		"loads from memory":        {demand{loads: 1000, scattered: 1 << 23}, limitGather, 10000},
		"updates":                  {demand{stores: 1000, scattered: 1 << 14}, limitScatter, 250},
		"a chain":                  {demand{read: 800, streamed: 800, multiplyAdds: 100, additions: 5}, limitLatency, 400 + 10 - 128},
		"a chain that is overlaid": {demand{read: 800, streamed: 800, multiplyAdds: 10, additions: 5}, "L1", 80},
	} {
		b := r.bound(&c.d, l, best(r.Limits))
		if b.limit != c.limit || !(math.Abs(b.ns-c.ns) <= 1e-9*c.ns) {
			t.Errorf("%s: %s %v ns, want %s %v", name, b.limit, b.ns, c.limit, c.ns)
		}
	}
	if b := best([]Limits{*l, {Call: 1.5}}); b.Call != 1.5 || b.Read[0] != 10e9 {
		t.Errorf("the best of two: %+v", b)
	}
	// Another path fetches faster from memory: that is what the machine can do.
	fast := *l
	fast.Read = []float64{20e9, 20e9, 2e9}
	d := demand{read: 4 << 20, streamed: 4 << 20}
	slow := *l
	slow.Read = []float64{10e9, 10e9, 8e9}
	if b := r.bound(&d, &slow, best([]Limits{slow, fast})); b.ns != 4<<20/8. {
		t.Errorf("the best of two paths: %v", b)
	}
}

func TestDemands(t *testing.T) {
	for name, c := range map[string]struct{ got, want demand }{
		"dot of 100": {vectorDemand(vectorWork["dense.Dot"], 100),
			demand{elements: 100, read: 1600, streamed: 1600, operations: 200, multiplyAdds: 4, additions: 5}},
		"sum of 8": {vectorDemand(vectorWork["dense.Sum"], 8), demand{elements: 8, read: 64, streamed: 64, operations: 8, additions: 3 + 1}},
		"axpy of 10": {vectorDemand(vectorWork["dense.Axpy"], 10),
			demand{elements: 10, read: 80, update: 80, streamed: 160, operations: 20}},
		// 4 rows of 16: an index of 4 bytes and a value of 8; where the row begins, its result.
		"rows": {rowDemand("rows.Dot", "i32f64", rowWork["rows.Dot"], Size{16, 2048, 64}),
			demand{elements: 64, read: 64*12 + 4*8, write: 4 * 8, streamed: 64*12 + 8*8, loads: 64, scattered: 8 * 2048, operations: 128}},
		// The records are of 32 bytes; the list has 4 a row.
		"records": {rowDemand("rows.Lazy.AddU", "i16ones", rowWork["rows.Lazy.AddU"], Size{16, 2048, 64}),
			demand{elements: 64, read: 64*2 + 4*(8+8+4), write: 4 * 8, streamed: 64*2 + 4*28, stores: 64, scattered: 32 * 2048, operations: 160}},
		"a vector": {sparseDemand("", "i16f32", sparseWork["rows.Vector.Dot"], Size{20, 2048, 20}),
			demand{elements: 20, read: 120, streamed: 120, loads: 20, scattered: 8 * 2048, operations: 40, multiplyAdds: 3, additions: 3}},
		"a dense matrix": {wideDemand("", "", wideWork["rows.Wide.MulRows"], Size{20, 256, 64}),
			demand{elements: 1280, read: 8 * 1280, streamed: 8 * 1280, operations: 2560}},
		"one that fits": {wideDemand("", "", wideWork["rows.Wide.AddRows"], Size{20, 256, 4096}),
			demand{elements: 81920, update: 8 * 81920, streamed: 8 * 5120, operations: 2 * 81920}},
		"pairs": {pairDemand("", "", pairWork["element.PairBlock.Add"], Size{Length: 16}),
			demand{elements: 256, read: 2048, streamed: 2048, operations: 512}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v\nwant %+v", name, c.got, c.want)
		}
	}
	if d := rowDemand("rows.Lazy.Fetch", "i32f64", rowWork["rows.Lazy.Fetch"], Size{16, 2048, 64}); !d.nothing() {
		t.Errorf("what computes nothing asks for %+v", d)
	}
}

func TestSizesAndLevels(t *testing.T) {
	sizes := measuredSizes(1 << 20)
	if len(sizes) != 9 || sizes[0] != 4096 || sizes[8] != 1<<20 {
		t.Errorf("sizes %v", sizes)
	}
	for bytes, want := range map[float64]int{0: 0, 4096: 0, 5000: 0, 8191: 0, 8192: 1, 1 << 20: 8, 1 << 30: 8} {
		if got := at(sizes, bytes); got != want {
			t.Errorf("%v bytes: size %d, want %d", bytes, got, want)
		}
	}
	m := Machine{L1: 32 << 10, L2: 1 << 20, L3: 16 << 20}
	for bytes, want := range map[float64]string{100: "L1", 32 << 10: "L1", 33 << 10: "L2", 2 << 20: "L3", 17 << 20: "memory"} {
		if got := m.level(bytes); got != want {
			t.Errorf("%v bytes lie in %s, want %s", bytes, got, want)
		}
	}
	if got := (Machine{L1: 32 << 10, L2: 1 << 20}).level(2 << 20); got != "memory" {
		t.Errorf("without a third cache: %s", got)
	}
	if size := (Machine{L3: 32 << 20}).beyond(1); size < 1<<20 || size&(size-1) != 0 {
		t.Errorf("beyond the last cache: %d", size)
	}
	rates := []float64{5, 0, 6, 0, 3, 0}
	if envelope(rates); !slices.Equal(rates, []float64{6, 6, 6, 6, 3, 3}) {
		t.Errorf("an envelope: %v", rates)
	}
	x := circle(make([]uint64, 8*100))
	at, lines := uint64(0), 0
	for ok := true; ok; ok = at != 0 {
		at = x[at]
		lines++
	}
	if lines != 100 {
		t.Errorf("a circle of %d lines of 100", lines)
	}
}
