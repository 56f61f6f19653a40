//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, in two vectors; lanes 0 to 3 of the sum in one
// register, 4 to 7 in another. The last one to seven go through masked loads
// and stores, which touch nothing outside the slices. No element is below -0 and
// the sums begin at +0, so a masked element may add +0.

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

// What is made of l in Y4 and Y5, by spread, is added a times to c, and goes to the sum.
// Masked lanes have l = 0.
#define ADD(spread) \
	MOVQ         c_base+0(FP), DI    \
	MOVQ         l_base+24(FP), SI   \
	MOVQ         l_len+32(FP), CX    \
	VBROADCASTSD a+48(FP), Y8        \
	VXORPD       Y0, Y0, Y0          \
	VXORPD       Y1, Y1, Y1          \
	LEAQ         ·elementTable(SB), R8 \
	VMOVUPD      ONE, Y9             \
loop:                                    \
	SUBQ         $8, CX              \
	JL           partial             \
	VMOVUPD      (SI), Y4            \
	VMOVUPD      32(SI), Y5          \
	spread                           \
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
	JMP          loop                \
partial:                                 \
	MASKS(CX, Y2, Y3)                \
	VMASKMOVPD   (SI), Y2, Y4        \
	VMASKMOVPD   32(SI), Y3, Y5      \
	spread                           \
	VMASKMOVPD   (DI), Y2, Y6        \
	VMASKMOVPD   32(DI), Y3, Y7      \
	VFMADD231PD  Y4, Y8, Y6          \
	VFMADD231PD  Y5, Y8, Y7          \
	VMASKMOVPD   Y6, Y2, (DI)        \
	VMASKMOVPD   Y7, Y3, 32(DI)      \
	VADDPD       Y4, Y0, Y0          \
	VADDPD       Y5, Y1, Y1          \
done:                                    \
	LANES_SUM(ret+56(FP))

// func pairHingeAVX2(l, s []float64, shift float64) float64
TEXT ·pairHingeAVX2(SB), NOSPLIT, $0-64
	MOVQ         l_base+0(FP), DI
	MOVQ         s_base+24(FP), SI
	MOVQ         s_len+32(FP), CX
	VBROADCASTSD shift+48(FP), Y8
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y9, Y9, Y9
loop:
	SUBQ         $8, CX
	JL           partial
	VADDPD       (SI), Y8, Y4
	VADDPD       32(SI), Y8, Y5
	VMAXPD       Y4, Y9, Y4        // keeps NaN and -0
	VMAXPD       Y5, Y9, Y5
	VMOVUPD      Y4, (DI)
	VMOVUPD      Y5, 32(DI)
	VFMADD231PD  Y4, Y4, Y0
	VFMADD231PD  Y5, Y5, Y1
	ADDQ         $64, SI
	ADDQ         $64, DI
	JMP          loop
partial:
	MASKS(CX, Y2, Y3)
	VMASKMOVPD   (SI), Y2, Y4
	VMASKMOVPD   32(SI), Y3, Y5
	VADDPD       Y4, Y8, Y4
	VADDPD       Y5, Y8, Y5
	VMAXPD       Y4, Y9, Y4
	VMAXPD       Y5, Y9, Y5
	VMASKMOVPD   Y4, Y2, (DI)
	VMASKMOVPD   Y5, Y3, 32(DI)
	VANDPD       Y2, Y4, Y4
	VANDPD       Y3, Y5, Y5
	VFMADD231PD  Y4, Y4, Y0
	VFMADD231PD  Y5, Y5, Y1
done:
	LANES_SUM(ret+56(FP))

#define NOTHING

// func pairHingeAddAVX2(c, l []float64, a float64) float64
TEXT ·pairHingeAddAVX2(SB), NOSPLIT, $0-64
	ADD(NOTHING)

// l*(1-l), which is 0 in masked lanes.
#define SPREAD \
	VSUBPD       Y4, Y9, Y10         \
	VSUBPD       Y5, Y9, Y11         \
	VMULPD       Y10, Y4, Y4         \
	VMULPD       Y11, Y5, Y5

// func pairLogisticAddAVX2(c, l []float64, a float64) float64
TEXT ·pairLogisticAddAVX2(SB), NOSPLIT, $0-64
	ADD(SPREAD)

// func pairLogisticAVX2(l, s []float64, center, scale float64) float64
TEXT ·pairLogisticAVX2(SB), NOSPLIT, $128-72
	MOVQ         l_base+0(FP), DI
	MOVQ         s_base+24(FP), SI
	MOVQ         s_len+32(FP), CX
	LEAQ         ·elementTable(SB), R8
	VXORPD       Y0, Y0, Y0
	VMOVUPD      Y0, SUM0
	VMOVUPD      Y0, SUM1
loop:
	SUBQ         $8, CX
	JL           partial
	VMOVUPD      (SI), Y7
	VMOVUPD      32(SI), Y15
body:
	VBROADCASTSD center+48(FP), Y0
	VBROADCASTSD scale+56(FP), Y1
	VSUBPD       Y0, Y7, Y7
	VSUBPD       Y0, Y15, Y15
	VMULPD       Y1, Y7, Y7
	VMULPD       Y1, Y15, Y15
	VMOVUPD      Y7, ARGUMENT0
	VMOVUPD      Y15, ARGUMENT1
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(ARGUMENT0, ARGUMENT1)
	TESTQ        CX, CX
	JL           partialStore
	VMOVUPD      Y1, (DI)
	VMOVUPD      Y9, 32(DI)
	VADDPD       SUM0, Y1, Y1
	VADDPD       SUM1, Y9, Y9
	VMOVUPD      Y1, SUM0
	VMOVUPD      Y9, SUM1
	ADDQ         $64, SI
	ADDQ         $64, DI
	JMP          loop
partial:
	MASKS(CX, Y2, Y3)
	LEAQ         (R11)(CX*8), R11
	VMASKMOVPD   (SI), Y2, Y7
	VMASKMOVPD   32(SI), Y3, Y15
	MOVQ         $-16, CX
	JMP          body
partialStore:
	VMOVUPD      (R11), Y2
	VMOVUPD      32(R11), Y3
	VMASKMOVPD   Y1, Y2, (DI)
	VMASKMOVPD   Y9, Y3, 32(DI)
	VANDPD       Y2, Y1, Y1
	VANDPD       Y3, Y9, Y9
	VADDPD       SUM0, Y1, Y1
	VADDPD       SUM1, Y9, Y9
	VMOVUPD      Y1, SUM0
	VMOVUPD      Y9, SUM1
done:
	VMOVUPD      SUM0, Y0
	VMOVUPD      SUM1, Y1
	LANES_SUM(ret+64(FP))
