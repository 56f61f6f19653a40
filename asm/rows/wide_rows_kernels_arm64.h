// The products of one layout with matrices on NEON. The includer defines their names
// and includes indices_arm64.h and values_arm64.h.

// func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
DATA wideMulRowsOf<>+(LAYOUT*8)(SB)/8, $MUL_ROWS(SB)
TEXT MUL_ROWS(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), OUT
	MOVD dst_len+8(FP), LAST
	MOVD m+24(FP), T
	MOVD list_base+32(FP), LIST
	MOVD first+56(FP), ROW
	MOVD width+64(FP), STRIDE
	LOAD_MATRIX
	CMP  LAST, OUT
	BGE  done

row:
	NEXT_ROW
	MOVD w_base+72(FP), W
	MOVD width+64(FP), LEFT
	B    block16

columns16:
	MOVD   OUT, T
	VLD1.P 64(T), [V1.D2, V2.D2, V3.D2, V4.D2]
	VLD1   (T), [V5.D2, V6.D2, V7.D2, V8.D2]
	BEGIN
loop16:
	ENTRY
	VLD1.P 64(J), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1   (J), [V20.D2, V21.D2, V22.D2, V23.D2]
	VFMLA  V30.D2, V16.D2, V1.D2
	VFMLA  V30.D2, V17.D2, V2.D2
	VFMLA  V30.D2, V18.D2, V3.D2
	VFMLA  V30.D2, V19.D2, V4.D2
	VFMLA  V30.D2, V20.D2, V5.D2
	VFMLA  V30.D2, V21.D2, V6.D2
	VFMLA  V30.D2, V22.D2, V7.D2
	VFMLA  V30.D2, V23.D2, V8.D2
	NEXT(loop16)
	VST1.P [V1.D2, V2.D2, V3.D2, V4.D2], 64(OUT)
	VST1.P [V5.D2, V6.D2, V7.D2, V8.D2], 64(OUT)
	ADD  $128, W
	SUB  $16, LEFT
block16:
	CMP  $16, LEFT
	BGE  columns16

block8:
	TBZ  $3, LEFT, block4
	VLD1   (OUT), [V1.D2, V2.D2, V3.D2, V4.D2]
	BEGIN
loop8:
	ENTRY
	VLD1   (J), [V16.D2, V17.D2, V18.D2, V19.D2]
	VFMLA  V30.D2, V16.D2, V1.D2
	VFMLA  V30.D2, V17.D2, V2.D2
	VFMLA  V30.D2, V18.D2, V3.D2
	VFMLA  V30.D2, V19.D2, V4.D2
	NEXT(loop8)
	VST1.P [V1.D2, V2.D2, V3.D2, V4.D2], 64(OUT)
	ADD  $64, W

block4:
	TBZ  $2, LEFT, block2
	VLD1   (OUT), [V1.D2, V2.D2]
	BEGIN
loop4:
	ENTRY
	VLD1   (J), [V16.D2, V17.D2]
	VFMLA  V30.D2, V16.D2, V1.D2
	VFMLA  V30.D2, V17.D2, V2.D2
	NEXT(loop4)
	VST1.P [V1.D2, V2.D2], 32(OUT)
	ADD  $32, W

block2:
	TBZ  $1, LEFT, block1
	VLD1   (OUT), [V1.D2]
	BEGIN
loop2:
	ENTRY
	VLD1   (J), [V16.D2]
	VFMLA  V30.D2, V16.D2, V1.D2
	NEXT(loop2)
	VST1.P [V1.D2], 16(OUT)
	ADD  $16, W

block1:
	TBZ  $0, LEFT, finish
	FMOVD (OUT), F1
	BEGIN
loop1:
	ENTRY
	FMOVD  (J), F16
	FMADDD F30, F1, F16, F1
	NEXT(loop1)
	FMOVD.P F1, 8(OUT)

finish:
	FINISH

done:
	RET

// func(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
DATA wideAddRowsOf<>+(LAYOUT*8)(SB)/8, $ADD_ROWS(SB)
TEXT ADD_ROWS(SB), NOSPLIT, $0-96
	MOVD c_base+72(FP), OUT
	MOVD c_len+80(FP), LAST
	MOVD m+24(FP), T
	MOVD list_base+32(FP), LIST
	MOVD first+56(FP), ROW
	MOVD width+64(FP), STRIDE
	LOAD_MATRIX
	CMP  LAST, OUT
	BGE  done

row:
	NEXT_ROW
	MOVD w_base+0(FP), W
	MOVD width+64(FP), LEFT
	B    block16

columns16:
	VLD1.P 64(OUT), [V1.D2, V2.D2, V3.D2, V4.D2]
	VLD1.P 64(OUT), [V5.D2, V6.D2, V7.D2, V8.D2]
	BEGIN
loop16:
	ENTRY
	MOVD   J, T
	VLD1.P 64(T), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1   (T), [V20.D2, V21.D2, V22.D2, V23.D2]
	VFMLA  V30.D2, V1.D2, V16.D2
	VFMLA  V30.D2, V2.D2, V17.D2
	VFMLA  V30.D2, V3.D2, V18.D2
	VFMLA  V30.D2, V4.D2, V19.D2
	VFMLA  V30.D2, V5.D2, V20.D2
	VFMLA  V30.D2, V6.D2, V21.D2
	VFMLA  V30.D2, V7.D2, V22.D2
	VFMLA  V30.D2, V8.D2, V23.D2
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(J)
	VST1   [V20.D2, V21.D2, V22.D2, V23.D2], (J)
	NEXT(loop16)
	ADD  $128, W
	SUB  $16, LEFT
block16:
	CMP  $16, LEFT
	BGE  columns16

block8:
	TBZ  $3, LEFT, block4
	VLD1.P 64(OUT), [V1.D2, V2.D2, V3.D2, V4.D2]
	BEGIN
loop8:
	ENTRY
	VLD1   (J), [V16.D2, V17.D2, V18.D2, V19.D2]
	VFMLA  V30.D2, V1.D2, V16.D2
	VFMLA  V30.D2, V2.D2, V17.D2
	VFMLA  V30.D2, V3.D2, V18.D2
	VFMLA  V30.D2, V4.D2, V19.D2
	VST1   [V16.D2, V17.D2, V18.D2, V19.D2], (J)
	NEXT(loop8)
	ADD  $64, W

block4:
	TBZ  $2, LEFT, block2
	VLD1.P 32(OUT), [V1.D2, V2.D2]
	BEGIN
loop4:
	ENTRY
	VLD1   (J), [V16.D2, V17.D2]
	VFMLA  V30.D2, V1.D2, V16.D2
	VFMLA  V30.D2, V2.D2, V17.D2
	VST1   [V16.D2, V17.D2], (J)
	NEXT(loop4)
	ADD  $32, W

block2:
	TBZ  $1, LEFT, block1
	VLD1.P 16(OUT), [V1.D2]
	BEGIN
loop2:
	ENTRY
	VLD1   (J), [V16.D2]
	VFMLA  V30.D2, V1.D2, V16.D2
	VST1   [V16.D2], (J)
	NEXT(loop2)
	ADD  $16, W

block1:
	TBZ  $0, LEFT, finish
	FMOVD.P 8(OUT), F1
	BEGIN
loop1:
	ENTRY
	FMOVD  (J), F16
	FMADDD F30, F16, F1, F16
	FMOVD  F16, (J)
	NEXT(loop1)

finish:
	FINISH

done:
	RET
#undef MUL_ROWS
#undef ADD_ROWS
