//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, in two vectors: lanes 0 to 3 of the sum in Y0, 4 to 7 in Y1. The
// last ones go four, two and one at a time, by loads and stores of just them, as a load
// waits for any store of late of which it meets more or less than the whole. Y0 and Y1
// change places after four, so that the next ones always go to Y0, as the order of the
// halves does not matter. The sums begin at +0, so that a lane without an element may add
// +0.

#define ARGUMENT0 0(SP)
#define ARGUMENT1 32(SP)
#define SUM0 64(SP)
#define SUM1 96(SP)

// Y0 + Y1, lane by lane, to the result at ret.
#define LANES_SUM(ret) \
	VADDPD       Y1, Y0, Y0          \ // l[0]+l[4], l[1]+l[5], ...
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD       X1, X0, X0          \
	VUNPCKHPD    X0, X0, X1          \
	VADDSD       X1, X0, X0          \
	VMOVSD       X0, ret             \
	VZEROUPPER                       \
	RET

#define SWAP_LANES \
	VMOVAPD      Y0, Y2              \
	VMOVAPD      Y1, Y0              \
	VMOVAPD      Y2, Y1

// Y4 = what X4 has, two lanes higher where CX says that two elements came before.
#define PLACE_LAST \
	BTL          $1, CX              \
	JCC          3(PC)               \
	VXORPD       Y5, Y5, Y5          \
	VINSERTF128  $1, X4, Y5, Y4

// What SPREAD makes of l is added a times to c, and goes to the sum; of +0 it makes +0.
#define ADD(SPREAD) \
	MOVQ         c+0(FP), DI         \
	MOVQ         l+8(FP), SI         \
	VBROADCASTSD a+16(FP), Y8        \
	MOVQ         n+24(FP), CX        \
	VXORPD       Y0, Y0, Y0          \
	VXORPD       Y1, Y1, Y1          \
	LEAQ         ·elementTable(SB), R8 \
	VMOVUPD      ONE, Y9             \
	SUBQ         $8, CX              \
	JLT          rest                \
loop:                                    \
	VMOVUPD      (SI), Y4            \
	VMOVUPD      32(SI), Y5          \
	SPREAD(Y4, Y9, Y10)              \
	SPREAD(Y5, Y9, Y11)              \
	VADDPD       Y4, Y0, Y0          \
	VADDPD       Y5, Y1, Y1          \
	VMOVUPD      (DI), Y6            \
	VMOVUPD      32(DI), Y7          \
	VFMADD231PD  Y4, Y8, Y6          \
	VFMADD231PD  Y5, Y8, Y7          \
	VMOVUPD      Y6, (DI)            \
	VMOVUPD      Y7, 32(DI)          \
	ADDQ         $64, SI             \
	ADDQ         $64, DI             \
	SUBQ         $8, CX              \
	JGE          loop                \
rest:                                    \
	BTL          $2, CX              \ // of CX and of CX+8
	JCC          two                 \
	VMOVUPD      (SI), Y4            \
	SPREAD(Y4, Y9, Y10)              \
	VADDPD       Y4, Y0, Y0          \
	SWAP_LANES                       \
	VMOVUPD      (DI), Y6            \
	VFMADD231PD  Y4, Y8, Y6          \
	VMOVUPD      Y6, (DI)            \
	ADDQ         $32, SI             \
	ADDQ         $32, DI             \
two:                                     \
	BTL          $1, CX              \
	JCC          one                 \
	VMOVUPD      (SI), X4            \
	SPREAD(X4, X9, X10)              \
	VADDPD       Y4, Y0, Y0          \
	VMOVUPD      (DI), X6            \
	VFMADD231PD  X4, X8, X6          \
	VMOVUPD      X6, (DI)            \
	ADDQ         $16, SI             \
	ADDQ         $16, DI             \
one:                                     \
	BTL          $0, CX              \
	JCC          done                \
	VMOVSD       (SI), X4            \
	SPREAD(X4, X9, X10)              \
	VMOVSD       (DI), X6            \
	VFMADD231PD  X4, X8, X6          \
	VMOVSD       X6, (DI)            \
	PLACE_LAST                       \
	VADDPD       Y4, Y0, Y0          \
done:                                    \
	LANES_SUM(ret+32(FP))

// to = s + shift, or +0 where that is below 0; NaN and -0 stay.
#define HINGE(from, shift, zero, to) \
	VADDPD       from, shift, to     \
	VMAXPD       to, zero, to

// func pairHingeAVX2(l, s *float64, shift float64, n int) float64
TEXT ·pairHingeAVX2(SB), NOSPLIT, $0-40
	MOVQ         l+0(FP), DI
	MOVQ         s+8(FP), SI
	VBROADCASTSD shift+16(FP), Y8
	MOVQ         n+24(FP), CX
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y9, Y9, Y9
	SUBQ         $8, CX
	JLT          rest
loop:
	HINGE((SI), Y8, Y9, Y4)
	HINGE(32(SI), Y8, Y9, Y5)
	VMOVUPD      Y4, (DI)
	VMOVUPD      Y5, 32(DI)
	VFMADD231PD  Y4, Y4, Y0
	VFMADD231PD  Y5, Y5, Y1
	ADDQ         $64, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JGE          loop
rest:
	BTL          $2, CX
	JCC          two
	HINGE((SI), Y8, Y9, Y4)
	VMOVUPD      Y4, (DI)
	VFMADD231PD  Y4, Y4, Y0
	SWAP_LANES
	ADDQ         $32, SI
	ADDQ         $32, DI
two:
	BTL          $1, CX
	JCC          one
	HINGE((SI), X8, X9, X4)
	VMOVUPD      X4, (DI)
	VFMADD231PD  Y4, Y4, Y0
	ADDQ         $16, SI
	ADDQ         $16, DI
one:
	BTL          $0, CX
	JCC          done
	VMOVSD       (SI), X4
	HINGE(X4, X8, X9, X4)
	VMOVQ        X4, X4
	VMOVSD       X4, (DI)
	PLACE_LAST
	VFMADD231PD  Y4, Y4, Y0
done:
	LANES_SUM(ret+32(FP))

#define ITSELF(l, one, t)

// func pairHingeAddAVX2(c, l *float64, a float64, n int) float64
TEXT ·pairHingeAddAVX2(SB), NOSPLIT, $0-40
	ADD(ITSELF)

// l*(1-l)
#define SPREAD(l, one, t) \
	VSUBPD       l, one, t           \
	VMULPD       t, l, l

// func pairLogisticAddAVX2(c, l *float64, a float64, n int) float64
TEXT ·pairLogisticAddAVX2(SB), NOSPLIT, $0-40
	ADD(SPREAD)

// func pairLogisticAVX2(l, s *float64, center, scale float64, n int) float64
TEXT ·pairLogisticAVX2(SB), NOSPLIT, $128-48
	MOVQ         l+0(FP), DI
	MOVQ         s+8(FP), SI
	MOVQ         n+32(FP), CX
	LEAQ         ·elementTable(SB), R8
	VXORPD       Y12, Y12, Y12
	VXORPD       Y13, Y13, Y13
	SUBQ         $8, CX
	JLT          rest
	VMOVUPD      Y12, SUM0
	VMOVUPD      Y13, SUM1
loop:
	VMOVUPD      (SI), Y7
	VMOVUPD      32(SI), Y15
	VBROADCASTSD center+16(FP), Y0
	VBROADCASTSD scale+24(FP), Y1
	VSUBPD       Y0, Y7, Y7
	VSUBPD       Y0, Y15, Y15
	VMULPD       Y1, Y7, Y7
	VMULPD       Y1, Y15, Y15
	VMOVUPD      Y7, ARGUMENT0
	VMOVUPD      Y15, ARGUMENT1
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(ARGUMENT0, ARGUMENT1)
	VMOVUPD      Y1, (DI)
	VMOVUPD      Y9, 32(DI)
	VADDPD       SUM0, Y1, Y12
	VADDPD       SUM1, Y9, Y13
	VMOVUPD      Y12, SUM0
	VMOVUPD      Y13, SUM1
	ADDQ         $64, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JGE          loop
rest:
	ADDQ         $8, CX
	JEQ          done
	VBROADCASTSD center+16(FP), Y14
	VBROADCASTSD scale+24(FP), Y15
	CMPQ         CX, $4
	JLT          few
four:
	VMOVUPD      (SI), Y7
	JMP          body
few:
	CMPQ         CX, $2
	JLT          single
	VMOVUPD      (SI), X7
	JEQ          body
	VMOVSD       16(SI), X6
	VINSERTF128  $1, X6, Y7, Y7
	JMP          body
single:
	VMOVSD       (SI), X7
body:
	VSUBPD       Y14, Y7, Y7
	VMULPD       Y15, Y7, Y7
	EXP_NEGATIVE
	SIGMOID_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y11)
	SUBQ         $4, CX
	JLT          storeFew
	VMOVUPD      Y1, (DI)
	VADDPD       Y1, Y12, Y2
	VMOVAPD      Y13, Y12
	VMOVAPD      Y2, Y13
	ADDQ         $32, SI
	ADDQ         $32, DI
	TESTQ        CX, CX
	JNE          few
done:
	VMOVAPD      Y12, Y0
	VMOVAPD      Y13, Y1
	LANES_SUM(ret+40(FP))
storeFew:
	LEAQ         ·elementMasks+32(SB), R11
	NEGQ         CX                        // 4 less the elements
	VANDPD       (R11)(CX*8), Y1, Y0
	VADDPD       Y0, Y12, Y12
	CMPQ         CX, $2
	JGT          storeOne
	VMOVUPD      X1, (DI)
	JEQ          done
	VEXTRACTF128 $1, Y1, X1
	VMOVSD       X1, 16(DI)
	JMP          done
storeOne:
	VMOVSD       X1, (DI)
	JMP          done
