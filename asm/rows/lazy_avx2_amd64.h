// Registers and shared pieces of the AVX2 lazy-record kernels. A sweep walks
// the listed rows; inside a row it takes four entries at a time, whose records
// P0 to P3 name by their byte offset from REC.

#define REC  BX
#define IDX  CX
#define VAL  DX
#define E    SI // the current entry
#define END  DI // the end of its row
#define K    R8 // position in the list
#define P0   R9
#define P1   R10
#define P2   R11
#define P3   R12
#define T    R13

// Entries of the rows ahead, whose records are fetched next; FROW is the
// position of the row behind them.
#define FETCH     AX
#define FETCH_END R15
#define FROW      BP

#define X  Y6 // the values of four entries
#define X_ X6

#define ZERO   Y12
#define MASK   Y14 // lanes of the last one to three entries
#define MASK32 X7  // the same in 32 bits each; free after the values are loaded

// The accumulators: lanes 0 to 3 in A, lanes 4 to 7 in B.
#define AW Y8
#define AU Y9
#define BW Y10
#define BU Y11

#define OFFSETS \
	SHLQ $5, P0 \
	SHLQ $5, P1 \
	SHLQ $5, P2 \
	SHLQ $5, P3

#define FETCH2(first, second) \
	INDEX(first, FETCH, P0)  \
	INDEX(second, FETCH, P1) \
	SHLQ $5, P0              \
	SHLQ $5, P1              \
	PREFETCHT0 (REC)(P0*1)   \
	PREFETCHT0 (REC)(P1*1)

// Fetches the lines from p on that lie before end.
#define FETCH_LINES(p, end) \
	PREFETCHT0 (p)  \
	ADDQ $64, p     \
	CMPQ p, end     \
	JLT  -3(PC)

// Fetches the first 512 entries of row P0 of matrix T; the hardware sees the rest
// coming.
#define FETCH_ROW \
	MOVQ    Matrix_Begin(T), P1       \
	MOVQ    (P1)(P0*8), P1            \
	MOVQ    Matrix_End(T), P2         \
	MOVQ    (P2)(P0*8), P2            \
	LEAQ    512(P1), P3               \
	CMPQ    P2, P3                    \
	CMOVQGT P3, P2                    \
	LEAQ    (IDX)(P1*INDEX_BYTES), P3 \
	LEAQ    (IDX)(P2*INDEX_BYTES), P0 \
	FETCH_LINES(P3, P0)               \
	FETCH_VALUES

// The next four entries: STEP with these accumulators.
#define FOUR(accW, accU) \
	INDEX(0, E, P0)  \
	INDEX(1, E, P1)  \
	INDEX(2, E, P2)  \
	INDEX(3, E, P3)  \
	OFFSETS          \
	LOAD_X           \
	STEP(accW, accU) \
	ADDQ $4, E

// out = the field's value in the four records.
#define GATHER(field, out, out_, t, t_) \
	VMOVSD      field(REC)(P0*1), out_       \
	VMOVHPD     field(REC)(P1*1), out_, out_ \
	VMOVSD      field(REC)(P2*1), t_         \
	VMOVHPD     field(REC)(P3*1), t_, t_     \
	VINSERTF128 $1, t_, out, out

// Y2 and Y3 = W and Last of the four records. Y0 and Y1 are scratch.
#define GATHER_W_LAST \
	VMOVUPD     Record_W(REC)(P0*1), X0         \
	VMOVUPD     Record_W(REC)(P1*1), X1         \
	VINSERTF128 $1, Record_W(REC)(P2*1), Y0, Y0 \
	VINSERTF128 $1, Record_W(REC)(P3*1), Y1, Y1 \
	VUNPCKLPD   Y1, Y0, Y2                      \
	VUNPCKHPD   Y1, Y0, Y3

// Y2 = v + d and acc = fma(d, v+(v+d), acc), with v = Y0 and d = c*x. Y0 and Y1 are
// lost.
#define ADD_TERMS(acc) \
	TIMES_X(COEFFICIENTS, Y1) \
	VADDPD      Y1, Y0, Y2    \
	VADDPD      Y2, Y0, Y0    \
	VFMADD231PD Y0, Y1, acc

// The field of the four records = in. The first entry comes last: the records
// of a tail repeat its last entry, whose own lane must win.
#define SCATTER(field, in, in_, t_) \
	VEXTRACTF128 $1, in, t_                 \
	VMOVHPD      t_, field(REC)(P3*1)       \
	VMOVSD       t_, field(REC)(P2*1)       \
	VMOVHPD      in_, field(REC)(P1*1)      \
	VMOVSD       in_, field(REC)(P0*1)

// field and its neighbour = in and next, in one store a record.
#define SCATTER_PAIR(field, in, next, t, t_, s, s_) \
	VUNPCKHPD    next, in, t               \
	VUNPCKLPD    next, in, s               \
	VEXTRACTF128 $1, t, field(REC)(P3*1)   \
	VEXTRACTF128 $1, s, field(REC)(P2*1)   \
	VMOVUPD      t_, field(REC)(P1*1)      \
	VMOVUPD      s_, field(REC)(P0*1)

// Lanes 0 to 3 of a sum = ((l0+l4)+(l2+l6), (l1+l5)+(l3+l7)).
#define FOLD(a, a_, b, t, t_) \
	VADDPD       b, a, a    \
	VEXTRACTF128 $1, a, t_  \
	VADDPD       t_, a_, a_

// c = the coefficient of the list's element K in all lanes; ones multiply it by
// the row's scale.
#define COEFFICIENT(arg, c, c_) \
	MOVQ         arg, T         \
	VMOVSD       (T)(K*8), c_   \
	SCALE(c_)                   \
	VBROADCASTSD c_, c
