// The walk of a sweep over the listed rows. The body of a kernel includes it, and defines the
// kernel's arguments and the steps of the walk.
	MOVQ  MATRIX, T
	MOVQ  RECORDS, REC
	MOVQ  INDICES(T), IDX
	MOVQ  VALUES(T), VAL
#ifdef AHEAD
	XORL  FETCH, FETCH
	XORL  FETCH_END, FETCH_END
	XORL  FROW, FROW
#endif
#ifdef BACKWARD
	MOVQ  LIST_LEN, K
#else
	XORL  K, K
#endif
	JMP   next

row:
	MOVQ  LIST, T
	MOVL  (T)(K*4), P0
	MOVQ  MATRIX, T
	MOVQ  Matrix_Begin(T), E
	MOVQ  (E)(P0*8), E
	MOVQ  Matrix_End(T), END
	MOVQ  (END)(P0*8), END
	ROW_BEGIN
#ifdef AHEAD
	JMP   fetch
#else
	JMP   more
#endif

eight:
	FOUR(AW, AU)
	FOUR(BW, BU)

#ifdef AHEAD
	// Fetch as many records ahead as the last round used.
fetch:
	LEAQ  8(FETCH), T
	CMPQ  T, FETCH_END
	JGT   fetchEnd
	FETCH2(0, 1)
	FETCH2(2, 3)
	FETCH2(4, 5)
	FETCH2(6, 7)
	ADDQ  $8, FETCH
#endif

more:
	LEAQ  8(E), T
	CMPQ  T, END
	JLE   eight

	LEAQ  4(E), T
	CMPQ  T, END
	JGT   tail
	FOUR(AW, AU)

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
#ifdef BACKWARD
next:
	DECQ  K
	JGE   row
#else
	INCQ  K

next:
	CMPQ  K, LIST_LEN
	JLT   row
#endif
	VZEROUPPER
	RET

#ifdef AHEAD
#include "lazy_ahead_avx2_amd64.h"
#endif
