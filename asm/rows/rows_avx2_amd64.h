// Registers and shared pieces of the row-batch kernels on amd64.

#define OUT    DI // where the row's result goes; for ADD, its coefficient
#define COUNT  CX // rows still to do
#define LIST   SI // the numbers of these rows, or 0
#define ROW    DX // the row
#define BEGIN  R8
#define ENDS   R9
#define IDX    R10
#define VAL    R11 // the values; without values the rows' scales, or 0
#define W      BX
#define W2     R15 // of DOT2
#define LIMIT  R15 // of DOT: the last entry that seven more follow
#define E      AX // the current entry
#define LEFT   R12 // entries of the row still to do
#define J0     R13
#define J1     R14
#define TABLE  BP // of CODES
#define USUAL  usual-8(SP) // of DOT: what was left of the row before

#define LOAD_TABLE(m, t) MOVQ Matrix_Table(m), TABLE
#define LOOK_UP(code, to) VBROADCASTSD (TABLE)(code*8), to
#define CODE J1

// Expects J0 = the matrix.
#define LOAD_MATRIX(high, low) \
	MOVQ Matrix_Begin(J0), BEGIN \
	MOVQ Matrix_End(J0), ENDS    \
	MOVQ INDICES(J0), IDX      \
	MOVQ VALUES(J0), VAL       \
	LOAD_UNIT(J0, J1, high, low)

// Calls the row four places down the list into the cache, up to 96 entries of
// it. Listed rows lie anywhere: where the matrix is beyond the cache this halves
// the time.
#define PREFETCH_LISTED \
	CMPQ COUNT, $4             \
	JLE  numbered              \
	MOVL 12(LIST), J0          \
	MOVQ (BEGIN)(J0*8), E      \
	MOVQ (ENDS)(J0*8), LEFT    \
	PREFETCH_INDICES(0)        \
	PREFETCH_VALUES(0)         \
	SUBQ E, LEFT               \
	CMPQ LEFT, $32             \
	JLE  numbered              \
	PREFETCH_INDICES(32)       \
	PREFETCH_VALUES(32)        \
	CMPQ LEFT, $64             \
	JLE  numbered              \
	PREFETCH_INDICES(64)       \
	PREFETCH_VALUES(64)

// out = w at the columns of entries E+k to E+k+3.
#define FETCH(w, k, out, out_, t_) \
	INDEX(k+0, E, J0)                    \
	INDEX(k+1, E, J1)                    \
	VMOVSD      (w)(J0*8), out_       \
	VMOVHPD     (w)(J1*8), out_, out_ \
	INDEX(k+2, E, J0)                    \
	INDEX(k+3, E, J1)                    \
	VMOVSD      (w)(J0*8), t_         \
	VMOVHPD     (w)(J1*8), t_, t_     \
	VINSERTF128 $1, t_, out, out

// out = w and out2 = w2 there.
#define FETCH_BOTH(k, out, out_, out2, out2_, t_, t2_) \
	INDEX(k+0, E, J0)                       \
	INDEX(k+1, E, J1)                       \
	VMOVSD      (W)(J0*8), out_          \
	VMOVHPD     (W)(J1*8), out_, out_    \
	VMOVSD      (W2)(J0*8), out2_        \
	VMOVHPD     (W2)(J1*8), out2_, out2_ \
	INDEX(k+2, E, J0)                       \
	INDEX(k+3, E, J1)                       \
	VMOVSD      (W)(J0*8), t_            \
	VMOVHPD     (W)(J1*8), t_, t_        \
	VMOVSD      (W2)(J0*8), t2_          \
	VMOVHPD     (W2)(J1*8), t2_, t2_     \
	VINSERTF128 $1, t_, out, out         \
	VINSERTF128 $1, t2_, out2, out2

// sum_ = the canonical sum of lanes 0 to 3 (low) and 4 to 7 (high).
#define SUM_LANES(low, low_, high, high_) \
	VADDPD       high, low, low    \ // l + (l+4)
	VEXTRACTF128 $1, low, high_    \
	VADDPD       high_, low_, low_ \ // then +2
	VUNPCKHPD    low_, low_, high_ \
	VADDSD       high_, low_, low_   // then +1

