package main

import (
	"fmt"
	"strings"
)

// On amd64 constants are operands in memory: whole registers on AVX2, numbers that the instruction
// broadcasts on AVX-512. Register 15 is for the machine, and register 14 has the mask of the last
// elements on AVX2.
const scratch = 15

func (v width) plan() (registers, masks int) { return 14, 6 }

// writesMask: AVX-512 has registers for masks, of which K1 has the mask of the last elements.
func (v width) writesMask(op string) bool {
	return v.register == 'Z' && (op == "less" || op == "equal")
}

func (v width) name(n int, mask bool) place {
	if mask {
		return place(fmt.Sprintf("K%d", 2+n))
	}
	return place(v.reg(n))
}

// copies is how often a constant stands in memory.
func (v width) copies() int {
	if v.register == 'Z' {
		return 1
	}
	return v.lanes
}

func inMemory(p place) bool { return strings.Contains(string(p), "(SB)") }

// reuse: an instruction for fma writes one of its arguments; other instructions write any register.
func (v width) reuse(s step, args []place, last []bool) int {
	for k := range args {
		if s.op == "fma" && last[k] && !inMemory(args[k]) {
			return k
		}
	}
	return -1
}

// instruction writes an instruction whose first operand may be in memory.
func (v width) instruction(w *writer, name string, operands ...any) {
	text := fmt.Sprintln(operands...)
	if v.register == 'Z' && strings.Contains(text, "(SB)") {
		name += ".BCST"
	}
	w.op("%s %s", name, strings.Join(strings.Fields(text), ", "))
}

// inRegister returns a register with what is at a place.
func (v width) inRegister(w *writer, p place, to int) place {
	if !inMemory(p) {
		return p
	}
	v.move(w, p, v.name(to, false))
	return v.name(to, false)
}

func (v width) move(w *writer, p, to place) {
	if inMemory(p) && v.register == 'Z' {
		w.op("VBROADCASTSS %s, %s", p, to)
	} else {
		w.op("VMOVUPS %s, %s", p, to)
	}
}

// binaries are instructions of two operands, the second of which may be in memory.
var binaries = map[string]struct {
	name     string
	commutes bool
}{
	"sum": {"VADDPS", true}, "difference": {"VSUBPS", false}, "product": {"VMULPS", true}, "quotient": {"VDIVPS", false},
	"lesser": {"VMINPS", false}, "greater": {"VMAXPS", false},
	"and": {"VANDPS", true}, "or": {"VORPS", true}, "plus": {"VPADDD", true}, "minus": {"VPSUBD", false},
	"less": {"VCMPPS $17,", false}, "equal": {"VCMPPS $0,", true},
}

func (v width) step(w *writer, s step, to place, args []place, last []bool) {
	switch s.op {
	case "fma":
		v.fma(w, to, args[0], args[1], args[2])
	case "choose":
		b := v.inRegister(w, args[2], scratch)
		if v.register == 'Z' {
			v.instruction(w, "VBLENDMPS", args[1], b, args[0], to)
		} else {
			v.instruction(w, "VBLENDVPS", args[0], args[1], b, to)
		}
	case "left":
		w.op("VPSLLD $%d, %s, %s", s.bits, args[0], to)
	case "right":
		w.op("VPSRLD $%d, %s, %s", s.bits, args[0], to)
	case "round":
		w.op("VCVTPS2DQ %s, %s", args[0], to)
	case "float":
		w.op("VCVTDQ2PS %s, %s", args[0], to)
	default:
		b := binaries[s.op]
		x, y := args[0], args[1]
		if b.commutes && inMemory(x) {
			x, y = y, x
		}
		name, immediate, is := strings.Cut(b.name, " ")
		operands := []any{y, v.inRegister(w, x, scratch), to}
		if is {
			operands = append([]any{strings.TrimSuffix(immediate, ",")}, operands...)
		}
		v.instruction(w, name, operands...)
	}
}

// fma writes to = a*b + c, where to may be the register of one of them.
func (v width) fma(w *writer, to, a, b, c place) {
	switch {
	case to == c:
		if inMemory(a) {
			a, b = b, a
		}
		v.instruction(w, "VFMADD231PS", b, v.inRegister(w, a, scratch), c)
		return
	case to == b, to != a && inMemory(b):
		a, b = b, a
	}
	if to != a {
		v.move(w, a, to)
	}
	if inMemory(b) && !inMemory(c) {
		v.instruction(w, "VFMADD132PS", b, c, to)
	} else {
		v.instruction(w, "VFMADD213PS", c, v.inRegister(w, b, scratch), to)
	}
}

