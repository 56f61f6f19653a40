// The kernels of one width. The includer defines their names, the registers V0 to V15 and WIDTH,
// the size of a register in bytes. It defines HALVE, which adds the upper half of the first
// register of AVX-512 to the lower half.

// Eight registers of one block: OP(offset, register), at DI or SI.
#define EIGHT(OP) \
	OP(0*WIDTH, V0) \
	OP(1*WIDTH, V1) \
	OP(2*WIDTH, V2) \
	OP(3*WIDTH, V3) \
	OP(4*WIDTH, V4) \
	OP(5*WIDTH, V5) \
	OP(6*WIDTH, V6) \
	OP(7*WIDTH, V7)

// The same with eight copies of X0.
#define BROADCAST(offset, v) VBROADCASTSD X0, v

// The sum of all lanes of V0 to V7, to X0.
#define SUM_EIGHT \
	VADDPD V4, V0, V0 \
	VADDPD V5, V1, V1 \
	VADDPD V6, V2, V2 \
	VADDPD V7, V3, V3 \
	VADDPD V2, V0, V0 \
	VADDPD V3, V1, V1 \
	VADDPD V1, V0, V0 \
	SUM_LANES

#define SUM_LANES \
	HALVE(VADDPD)           \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD       X1, X0, X0 \
	VUNPCKHPD    X0, X0, X1 \
	VADDSD       X1, X0, X0

// The exclusive or of all lanes of V0 to V7, to X0.
#define XOR_EIGHT \
	VXORPD       V4, V0, V0 \
	VXORPD       V5, V1, V1 \
	VXORPD       V6, V2, V2 \
	VXORPD       V7, V3, V3 \
	VXORPD       V2, V0, V0 \
	VXORPD       V3, V1, V1 \
	VXORPD       V1, V0, V0 \
	HALVE(VXORPD)           \
	VEXTRACTF128 $1, Y0, X1 \
	VXORPD       X1, X0, X0 \
	VUNPCKHPD    X0, X0, X1 \
	VXORPD       X1, X0, X0

#define CLEAR(offset, v) VXORPD v, v, v
#define XOR_LOADED(offset, v) VXORPD offset(SI), v, v

