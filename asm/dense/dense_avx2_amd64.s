//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise and offers no fused
// multiply-add on vectors. The definitions are the twins in dense.go.

#define N CX   // elements left
#define DST DI
#define X SI
#define Y DX

#define AT AX  // bytes done

// Four ones, four zeros: a window that begins at element 4-n masks the first n of four.
DATA denseMask<>+0(SB)/8, $-1
DATA denseMask<>+8(SB)/8, $-1
DATA denseMask<>+16(SB)/8, $-1
DATA denseMask<>+24(SB)/8, $-1
DATA denseMask<>+32(SB)/8, $0
DATA denseMask<>+40(SB)/8, $0
DATA denseMask<>+48(SB)/8, $0
DATA denseMask<>+56(SB)/8, $0
GLOBL denseMask<>(SB), RODATA|NOPTR, $64

DATA denseSign<>+0(SB)/8, $0x8000000000000000
GLOBL denseSign<>(SB), RODATA|NOPTR, $8

DATA denseAbs<>+0(SB)/8, $0x7fffffffffffffff
GLOBL denseAbs<>(SB), RODATA|NOPTR, $8

// One group of four lanes: LOAD fills Y8 and Y9 from offset, ADD adds to acc.
#define GROUP(LOAD, ADD, offset, acc) \
	LOAD(offset) \
	ADD(acc)

// Y11 = the first N+4 lanes, of N < 0 elements after four are taken away; AT is lost.
#define MASK_FIRST \
	NEGQ    N                  \
	LEAQ    denseMask<>(SB), AT \
	VMOVDQU (AT)(N*8), Y11

// LANES on the next four of the remaining N+4 elements: on all four, or at the label on
// fewer.
#define LAST(LOAD, ADD, offset, acc, label) \
	JLT label             \
	GROUP(LOAD, ADD, offset, acc) \
	SUBQ $4, N

// N+4 elements at the end of LANES. MASKED fills missing elements of Y8 and Y9 with zeros.
// They become -0 in Y9, so that the lane keeps its bits, even a -0.
#define PARTIAL(MASKED, ADD, offset, acc) \
	CMPQ    N, $-4                     \
	JEQ     tree                       \
	MASK_FIRST                         \
	MASKED(offset)                     \
	VBROADCASTSD denseSign<>(SB), Y12  \
	VANDNPD Y12, Y11, Y10              \
	VORPD   Y10, Y9, Y9                \
	ADD(acc)                           \
	JMP     tree

// The same where a lane holds nothing yet.
#define PARTIAL_FIRST(MASKED, ADD, offset, acc) \
	CMPQ   N, $-4  \
	JEQ    quarter \
	MASK_FIRST     \
	MASKED(offset) \
	ADD(acc)       \
	JMP    quarter

// The sum over 32 lanes, in Y0 to Y7. Up to 16 elements touch the first 16 lanes alone;
// the others are +0, which is added to those.
#define LANES(LOAD, MASKED, ADD, result) \
	VXORPD Y0, Y0, Y0         \
	VXORPD Y1, Y1, Y1         \
	VXORPD Y2, Y2, Y2         \
	VXORPD Y3, Y3, Y3         \
	VXORPD Y4, Y4, Y4         \
	CMPQ   N, $16             \
	JHI    many               \
	SUBQ   $4, N              \
	LAST(LOAD, ADD, 0, Y0, first0)  \
	LAST(LOAD, ADD, 32, Y1, first1) \
	LAST(LOAD, ADD, 64, Y2, first2) \
	LAST(LOAD, ADD, 96, Y3, first3) \
quarter:                          \
	VADDPD Y4, Y3, Y3         \
	JMP    half               \
first0:                           \
	PARTIAL_FIRST(MASKED, ADD, 0, Y0)  \
first1:                           \
	PARTIAL_FIRST(MASKED, ADD, 32, Y1) \
first2:                           \
	PARTIAL_FIRST(MASKED, ADD, 64, Y2) \
first3:                           \
	PARTIAL_FIRST(MASKED, ADD, 96, Y3) \
many:                             \
	VXORPD Y5, Y5, Y5         \
	VXORPD Y6, Y6, Y6         \
	VXORPD Y7, Y7, Y7         \
	SUBQ $32, N               \
	JLT  last                 \
loop:                             \
	GROUP(LOAD, ADD, 0, Y0)   \
	GROUP(LOAD, ADD, 32, Y1)  \
	GROUP(LOAD, ADD, 64, Y2)  \
	GROUP(LOAD, ADD, 96, Y3)  \
	GROUP(LOAD, ADD, 128, Y4) \
	GROUP(LOAD, ADD, 160, Y5) \
	GROUP(LOAD, ADD, 192, Y6) \
	GROUP(LOAD, ADD, 224, Y7) \
	ADDQ $256, X              \
	ADDQ $256, Y              \
	SUBQ $32, N               \
	JGE  loop                 \
last:                             \
	ADDQ $28, N               \
	LAST(LOAD, ADD, 0, Y0, part0)   \
	LAST(LOAD, ADD, 32, Y1, part1)  \
	LAST(LOAD, ADD, 64, Y2, part2)  \
	LAST(LOAD, ADD, 96, Y3, part3)  \
	LAST(LOAD, ADD, 128, Y4, part4) \
	LAST(LOAD, ADD, 160, Y5, part5) \
	LAST(LOAD, ADD, 192, Y6, part6) \
	LAST(LOAD, ADD, 224, Y7, part7) \
part7:                                  \
	PARTIAL(MASKED, ADD, 224, Y7)   \
part0:                                  \
	PARTIAL(MASKED, ADD, 0, Y0)     \
part1:                                  \
	PARTIAL(MASKED, ADD, 32, Y1)    \
part2:                                  \
	PARTIAL(MASKED, ADD, 64, Y2)    \
part3:                                  \
	PARTIAL(MASKED, ADD, 96, Y3)    \
part4:                                  \
	PARTIAL(MASKED, ADD, 128, Y4)   \
part5:                                  \
	PARTIAL(MASKED, ADD, 160, Y5)   \
part6:                                  \
	PARTIAL(MASKED, ADD, 192, Y6)   \
tree:                             \
	VADDPD       Y4, Y0, Y0   \
	VADDPD       Y5, Y1, Y1   \
	VADDPD       Y6, Y2, Y2   \
	VADDPD       Y7, Y3, Y3   \
half:                             \
	VADDPD       Y2, Y0, Y0   \
	VADDPD       Y3, Y1, Y1   \
	VADDPD       Y1, Y0, Y0   \
	VEXTRACTF128 $1, Y0, X1   \
	VADDPD       X1, X0, X0   \
	VUNPCKHPD    X0, X0, X1   \
	VADDSD       X1, X0, X0   \
	VZEROUPPER                \
	VMOVSD       X0, result   \
	RET

#define LOAD_TWO(offset) \
	VMOVUPD offset(X), Y8 \
	VMOVUPD offset(Y), Y9

#define MASKED_TWO(offset) \
	VMASKMOVPD offset(X), Y11, Y8 \
	VMASKMOVPD offset(Y), Y11, Y9

#define LOAD_SAME(offset) \
	VMOVUPD offset(X), Y8 \
	VMOVAPD Y8, Y9

#define MASKED_SAME(offset) \
	VMASKMOVPD offset(X), Y11, Y8 \
	VMOVAPD    Y8, Y9

#define LOAD_DIFFERENCE(offset) \
	VMOVUPD offset(X), Y8     \
	VSUBPD  offset(Y), Y8, Y8 \
	VMOVAPD Y8, Y9

#define MASKED_DIFFERENCE(offset) \
	MASKED_TWO(offset)        \
	VSUBPD  Y9, Y8, Y8        \
	VMOVAPD Y8, Y9

#define LOAD_ONE(offset) VMOVUPD offset(X), Y9
#define MASKED_ONE(offset) VMASKMOVPD offset(X), Y11, Y9

#define ADD_PRODUCT(acc) VFMADD231PD Y8, Y9, acc
#define ADD_ONE(acc) VADDPD Y9, acc, acc