// Adds the last LEFT = 1 to 7 entries to lanes 0 to 3, in Y0, and 4 to 7, in
// Y1. The entries behind the fourth belong to Y1; what follows, at sum, does
// not see the halves change places.
#define TAIL_OF_DOT \
	CMPQ         LEFT, $4           \
	JLT          few                \
	FETCH(W, 0, Y2, X2, X3)         \
	MULTIPLY_ADD(0, Y2, Y0)         \
	VMOVAPD      Y0, Y2             \
	VMOVAPD      Y1, Y0             \
	VMOVAPD      Y2, Y1             \
	ADDQ         $4, E              \
	SUBQ         $4, LEFT           \
	JEQ          sum                \
few:                                    \
	INDEX(0, E, J0)                    \
	VMOVSD       (W)(J0*8), X2      \
	CMPQ         LEFT, $2           \
	JLT          one                \
	INDEX(1, E, J1)                    \
	VMOVHPD      (W)(J1*8), X2, X2  \
	JEQ          two                \
	INDEX(2, E, J0)                    \
	VMOVSD       (W)(J0*8), X3      \
	VEXTRACTF128 $1, Y0, X4         \
	ADD_TO_ONE(2, X3, X4)           \
	VINSERTF128  $1, X3, Y3, Y3     \
	VBLENDPD     $4, Y3, Y0, Y0     \
two:                                    \
	ADD_TO_TWO(0, X2, X0)           \
	VBLENDPD     $3, Y2, Y0, Y0     \
	JMP          sum                \
one:                                    \
	ADD_TO_ONE(0, X2, X0)           \
	VBLENDPD     $1, Y2, Y0, Y0     \
	JMP          sum

// At listed, which is out of the way of rows without a list: the next row of it.
#define LISTED_ROW \
listed:                           \
	MOVL  (LIST), ROW         \
	ADDQ  $4, LIST            \
	PREFETCH_LISTED           \
	JMP   numbered

// The entries of the next row: the next row of the list, or without a list the following
// row.
#define NEXT_ROW \
row:                              \
	TESTQ LIST, LIST          \
	JNE   listed              \
numbered:                         \
	MOVQ  (BEGIN)(ROW*8), E   \
	MOVQ  (ENDS)(ROW*8), LEFT

// lanes = fma(x, w, lanes) for eight entries. LEFT is eight less than the entries that are
// left, and the flags tell whether that is below 0.
#define ADD_EIGHT \
	FETCH(W, 0, Y2, X2, X3) \
	FETCH(W, 4, Y4, X4, X5) \
	MULTIPLY_ADD(0, Y2, Y0) \
	MULTIPLY_ADD(4, Y4, Y1) \
	ADDQ $8, E              \
	SUBQ $8, LEFT

#define ADD_EIGHT_OF_BOTH \
	FETCH_BOTH(0, Y2, X2, Y3, X3, X6, X7) \
	FETCH_BOTH(4, Y4, X4, Y5, X5, X6, X7) \
	MULTIPLY_ADD_BOTH(0, Y2, Y0, Y3, Y10) \
	MULTIPLY_ADD_BOTH(4, Y4, Y1, Y5, Y11) \
	ADDQ $8, E                            \
	SUBQ $8, LEFT

#define EIGHT \
eight:                          \
	ADD_EIGHT               \
	JGE  eight

#define EIGHT_OF_BOTH \
eight:                          \
	ADD_EIGHT_OF_BOTH       \
	JGE  eight

// The last LEFT entries of DOT2, one by one. J0 is a window on the lane of the first.
#define EACH_ENTRY_OF_BOTH \
entry:                                \
	INDEX(0, E, J1)               \
	VBROADCASTSD (W)(J1*8), Y2    \
	VBROADCASTSD (W2)(J1*8), Y3   \
	BROADCAST_X(Y4)               \
	VMOVUPD      (J0), Y8         \
	VMOVUPD      32(J0), Y9       \
	VMOVAPD      Y0, Y6           \
	VMOVAPD      Y1, Y7           \
	TIMES_X(Y4, Y2, Y6)           \
	TIMES_X(Y4, Y2, Y7)           \
	VBLENDVPD    Y8, Y6, Y0, Y0   \
	VBLENDVPD    Y9, Y7, Y1, Y1   \
	VMOVAPD      Y10, Y6          \
	VMOVAPD      Y11, Y7          \
	TIMES_X(Y4, Y3, Y6)           \
	TIMES_X(Y4, Y3, Y7)           \
	VBLENDVPD    Y8, Y6, Y10, Y10 \
	VBLENDVPD    Y9, Y7, Y11, Y11 \
	SUBQ         $8, J0           \
	INCQ         E                \
	DECQ         LEFT             \
	JNE          entry
