// The walk of a sweep over the listed rows, included into the body of a kernel
// that defines its arguments and the steps of the walk.
	MOVQ  MATRIX, M
	MOVQ  RECORDS, REC
	MOVQ  INDICES(M), IDX
	VALUES
	XORL  K, K
	JMP   next

row:
	MOVQ  LIST, T
	MOVL  (T)(K*4), P0
	MOVQ  Rows_Begin(M), T
	MOVQ  (T)(P0*8), E
	MOVQ  Rows_End(M), T
	MOVQ  (T)(P0*8), END
	ROW_BEGIN
	JMP   more

eight:
	INDEX(0, E, P0)
	INDEX(1, E, P1)
	INDEX(2, E, P2)
	INDEX(3, E, P3)
	OFFSETS
	LOAD_X
	STEP(AW, AU)
	ADDQ  $4, E
	INDEX(0, E, P0)
	INDEX(1, E, P1)
	INDEX(2, E, P2)
	INDEX(3, E, P3)
	OFFSETS
	LOAD_X
	STEP(BW, BU)
	ADDQ  $4, E

more:
	LEAQ  8(E), T
	CMPQ  T, END
	JLE   eight

	LEAQ  4(E), T
	CMPQ  T, END
	JGT   tail
	INDEX(0, E, P0)
	INDEX(1, E, P1)
	INDEX(2, E, P2)
	INDEX(3, E, P3)
	OFFSETS
	LOAD_X
	STEP(AW, AU)
	ADDQ  $4, E

	// The tail belongs to lanes 4 to 7 now; the halves change places, which
	// their sum does not see.
	VMOVAPD AW, Y0
	VMOVAPD BW, AW
	VMOVAPD Y0, BW
	VMOVAPD AU, Y1
	VMOVAPD BU, AU
	VMOVAPD Y1, BU

tail:
	MOVQ  END, T
	SUBQ  E, T
	JZ    done
	NEGQ  T
	LEAQ  lazyTail<>(SB), P0
	VMOVDQU   16(P0)(T*4), MASK32
	VPMOVSXDQ MASK32, MASK

	// One to three entries are left: the last one stands for those missing,
	// and the mask keeps it out of their lanes.
	LEAQ  -1(END), T
	LEAQ  1(E), P1
	LEAQ  2(E), P2
	CMPQ  P1, T
	CMOVQGT T, P1
	CMPQ  P2, T
	CMOVQGT T, P2
	INDEX(0, E, P0)
	INDEX(0, P1, P1)
	INDEX(0, P2, P2)
	MOVQ  P2, P3
	OFFSETS
	LOAD_TAIL_X
	VMOVAPD AW, Y4
	VMOVAPD AU, Y5
	STEP(Y4, Y5)
	VBLENDVPD MASK, Y4, AW, AW
	VBLENDVPD MASK, Y5, AU, AU

done:
	ROW_END
	INCQ  K

next:
	CMPQ  K, LIST_LEN
	JLT   row
	VZEROUPPER
	RET
