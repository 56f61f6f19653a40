// The greatest of some indices. The includer defines its name, MAX, and the size of
// the arguments, MAX_ARGUMENTS, and includes indices_amd64.h.

// func(x []I) I
TEXT MAX(SB), NOSPLIT, $0-MAX_ARGUMENTS
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	XORL AX, AX
	CMPQ CX, $INDEX_LANES
	JLT  few

	// The last register of elements, which overlaps the others.
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
	JMP  more

register:
	MAX_INDICES (SI), Y0, Y0
	ADDQ $32, SI

more:
	SUBQ $INDEX_LANES, CX
	JGE  register
	MAX_INDICES Y1, Y0, Y0
	MAX_INDICES Y3, Y2, Y2
	MAX_INDICES Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	MAX_INDICES X1, X0, X0
	VPSRLDQ $8, X0, X1
	MAX_INDICES X1, X0, X0
	VPSRLDQ $4, X0, X1
	MAX_INDICES X1, X0, X0
	FOLD_PAIR
	VMOVD X0, AX
	JMP done

single:
	LOAD_INDEX (SI), DX
	CMPL DX, AX
	CMOVLHI DX, AX
	ADDQ $INDEX_BYTES, SI

few:
	DECQ CX
	JGE  single

done:
	STORE_INDEX AX, ret+24(FP)
	VZEROUPPER
	RET

#undef MAX
#undef MAX_ARGUMENTS
