//go:build !purego

#include "textflag.h"
#include "element_table.h"

#define PART  DI
#define VALUE R9
#define SLOPE R10
#define E     SI
#define O     R11
#define P     CX
#define J     DX
#define I     AX

// Eight positives a round, in two vectors. All of a round's loads and stores lie
// inside the slices: their length is a multiple of 8.

// func pairOddsAVX2(part, value, slope, e, o []float64)
TEXT ·pairOddsAVX2(SB), NOSPLIT, $0-120
	MOVQ    part_base+0(FP), PART
	MOVQ    value_base+24(FP), VALUE
	MOVQ    slope_base+48(FP), SLOPE
	MOVQ    e_base+72(FP), E
	MOVQ    e_len+80(FP), J
	MOVQ    o_base+96(FP), O
	MOVQ    o_len+104(FP), P
	LEAQ    ·elementTable(SB), R8
	VMOVUPD ONE, Y15
	VXORPD  Y0, Y0, Y0
	XORQ    I, I
	JMP     test

zero:
	VMOVUPD Y0, (VALUE)(I*8)
	VMOVUPD Y0, 32(VALUE)(I*8)
	VMOVUPD Y0, (SLOPE)(I*8)
	VMOVUPD Y0, 32(SLOPE)(I*8)
	ADDQ    $8, I
test:
	CMPQ    I, P
	JLT     zero
	TESTQ   P, P
	JEQ     done

sample:
	SUBQ         $1, J
	JLT          done
	VBROADCASTSD (E), Y14
	ADDQ         $8, E
	XORQ         I, I

positive:
	VMOVUPD     (O)(I*8), Y0
	VMOVUPD     32(O)(I*8), Y1
	VFMADD213PD Y15, Y14, Y0           // 1 + e o
	VFMADD213PD Y15, Y14, Y1
	VDIVPD      Y0, Y15, Y0            // q
	VDIVPD      Y1, Y15, Y1
	VSUBPD      Y0, Y15, Y2
	VSUBPD      Y1, Y15, Y3
	VMULPD      Y0, Y2, Y2             // v
	VMULPD      Y1, Y3, Y3
	VADDPD      (VALUE)(I*8), Y0, Y0
	VADDPD      32(VALUE)(I*8), Y1, Y1
	VMOVUPD     Y2, (PART)
	VMOVUPD     Y3, 32(PART)
	VADDPD      (SLOPE)(I*8), Y2, Y2
	VADDPD      32(SLOPE)(I*8), Y3, Y3
	VMOVUPD     Y0, (VALUE)(I*8)
	VMOVUPD     Y1, 32(VALUE)(I*8)
	VMOVUPD     Y2, (SLOPE)(I*8)
	VMOVUPD     Y3, 32(SLOPE)(I*8)
	ADDQ        $64, PART
	ADDQ        $8, I
	CMPQ        I, P
	JLT         positive
	JMP         sample

done:
	VZEROUPPER
	RET