// mapping writes a kernel that is a formula.
func (v width) mapping(m mapping) body {
	registers := map[string]string{"x": "SI", "y": "DX", "z": "R10"}
	return func(w *writer) {
		l, arguments := m.layout(), w.kernel.arguments()
		w.op("MOVQ dst_base+0(FP), DI")
		w.op("MOVQ dst_len+8(FP), CX")
		for _, i := range l.operands {
			name := l.formula.steps[i].name
			w.op("MOVQ %s_base+%d(FP), %s", name, arguments[name].offset, registers[name])
		}
		for k, i := range l.numbers {
			a, to := arguments[l.formula.steps[i].name], v.name(13-k, false)
			if a.kind == "int8" {
				w.op("MOVBLSX %s+%d(FP), AX", a.name, a.offset)
				w.op("VMOVD AX, X%d", 13-k)
				w.op("VPBROADCASTD X%d, %s", 13-k, to)
			} else {
				w.op("VBROADCASTSS %s+%d(FP), %s", a.name, a.offset, to)
			}
		}
		for _, i := range l.constants {
			w.constant(l.formula.steps[i].bits, v.copies())
		}
		each := func(do func(register, base string, lane lane)) {
			for k, i := range l.operands {
				do(v.reg(k), registers[l.formula.steps[i].name], m.from)
			}
		}
		// load loads some vectors from an offset on, and write writes them.
		load := func(offset, count int) {
			for k := range count {
				for n, i := range l.operands {
					w.op("%s %d(%s), %s", loads[m.from], (offset+k)*v.lanes*m.from.bytes(), registers[l.formula.steps[i].name], v.reg(k*len(l.operands)+n))
				}
			}
		}
		write := func(l layout, offset, count int) {
			for k, result := range v.formula(w, l, count) {
				v.store(w, m.to, result, fmt.Sprintf("%d(DI)", (offset+k)*v.lanes*m.to.bytes()))
			}
		}
		advance := func(count int) {
			each(func(_, base string, lane lane) { w.op("ADDQ $%d, %s", count*v.lanes*lane.bytes(), base) })
			w.op("ADDQ $%d, DI", count*v.lanes*m.to.bytes())
		}
		plain, few := l, "few"
		if m.plain != nil && v.register == 'Y' {
			f := &formula{}
			m.plain(f)
			plain, few = f.layout(), "again"
		}
		together, count := v.together(w, plain)
		if count > 1 {
			if few == "again" {
				w.op("again:")
			}
			w.op("SUBQ $%d, CX", count*v.lanes)
			w.op("JLT last")
			w.op("loop:")
			for j := 0; j < count; j += together {
				load(j, together)
				if few == "again" {
					v.outside(w, m, together)
					w.op("JNE last")
				}
				write(plain, j, together)
			}
			advance(count)
			w.op("SUBQ $%d, CX", count*v.lanes)
			w.op("JGE loop")
			w.op("last:")
			w.op("ADDQ $%d, CX", count*v.lanes)
		}
		if few == "few" {
			w.op("few:")
		}
		w.op("SUBQ $%d, CX", v.lanes)
		w.op("JLT part")
		load(0, 1)
		write(l, 0, 1)
		advance(1)
		w.op("JMP %s", few)
		w.op("part:")
		w.op("ADDQ $%d, CX", v.lanes)
		w.op("JEQ end")
		if v.register == 'Z' {
			w.op("MOVL $-1, R9")
			w.op("BZHIL CX, R9, R9")
			w.op("KMOVW R9, K1")
			each(func(register, base string, lane lane) { w.op("%s.Z (%s), K1, %s", loads[lane], base, register) })
			v.store(w, m.to, v.formula(w, l, 1)[0], "K1, (DI)")
		} else {
			v.lastAVX2(w, m, each, func() place { return v.formula(w, l, 1)[0] })
		}
		w.op("end:")
		w.op("VZEROUPPER")
		w.op("RET")
	}
}

// formula writes the steps for some vectors, and returns where the results are.
func (v width) formula(w *writer, l layout, count int) []place {
	if count > 1 {
		l = l.formula.times(count).layout()
	}
	fixed := map[value]place{}
	var taken []place
	fix := func(i value, p place) {
		fixed[i] = p
		taken = append(taken, p)
	}
	for k, i := range l.operands { // of one vector after the other, as their steps take turns
		fix(i, v.name(k%count*(len(l.operands)/count)+k/count, false))
	}
	for k, i := range l.numbers {
		fix(i, v.name(13-k, false))
	}
	for _, i := range l.constants {
		fixed[i] = w.constant(l.formula.steps[i].bits, v.copies())
	}
	return l.formula.write(w, v, fixed, taken)
}

