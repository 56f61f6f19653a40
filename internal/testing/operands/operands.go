// Package operands makes operands for the kernels of asm/vector, by what its List says of them, and
// compares what kernels make of them. Tests and fuzz targets take their operands from here.
package operands

import (
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/lanes-go/lanes/asm/vector"
)

// A Source chooses sizes and numbers.
type Source interface {
	// Below returns a number from 0 to n-1.
	Below(n int) int
	// Fill writes every element of a slice of numbers.
	Fill(slice any)
}

// Of returns the kernel of a path.
func Of(k vector.Kernel, path *vector.Kernels) reflect.Value {
	return reflect.ValueOf(path).Elem().FieldByName(k.Name)
}

// Make returns operands of n elements or entries, or of rows with n elements, in memory that room
// gives.
func Make(k vector.Kernel, n int, from Source, room func(slice reflect.Type, n int) reflect.Value) []reflect.Value {
	signature := Of(k, &vector.Generic).Type()
	in := make([]reflect.Value, signature.NumIn())
	slice := func(i, n int) {
		in[i] = room(signature.In(i), n)
		from.Fill(in[i].Interface())
	}
	if k.Shape == vector.Batch {
		count, stride := from.Below(9), n+from.Below(4)
		rows := count
		listed := from.Below(2) == 0
		if listed {
			rows = from.Below(6)
			if rows == 0 {
				count = 0
			}
		}
		slice(0, count)
		slice(1, n)
		slice(2, max(0, (rows-1)*stride+n)*min(rows, 1))
		in[3] = reflect.ValueOf(stride)
		in[4] = reflect.Zero(signature.In(4))
		if listed {
			in[4] = room(signature.In(4), count)
			for i := range count {
				in[4].Index(i).SetUint(uint64(from.Below(rows)))
			}
		}
		return in
	}
	var numbers []reflect.Value
	last := len(in) - 1
	if k.Shape == vector.Sparse {
		slice(last, 1+from.Below(2*n+3))
	}
	for i := range in {
		switch sparse := k.Shape == vector.Sparse; {
		case sparse && i == last:
		case sparse && i == 1:
			in[1] = room(signature.In(1), n)
			indices(in[1], in[last].Len(), from)
		case signature.In(i).Kind() == reflect.Slice:
			slice(i, n)
		default:
			one := reflect.MakeSlice(reflect.SliceOf(signature.In(i)), 1, 1)
			from.Fill(one.Interface())
			in[i] = one.Index(0)
			if in[i].CanFloat() {
				numbers = append(numbers, in[i])
			}
		}
	}
	admit(k.Numbers, numbers)
	return in
}

// indices draws indices of a vector, and at times one beyond it.
func indices(list reflect.Value, length int, from Source) {
	n := list.Len()
	for e := range n {
		list.Index(e).SetUint(uint64(from.Below(length)))
	}
	if n > 0 && from.Below(4) == 0 {
		list.Index(from.Below(n)).SetUint(uint64(length + from.Below(2)))
	}
}

// admit changes numbers that a kernel does not take.
func admit(kind vector.Numbers, numbers []reflect.Value) {
	for i, v := range numbers {
		switch x := v.Float(); {
		case kind == vector.Positive && !(x != 0 && math.Abs(x) <= math.MaxFloat32), kind == vector.Ordered && x != x:
			v.SetFloat(0.5)
		case kind == vector.Positive:
			v.SetFloat(math.Abs(x))
		}
		if kind == vector.Ordered && i > 0 && v.Float() < numbers[0].Float() {
			v.SetFloat(numbers[0].Float())
		}
	}
}

// Results calls a kernel. They are what the slices hold then, and what it returns. The slices get
// their numbers back.
func Results(f reflect.Value, in []reflect.Value) (results []reflect.Value) {
	var before []reflect.Value
	for _, v := range in {
		before = append(before, Clone(v))
	}
	returned := f.Call(in)
	for i, v := range in {
		results = append(results, Clone(v))
		if v.Kind() == reflect.Slice {
			reflect.Copy(v, before[i])
		}
	}
	return append(results, returned...)
}

// Clone copies a slice.
func Clone(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice {
		return v
	}
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)
}

// Same compares the bits of results; any NaN equals any other.
func Same(a, b []reflect.Value) bool {
	for i, v := range a {
		switch w := b[i]; {
		case v.Kind() == reflect.Slice:
			for j := range v.Len() {
				if !same(v.Index(j), w.Index(j)) {
					return false
				}
			}
		case !same(v, w):
			return false
		}
	}
	return true
}

func same(a, b reflect.Value) bool {
	if !a.CanFloat() {
		return a.Equal(b)
	}
	x, y := a.Float(), b.Float()
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// Kinds are the kinds of numbers that a Random has.
const Kinds = 7

// A Random draws numbers of one kind: tame ones, of all sizes, with a few special ones, any bits,
// or special ones alone. Kind 5 is one tiny number throughout, whose products vanish to 0 or -0, and
// kind 6 has zeros of both signs, and 1 or -1.
type Random struct {
	*rand.Rand
	Kind int
}

// Below returns a number from 0 to n-1.
func (r Random) Below(n int) int { return r.IntN(n) }

var specials = []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.MaxFloat32, -math.MaxFloat32, 1 + 0x1p-23,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, -0x1p-126, 0x1p-75, -0x1p-75}

// Fill writes every element of a slice of numbers.
func (r Random) Fill(slice any) {
	special := func() bool { return r.Kind == 4 || r.Kind == 2 && r.IntN(20) == 0 }
	switch x := slice.(type) {
	case []float32:
		tiny, one := specials[len(specials)-1-r.IntN(6)], specials[2+r.IntN(2)]
		for i := range x {
			switch {
			case r.Kind == 6:
				x[i] = []float32{0, specials[1], one}[r.IntN(3)]
			case r.Kind == 5:
				x[i] = tiny
			case special():
				x[i] = specials[r.IntN(len(specials))]
			case r.Kind == 1:
				x[i] = float32(math.Ldexp(r.NormFloat64(), r.IntN(240)-140))
			case r.Kind == 3:
				x[i] = math.Float32frombits(r.Uint32())
			default:
				x[i] = float32(r.NormFloat64())
			}
		}
	case []float64:
		narrow := make([]float32, len(x))
		r.Fill(narrow)
		for i, v := range narrow {
			x[i] = float64(v)
			switch r.Kind {
			case 0, 1:
				x[i] *= 1 + float64(0x1p-24*r.Float64()) // more bits than float32 has
			case 3:
				x[i] = math.Float64frombits(r.Uint64())
			}
		}
	case []int8:
		for i := range x {
			x[i] = int8(r.Uint32())
			if special() {
				x[i] = []int8{-128, 127, 0, -1}[r.IntN(4)]
			}
		}
	case []int32:
		for i := range x {
			x[i] = int32(r.Uint32())
		}
	case []uint16:
		for i := range x {
			x[i] = uint16(r.Uint32())
		}
	case []uint64:
		for i := range x {
			x[i] = r.Uint64()
			if special() {
				x[i] = -uint64(r.IntN(2))
			}
		}
	default:
		panic("operands: no numbers of this kind")
	}
}