// The largest |x| of eight so far goes to acc1 and acc2. Y7 tells whether any x is NaN, which
// VMAXPD does not keep.
#define MAX_ABS(offset, acc1, acc2) \
	VANDPD offset(X), Y15, Y8    \
	VANDPD offset+32(X), Y15, Y9 \
	VMAXPD Y8, acc1, acc1        \
	VMAXPD Y9, acc2, acc2        \
	VCMPPD $3, Y8, Y9, Y10       \ // unordered
	VORPD  Y10, Y7, Y7

#define MAX_ABS_OF_8 \
	VANDPD Y15, Y8, Y8     \
	VMAXPD Y8, Y0, Y0      \
	VCMPPD $3, Y8, Y8, Y10 \
	VORPD  Y10, Y7, Y7

// func denseMaxAbsAVX2(x []float64) float64
TEXT ·denseMaxAbsAVX2(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD denseAbs<>(SB), Y15
	VXORPD       Y7, Y7, Y7
	VXORPD       Y0, Y0, Y0
	SUBQ         $4, N
	JLT          few
	VXORPD       Y1, Y1, Y1
	VXORPD       Y2, Y2, Y2
	VXORPD       Y3, Y3, Y3
	SUBQ         $12, N
	JLT          last

loop:
	MAX_ABS(0, Y0, Y1)
	MAX_ABS(64, Y2, Y3)
	ADDQ $128, X
	SUBQ $16, N
	JGE  loop

last:
	ADDQ $12, N // four less than are left
	JLT  overlapping

four:
	VMOVUPD (X), Y8
	MAX_ABS_OF_8
	ADDQ $32, X
	SUBQ $4, N
	JGE  four

overlapping:
	// The last four; some were seen before.
	VMOVUPD      (X)(N*8), Y8
	MAX_ABS_OF_8
	VMAXPD       Y1, Y0, Y0
	VMAXPD       Y3, Y2, Y2
	VMAXPD       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	JMP          combine

few:
	VXORPD  X1, X1, X1
	ADDQ    $2, N // two less than there are
	JLT     single
	VMOVUPD (X), X8
	MAX_ABS_OF_8
	VMOVUPD (X)(N*8), X8
	MAX_ABS_OF_8
	JMP     combine

single:
	ADDQ   $2, N
	JEQ    combine
	VMOVSD (X), X8
	MAX_ABS_OF_8

combine:
	VMAXPD       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VMAXSD       X1, X0, X0
	VMOVMSKPD    Y7, AX
	VZEROUPPER
	TESTL        AX, AX
	JEQ          return
	MOVQ         $0x7ff8000000000001, AX
	MOVQ         AX, X0

return:
	MOVSD X0, ret+24(FP)
	RET

// Y12 = OP of Y12 = x and, where READ_Y loads it, Y13 = y, sixteen elements at
// a time, then four, two, one.
#define STEP(READ_Y, OP, store, offset) \
	VMOVUPD offset(X), Y12 \
	READ_Y(offset)         \
	OP                     \
	store Y12, offset(DST)

#define STEPS(READ_Y, OP, store) \
	STEP(READ_Y, OP, store, 0)   \
	STEP(READ_Y, OP, store, 32)  \
	STEP(READ_Y, OP, store, 64)  \
	STEP(READ_Y, OP, store, 96)  \
	ADDQ $128, X                 \
	ADDQ $128, Y                 \
	ADDQ $128, DST               \
	SUBQ $16, N

#define STEP_AT(move, READ_Y, OP, x, y) \
	move (X)(AT*1), x \
	READ_Y(move, y)   \
	OP                \
	move x, (DST)(AT*1)

#define MAP(READ_Y, READ_Y_AT, OP) \
	XORL AT, AT            \
	SUBQ $16, N            \
	JLT  last              \
	CMPQ N, ·beyond(SB)    \
	JGE  far               \
loop:                          \
	STEPS(READ_Y, OP, VMOVUPD) \
	JGE  loop              \
last:                          \
	ADDQ $12, N            \
	JLT  two               \
four:                          \
	STEP_AT(VMOVUPD, READ_Y_AT, OP, Y12, Y13) \
	ADDQ $32, AT           \
	SUBQ $4, N             \
	JGE  four              \
two:                           \
	TESTB $2, N            \
	JEQ   one              \
	STEP_AT(VMOVUPD, READ_Y_AT, OP, X12, X13) \
	ADDQ  $16, AT          \
one:                           \
	TESTB $1, N            \
	JEQ   done             \
	STEP_AT(VMOVSD, READ_Y_AT, OP, X12, X13) \
done:                          \
	VZEROUPPER             \
	RET                    \
far:                           \
	FAR(READ_Y, READ_Y_AT, OP)

#define NO_Y(offset)
#define NO_Y_AT(move, y)
#define READ_Y(offset) VMOVUPD offset(Y), Y13
#define READ_Y_AT(move, y) move (Y)(AT*1), y

// Y0 = t, Y1 = the bits of |x|.
#define SOFT_THRESHOLD \
	VANDPD  Y1, Y12, Y13       \
	VCMPPD  $0x12, Y0, Y13, Y14 \ // |x| <= t, ordered
	VSUBPD  Y0, Y13, Y13       \
	VANDNPD Y12, Y1, Y12       \
	VORPD   Y12, Y13, Y13      \
	VANDNPD Y13, Y14, Y12

#define SUM_PRODUCTS(result) LANES(LOAD_TWO, MASKED_TWO, ADD_PRODUCT, result)
#define SUM_SQUARES(result) LANES(LOAD_SAME, MASKED_SAME, ADD_PRODUCT, result)
#define SUM_SQUARED_DIFFERENCES(result) LANES(LOAD_DIFFERENCE, MASKED_DIFFERENCE, ADD_PRODUCT, result)
#define SUM_ELEMENTS(result) LANES(LOAD_ONE, MASKED_ONE, ADD_ONE, result)

// The bits of an address that are zero where a whole vector may be stored past the caches.
#define UNALIGNED $31

#define MAP_ONE(OP) MAP(NO_Y, NO_Y_AT, OP)
#define MAP_TWO(OP) MAP(READ_Y, READ_Y_AT, OP)

// Four elements at a time, then two, one.
#define UPDATE(READ, OP, WRITE) \
	XORL AT, AT                     \
	SUBQ $4, N                      \
	JLT  two                        \
loop:                                   \
	READ(VMOVUPD, Y8, Y9, Y10, Y11) \
	OP                              \
	WRITE(VMOVUPD, Y8, Y9, Y10)     \
	ADDQ $32, AT                    \
	SUBQ $4, N                      \
	JGE  loop                       \
two:                                    \
	TESTB $2, N                     \
	JEQ  one                        \
	READ(VMOVUPD, X8, X9, X10, X11) \
	OP                              \
	WRITE(VMOVUPD, X8, X9, X10)     \
	ADDQ $16, AT                    \
one:                                    \
	TESTB $1, N                     \
	JEQ  done                       \
	READ(VMOVSD, X8, X9, X10, X11)  \
	OP                              \
	WRITE(VMOVSD, X8, X9, X10)      \
done:                                   \
	VZEROUPPER                      \
	RET

#define DOT_NAME ·denseDotAVX2
#define SQUARED_NORM_NAME ·denseSquaredNormAVX2
#define SQUARED_DISTANCE_NAME ·denseSquaredDistanceAVX2
#define SUM_NAME ·denseSumAVX2
#define AXPY_NAME ·denseAxpyAVX2
#define SCALE_ADD_NAME ·denseScaleAddAVX2
#define SCALE_NAME ·denseScaleAVX2
#define ADD_SCALAR_NAME ·denseAddScalarAVX2
#define MUL_NAME ·denseMulAVX2
#define SOFT_THRESHOLD_NAME ·denseSoftThresholdAVX2
#define BOX_NAME ·denseBoxAVX2
#define ADAM_NAME ·denseAdamAVX2
#define MOMENTUM_NAME ·denseMomentumAVX2

#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13

#include "dense_kernels_amd64.h"
