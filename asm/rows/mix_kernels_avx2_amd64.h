// The kernel on mixed rows of one index and one value width. The includer defines DOT, includes
// indices_amd64.h, and has LOAD_FOUR(half, out, out_, t, t_): the values of four entries, where they
// have some.

// out = the values of the entries of a half of the group.
#define VALUES_OF(half, out, out_, t, t_) \
	MOVQ ((half)*MixHalf__size+MixHalf_Slot)(PLAN), J0         \
	LOAD_FOUR(half, out, out_, t, t_)                          \
	VMOVUPD ((half)*MixHalf__size+MixHalf_Mask)(PLAN), t       \
	VBLENDVPD t, out, Y15, out

// func(out []float64, m *Matrix, list []uint32, first int, w []float64) int
TEXT DOT(SB), NOSPLIT, $56-96
	MOVQ  out_base+0(FP), OUT
	MOVQ  out_len+8(FP), COUNT
	MOVQ  m+24(FP), J0
	MOVQ  Matrix_Begin(J0), BEGIN
	MOVQ  Matrix_End(J0), ENDS
	MOVQ  INDICES(J0), IDX
	MOVQ  (INDICES+8)(J0), J1
	SUBQ  $7, J1
	MOVQ  J1, limit-8(SP)
	MOVQ  Matrix_Mix(J0), J0
	MOVQ  Mix_Of(J0), J1
	MOVQ  J1, of-16(SP)
	MOVQ  Mix_Plans(J0), J1
	MOVQ  J1, plans-24(SP)
	MOVQ  Mix_Halves(J0), J1
	IMULQ $MixHalf__size, J1
	MOVQ  J1, size-32(SP)
	MOVQ  Mix_Stride(J0), J1
	SHLQ  $SHIFT, J1
	MOVQ  J1, stride-40(SP)
	MOVQ  PANEL(J0), J1
	MOVQ  J1, panel-48(SP)
	MOVQ  $0, last-56(SP)
	MOVQ  list_base+32(FP), LIST
	MOVQ  first+56(FP), ROW
	MOVQ  w_base+64(FP), W
	VBROADCASTSD mixOne<>(SB), Y15
	MOVQ  ROW, VAL
	IMULQ stride-40(SP), VAL
	ADDQ  panel-48(SP), VAL
	TESTQ COUNT, COUNT
	JEQ   done

row:
	TESTQ   LIST, LIST
	JEQ     numbered
	MOVL    (LIST), ROW
	ADDQ    $4, LIST
	MOVQ    ROW, VAL
	IMULQ   stride-40(SP), VAL
	ADDQ    panel-48(SP), VAL

numbered:
	MOVQ    (BEGIN)(ROW*8), E
	MOVQ    (ENDS)(ROW*8), LEFT
	CMPQ    LEFT, limit-8(SP)
	JGT     done
	MOVQ    of-16(SP), J0
	MOVQ    plans-24(SP), PLAN
	TESTQ   J0, J0
	JEQ     planned
	MOVWLZX (J0)(ROW*2), J1
	CMPL    J1, $const_NoPlan
	JEQ     done
	IMULQ   size-32(SP), J1
	ADDQ    J1, PLAN

planned:
	MOVQ    PLAN, PLAN_END
	ADDQ    size-32(SP), PLAN_END
	SUBQ    E, LEFT
	VXORPD  Y0, Y0, Y0
	VXORPD  Y1, Y1, Y1
	SUBQ    $8, LEFT
	JLT     tail

eight:
	CMPQ PLAN, PLAN_END
	JEQ  ones
	FETCH(W, 0, Y2, X2, X3)
	FETCH(W, 4, Y4, X4, X5)
	VALUES_OF(0, Y10, X10, Y11, X11)
	VFMADD231PD Y10, Y2, Y0
	ADDQ $MixHalf__size, PLAN
	CMPQ PLAN, PLAN_END
	JEQ  half
	VALUES_OF(0, Y12, X12, Y13, X13)
	VFMADD231PD Y12, Y4, Y1
	ADDQ $MixHalf__size, PLAN
	ADDQ $8, E
	SUBQ $8, LEFT
	JGE  eight
	JMP  tail

half:
	VADDPD Y4, Y1, Y1
	ADDQ $8, E
	SUBQ $8, LEFT
	JLT  tail

ones:
	FETCH(W, 0, Y2, X2, X3)
	FETCH(W, 4, Y4, X4, X5)
	VADDPD Y2, Y0, Y0
	VADDPD Y4, Y1, Y1
	ADDQ $8, E
	SUBQ $8, LEFT
	JGE  ones

tail:
	ADDQ $8, LEFT
	JEQ  sum
	CMPQ LEFT, last-56(SP)
	JEQ  usual
	MOVQ LEFT, last-56(SP)
	NEGQ LEFT
	LEAQ ·rowsMask(SB), J0
	VMOVUPD 64(J0)(LEFT*8), Y8
	VMOVUPD 96(J0)(LEFT*8), Y9
	FETCH(W, 0, Y2, X2, X3)
	FETCH(W, 4, Y4, X4, X5)
	CMPQ PLAN, PLAN_END
	JEQ  plain
	VALUES_OF(0, Y10, X10, Y11, X11)
	VFMADD213PD Y0, Y10, Y2
	ADDQ $MixHalf__size, PLAN
	CMPQ PLAN, PLAN_END
	JEQ  behind
	VALUES_OF(0, Y12, X12, Y13, X13)
	VFMADD213PD Y1, Y12, Y4
	VBLENDVPD Y8, Y2, Y0, Y0
	VBLENDVPD Y9, Y4, Y1, Y1
	JMP  sum

plain:
	VADDPD Y2, Y0, Y2

behind:
	VADDPD Y4, Y1, Y4
	VBLENDVPD Y8, Y2, Y0, Y0
	VBLENDVPD Y9, Y4, Y1, Y1

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	VMOVSD X0, (OUT)
	ADDQ   $8, OUT
	ADDQ   stride-40(SP), VAL
	INCQ   ROW
	DECQ   COUNT
	JNE    row

	JMP done

	// The row before ended like this one: the jumps that take exactly the last entries are
	// foreseen.
usual:
	CMPQ PLAN, PLAN_END
	JEQ  without
	CMPQ LEFT, $4
	JLT  some
	FETCH(W, 0, Y2, X2, X3)
	VALUES_OF(0, Y10, X10, Y11, X11)
	ADDQ $MixHalf__size, PLAN
	VFMADD231PD Y10, Y2, Y0
	ADDQ $4, E
	SUBQ $4, LEFT
	JEQ  sum
	VMOVAPD Y0, Y2 // what follows, at sum, does not see the halves change places
	VMOVAPD Y1, Y0
	VMOVAPD Y2, Y1

some:
	INDEX(0, E, J0)
	VMOVSD  (W)(J0*8), X2
	CMPQ    LEFT, $2
	JLT     fetched
	INDEX(1, E, J1)
	VMOVHPD (W)(J1*8), X2, X2
	JEQ     fetched
	INDEX(2, E, J0)
	VMOVSD  (W)(J0*8), X3
	VINSERTF128 $1, X3, Y2, Y2

fetched:
	VMOVAPD Y15, Y10
	CMPQ PLAN, PLAN_END
	JEQ  fewer
	VALUES_OF(0, Y10, X10, Y11, X11)

fewer:
	NEGQ LEFT
	LEAQ ·rowsMask(SB), J0
	VMOVUPD 64(J0)(LEFT*8), Y8
	VFMADD213PD Y0, Y10, Y2
	VBLENDVPD Y8, Y2, Y0, Y0
	JMP  sum

without:
	TAIL_OF_DOT

done:
	MOVQ out_len+8(FP), J0
	SUBQ COUNT, J0
	MOVQ J0, ret+88(FP)
	VZEROUPPER
	RET

#undef DOT
#undef VALUES_OF