// func(x []float64) uint64
TEXT READ(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	EIGHT(CLEAR)
	PCALIGN $32

loop:
	EIGHT(XOR_LOADED)
	ADDQ $(8*WIDTH), SI
	SUBQ $WIDTH, CX
	JGT  loop
	XOR_EIGHT
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// func(x, y []float64) uint64
TEXT READ_TWO(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	EIGHT(CLEAR)
	PCALIGN $32

loop:
	VXORPD 0*WIDTH(SI), V0, V0
	VXORPD 0*WIDTH(DI), V4, V4
	VXORPD 1*WIDTH(SI), V1, V1
	VXORPD 1*WIDTH(DI), V5, V5
	VXORPD 2*WIDTH(SI), V2, V2
	VXORPD 2*WIDTH(DI), V6, V6
	VXORPD 3*WIDTH(SI), V3, V3
	VXORPD 3*WIDTH(DI), V7, V7
	ADDQ   $(4*WIDTH), SI
	ADDQ   $(4*WIDTH), DI
	SUBQ   $(WIDTH/2), CX
	JGT    loop
	XOR_EIGHT
	VZEROUPPER
	MOVSD X0, ret+48(FP)
	RET

#define STORE(offset, v) VMOVUPD V0, offset(DI)
#define STORE_AROUND(offset, v) VMOVNTPD V0, offset(DI)

// func(x []float64, v float64)
TEXT WRITE(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	VBROADCASTSD v+24(FP), V0
	PCALIGN $32

loop:
	EIGHT(STORE)
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	VZEROUPPER
	RET

// func(x []float64, v float64)
TEXT WRITE_AROUND(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	VBROADCASTSD v+24(FP), V0
	PCALIGN $32

loop:
	EIGHT(STORE_AROUND)
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	SFENCE
	VZEROUPPER
	RET

#define LOAD(offset, v) VMOVUPD offset(SI), v
#define STORE_EACH(offset, v) VMOVUPD v, offset(DI)
#define MOVE_AROUND(offset, v) \
	VMOVUPD  offset(SI), v \
	VMOVNTPD v, offset(DI)

// func(dst, x []float64)
TEXT COPY(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	PCALIGN $32

loop:
	EIGHT(LOAD)
	EIGHT(STORE_EACH)
	ADDQ $(8*WIDTH), SI
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	VZEROUPPER
	RET

// func(dst, x []float64)
TEXT COPY_AROUND(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	PCALIGN $32

loop:
	EIGHT(MOVE_AROUND)
	ADDQ $(8*WIDTH), SI
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	SFENCE
	VZEROUPPER
	RET

#define LOAD_SCALED(offset, v) VMULPD offset(DI), V8, v

// func(x []float64, a float64)
TEXT UPDATE(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	VBROADCASTSD a+24(FP), V8
	PCALIGN $32

loop:
	EIGHT(LOAD_SCALED)
	EIGHT(STORE_EACH)
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	VZEROUPPER
	RET

#define ADD_LOADED(offset, v) VADDPD offset(SI), v, v
#define LOAD_TARGET(offset, v) VMOVUPD offset(DI), v

// func(y, x []float64)
TEXT ACCUMULATE(SB), NOSPLIT, $0-48
	MOVQ y_base+0(FP), DI
	MOVQ y_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	PCALIGN $32

loop:
	EIGHT(LOAD_TARGET)
	EIGHT(ADD_LOADED)
	EIGHT(STORE_EACH)
	ADDQ $(8*WIDTH), SI
	ADDQ $(8*WIDTH), DI
	SUBQ $WIDTH, CX
	JGT  loop
	VZEROUPPER
	RET

#define ADD_PRODUCT(offset, v) VFMADD231PD V15, V15, v

// Fourteen sums of one a multiply-add: more than any core here has underway.
// func(n int) float64
TEXT MULTIPLY_ADD(SB), NOSPLIT, $0-16
	MOVQ         n+0(FP), CX
	EIGHT(CLEAR)
	VXORPD       V8, V8, V8
	VXORPD       V9, V9, V9
	VXORPD       V10, V10, V10
	VXORPD       V11, V11, V11
	VXORPD       V12, V12, V12
	VXORPD       V13, V13, V13
	VBROADCASTSD machineOne<>(SB), V15
	PCALIGN $32

loop:
	EIGHT(ADD_PRODUCT)
	ADD_PRODUCT(0, V8)
	ADD_PRODUCT(0, V9)
	ADD_PRODUCT(0, V10)
	ADD_PRODUCT(0, V11)
	ADD_PRODUCT(0, V12)
	ADD_PRODUCT(0, V13)
	DECQ CX
	JGT  loop
	VADDPD V8, V0, V0
	VADDPD V9, V1, V1
	VADDPD V10, V2, V2
	VADDPD V11, V3, V3
	VADDPD V12, V4, V4
	VADDPD V13, V5, V5
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+8(FP)
	RET

#define QUOTIENT(offset, v) VDIVPD v, V15, v

// func(n int) float64
TEXT DIVIDE(SB), NOSPLIT, $0-16
	MOVQ         n+0(FP), CX
	VBROADCASTSD machineTwo<>(SB), V15
	MOVSD        machineBegin<>(SB), X0
	EIGHT(BROADCAST)

loop:
	EIGHT(QUOTIENT)
	DECQ CX
	JGT  loop
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+8(FP)
	RET

#define ROOT(offset, v) \
	VMULPD  v, V15, v \
	VSQRTPD v, v

// func(n int) float64
TEXT SQUARE_ROOT(SB), NOSPLIT, $0-16
	MOVQ         n+0(FP), CX
	VBROADCASTSD machineFactor<>(SB), V15
	MOVSD        machineOne<>(SB), X0
	EIGHT(BROADCAST)

loop:
	EIGHT(ROOT)
	DECQ CX
	JGT  loop
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+8(FP)
	RET
