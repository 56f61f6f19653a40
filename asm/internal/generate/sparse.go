package main

import (
	"fmt"
	"strings"
)

// sparseAVX2 writes a kernel that adds multiples to elements of y: it checks all indices, then takes
// one entry after the other, as an index may repeat. Its name tells the layout.
func sparseAVX2(w *writer) {
	name := w.kernel.name
	ones, single := strings.Contains(name, "Ones"), strings.Contains(name, "32U")
	narrow, double := strings.Contains(name, "U16"), strings.HasSuffix(name, "F64")
	index, load, scale, kind := 4, "MOVL", 8, "SD"
	if narrow {
		index, load = 2, "MOVWLZX"
	}
	if single {
		scale, kind = 4, "SS"
	}
	value := 4
	if double {
		value = 8
	}
	w.op("VMOV%s a+0(FP), X0", kind)
	w.op("MOVQ idx_base+8(FP), SI")
	w.op("MOVQ idx_len+16(FP), CX")
	if ones {
		w.op("MOVQ y_base+32(FP), DI")
		w.op("MOVQ y_len+40(FP), BX")
	} else {
		w.op("MOVQ val_base+32(FP), DX")
		w.op("MOVQ y_base+56(FP), DI")
		w.op("MOVQ y_len+64(FP), BX")
	}
	result := map[bool]int{true: 56, false: 80}[ones]

	// The largest index. The last eight may have been taken before.
	largest := func(from string) {
		if narrow {
			w.op("VPMOVZXWD %s, Y2", from)
			w.op("VPMAXUD Y2, Y1, Y1")
		} else {
			w.op("VPMAXUD %s, Y1, Y1", from)
		}
	}
	w.op("MOVQ SI, R9")
	w.op("MOVQ CX, R10")
	w.op("XORL AX, AX")
	w.op("SUBQ $8, R10")
	w.op("JLT few")
	w.op("VPXOR Y1, Y1, Y1")
	w.op("search:")
	largest("(R9)")
	w.op("ADDQ $%d, R9", 8*index)
	w.op("SUBQ $8, R10")
	w.op("JGE search")
	largest(fmt.Sprintf("%d(SI)(CX*%d)", -8*index, index))
	w.op("VEXTRACTI128 $1, Y1, X2")
	w.op("VPMAXUD X2, X1, X1")
	w.op("VPSHUFD $0x4e, X1, X2")
	w.op("VPMAXUD X2, X1, X1")
	w.op("VPSHUFD $0xb1, X1, X2")
	w.op("VPMAXUD X2, X1, X1")
	w.op("VMOVD X1, AX")
	w.op("JMP compare")
	w.op("few:")
	w.op("ADDQ $8, R10")
	w.op("JEQ end")
	w.op("one:")
	w.op("%s (R9), R11", load)
	w.op("CMPL R11, AX")
	w.op("CMOVLHI R11, AX")
	w.op("ADDQ $%d, R9", index)
	w.op("DECQ R10")
	w.op("JNE one")
	w.op("compare:")
	w.op("CMPQ AX, BX")
	w.op("JCC refused")

	// Four entries share loads of indices and of values.
	w.op("SUBQ $4, CX")
	w.op("JLT rest")
	w.op("loop:")
	registers := []string{"AX", "R8", "R9", "R10"}
	if narrow {
		w.op("MOVQ (SI), R10")
		w.op("MOVWLZX R10, AX")
		w.op("MOVL R10, R8")
		w.op("SHRL $16, R8")
		w.op("SHRQ $32, R10")
		w.op("MOVWLZX R10, R9")
		w.op("SHRL $16, R10")
	} else {
		for k := 0; k < 4; k += 2 {
			w.op("MOVQ %d(SI), %s", 4*k, registers[k+1])
			w.op("MOVL %s, %s", registers[k+1], registers[k])
			w.op("SHRQ $32, %s", registers[k+1])
		}
	}
	switch {
	case ones:
	case single:
		w.op("VMOVUPS (DX), X1")
		w.op("VMOVSHDUP X1, X2")
		w.op("VMOVHLPS X1, X1, X3")
		w.op("VPERMILPS $0xff, X1, X4")
	default:
		if double {
			w.op("VMOVUPD (DX), Y1")
		} else {
			w.op("VCVTPS2PD (DX), Y1")
		}
		w.op("VEXTRACTF128 $1, Y1, X3")
		w.op("VPERMILPD $1, X1, X2")
		w.op("VPERMILPD $1, X3, X4")
	}
	add := func(j string, k int) {
		if ones {
			w.op("VADD%s (DI)(%s*%d), X0, X%d", kind, j, scale, k)
		} else {
			w.op("VFMADD213%s (DI)(%s*%d), X0, X%d", kind, j, scale, k)
		}
		w.op("VMOV%s X%d, (DI)(%s*%d)", kind, k, j, scale)
	}
	for k, j := range registers {
		add(j, k+1)
	}
	w.op("ADDQ $%d, SI", 4*index)
	if !ones {
		w.op("ADDQ $%d, DX", 4*value)
	}
	w.op("SUBQ $4, CX")
	w.op("JGE loop")
	w.op("rest:")
	w.op("ADDQ $4, CX")
	w.op("JEQ end")
	w.op("last:")
	w.op("%s (SI), AX", load)
	switch {
	case ones:
	case single || double:
		w.op("VMOV%s (DX), X1", kind)
	default:
		w.op("VXORPS X1, X1, X1")
		w.op("VCVTSS2SD (DX), X1, X1")
	}
	add("AX", 1)
	w.op("ADDQ $%d, SI", index)
	if !ones {
		w.op("ADDQ $%d, DX", value)
	}
	w.op("DECQ CX")
	w.op("JNE last")
	w.op("end:")
	w.op("VZEROUPPER")
	w.op("MOVB $1, ret+%d(FP)", result)
	w.op("RET")
	w.op("refused:")
	w.op("VZEROUPPER")
	w.op("MOVB $0, ret+%d(FP)", result)
	w.op("RET")
}

// sparseNEON is sparseAVX2 for the kernels that Go has no instruction for: fused in float32.
func sparseNEON(w *writer) {
	index, load := 4, "MOVWU.P"
	if strings.Contains(w.kernel.name, "U16") {
		index, load = 2, "MOVHU.P"
	}
	w.op("FMOVS a+0(FP), F0")
	w.op("MOVD idx_base+8(FP), R1")
	w.op("MOVD idx_len+16(FP), R3")
	w.op("MOVD val_base+32(FP), R2")
	w.op("MOVD y_base+56(FP), R4")
	w.op("MOVD y_len+64(FP), R5")
	w.op("CBZ R3, end")
	w.op("MOVD R1, R6")
	w.op("MOVD R3, R7")
	w.op("check:")
	w.op("%s %d(R6), R8", load, index)
	w.op("CMP R5, R8")
	w.op("BHS refused")
	w.op("SUBS $1, R7")
	w.op("BNE check")
	w.op("loop:")
	w.op("%s %d(R1), R8", load, index)
	w.op("FMOVS.P 4(R2), F1")
	w.op("ADD R8<<2, R4, R9")
	w.op("FMOVS (R9), F2")
	w.op("FMADDS F0, F2, F1, F2")
	w.op("FMOVS F2, (R9)")
	w.op("SUBS $1, R3")
	w.op("BNE loop")
	w.op("end:")
	w.op("MOVD $1, R6")
	w.op("MOVB R6, ret+80(FP)")
	w.op("RET")
	w.op("refused:")
	w.op("MOVB ZR, ret+80(FP)")
	w.op("RET")
}