// outside clears the flag of zero where one of the vectors from register 0 on has an element that the
// plain formula is not for.
func (v width) outside(w *writer, m mapping, count int) {
	const most = 1 << 31
	for k := range count {
		w.op("VPADDD %s, %s, %s", w.constant(most-m.low, v.copies()), v.reg(k), v.reg(15-k))
		w.op("VPCMPGTD %s, %s, %[2]s", w.constant(most+(m.high-m.low-1), v.copies()), v.reg(15-k))
		if k > 0 {
			w.op("VORPS %s, Y15, Y15", v.reg(15-k))
		}
	}
	w.op("VMOVMSKPS Y15, AX")
	w.op("TESTL AX, AX")
}

// together says how many vectors a loop writes, and how many of them take turns. A long formula
// waits for its own results.
func (v width) together(w *writer, l layout) (turns, count int) {
	if l.light() {
		return 1, 4
	}
	for count := 4; count > 1 && v.register == 'Y'; count-- {
		if len(l.operands)*count+len(l.numbers) <= 14 && v.formula(&writer{kernel: w.kernel}, l, count) != nil {
			return count, count
		}
	}
	return 1, 1
}

var loads = map[lane]string{float32s: "VMOVUPS", float16s: "VCVTPH2PS", uint16s: "VPMOVZXWD", int8s: "VPMOVSXBD"}

// store writes a register to memory.
func (v width) store(w *writer, l lane, from place, to string) {
	if v.register == 'Z' {
		w.op("%s %s, %s", map[lane]string{float32s: "VMOVUPS", float16s: "VCVTPS2PH $0,", uint16s: "VPMOVDW", int8s: "VPMOVSDB"}[l], from, to)
		return
	}
	half := "X" + string(from[1:])
	switch l {
	case float32s:
		w.op("VMOVUPS %s, %s", from, to)
	case float16s:
		w.op("VCVTPS2PH $0, %s, %s", from, to)
	case uint16s:
		w.op("VEXTRACTI128 $1, %s, X%d", from, scratch)
		w.op("VPACKUSDW X%d, %s, X%[1]d", scratch, half)
		w.op("VMOVDQU X%d, %s", scratch, to)
	case int8s:
		w.op("VEXTRACTI128 $1, %s, X%d", from, scratch)
		w.op("VPACKSSDW X%d, %s, X%[1]d", scratch, half)
		w.op("VPACKSSWB X%d, X%[1]d, X%[1]d", scratch)
		w.op("VMOVQ X%d, %s", scratch, to)
	}
}

// lastAVX2 writes the last CX elements, fewer than eight. Elements of less than 32 bits go through the
// stack.
func (v width) lastAVX2(w *writer, m mapping, each func(do func(register, base string, lane lane)), formula func() place) {
	copied := func(label, from, to string, bytes int) {
		move := map[int][2]string{1: {"MOVBLZX", "MOVB"}, 2: {"MOVWLZX", "MOVW"}}[bytes]
		w.op("MOVQ CX, R8")
		w.op("%s:", label)
		w.op("%s -%d(%s)(R8*%[2]d), AX", move[0], bytes, from)
		w.op("%s AX, -%d(%s)(R8*%[2]d)", move[1], bytes, to)
		w.op("DECQ R8")
		w.op("JNE %s", label)
	}
	if m.from != float32s || m.to != float32s {
		w.frame = 16
		w.op("LEAQ tail-16(SP), R11")
	}
	if m.from == float32s || m.to == float32s {
		w.op("LEAQ vectorMasks<>+32(SB), R9")
		w.op("MOVQ CX, R8")
		w.op("NEGQ R8")
		w.op("VMOVDQU (R9)(R8*4), Y14")
	}
	each(func(register, base string, lane lane) {
		if lane == float32s {
			w.op("VMASKMOVPS (%s), Y14, %s", base, register)
			return
		}
		copied("in", base, "R11", lane.bytes())
		w.op("%s (R11), %s", loads[lane], register)
	})
	result := formula()
	if m.to == float32s {
		w.op("VMASKMOVPS %s, Y14, (DI)", result)
		return
	}
	v.store(w, m.to, result, "(R11)")
	copied("out", "R11", "DI", m.to.bytes())
}
