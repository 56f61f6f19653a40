package main

import (
	"fmt"
	"strings"
)

// A neonMachine writes formulas for arm64. Constants and numbers have registers from V31 down, and
// values those from 0 on.
type neonMachine struct{ registers int }

func (m neonMachine) plan() (registers, masks int) { return m.registers, 0 }
func (m neonMachine) writesMask(string) bool       { return false }
func (m neonMachine) name(n int, _ bool) place     { return place(fmt.Sprintf("V%d", n)) }

// reuse: fma and choose write the register of an argument.
func (m neonMachine) reuse(s step, _ []place, last []bool) int {
	if k, is := map[string]int{"fma": 2, "choose": 0}[s.op]; is && last[k] {
		return k
	}
	return -1
}

// neonSteps are instructions: $a, $b and $c are the arguments and $d the result, numbers of
// registers. A result may have the register of no argument but fma's $c and choose's $a.
var neonSteps = map[string]string{
	"fma":        "VFMLA V$a.S4, V$b.S4, V$d.S4",
	"sum":        "FADD4($b, $a, $d)",
	"difference": "FSUB4($b, $a, $d)",
	"product":    "FMUL4($b, $a, $d)",
	"quotient":   "FDIV4($b, $a, $d)",
	"lesser":     "FCMGT4($a, $b, $d); VBSL V$b.B16, V$a.B16, V$d.B16",
	"greater":    "FCMGT4($b, $a, $d); VBSL V$b.B16, V$a.B16, V$d.B16",
	"less":       "FCMGT4($a, $b, $d)",
	"equal":      "FCMEQ4($b, $a, $d)",
	"choose":     "VBSL V$c.B16, V$b.B16, V$d.B16",
	"and":        "VAND V$b.B16, V$a.B16, V$d.B16",
	"or":         "VORR V$b.B16, V$a.B16, V$d.B16",
	"plus":       "VADD V$b.S4, V$a.S4, V$d.S4",
	"minus":      "VSUB V$b.S4, V$a.S4, V$d.S4",
	"left":       "VSHL $$n, V$a.S4, V$d.S4",
	"right":      "VUSHR $$n, V$a.S4, V$d.S4",
	"round":      "FCVTNS4($a, $d)",
	"float":      "SCVTF4($a, $d)",
}

func (m neonMachine) step(w *writer, s step, to place, args []place, _ []bool) {
	number := func(p place) string { return string(p[1:]) }
	pairs := []string{"$n", fmt.Sprint(s.bits), "$d", number(to)}
	for k, p := range args {
		pairs = append(pairs, "$"+string("abc"[k]), number(p))
	}
	if k, is := map[string]int{"fma": 2, "choose": 0}[s.op]; is && args[k] != to {
		w.op("VORR %s.B16, %[1]s.B16, %s.B16", args[k], to)
	}
	for line := range strings.SplitSeq(strings.NewReplacer(pairs...).Replace(neonSteps[s.op]), "; ") {
		w.op("%s", line)
	}
}

// mappingNEON writes a kernel that is a formula.
func mappingNEON(m mapping) body {
	registers := map[string]string{"x": "R1", "y": "R2", "z": "R6"}
	return func(w *writer) {
		l, arguments := m.layout(), w.kernel.arguments()
		fixed := map[value]place{}
		var taken []place
		w.op("MOVD dst_base+0(FP), R4")
		w.op("MOVD dst_len+8(FP), R3")
		for k, i := range l.operands {
			name := l.formula.steps[i].name
			fixed[i] = place(fmt.Sprintf("V%d", k))
			taken = append(taken, fixed[i])
			w.op("MOVD %s_base+%d(FP), %s", name, arguments[name].offset, registers[name])
		}
		next := 32
		for _, i := range l.numbers {
			a := arguments[l.formula.steps[i].name]
			next--
			fixed[i] = place(fmt.Sprintf("V%d", next))
			if a.kind == "int8" {
				w.op("MOVB %s+%d(FP), R5", a.name, a.offset)
				w.op("VDUP R5, V%d.S4", next)
			} else {
				w.op("FMOVS %s+%d(FP), F%d", a.name, a.offset, next)
				w.op("VDUP V%d.S[0], V%[1]d.S4", next)
			}
		}
		if len(l.constants) > 0 {
			w.op("MOVD $vectorNumbers<>(SB), R5")
		}
		for _, i := range l.constants {
			next--
			fixed[i] = place(fmt.Sprintf("V%d", next))
			w.constant(l.formula.steps[i].bits, 1)
			w.op("VLD1R.P 4(R5), [V%d.S4]", next)
		}
		group := func(one bool) {
			for k, i := range l.operands {
				loadNEON(w, m.from, k, registers[l.formula.steps[i].name], one)
			}
			storeNEON(w, m.to, string(l.formula.write(w, neonMachine{next}, fixed, taken)[0][1:]), one)
		}
		w.op("SUBS $4, R3")
		w.op("BLT last")
		w.op("loop:")
		group(false)
		w.op("SUBS $4, R3")
		w.op("BGE loop")
		w.op("last:")
		w.op("ADDS $4, R3")
		w.op("BEQ end")
		w.op("one:")
		group(true)
		w.op("SUBS $1, R3")
		w.op("BNE one")
		w.op("end:")
		w.op("RET")
	}
}

// loadNEON loads four elements, or one, to a register.
func loadNEON(w *writer, l lane, n int, base string, one bool) {
	switch bytes := l.bytes(); {
	case !one:
		w.op("%s.P %d(%s), F%d", map[int]string{4: "FMOVQ", 2: "FMOVD", 1: "FMOVS"}[bytes], 4*bytes, base, n)
	case bytes == 4:
		w.op("FMOVS.P 4(%s), F%d", base, n)
	default:
		w.op("VLD1.P %d(%s), V%d.%s[0]", bytes, base, n, map[int]string{2: "H", 1: "B"}[bytes])
	}
	switch l {
	case float16s:
		w.op("FCVTL4(%d, %[1]d)", n)
	case uint16s:
		w.op("UXTL4(%d, %[1]d)", n)
	case int8s:
		w.op("SXTL8(%d, %[1]d)", n)
		w.op("SXTL4(%d, %[1]d)", n)
	}
}

// storeNEON stores four elements, or one, of a register, and changes it.
func storeNEON(w *writer, l lane, n string, one bool) {
	switch l {
	case float16s:
		w.op("FCVTN4(%s, %[1]s)", n)
	case uint16s:
		w.op("XTN4(%s, %[1]s)", n)
	case int8s:
		w.op("SQXTN4(%s, %[1]s)", n)
		w.op("SQXTN8(%s, %[1]s)", n)
	}
	switch bytes := l.bytes(); {
	case !one:
		w.op("%s.P F%s, %d(R4)", map[int]string{4: "FMOVQ", 2: "FMOVD", 1: "FMOVS"}[bytes], n, 4*bytes)
	case bytes == 4:
		w.op("FMOVS.P F%s, 4(R4)", n)
	default:
		w.op("VST1.P V%s.%s[0], %d(R4)", n, map[int]string{2: "H", 1: "B"}[bytes], bytes)
	}
}
