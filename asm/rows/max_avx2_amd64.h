// The greatest of some indices, 0 of none. The includer defines its name, MAX, and
// includes indices_amd64.h.

// func(size uintptr, idx unsafe.Pointer, n int) (most int)
TEXT MAX(SB), NOSPLIT, $0-32
	MOVQ idx+8(FP), SI
	MOVQ n+16(FP), CX
	CMPQ CX, $8
	JCC  more
	XORL AX, AX
	CMPQ CX, $2
	JCS  underTwo
	JEQ  two

	// Those at the beginning and those at the end, which overlap.
	LOAD_INDEX (SI), AX
	LOAD_INDEX INDEX_BYTES(SI), DX
	LOAD_INDEX -INDEX_BYTES(SI)(CX*INDEX_BYTES), BX
	LOAD_INDEX (-2*INDEX_BYTES)(SI)(CX*INDEX_BYTES), DI
	GREATER(DX, AX)
	GREATER(DI, BX)
	GREATER(BX, AX)
	CMPQ CX, $4
	JLS  done
	LOAD_INDEX (2*INDEX_BYTES)(SI), DX
	LOAD_INDEX (-3*INDEX_BYTES)(SI)(CX*INDEX_BYTES), BX
	LOAD_INDEX (-4*INDEX_BYTES)(SI)(CX*INDEX_BYTES), DI
	GREATER(DX, AX)
	GREATER(DI, BX)
	GREATER(BX, AX)

done:
	MOVQ AX, most+24(FP)
	RET

two:
	LOAD_INDEX (SI), AX
	LOAD_INDEX INDEX_BYTES(SI), DX
	GREATER(DX, AX)
	MOVQ       AX, most+24(FP)
	RET

underTwo:
	TESTQ CX, CX
	JEQ   done
	LOAD_INDEX (SI), AX
	MOVQ  AX, most+24(FP)
	RET

more:
	// Registers at the end, which overlap the others.
	CMPQ    CX, $INDEX_LANES
	JCS     short
	VMOVDQU -32(SI)(CX*INDEX_BYTES), Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	SUBQ    $(4*INDEX_LANES), CX
	JLT     registers

four:
	MAX_INDICES (SI), Y0, Y0
	MAX_INDICES 32(SI), Y1, Y1
	MAX_INDICES 64(SI), Y2, Y2
	MAX_INDICES 96(SI), Y3, Y3
	ADDQ $128, SI
	SUBQ $(4*INDEX_LANES), CX
	JGE  four

registers:
	ADDQ $(4*INDEX_LANES), CX
	JMP  next

register:
	MAX_INDICES (SI), Y0, Y0
	ADDQ $32, SI

next:
	SUBQ $INDEX_LANES, CX
	JGE  register
	MAX_INDICES Y1, Y0, Y0
	MAX_INDICES Y3, Y2, Y2
	MAX_INDICES Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1

fold:
	MAX_INDICES X1, X0, X0
	VPSRLDQ $8, X0, X1
	MAX_INDICES X1, X0, X0
	VPSRLDQ $4, X0, X1
	MAX_INDICES X1, X0, X0
	FOLD_PAIR
	VZEROUPPER
	VMOVD X0, AX
	LOW_INDEX(AX)
	MOVQ  AX, most+24(FP)
	RET

short:
	VMOVDQU (SI), X0
	VMOVDQU -16(SI)(CX*INDEX_BYTES), X1
	JMP     fold

#undef MAX
