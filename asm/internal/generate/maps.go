package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// A map is a kernel that writes a vector, an element of which depends on the elements at its place.
// Its code says what makes the result $r of an operand in $r, where $y and $z are further operands.

// operands calls slice for each operand x, y and z, and number for a, with their places.
func (k *kernel) operands(slice func(name string, offset int), number func(offset int)) {
	offset := 0
	for _, field := range k.signature.Params.List {
		_, is := field.Type.(*ast.ArrayType)
		for _, name := range field.Names {
			switch {
			case !is:
				number(offset)
				offset += 4
				continue
			case name.Name != "dst":
				offset = (offset + 7) / 8 * 8
				slice(name.Name, offset)
			}
			offset = (offset+7)/8*8 + 24
		}
	}
}

// mapAVX2 writes a map for AVX2. The number is in Y0.
func mapAVX2(code ...string) body {
	registers := map[string]string{"x": "SI", "y": "DX", "z": "R10"}
	return func(w *writer) {
		apply := func(r, y, z string) {
			for _, line := range code {
				line = strings.NewReplacer("$y", y, "$z", z, "$r", r).Replace(line)
				w.op("%s", line)
			}
		}
		var names []string
		w.op("MOVQ dst_base+0(FP), DI")
		w.op("MOVQ dst_len+8(FP), CX")
		w.kernel.operands(func(name string, offset int) {
			names = append(names, name)
			w.op("MOVQ %s_base+%d(FP), %s", name, offset, registers[name])
		}, func(offset int) { w.op("VBROADCASTSS a+%d(FP), Y0", offset) })
		whole := func(count int) {
			for j := range count {
				w.op("VMOVUPS %d(SI), %s", 32*j, yreg(1+j))
			}
			for j := range count {
				apply(yreg(1+j), at(32*j, "DX"), at(32*j, "R10"))
			}
			for j := range count {
				w.op("VMOVUPS %s, %d(DI)", yreg(1+j), 32*j)
			}
			for _, name := range names {
				w.op("ADDQ $%d, %s", 32*count, registers[name])
			}
			w.op("ADDQ $%d, DI", 32*count)
		}
		w.op("SUBQ $32, CX")
		w.op("JLT last")
		w.op("loop:")
		whole(4)
		w.op("SUBQ $32, CX")
		w.op("JGE loop")
		w.op("last:")
		w.op("ADDQ $32, CX")
		w.op("few:")
		w.op("SUBQ $8, CX")
		w.op("JLT part")
		whole(1)
		w.op("JMP few")
		w.op("part:")
		w.op("ADDQ $8, CX")
		w.op("JEQ end")
		w.op("LEAQ vectorMasks<>+32(SB), R9")
		w.op("NEGQ CX")
		w.op("VMOVDQU (R9)(CX*4), Y11")
		for k, name := range names {
			w.op("VMASKMOVPS (%s), Y11, %s", registers[name], yreg(1+k))
		}
		apply("Y1", "Y2", "Y3")
		w.op("VMASKMOVPS Y1, Y11, (DI)")
		w.op("end:")
		w.op("VZEROUPPER")
		w.op("RET")
	}
}

func yreg(n int) string { return sumAVX2.reg(n) }

func at(offset int, register string) string { return fmt.Sprintf("%d(%s)", offset, register) }

// mapNEON writes a map for arm64. The number is in V0, the operands in V1 to V3, and the result in
// the register of a number.
func mapNEON(result int, code string) body {
	registers := map[string]string{"x": "R1", "y": "R2", "z": "R6"}
	return func(w *writer) {
		var names []string
		w.op("MOVD dst_base+0(FP), R4")
		w.op("MOVD dst_len+8(FP), R3")
		w.kernel.operands(func(name string, offset int) {
			names = append(names, name)
			w.op("MOVD %s_base+%d(FP), %s", name, offset, registers[name])
		}, func(offset int) {
			w.op("FMOVS a+%d(FP), F0", offset)
			w.op("VDUP V0.S[0], V0.S4")
		})
		group := func(move string, bytes int) {
			for k, name := range names {
				w.op("%s.P %d(%s), F%d", move, bytes, registers[name], 1+k)
			}
			w.op("%s", code)
			w.op("%s.P F%d, %d(R4)", move, result, bytes)
		}
		w.op("SUBS $4, R3")
		w.op("BLT last")
		w.op("loop:")
		group("FMOVQ", 16)
		w.op("SUBS $4, R3")
		w.op("BGE loop")
		w.op("last:")
		w.op("ADDS $4, R3")
		w.op("BEQ end")
		w.op("one:")
		group("FMOVS", 4)
		w.op("SUBS $1, R3")
		w.op("BNE one")
		w.op("end:")
		w.op("RET")
	}
}
