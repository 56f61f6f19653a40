// What the kernels on single vectors share on amd64, beyond rows_avx2_amd64.h.

// Y15 = LIMIT-1, or the greatest that an index can be, in all lanes; X2 is lost.
#define LIMIT_INDICES \
	DECQ            LIMIT                        \
	JLT             bad                          \
	MOVL            INDEX_LIMIT, J1              \
	CMPQ            LIMIT, J1                    \
	CMOVQGT         J1, LIMIT                    \
	VMOVQ           LIMIT, X2                    \
	BROADCAST_INDEX X2, Y15

// Goes to bad unless all LEFT > 8 indices are at most those in Y15. The first indices
// overlap the others and are checked last, so that they are in a cache when the sum begins
// with them.
#define CHECK \
	CMPQ            LEFT, $(2*INDEX_LANES)       \
	JGE             several                      \
	CMPQ            LEFT, $INDEX_LANES           \
	JLT             short                        \
	VMOVDQU         (IDX), Y3                    \
	MAX_INDICES     (-32)(IDX)(LEFT*INDEX_BYTES), Y3, Y3 \
	JMP             compare                      \
short:                                               \
	VMOVDQU     (IDX), X3                          \
	MAX_INDICES -16(IDX)(LEFT*INDEX_BYTES), X3, X3 \
	JMP         compare                            \
several:                                             \
	MOVQ        LEFT, J0                         \
	VMOVDQU     (IDX), Y3                        \
	CMPQ        LEFT, $(8*INDEX_LANES)           \
	JLT         sweep                            \
	VMOVDQA     Y3, Y4                           \
	VMOVDQA     Y3, Y5                           \
	VMOVDQA     Y3, Y6                           \
sweepFour:                                           \ // four that do not wait for one another
	MAX_INDICES -32(IDX)(J0*INDEX_BYTES), Y3, Y3 \
	MAX_INDICES -64(IDX)(J0*INDEX_BYTES), Y4, Y4 \
	MAX_INDICES -96(IDX)(J0*INDEX_BYTES), Y5, Y5 \
	MAX_INDICES -128(IDX)(J0*INDEX_BYTES), Y6, Y6 \
	SUBQ        $(4*INDEX_LANES), J0             \
	CMPQ        J0, $(4*INDEX_LANES)             \
	JGE         sweepFour                        \
	MAX_INDICES Y4, Y3, Y3                       \
	MAX_INDICES Y6, Y5, Y5                       \
	MAX_INDICES Y5, Y3, Y3                       \
	CMPQ        J0, $(2*INDEX_LANES)             \
	JLE         swept                            \
sweep:                                               \
	MAX_INDICES -32(IDX)(J0*INDEX_BYTES), Y3, Y3 \
	MAX_INDICES -64(IDX)(J0*INDEX_BYTES), Y3, Y3 \
	SUBQ        $(2*INDEX_LANES), J0             \
	CMPQ        J0, $(2*INDEX_LANES)             \
	JGT         sweep                            \
swept:                                               \
	MAX_INDICES 32(IDX), Y3, Y3                  \
compare:                                             \
	MAX_INDICES   Y15, Y3, Y3                    \
	EQUAL_INDICES Y15, Y3, Y3                    \
	VPMOVMSKB     Y3, J0                         \
	CMPL          J0, $-1                        \
	JNE           bad

// Checks all indices; of many entries, eight at a time, right before ADD adds them. Adds all full
// groups of eight. In the end LEFT is eight less than the number of remaining entries.
#define CHECK_AND(ADD) \
	LIMIT_INDICES         \
	XORL  E, E            \
	CMPQ  LEFT, $const_many \
	JGE   many            \
	CHECK                 \
	SUBQ  $8, LEFT        \
eight:                        \
	ADD                   \
	JGE   eight           \
	JMP   last            \
many:                         \
	SUBQ  $8, LEFT        \
checked:                      \
	CHECK_EIGHT(E)        \
	ADD                   \
	JGE   checked         \
	LEAQ  (E)(LEFT*1), J1 \ // the last eight
	CHECK_EIGHT(J1)       \
last:
