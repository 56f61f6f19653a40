// Registers and shared pieces of the NEON row kernels. The operands that an
// index names come from all over memory, one at a time, so a kernel takes one
// entry at a time and the lanes are scalar registers.

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
