package fuzz

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/dispatch"
)

// input turns the fuzzer's bytes into numbers; when they run out it gives zeros.
type input struct{ data []byte }

func (in *input) byte() byte {
	if len(in.data) == 0 {
		return 0
	}
	b := in.data[0]
	in.data = in.data[1:]
	return b
}

func (in *input) below(n int) int { return int(in.byte()) % n }

func (in *input) uint64() uint64 {
	var b [8]byte
	in.data = in.data[copy(b[:], in.data):]
	return binary.LittleEndian.Uint64(b[:])
}

// hostile are the values that arithmetic trips over.
var hostile = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 709.78, -745.13, 36.7, 0x1p53}

// float gives a hostile value, a tame one, or any bit pattern.
func (in *input) float() float64 {
	switch kind := in.byte(); {
	case kind < 64:
		return hostile[int(kind)%len(hostile)]
	case kind < 160:
		return float64(int8(in.byte())) / 8
	default:
		return math.Float64frombits(in.uint64())
	}
}

func (in *input) floats(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = in.float()
	}
	return x
}

// singles are the nearest float32 numbers.
func singles(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// equal compares bits; any NaN equals any other.
func equal(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func requireEqual(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !equal(got[i], want[i]) {
			t.Fatalf("%s: element %d of %d: %x (%v), the portable twin has %x (%v)", what, i, len(want),
				math.Float64bits(got[i]), got[i], math.Float64bits(want[i]), want[i])
		}
	}
}

// eachPath runs f on every table that this machine can run but the portable one.
func eachPath(f func(k *asm.Table)) {
	if !fuzzing() {
		f(counted)
	}
	eachTable(f)
}

// eachTable is eachPath for targets that put the tables in force.
func eachTable(f func(k *asm.Table)) {
	available := map[string]bool{}
	for _, p := range dispatch.Paths() {
		available[p.Name] = p.Available
	}
	for _, k := range asm.Tables {
		if k != asm.Generic && available[k.Path] {
			f(k)
		}
	}
}

// rows makes valid compressed rows: up to 12 of them, up to 40 entries each,
// columns strictly ascending below cols.
func (in *input) rows() (m *rows.Matrix, n, cols int) {
	layout := rows.Layout(in.below(rows.Layouts))
	n, cols = in.below(13), 1+in.below(200)
	ptr := []int64{0}
	var columns []uint32
	var values []float64
	for range n {
		column := -1
		for range in.below(41) {
			column += 1 + in.below(8)
			if column >= cols {
				break
			}
			columns = append(columns, uint32(column))
			values = append(values, in.float())
		}
		ptr = append(ptr, int64(len(columns)))
	}
	m = &rows.Matrix{Begin: ptr[:n], End: ptr[1:], Layout: layout}
	if layout.Narrow() {
		m.Idx16 = make([]uint16, len(columns))
		for e, j := range columns {
			m.Idx16[e] = uint16(j)
		}
	} else {
		m.Idx32 = append(make([]uint32, 0, len(columns)), columns...)
	}
	switch layout {
	case rows.I32F64, rows.I16F64:
		m.Val64 = append(make([]float64, 0, len(values)), values...)
	case rows.I32F32, rows.I16F32:
		m.Val32 = singles(values)
	case rows.I32Decimals, rows.I16Decimals:
		m.Unit, m.Decimals = rows.NewUnit(in.below(rows.MostPlaces+1)), make([]int32, len(values))
		for e, v := range values {
			m.Decimals[e] = int32(math.Float64bits(v) >> in.below(33))
		}
	case rows.I32Codes, rows.I16Codes:
		m.Table, m.Codes = append([]float64{in.float()}, values...), make([]uint16, len(values))
		for e := range values {
			m.Codes[e] = uint16(in.below(len(m.Table)))
		}
	default:
		if in.byte()%2 == 0 {
			m.Scale = in.floats(n)
		}
	}
	return m, n, cols
}

// list gives row numbers below n, repeats included; nil where n is 0.
func (in *input) list(n int) []uint32 {
	if n == 0 {
		return nil
	}
	list := make([]uint32, 1+in.below(16))
	for k := range list {
		list[k] = uint32(in.below(n))
	}
	return list
}
