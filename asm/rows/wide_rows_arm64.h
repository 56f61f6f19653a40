// Registers and steps of the products with matrices on NEON. Columns go in blocks of
// 16, 8, 4, 2 and 1. The value of the entry is in V30.

#define OUT        R0 // the row of dst or c, at the block of columns
#define LEFT       R1 // columns
#define LIST       R2 // the numbers of the rows still to do, or 0
#define INDEX_BASE R3
#define VALUE_BASE R4
#define BEGINS     R5
#define ENDS       R6
#define W          R7 // w at the block of columns
#define STRIDE     R8 // bytes of a row of w
#define ROW        R9
#define N          R10 // entries of the chunk still to do
#define IDX        R11
#define VAL        R12
#define J          R13 // where the entry's row is in w
#define T          R14
#define LAST       R15 // the end of dst or c
#define E          R16 // where the chunk begins
#define CHUNK      R17 // its entries
#define END        R19 // the row's end

// Expects T = the matrix, LAST = the length of dst or c and STRIDE = width.
#define LOAD_MATRIX \
	ADD  LAST<<3, OUT, LAST        \
	LSL  $3, STRIDE                \
	MOVD Matrix_Begin(T), BEGINS   \
	MOVD Matrix_End(T), ENDS       \
	MOVD INDICES(T), INDEX_BASE    \
	MOVD VALUES(T), VALUE_BASE     \
	LOAD_UNIT(T)

// The row of the list, or the one behind the last, its first entries; at empty if it
// has none. The entries go in chunks, every chunk through all blocks of columns.
#define NEXT_ROW \
	CBZ     LIST, numbered         \
	MOVWU.P 4(LIST), ROW           \
numbered:                              \
	MOVD    (BEGINS)(ROW<<3), E    \
	MOVD    (ENDS)(ROW<<3), END    \
	CMP     END, E                 \
	BGE     empty                  \
	BROADCAST_ROW                  \
chunk:                                 \
	SUB     E, END, CHUNK          \
	MOVD    $32, T                 \
	CMP     T, CHUNK               \
	CSEL    GT, T, CHUNK, CHUNK

// On to the next chunk, or to the next row, at done behind the last one.
#define FINISH \
	ADD CHUNK, E, E      \
	CMP END, E           \
	BGE ended            \
	SUB STRIDE, OUT, OUT \
	B   chunk            \
empty:                       \
	ADD STRIDE, OUT, OUT \
ended:                       \
	ADD $1, ROW, ROW     \
	CMP LAST, OUT        \
	BLT row

#define BEGIN \
	ADD  E<<INDEX_SHIFT, INDEX_BASE, IDX \
	ADD  E<<VALUE_SHIFT, VALUE_BASE, VAL \
	MOVD CHUNK, N

#define ENTRY \
	NEXT_INDEX(IDX, J)     \
	BROADCAST_X            \
	MADD STRIDE, W, J, J

#define NEXT(loop) \
	SUBS $1, N \
	BNE  loop
