//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins
// in wide.go. Columns go in blocks of 16, 2 and 1; every block takes all entries.

#define DST R0    // dst or c at the block
#define LEFT R1   // columns
#define IDX R2
#define N R3      // entries
#define VAL R4
#define W R5      // w at the block
#define STRIDE R6 // bytes of a row of w
#define I R7
#define X R8
#define E R9
#define ROW R10
#define AT R11

#define BEGIN \
	MOVD IDX, I \
	MOVD VAL, X \
	MOVD N, E

// ROW = the row of the next entry, V16 = its value.
#define ENTRY \
	MOVWU.P 4(I), ROW       \
	FMOVD.P 8(X), F16       \
	MADD    STRIDE, W, ROW, ROW

#define NEXT(loop) \
	SUBS $1, E \
	BNE  loop

// All columns, block after block, with what is to be done of an entry and at the ends
// of a block. The block is in V0 on, and the value of the entry in V16.
#define COLUMNS(begin16, entry16, end16, begin2, entry2, end2, entry1, end1) \
	LSL  $3, LEFT, STRIDE \
	CBZ  N, done \
block16: \
	CMP  $16, LEFT \
	BLT  block2 \
	begin16 \
	BEGIN \
loop16: \
	ENTRY \
	VDUP V16.D[0], V16.D2 \
	entry16 \
	NEXT(loop16) \
	end16 \
	ADD  $128, W \
	SUB  $16, LEFT \
	B    block16 \
block2: \
	CMP  $2, LEFT \
	BLT  block1 \
	begin2 \
	BEGIN \
loop2: \
	ENTRY \
	VDUP V16.D[0], V16.D2 \
	VLD1 (ROW), [V20.D2] \
	entry2 \
	NEXT(loop2) \
	end2 \
	ADD  $16, W \
	SUB  $2, LEFT \
	B    block2 \
block1: \
	CBZ  LEFT, done \
	FMOVD (DST), F0 \
	BEGIN \
loop1: \
	ENTRY \
	FMOVD (ROW), F20 \
	entry1 \
	NEXT(loop1) \
	end1 \
done: \
	RET

#define NOTHING

// dst += x w[row]. What is loaded first is stored at the end.
#define MUL_BEGIN_16 \
	MOVD   DST, AT \
	VLD1.P 64(AT), [V0.D2, V1.D2, V2.D2, V3.D2] \
	VLD1   (AT), [V4.D2, V5.D2, V6.D2, V7.D2]

#define MUL_16 \
	VLD1.P 64(ROW), [V20.D2, V21.D2, V22.D2, V23.D2] \
	VLD1   (ROW), [V24.D2, V25.D2, V26.D2, V27.D2] \
	VFMLA  V16.D2, V20.D2, V0.D2 \
	VFMLA  V16.D2, V21.D2, V1.D2 \
	VFMLA  V16.D2, V22.D2, V2.D2 \
	VFMLA  V16.D2, V23.D2, V3.D2 \
	VFMLA  V16.D2, V24.D2, V4.D2 \
	VFMLA  V16.D2, V25.D2, V5.D2 \
	VFMLA  V16.D2, V26.D2, V6.D2 \
	VFMLA  V16.D2, V27.D2, V7.D2

#define STORE_16 \
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(DST) \
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(DST)

#define MUL_BEGIN_2 VLD1 (DST), [V0.D2]
#define MUL_2 VFMLA V16.D2, V20.D2, V0.D2
#define STORE_2 VST1.P [V0.D2], 16(DST)
#define MUL_1 FMADDD F16, F0, F20, F0
#define STORE_1 FMOVD F0, (DST)

// func wideMulNEON(dst []float64, idx []uint32, val, w []float64)
TEXT ·wideMulNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), LEFT
	MOVD idx_base+24(FP), IDX
	MOVD val_base+48(FP), VAL
	MOVD val_len+56(FP), N
	MOVD w_base+72(FP), W
	COLUMNS(MUL_BEGIN_16, MUL_16, STORE_16, MUL_BEGIN_2, MUL_2, STORE_2, MUL_1, STORE_1)

// w[row] += x c
#define ADD_BEGIN_16 \
	VLD1.P 64(DST), [V0.D2, V1.D2, V2.D2, V3.D2] \
	VLD1.P 64(DST), [V4.D2, V5.D2, V6.D2, V7.D2]

#define ADD_16 \
	MOVD   ROW, AT \
	VLD1.P 64(AT), [V20.D2, V21.D2, V22.D2, V23.D2] \
	VLD1   (AT), [V24.D2, V25.D2, V26.D2, V27.D2] \
	VFMLA  V16.D2, V0.D2, V20.D2 \
	VFMLA  V16.D2, V1.D2, V21.D2 \
	VFMLA  V16.D2, V2.D2, V22.D2 \
	VFMLA  V16.D2, V3.D2, V23.D2 \
	VFMLA  V16.D2, V4.D2, V24.D2 \
	VFMLA  V16.D2, V5.D2, V25.D2 \
	VFMLA  V16.D2, V6.D2, V26.D2 \
	VFMLA  V16.D2, V7.D2, V27.D2 \
	VST1.P [V20.D2, V21.D2, V22.D2, V23.D2], 64(ROW) \
	VST1   [V24.D2, V25.D2, V26.D2, V27.D2], (ROW)

#define ADD_BEGIN_2 VLD1.P 16(DST), [V0.D2]

#define ADD_2 \
	VFMLA V16.D2, V0.D2, V20.D2 \
	VST1  [V20.D2], (ROW)

#define ADD_1 \
	FMADDD F16, F20, F0, F20 \
	FMOVD  F20, (ROW)

// func wideAddNEON(w []float64, idx []uint32, val, c []float64)
TEXT ·wideAddNEON(SB), NOSPLIT, $0-96
	MOVD w_base+0(FP), W
	MOVD idx_base+24(FP), IDX
	MOVD val_base+48(FP), VAL
	MOVD val_len+56(FP), N
	MOVD c_base+72(FP), DST
	MOVD c_len+80(FP), LEFT
	COLUMNS(ADD_BEGIN_16, ADD_16, NOTHING, ADD_BEGIN_2, ADD_2, NOTHING, ADD_1, NOTHING)
