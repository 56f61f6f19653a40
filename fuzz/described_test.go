package fuzz

import (
	"reflect"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/testing/operands"
)

// source makes numbers of the fuzzer's bytes.
type source struct{ *input }

func (s source) Below(n int) int { return s.below(n) }

func (s source) Fill(slice any) {
	switch x := slice.(type) {
	case []float32:
		copy(x, s.float32s(len(x)))
	case []float64:
		copy(x, s.floats(len(x)))
	case []int8:
		for i := range x {
			x[i] = int8(s.byte())
		}
	case []int32:
		for i := range x {
			x[i] = int32(s.uint64())
		}
	case []uint16:
		for i := range x {
			x[i] = uint16(s.byte()) | uint16(s.byte())<<8
		}
	case []uint64:
		for i := range x {
			x[i] = s.uint64()
		}
	}
}

func plain(slice reflect.Type, n int) reflect.Value { return reflect.MakeSlice(slice, n, n) }

// FuzzDescribed compares the kernels of vector.List on every path with the portable twin, and the
// public function of the same name with that.
func FuzzDescribed(f *testing.F) {
	seedBytes(f)
	for k := range vector.List { // a call of each
		f.Add(slices.Repeat([]byte{byte(k), 37, 3, 1, 0, 161, 5, 9}, 20))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		k := vector.List[in.below(len(vector.List))]
		with := operands.Make(k, in.below(140), source{in}, plain)
		want := operands.Results(operands.Of(k, &asm.Generic.Vector), with)
		eachPath(func(table *asm.Table) {
			if got := operands.Results(operands.Of(k, &table.Vector), with); !operands.Same(got, want) {
				t.Fatalf("%s %s: %v, the portable twin has %v", table.Path, k.Name, got, want)
			}
		})
		if public := exportedFunctions["vector."+k.Name]; public != nil {
			got := operands.Results(reflect.ValueOf(public), with)
			if n := len(got) - 1; got[n].Kind() == reflect.Interface {
				if !got[n].IsNil() {
					t.Fatalf("%s: %v", k.Name, got[n])
				}
				got = got[:n]
			}
			if !operands.Same(got, want) {
				t.Fatalf("%s: %v, the portable twin has %v", k.Name, got, want)
			}
		}
	})
}

// TestDoors calls the public functions of the kernels in vector.List with operands that they have to
// refuse: every slice too short and too long, and a destination that overlaps another operand. A
// refused call writes nothing.
func TestDoors(t *testing.T) {
	doors := 0
	for _, k := range vector.List {
		public := reflect.ValueOf(exportedFunctions["vector."+k.Name])
		if !public.IsValid() || public.Type().Out(public.Type().NumOut()-1).Kind() != reflect.Interface {
			continue // no error: it takes everything
		}
		doors++
		for _, n := range []int{1, 5, 70} {
			for seed := range byte(20) {
				from := source{&input{slices.Repeat([]byte{seed, 7 * seed, 200, 31}, 4000)}}
				in := operands.Make(k, n, from, plain)
				refused := func(what string, i int, changed reflect.Value) {
					t.Helper()
					with := slices.Clone(in)
					with[i] = changed
					before := make([]reflect.Value, len(with))
					for j, v := range with {
						before[j] = operands.Clone(v)
					}
					results := public.Call(with)
					if err := results[len(results)-1]; err.IsNil() {
						t.Errorf("%s of %d elements takes argument %d %s", k.Name, n, i, what)
					}
					if !operands.Same(before, with) {
						t.Errorf("%s of %d elements refuses argument %d %s, and writes", k.Name, n, i, what)
					}
				}
				if results := public.Call(in); !results[len(results)-1].IsNil() {
					t.Fatalf("%s of %d elements: %v", k.Name, n, results)
				}
				written := in[0]
				for i, v := range in {
					if v.Kind() != reflect.Slice || v.IsNil() {
						continue
					}
					longer := reflect.Append(operands.Clone(v), reflect.Zero(v.Type().Elem()))
					rows := k.Shape == vector.Batch && (i == 1 || i == 2) // which may be longer than they must
					if !rows {
						refused("too long", i, longer)
					}
					if v.Len() > 0 && !(k.Shape == vector.Batch && i == 1) && !(i == 2 && unread(k, in)) {
						refused("too short", i, v.Slice(0, v.Len()-1))
					}
					if writes := public.Type().NumOut() == 1; writes && i > 0 && v.Type() == written.Type() && written.Len() > 0 && v.Len() > 0 {
						// one array, in which dst begins at the operand's last element
						both := reflect.MakeSlice(v.Type(), v.Len()+written.Len(), v.Len()+written.Len())
						reflect.Copy(both, v)
						with := slices.Clone(in)
						with[0], with[i] = both.Slice(v.Len()-1, v.Len()-1+written.Len()), both.Slice(0, v.Len())
						if v.Len() == 1 && k.Shape == vector.Vectors {
							continue // the same slice
						}
						if results := public.Call(with); results[len(results)-1].IsNil() {
							t.Errorf("%s of %d elements takes a dst that overlaps argument %d", k.Name, n, i)
						}
					}
				}
				if k.Shape == vector.Batch && written.Len() > 0 {
					refused("0, a stride", 3, reflect.ValueOf(0))
					refused("-1, a stride", 3, reflect.ValueOf(-1))
					if !in[4].IsNil() {
						beyond := operands.Clone(in[4])
						beyond.Index(beyond.Len() - 1).SetUint(uint64((in[2].Len()-n)/int(in[3].Int()) + 1))
						refused("with a row beyond the last", 4, beyond)
						beyond = operands.Clone(in[4])
						beyond.Index(0).SetUint(1<<32 - 1)
						refused("with a row of 32 bits", 4, beyond)
					}
				}
			}
		}
	}
	if doors < 4 {
		t.Errorf("only %d public functions", doors)
	}
}

// unread tells whether a batch does not read the last of its rows.
func unread(k vector.Kernel, in []reflect.Value) bool {
	if k.Shape != vector.Batch {
		return false
	}
	last := uint64(in[0].Len()) - 1
	if list := in[4]; !list.IsNil() {
		last = 0
		for i := range list.Len() {
			last = max(last, list.Index(i).Uint())
		}
	}
	return in[0].Len() == 0 || int(last)*int(in[3].Int())+in[1].Len() < in[2].Len()
}
