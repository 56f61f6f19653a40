// Macros of the entry points on amd64. They handle vectors of up to eight elements, and
// sums of one vector of up to 16, themselves: each element of a sum is then a lane, and
// adding a product to a zero lane only rounds it. The most frequent sizes take the fewest
// jumps.
//
// Sums use no SSE instruction: it keeps the upper half of its register, and so waits for
// the previous write, on Zen 5 in the call before. Maps use SSE2 or FMA, which saves the
// check of the path.

#define N CX   // elements
#define DST DI // the first of the result, or of y where that is the result
#define X SI
#define Y DX
#define BYTES R8
#define TWICE R9
#define GAP R10

// The kernel of the active path, or the entry point in Go, at the label portable.
#define TO_KERNEL(avx2, avx512, go) \
	CMPL ·path(SB), $1 \
	JHI  wide          \
	JNE  portable      \
	JMP  avx2(SB)      \
wide:                      \
	JMP  avx512(SB)    \
portable:                  \
	JMP  go(SB)

// The same for maps, where a few wide registers lose to twice as many narrow ones, as
// they cross more lines of the cache.
#define MAP_TO_KERNEL(avx2, avx512, go) \
	CMPL ·path(SB), $1 \
	JCS  portable      \
	JEQ  narrow        \
	CMPQ N, $16        \
	JLS  narrow        \
	JMP  avx512(SB)    \
narrow:                    \
	JMP  avx2(SB)      \
portable:                  \
	JMP  go(SB)

// The sum of N <= 8 terms, or on at the label more. PAIR(offset, to) computes two terms,
// ONE one and a zero; lanes 0 and 1 are in X0, 2 and 3 in X1, 4 and 5 in X4, 6 and 7 in
// X5. The empty lanes are +0, which is added last, so that a sum of zeros is +0.
#define SUM_FEW(PAIR, ONE, result) \
	CMPQ     N, $8              \
	JHI      more               \
	CMPQ     N, $4              \
	JHI      overFour           \
	CMPQ     N, $2              \
	JCS      underTwo           \
	PAIR(0, X0)                 \
	JEQ      two                \
	CMPQ     N, $4              \
	JNE      three              \
	PAIR(16, X1)                \
four:                               \
	VADDPD   X1, X0, X0         \
two:                                \
	SUM_OF_TWO(result)          \
three:                              \
	ONE(16, X1)                 \
	VADDPD   X1, X0, X0         \
	SUM_OF_TWO(result)          \
underTwo:                           \
	VXORPS   X1, X1, X1         \
	TESTQ    N, N               \
	JEQ      none               \
	ONE(0, X0)                  \
	VADDSD   X0, X1, X1         \
none:                               \
	VMOVSD   X1, result         \
	RET                         \
overFour:                           \
	CMPQ     N, $8              \
	PAIR(0, X0)                 \
	PAIR(16, X1)                \
	JNE      overFive           \
	PAIR(32, X4)                \
	PAIR(48, X5)                \
	VADDPD   X4, X0, X0         \
	VADDPD   X5, X1, X1         \
	VADDPD   X1, X0, X0         \
	SUM_OF_TWO(result)          \
overFive:                           \
	CMPQ     N, $6              \
	JCS      five               \
	PAIR(32, X4)                \
	VADDPD   X4, X0, X0         \
	JEQ      four               \
	ONE(48, X5)                 \
	VADDPD   X5, X1, X1         \
	JMP      four               \
five:                               \
	ONE(32, X4)                 \
	VADDPD   X4, X0, X0         \
	JMP      four               \
more:

// The same of N <= 16 terms after SUM_FEW, or on at the label long: of one vector it takes
// fewer instructions than the kernels do.
#define SUM_SOME(PAIR, ONE, result) \
	CMPQ     N, $16             \
	JHI      long               \
	PAIR(0, X0)                 \
	PAIR(16, X1)                \
	PAIR(32, X4)                \
	PAIR(48, X5)                \
	JNE      partly             \
	ADD_TERM(PAIR, 64, X0)      \
	ADD_TERM(PAIR, 80, X1)      \
	ADD_TERM(PAIR, 96, X4)      \
	ADD_TERM(PAIR, 112, X5)     \
eight:                              \
	VADDPD   X4, X0, X0         \
	VADDPD   X5, X1, X1         \
	VADDPD   X1, X0, X0         \
	SUM_OF_TWO(result)          \
partly:                             \
	CMPQ     N, $12             \
	JCS      underTwelve        \
	ADD_TERM(PAIR, 64, X0)      \
	ADD_TERM(PAIR, 80, X1)      \
	JEQ      eight              \
	CMPQ     N, $14             \
	JCS      thirteen           \
	ADD_TERM(PAIR, 96, X4)      \
	JEQ      eight              \
	ADD_TERM(ONE, 112, X5)      \
	JMP      eight              \
thirteen:                           \
	ADD_TERM(ONE, 96, X4)       \
	JMP      eight              \
underTwelve:                        \
	CMPQ     N, $10             \
	JCS      nine               \
	ADD_TERM(PAIR, 64, X0)      \
	JEQ      eight              \
	ADD_TERM(ONE, 80, X1)       \
	JMP      eight              \
nine:                               \
	ADD_TERM(ONE, 64, X0)       \
	JMP      eight              \
long:

#define ADD_TERM(TERM, offset, acc) \
	TERM(offset, X6)            \
	VADDPD   X6, acc, acc

#define SUM_OF_TWO(result) \
	VUNPCKHPD X0, X0, X1        \
	VADDSD   X1, X0, X0         \
	VXORPS   X1, X1, X1         \
	VADDSD   X1, X0, X0         \
	VMOVSD   X0, result         \
	RET

#define PAIR_OF_PRODUCTS(offset, to) \
	VMOVUPD offset(X), to     \
	VMULPD  offset(Y), to, to

#define ONE_PRODUCT(offset, to) \
	VMOVSD offset(X), to     \
	VMULSD offset(Y), to, to

#define PAIR_OF_SQUARES(offset, to) \
	VMOVUPD offset(X), to \
	VMULPD  to, to, to

#define ONE_SQUARE(offset, to) \
	VMOVSD offset(X), to \
	VMULSD to, to, to

#define PAIR_OF_SQUARED_DIFFERENCES(offset, to) \
	VMOVUPD offset(X), to     \
	VSUBPD  offset(Y), to, to \
	VMULPD  to, to, to

#define ONE_SQUARED_DIFFERENCE(offset, to) \
	VMOVSD offset(X), to     \
	VSUBSD offset(Y), to, to \
	VMULSD to, to, to

#define PAIR_OF_ELEMENTS(offset, to) VMOVUPD offset(X), to
#define ONE_ELEMENT(offset, to) VMOVSD offset(X), to

#define NOT_PORTABLE \
	CMPL ·path(SB), $0 \
	JEQ  portable

// Goes to portable unless N > 0 elements from q on are those from DST on or share no byte
// with them. SPAN comes first.
#define SPAN \
	LEAQ 0(N*8), BYTES             \
	LEAQ -1(BYTES)(BYTES*1), TWICE

#define SAME_OR_APART(q) \
	MOVQ DST, GAP                \
	SUBQ q, GAP                  \
	JEQ  4(PC)                   \
	LEAQ -1(GAP)(BYTES*1), GAP   \
	CMPQ GAP, TWICE              \
	JCS  portable

#define APART_FROM_X \
	SPAN             \
	SAME_OR_APART(X)

#define APART_FROM_BOTH \
	SPAN             \
	SAME_OR_APART(X) \
	SAME_OR_APART(Y)

// x = OP of N <= 8 elements of X and, where READ_Y loads it, Y; or on at the label more.
// CHECK comes before anything is written, but for one element, which overlaps another
// or does not. NUMBERS loads what OP takes from the arguments to X2 and X3.
#define MAP_FEW(CHECK, NUMBERS, READ_Y, OP) \
	CMPQ  N, $1                  \
	JEQ   alone                  \
	CHECK                        \
	CMPQ  N, $4                  \
	JHI   overFour               \
	TESTQ N, N                   \
	JEQ   done                   \
	NUMBERS                      \
	STEP(MOVUPD, READ_Y, OP, 0)  \
	CMPQ  N, $3                  \
	JCC   overTwo                \
done:                                \
	RET                          \
overTwo:                             \
	JEQ   three                  \
	STEP(MOVUPD, READ_Y, OP, 16) \
	RET                          \
three:                               \
	STEP(MOVSD, READ_Y, OP, 16)  \
	RET                          \
alone:                               \
	NUMBERS                      \
	STEP(MOVSD, READ_Y, OP, 0)   \
	RET                          \
overFour:                            \
	CMPQ  N, $8                  \
	JHI   more                   \
	NUMBERS                      \
	STEP(MOVUPD, READ_Y, OP, 0)  \
	STEP(MOVUPD, READ_Y, OP, 16) \
	JNE   overFive               \
	STEP(MOVUPD, READ_Y, OP, 32) \
	STEP(MOVUPD, READ_Y, OP, 48) \
	RET                          \
overFive:                            \
	CMPQ  N, $6                  \
	JCS   five                   \
	STEP(MOVUPD, READ_Y, OP, 32) \
	JEQ   done                   \
	STEP(MOVSD, READ_Y, OP, 48)  \
	RET                          \
five:                                \
	STEP(MOVSD, READ_Y, OP, 32)  \
	RET                          \
more:

// X0 = OP of X0 = x and X1 = y.
#define STEP(move, READ_Y, OP, offset) \
	move offset(X), X0   \
	READ_Y(move, offset) \
	OP                   \
	move X0, offset(DST)

#define NO_Y(move, offset)
#define FROM_Y(move, offset) move offset(Y), X1
#define FROM_DST(move, offset) move offset(DST), X1

#define TWICE_OF(argument, to) \
	MOVSD    argument, to \
	UNPCKLPD to, to

#define AXPY VFMADD213PD X1, X2, X0
#define AXPY_NUMBERS TWICE_OF(a+0(FP), X2)

#define SCALE_ADD \
	MULPD       X3, X1     \
	VFMADD213PD X1, X2, X0
#define SCALE_ADD_NUMBERS \
	TWICE_OF(a+24(FP), X2) \
	TWICE_OF(b+32(FP), X3)

#define SCALE MULPD X2, X0
#define ADD_SCALAR ADDPD X2, X0
#define ONE_NUMBER TWICE_OF(a+16(FP), X2)

#define MUL MULPD X1, X0
#define NO_NUMBERS

// X2 = t, X3 = the bits of |x|.
#define SOFT_THRESHOLD \
	MOVAPD X3, X1     \
	ANDPD  X0, X1     \
	MOVAPD X1, X4     \
	CMPPD  X2, X4, $2 \ // |x| <= t
	SUBPD  X2, X1     \
	MOVAPD X3, X5     \
	ANDNPD X0, X5     \ // the sign
	ORPD   X5, X1     \
	ANDNPD X1, X4     \
	MOVAPD X4, X0
#define SOFT_THRESHOLD_NUMBERS \
	UNPCKLPD X2, X2            \
	MOVUPD   doorAbs<>(SB), X3

// X2 = lo, X3 = hi. The operand order lets NaN and zeros of either sign through.
#define BOX \
	MOVAPD X2, X1 \
	MAXPD  X0, X1 \
	MOVAPD X3, X0 \
	MINPD  X1, X0
#define BOX_NUMBERS \
	UNPCKLPD X2, X2 \
	UNPCKLPD X3, X3

// Both words of the result, which loses X0.
#define NO_ERROR(err) \
	XORPS  X0, X0 \
	MOVUPS X0, err

// The arguments of the entry points with dst, x and one number.
#define DST_AND_X \
	MOVQ n+24(FP), N           \
	CMPQ N, nx+32(FP)          \
	JNE  portable              \
	MOVQ dst+0(FP), DST        \
	MOVQ x+8(FP), X            \
	NO_ERROR(err+40(FP))
