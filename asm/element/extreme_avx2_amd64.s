//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// extreme.go.

#define X SI
#define N CX // elements left

DATA extremeLowest<>+0(SB)/8, $0xfff0000000000000 // -Inf
GLOBL extremeLowest<>(SB), RODATA|NOPTR, $8

// It has the largest of 16 elements a round in Y0 to Y3; where one is NaN, Y4 is not 0. Fewer
// than 16 elements, and the last ones, go in fours; the last four overlap those before.
//
// func extremeMaxAVX2(x []float64) float64
TEXT ·extremeMaxAVX2(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD extremeLowest<>(SB), Y0
	VXORPD       Y4, Y4, Y4
	CMPQ         N, $4
	JLT          few
	LEAQ         -32(X)(N*8), DX       // the last four
	SUBQ         $16, N
	JLT          fours
	VMOVAPD      Y0, Y1
	VMOVAPD      Y0, Y2
	VMOVAPD      Y0, Y3
loop:
	VMOVUPD      (X), Y5
	VMOVUPD      32(X), Y6
	VMOVUPD      64(X), Y7
	VMOVUPD      96(X), Y8
	VMAXPD         Y0, Y5, Y0
	VMAXPD         Y1, Y6, Y1
	VMAXPD         Y2, Y7, Y2
	VMAXPD         Y3, Y8, Y3
	VCMPPD       $3, Y5, Y6, Y9
	VCMPPD       $3, Y7, Y8, Y10
	VORPD        Y9, Y10, Y9
	VORPD        Y9, Y4, Y4
	ADDQ         $128, X
	SUBQ         $16, N
	JGE          loop
	VMAXPD         Y1, Y0, Y0
	VMAXPD         Y3, Y2, Y2
	VMAXPD         Y2, Y0, Y0
fours:
	ADDQ         $(16-4), N
	JLT          last
four:
	VMOVUPD      (X), Y5
	VMAXPD         Y0, Y5, Y0
	VCMPPD       $3, Y5, Y5, Y9
	VORPD        Y9, Y4, Y4
	ADDQ         $32, X
	SUBQ         $4, N
	JGE          four
last:
	VMOVUPD      (DX), Y5
	VMAXPD         Y0, Y5, Y0
	VCMPPD       $3, Y5, Y5, Y9
	VORPD        Y9, Y4, Y4
	VEXTRACTF128 $1, Y0, X1
	VMAXPD         X1, X0, X0
	VPERMILPD    $1, X0, X1
	VMAXSD     X1, X0, X0
	VMOVMSKPD    Y4, AX
	JMP          end
few:
	XORL         AX, AX
	TESTQ        N, N
	JEQ          end
one:
	VMOVSD       (X), X5
	VMAXSD     X0, X5, X0
	VUCOMISD     X5, X5
	SETPS        BX
	ORL          BX, AX
	ADDQ         $8, X
	DECQ         N
	JNE          one
end:
	VXORPD       X1, X1, X1
	VADDSD       X1, X0, X0            // +0 of -0
	TESTB        $15, AX
	JEQ          finite
	VPCMPEQQ     X0, X0, X0            // NaN
finite:
	VMOVSD       X0, ret+24(FP)
	VZEROUPPER
	RET

// func extremeFirstAVX2(x []float64, v float64) int
TEXT ·extremeFirstAVX2(SB), NOSPLIT, $0-40
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD v+24(FP), Y0
	MOVQ         X, DI
	SUBQ         $16, N
	JLT          fours
loop:
	VCMPPD       $0, (X), Y0, Y1
	VCMPPD       $0, 32(X), Y0, Y2
	VCMPPD       $0, 64(X), Y0, Y3
	VCMPPD       $0, 96(X), Y0, Y4
	VORPD        Y1, Y2, Y5
	VORPD        Y3, Y4, Y6
	VORPD        Y5, Y6, Y5
	VMOVMSKPD    Y5, AX
	TESTL        AX, AX
	JNE          found
	ADDQ         $128, X
	SUBQ         $16, N
	JGE          loop
fours:
	ADDQ         $(16-4), N
	JLT          tail
four:
	VCMPPD       $0, (X), Y0, Y1
	VMOVMSKPD    Y1, AX
	TESTL        AX, AX
	JNE          foundFour
	ADDQ         $32, X
	SUBQ         $4, N
	JGE          four
tail:
	ADDQ         $4, N
	JEQ          end
one:
	VMOVSD       (X), X1
	VCMPSD       $0, X1, X0, X1
	VMOVMSKPD    X1, AX
	TESTB        $1, AX
	JNE          end
	ADDQ         $8, X
	DECQ         N
	JNE          one
	JMP          end

found:
	VMOVMSKPD    Y1, AX
	VMOVMSKPD    Y2, BX
	VMOVMSKPD    Y3, CX
	VMOVMSKPD    Y4, DX
	SHLL         $4, BX
	SHLL         $8, CX
	SHLL         $12, DX
	ORL          BX, AX
	ORL          CX, AX
	ORL          DX, AX

foundFour:
	TZCNTL       AX, AX
	LEAQ         (X)(AX*8), X

end:
	SUBQ         DI, X
	SHRQ         $3, X
	MOVQ         X, ret+32(FP)
	VZEROUPPER
	RET
