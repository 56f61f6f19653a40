// Registers and the walk over rows of the products with matrices on amd64. The
// includer includes indices_amd64.h and rows_values_amd64.h.

#define OUT    DI // the row of dst or c, at the block of columns
#define LAST   R15 // the end of dst or c
#define LIST   SI // the numbers of the rows still to do, or 0
#define ROW    DX
#define BEGIN  R8
#define ENDS   R9
#define IDX    R10
#define VAL    R11
#define W      BP // w at the block of columns
#define STRIDE R12 // bytes of a row of w
#define LEFT   R13 // columns
#define E      AX // the current entry
#define END    CX // the row's end
#define J      R14
#define TAIL   BX

// The table of CODES, at which there is no register for it.
#define LOAD_TABLE(m, t) \
	MOVQ Matrix_Table(m), t \
	MOVQ t, table-24(SP)
#define LOOK_UP(code, to) \
	SHLQ         $3, code            \
	ADDQ         table-24(SP), code  \
	VBROADCASTSD (code), to
#define CODE J

// Expects J = the matrix, LEFT = width, and ROW = first.
#define LOAD_MATRIX \
	LEAQ (OUT)(LAST*8), LAST \
	LEAQ (LEFT*8), STRIDE    \
	MOVQ Matrix_Begin(J), BEGIN \
	MOVQ Matrix_End(J), ENDS \
	MOVQ INDICES(J), IDX     \
	MOVQ VALUES(J), VAL      \
	LOAD_UNIT(J, TAIL, X13, X14)

// The row of the list, or the one behind the last, its first entries; at empty if it
// has none. The entries go in chunks, every chunk through all blocks of columns: then
// what the next block reads of w is near what was just read.
#define NEXT_ROW \
	TESTQ LIST, LIST            \
	JEQ   numbered              \
	MOVL  (LIST), ROW           \
	ADDQ  $4, LIST              \
numbered:                           \
	MOVQ  (BEGIN)(ROW*8), E     \
	CMPQ  E, (ENDS)(ROW*8)      \
	JGE   empty                 \
	ROW_VALUE                   \
chunk:                              \
	MOVQ    E, start-8(SP)      \
	MOVQ    (ENDS)(ROW*8), J    \
	LEAQ    CHUNK(E), END       \
	CMPQ    J, END              \
	CMOVQLT J, END

// On to the next chunk, or to the next row, at done behind the last one.
#define FINISH \
	LEAQ (OUT)(LEFT*8), OUT   \
	MOVQ END, E               \
	CMPQ E, (ENDS)(ROW*8)     \
	JGE  ended                \
	SUBQ STRIDE, OUT          \
	JMP  chunk                \
empty:                            \
	ADDQ STRIDE, OUT          \
ended:                            \
	INCQ ROW                  \
	CMPQ OUT, LAST            \
	JLT  row

#define CHUNK 32

// J = where the row of entry E is in w, the register of VALUE its value.
#define ENTRY \
	ENTRY_VALUE                        \
	LOAD_INDEX (IDX)(E*INDEX_BYTES), J \
	IMULQ      STRIDE, J

#define NEXT(loop) \
	INCQ E      \
	CMPQ E, END \
	JLT  loop

// Keeps for FETCH_AHEAD which entry is the last one of all, or, where w has too few elements
// for that, -1. Expects J = the matrix.
#define REMEMBER_LAST(w_len) \
	MOVQ (INDICES+8)(J), E  \
	DECQ E                  \
	MOVQ w_len, END         \
	CMPQ END, ·wideFar(SB)  \
	JGE  far                \
	MOVQ $-1, E             \
far:                            \
	MOVQ E, last-16(SP)

// What the entry a chunk from here, or the last one of all, will want of w for this block,
// and what follows it.
#define FETCH_AHEAD \
	LEAQ       CHUNK(E), J             \
	CMPQ       J, last-16(SP)          \
	CMOVQGT    last-16(SP), J          \
	LOAD_INDEX (IDX)(J*INDEX_BYTES), J \
	IMULQ      STRIDE, J               \
	ADDQ       W, J                    \
	PREFETCHT0 (J)                     \
	PREFETCHT0 64(J)                   \
	PREFETCHT0 128(J)                  \
	PREFETCHT0 192(J)                  \
	PREFETCHT0 256(J)                  \
	PREFETCHT0 320(J)                  \
	PREFETCHT0 384(J)                  \
	PREFETCHT0 448(J)
