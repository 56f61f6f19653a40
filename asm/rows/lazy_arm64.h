// Registers and shared pieces of the NEON lazy-record kernels. A record is met
// at an address of its own, so its fields are best handled as scalars: a sweep
// takes one entry at a time, the lanes being sixteen scalar registers.

#define M          R0 // the matrix
#define REC        R1
#define INDEX_BASE R2
#define VALUE_BASE R3
#define LIST       R4
#define COUNT      R5
#define K          R6 // position in the list
#define ROW        R7
#define N          R8 // entries left in the row
#define IDX        R9
#define VAL        R10
#define RECORD     R11 // the entry's record
#define T          R12
#define BEGIN      R15 // the first entry of the row
#define TABLE      R13
#define TOP        R14

#define NOW F6
#define C   F7

// RECORD = the record of the next entry
#define NEXT_RECORD \
	NEXT_INDEX(IDX, RECORD) \
	ADD RECORD<<5, REC, RECORD

// C = the coefficient of the list's element K; Ones multiply it by the scale.
#define COEFFICIENT(arg) \
	MOVD  arg, T         \
	FMOVD (T)(K<<3), C   \
	SCALE(C)
