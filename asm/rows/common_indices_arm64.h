// The kernels of the indices of sparse vectors, of one width. The includer defines
// COMMON_COUNT and RISING and includes indices_arm64.h.

// func(idx1, idx2 []I) int
TEXT COMMON_COUNT(SB), NOSPLIT, $0-56
	MOVD idx1_base+0(FP), X
	MOVD idx1_len+8(FP), NX
	MOVD idx2_base+24(FP), Y
	MOVD idx2_len+32(FP), NY
	MOVD ZR, XV // the number
	B    check

step:
	FOUR_BY_FOUR
	VUSHR $31, V3.S4, V3.S4
	VADDV V3.S4, V3
	VMOV  V3.S[0], I
	ADD   I, XV, XV
	LAST_OF_FOUR
	MOVE_INDICES
check:
	CMP  $4, NX
	BLT  tail
	CMP  $4, NY
	BGE  step
	B    tail

one:
	LOAD_INDEX (X), I
	LOAD_INDEX (Y), J
	LOWER_MOVES
	MOVE_INDICES
	AND  UP_X, UP_Y, UP_X // 1 if the indices are equal
	ADD  UP_X, XV, XV
tail:
	CBZ  NX, done
	CBNZ NY, one
done:
	MOVD XV, ret+48(FP)
	RET

// func(idx []I) bool
TEXT RISING(SB), NOSPLIT, $0-25
	MOVD idx_base+0(FP), X
	MOVD idx_len+8(FP), NX
	SUBS $1, NX // pairs of neighbours
	BLE  good
	ADD  $(1<<INDEX_SHIFT), X, Y
	SUBS $INDEX_LANES, NX
	BLT  few
loop:
	VLD1.P 16(X), [V0.AS_INDICES]
	VLD1.P 16(Y), [V1.AS_INDICES]
	VUMAX  V0.AS_INDICES, V1.AS_INDICES, V1.AS_INDICES
	VCMEQ  V0.AS_INDICES, V1.AS_INDICES, V1.AS_INDICES
	VMOV   V1.D[0], I
	VMOV   V1.D[1], J
	ORR    J, I, I
	CBNZ   I, bad
	SUBS   $INDEX_LANES, NX
	BGE    loop
few:
	ADDS   $INDEX_LANES, NX
	BEQ    good
single:
	LOAD_INDEX (X), I
	LOAD_INDEX (Y), J
	CMP    J, I
	BHS    bad
	ADD    $(1<<INDEX_SHIFT), X
	ADD    $(1<<INDEX_SHIFT), Y
	SUBS   $1, NX
	BNE    single
good:
	MOVD   $1, I
	MOVB   I, ret+24(FP)
	RET
bad:
	MOVB   ZR, ret+24(FP)
	RET
#undef COMMON_COUNT
#undef RISING
