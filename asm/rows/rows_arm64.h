// Registers and shared pieces of the NEON row kernels. Operands named by an index come from all
// over memory, one at a time. So a kernel takes one entry at a time, and the lanes are scalar
// registers.

#define M          R0 // the matrix
#define W          R1 // the dense vectors
#define W2         R2
#define INDEX_BASE R3
#define VALUE_BASE R4
#define LIST       R5 // the list, or 0
#define FIRST      R6
#define COUNT      R7
#define K          R8  // position in the list
#define ROW        R9
#define N          R10 // entries left in the row
#define IDX        R11
#define VAL        R12
#define J          R13 // the entry's column
#define T          R14
#define BEGIN      R15 // the first entry of the row

#define C F7

// ROW = list[K], or first+K without a list
#define NEXT_ROW \
	ADD   FIRST, K, ROW        \
	CBZ   LIST, 2(PC)          \
	MOVWU (LIST)(K<<2), ROW

// What the kernels do with an entry.

// acc += x * w[j]
#define STEP_DOT(acc, unused) \
	NEXT_INDEX(IDX, J)              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	MULTIPLY_ADD(F1, acc)

// acc1 += x * w1[j]; acc2 += x * w2[j]
#define STEP_DOT2(acc1, acc2) \
	NEXT_INDEX(IDX, J)              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	FMOVD (W2)(J<<3), F2    \
	MULTIPLY_ADD(F1, acc1)  \
	MULTIPLY_ADD(F2, acc2)

// w[j] += c * x
#define STEP_ADD(unused1, unused2) \
	NEXT_INDEX(IDX, J)              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	MULTIPLY_ADD(C, F1)     \
	FMOVD F1, (W)(J<<3)

// The walk over the selected rows. The kernel defines ROW_BEGIN, STEP and ROW_END and
// has loaded M, W, LIST, FIRST and COUNT.
#define WALK_ROWS \
	MOVD  INDICES(M), INDEX_BASE \
	MOVD  VALUES(M), VALUE_BASE  \
	LOAD_UNIT(M)                 \
	MOVD  ZR, K                  \
	B     next                   \
row:                                 \
	NEXT_ROW                     \
	ROW_ENTRIES                  \
	ROW_END                      \
	ADD   $1, K, K               \
next:                                \
	CMP   COUNT, K               \
	BLT   row                    \
	RET

// Of the kernels on vectors.
#define LIMIT R6
#define SEEN  R3

// T = the greatest of the N > 0 indices at IDX. The last full register of indices
// overlaps the others.
#define GREATEST \
	MOVD   IDX, SEEN                                   \
	SUBS   $INDEX_LANES, N, J                          \
	BLT    short                                       \
	ADD    J<<INDEX_SHIFT, IDX, T                      \
	VLD1   (T), [V0.AS_INDICES]                        \
	CBZ    J, fold                                     \
sweep:                                                     \
	VLD1.P 16(SEEN), [V1.AS_INDICES]                   \
	VUMAX  V1.AS_INDICES, V0.AS_INDICES, V0.AS_INDICES \
	SUBS   $INDEX_LANES, J, J                          \
	BGT    sweep                                       \
fold:                                                      \
	VEXT   $8, V0.B16, V0.B16, V1.B16                  \
	VUMAX  V1.AS_INDICES, V0.AS_INDICES, V0.AS_INDICES \
	VEXT   $4, V0.B16, V0.B16, V1.B16                  \
	VUMAX  V1.AS_INDICES, V0.AS_INDICES, V0.AS_INDICES \
	FOLD_PAIR                                          \
	INDEX_OF_V0                                        \
	B      greatest                                    \
short:                                                     \
	MOVD   N, J                                        \
	MOVD   ZR, T                                       \
single:                                                    \
	NEXT_INDEX(SEEN, R16)                              \
	CMP    T, R16                                      \
	CSEL   HI, R16, T, T                               \
	SUBS   $1, J, J                                    \
	BGT    single                                      \
greatest:

// CHECK goes to bad unless all indices are below LIMIT. It passes if there is no index.
#define CHECK \
	CBZ N, none                             \
	GREATEST                                \
	CMP LIMIT, T                            \
	BHS bad                                 \
none:
