// How the kernels take column indices, 32 or 16 bits of them: the includer defines I32
// or I16. IDX is the first index.
#ifdef INDICES
#undef INDICES
#undef LAYOUT_OF
#undef INDEX_BYTES
#undef INDEX_LANES
#undef INDEX_LIMIT
#undef LOAD_INDEX
#undef INDEX_PAIR
#undef PREFETCH_INDICES
#undef MAX_INDICES
#undef BROADCAST_INDEX
#undef EQUAL_INDICES
#undef CHECK_EIGHT
#undef FOLD_PAIR
#undef LOW_INDEX
#else
// On to the kernel of the layout of a matrix, in a table of all, with the matrix in R13.
#define TO_LAYOUT(m, table) \
	MOVQ    m, R13                 \
	MOVBLZX Matrix_Layout(R13), AX \
	LEAQ    table(SB), BX          \
	JMP     (BX)(AX*8)
// a = the greater of a and b.
#define GREATER(b, a) \
	CMPL    b, a \
	CMOVLHI b, a
// to = the index k places behind entry at.
#define INDEX(k, at, to) LOAD_INDEX ((k)*INDEX_BYTES)(IDX)(at*INDEX_BYTES), to
#endif

#ifdef I32
#undef I32
#define LAYOUT_OF(wide, narrow) wide
#define INDICES     Matrix_Idx32
#define INDEX_BYTES 4
#define INDEX_LANES 8 // indices in a register
#define INDEX_LIMIT $0xffffffff
#define LOAD_INDEX  MOVL
// The next two, in one load.
#define INDEX_PAIR \
	MOVQ (IDX)(E*4), J1 \
	MOVL J1, J0         \
	SHRQ $32, J1
// Prefetch 32 entries from E+k on.
#define PREFETCH_INDICES(k) \
	PREFETCHT0 ((k)*4)(IDX)(E*4)    \
	PREFETCHT0 ((k)*4+64)(IDX)(E*4)
#define MAX_INDICES     VPMAXUD
#define BROADCAST_INDEX VPBROADCASTD
#define EQUAL_INDICES   VPCMPEQD
// Goes to bad unless eight indices from place at on are at most those in Y15.
#define CHECK_EIGHT(at) \
	VPMAXUD   (IDX)(at*4), Y15, Y3 \
	VPCMPEQD  Y15, Y3, Y3          \
	VPMOVMSKB Y3, J0               \
	CMPL      J0, $-1              \
	JNE       bad
// Keeps the bits of j that are an index: all 32.
#define LOW_INDEX(j)
// X0 = the greatest of two 16-bit indices in 32 bits.
#define FOLD_PAIR
#endif

#ifdef I16
#undef I16
#define LAYOUT_OF(wide, narrow) narrow
#define INDICES     Matrix_Idx16
#define INDEX_BYTES 2
#define INDEX_LANES 16
#define INDEX_LIMIT $0xffff
#define LOAD_INDEX  MOVWLZX
#define INDEX_PAIR \
	MOVL    (IDX)(E*2), J1 \
	MOVWLZX J1, J0         \
	SHRL    $16, J1
#define PREFETCH_INDICES(k) PREFETCHT0 ((k)*2)(IDX)(E*2)
#define MAX_INDICES     VPMAXUW
#define BROADCAST_INDEX VPBROADCASTW
#define EQUAL_INDICES   VPCMPEQW
#define CHECK_EIGHT(at) \
	VPMAXUW   (IDX)(at*2), X15, X3 \
	VPCMPEQW  X15, X3, X3          \
	VPMOVMSKB X3, J0               \
	CMPL      J0, $0xffff          \
	JNE       bad
#define LOW_INDEX(j)    MOVWLZX j, j
#define FOLD_PAIR \
	VPSRLDQ $2, X0, X1 \
	VPMAXUW X1, X0, X0
#endif
