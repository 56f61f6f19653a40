// How the kernels take column indices, 32 or 16 bits of them: the includer defines I32
// or I16. IDX is the next index.
#ifdef INDICES
#undef INDICES
#undef LAYOUT_OF
#undef INDEX_SHIFT
#undef INDEX_LANES
#undef AS_INDICES
#undef NEXT_INDEX
#undef FOLD_PAIR
#undef STORE_INDEX
#undef INDEX_OF_V0
#else
// On to the kernel of the layout of a matrix, in a table of all.
#define TO_LAYOUT(m, table) \
	MOVD  m, R0                \
	MOVBU Matrix_Layout(R0), R0 \
	MOVD  $table(SB), R1       \
	MOVD  (R1)(R0<<3), R1      \
	JMP   (R1)
#endif

#ifdef I32
#undef I32
#define LAYOUT_OF(wide, narrow) wide
#define INDICES     Matrix_Idx32
#define INDEX_SHIFT 2
#define INDEX_LANES 4  // indices in a register
#define AS_INDICES  S4 // and how it is named then
#define NEXT_INDEX(from, to) MOVWU.P 4(from), to
// V0 = the greatest of two 16-bit indices in 32 bits.
#define FOLD_PAIR
#define STORE_INDEX MOVW
#define INDEX_OF_V0 VMOV V0.S[0], T
#endif

#ifdef I16
#undef I16
#define LAYOUT_OF(wide, narrow) narrow
#define INDICES     Matrix_Idx16
#define INDEX_SHIFT 1
#define INDEX_LANES 8
#define AS_INDICES  H8
#define NEXT_INDEX(from, to) MOVHU.P 2(from), to
#define FOLD_PAIR \
	VEXT  $2, V0.B16, V0.B16, V1.B16 \
	VUMAX V1.H8, V0.H8, V0.H8
#define STORE_INDEX MOVH
#define INDEX_OF_V0 VMOV V0.H[0], T
#endif
