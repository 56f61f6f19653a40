package main

import "math"

// A formula computes an element of a vector from the elements at its place. It is a list of steps,
// each of which gives a value, on lanes of 32 bits; a machine writes them as instructions. The last
// step is the result.
type formula struct {
	steps []step
	more  int // results before the last step
}

// A value is the index of a step.
type value int

// A step is an operation on values. Operands and numbers are of the kernel; constants are bits.
type step struct {
	op   string
	args []value
	name string // of an operand or a number
	bits uint32 // of a constant, or how far to shift
}

func (f *formula) add(s step) value {
	f.steps = append(f.steps, s)
	return value(len(f.steps) - 1)
}

func (f *formula) do(op string, args ...value) value { return f.add(step{op: op, args: args}) }

// operand is the element of a vector, and number is an argument that is one number. Each stands in a
// formula once.
func (f *formula) operand(name string) value { return f.add(step{op: "operand", name: name}) }
func (f *formula) number(name string) value  { return f.add(step{op: "number", name: name}) }

// bits and constant are one step for equal bits.
func (f *formula) bits(b uint32) value {
	for i, s := range f.steps {
		if s.op == "constant" && s.bits == b {
			return value(i)
		}
	}
	return f.add(step{op: "constant", bits: b})
}

func (f *formula) constant(v float32) value { return f.bits(math.Float32bits(v)) }

// Of float32: fma is a*b+c, less a < b, lesser a < b ? a : b and greater a > b ? a : b, which are b
// where one is NaN. choose takes a where the mask is set, and b elsewhere.
func (f *formula) fma(a, b, c value) value       { return f.do("fma", a, b, c) }
func (f *formula) sum(a, b value) value          { return f.do("sum", a, b) }
func (f *formula) difference(a, b value) value   { return f.do("difference", a, b) }
func (f *formula) product(a, b value) value      { return f.do("product", a, b) }
func (f *formula) quotient(a, b value) value     { return f.do("quotient", a, b) }
func (f *formula) lesser(a, b value) value       { return f.do("lesser", a, b) }
func (f *formula) greater(a, b value) value      { return f.do("greater", a, b) }
func (f *formula) less(a, b value) value         { return f.do("less", a, b) }
func (f *formula) equal(a, b value) value        { return f.do("equal", a, b) }
func (f *formula) choose(mask, a, b value) value { return f.do("choose", mask, a, b) }

// Of bits and of int32: right shifts in zeros, round takes float32 to int32, half to even, and float
// takes int32 to float32.
func (f *formula) and(a, b value) value   { return f.do("and", a, b) }
func (f *formula) or(a, b value) value    { return f.do("or", a, b) }
func (f *formula) plus(a, b value) value  { return f.do("plus", a, b) }
func (f *formula) minus(a, b value) value { return f.do("minus", a, b) }
func (f *formula) left(a value, by uint32) value {
	return f.add(step{op: "left", args: []value{a}, bits: by})
}
func (f *formula) right(a value, by uint32) value {
	return f.add(step{op: "right", args: []value{a}, bits: by})
}
func (f *formula) round(a value) value { return f.do("round", a) }
func (f *formula) float(a value) value { return f.do("float", a) }

// times is the formula of several elements, whose steps take turns. The last steps are the results.
func (f *formula) times(n int) *formula {
	g, at := &formula{more: n - 1}, make([][]value, len(f.steps))
	for i, s := range f.steps {
		for k := range n {
			if k > 0 && (s.op == "number" || s.op == "constant") {
				at[i] = append(at[i], at[i][0])
				continue
			}
			t := s
			t.args = nil
			for _, a := range s.args {
				t.args = append(t.args, at[a][k])
			}
			at[i] = append(at[i], g.add(t))
		}
	}
	return g
}

// A lane is how an element lies in memory.
type lane int

const (
	float32s lane = iota
	// float16s are float32 in registers.
	float16s
	// uint16s and int8s are int32 in registers; int8s are stored with saturation.
	uint16s
	int8s
)

func (l lane) bytes() int { return map[lane]int{float32s: 4, float16s: 2, uint16s: 2, int8s: 1}[l] }

// A mapping is a kernel that writes a vector by a formula.
type mapping struct {
	from, to lane // of the operands, and of dst
	formula  func(f *formula)
	// plain is a shorter formula for operands whose bits are from low on and below high.
	plain     func(f *formula)
	low, high uint32
}

// A place is where a value lies: a register, or on AVX2 a constant in memory.
type place string

// A machine writes steps for an architecture.
type machine interface {
	// plan says how many registers there are for values, from 0 on, and for masks.
	plan() (registers, masks int)
	// writesMask tells whether a step gives a mask in a register of its own kind.
	writesMask(op string) bool
	// name is the name of a register.
	name(n int, mask bool) place
	// step writes a step. The registers of arguments whose last use this is may be changed.
	step(w *writer, s step, to place, args []place, last []bool)
	// reuse picks the argument whose register a step should write, or -1.
	reuse(s step, args []place, last []bool) int
}

// write writes the steps, given where operands, numbers and constants are, and returns where the
// results are. It returns none where there are too few registers.
func (f *formula) write(w *writer, m machine, fixed map[value]place, taken []place) []place {
	last := make([]int, len(f.steps))
	for i, s := range f.steps {
		last[i] = i
		for _, a := range s.args {
			last[a] = i
		}
	}
	results := len(f.steps) - 1 - f.more
	for i := results; i < len(f.steps); i++ {
		last[i] = len(f.steps)
	}
	at := make([]place, len(f.steps))
	busy := map[place]bool{}
	for _, p := range taken {
		busy[p] = true
	}
	registers, masks := m.plan()
	free := func(mask bool) place {
		for n := range map[bool]int{false: registers, true: masks}[mask] {
			if p := m.name(n, mask); !busy[p] {
				return p
			}
		}
		return ""
	}
	for i, s := range f.steps {
		if p, is := fixed[value(i)]; is {
			at[i] = p
			continue
		}
		args, ends := make([]place, len(s.args)), make([]bool, len(s.args))
		for k, a := range s.args {
			args[k] = at[a]
			_, pinned := fixed[a]
			ends[k] = last[a] == i && (!pinned || f.steps[a].op == "operand")
			for j := range k {
				if s.args[j] == a {
					ends[k], ends[j] = false, false // twice an argument: its register is kept until the step is done
				}
			}
		}
		if k := m.reuse(s, args, ends); k >= 0 {
			at[i] = args[k]
		} else {
			at[i] = free(m.writesMask(s.op))
		}
		if at[i] == "" {
			return nil
		}
		m.step(w, s, at[i], args, ends)
		for _, a := range s.args {
			_, pinned := fixed[a]
			if last[a] == i && (!pinned || f.steps[a].op == "operand") {
				busy[at[a]] = false
			}
		}
		busy[at[i]] = true
	}
	return at[results:]
}

// A layout says where a formula's operands, numbers and constants are.
type layout struct {
	formula            *formula
	operands           []value
	numbers, constants []value
}

func (m mapping) layout() layout {
	f := &formula{}
	m.formula(f)
	return f.layout()
}

func (f *formula) layout() layout {
	l := layout{formula: f}
	for i, s := range f.steps {
		switch s.op {
		case "operand":
			l.operands = append(l.operands, value(i))
		case "number":
			l.numbers = append(l.numbers, value(i))
		case "constant":
			l.constants = append(l.constants, value(i))
		}
	}
	return l
}

// light tells whether a formula has so few steps that several vectors at once pay.
func (l layout) light() bool {
	return len(l.formula.steps)-len(l.operands)-len(l.numbers)-len(l.constants) <= 4
}

// An argument is a parameter of a kernel.
type argument struct {
	name, kind string // kind is the kind of the elements
	slice      bool
	offset     int
}

// arguments lists the parameters of a kernel.
func (k *kernel) arguments() map[string]argument {
	list := map[string]argument{}
	offset := 0
	for _, field := range k.signature.Params.List {
		kind, width, align := size(field.Type)
		for _, name := range field.Names {
			offset = (offset + align - 1) / align * align
			list[name.Name] = argument{name.Name, kind, width == 24, offset}
			offset += width
		}
	}
	return list
}
