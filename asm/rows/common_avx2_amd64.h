// Registers and shared pieces of the kernels of two sparse vectors.

#define X    SI // what is left of the first vector: indices, values, entries
#define XV   DI
#define NX   CX
#define Y    DX // and of the second one
#define YV   BX
#define NY   R8
#define HITS AX
#define I    R9
#define J    R10
#define UP_X R11
#define UP_Y R12

// Y3 = which of eight indices of the first vector are among eight of the second one,
// which are in Y2: these are turned round once.
#define EIGHT_BY_EIGHT \
	EIGHT_INDICES (X), Y1          \
	EIGHT_INDICES (Y), Y2          \
	VPCMPEQD      Y1, Y2, Y3       \
	VPSHUFD       $0x39, Y2, Y4    \
	VPSHUFD       $0x4e, Y2, Y5    \
	VPSHUFD       $0x93, Y2, Y6    \
	VPERM2I128    $1, Y2, Y2, Y7   \
	VPCMPEQD      Y1, Y4, Y4       \
	VPCMPEQD      Y1, Y5, Y5       \
	VPCMPEQD      Y1, Y6, Y6       \
	VPOR          Y4, Y3, Y3       \
	VPOR          Y6, Y5, Y5       \
	VPSHUFD       $0x39, Y7, Y8    \
	VPSHUFD       $0x4e, Y7, Y9    \
	VPSHUFD       $0x93, Y7, Y10   \
	VPCMPEQD      Y1, Y7, Y7       \
	VPCMPEQD      Y1, Y8, Y8       \
	VPCMPEQD      Y1, Y9, Y9       \
	VPCMPEQD      Y1, Y10, Y10     \
	VPOR          Y5, Y3, Y3       \
	VPOR          Y8, Y7, Y7       \
	VPOR          Y10, Y9, Y9      \
	VPOR          Y9, Y7, Y7       \
	VPOR          Y7, Y3, Y3       \
	VMOVMSKPS     Y3, HITS

// UP_X and UP_Y = 8 for the vector whose eight indices end first, or for both; the other
// is 0. It is nothing that a jump could foresee.
#define LOWER_MOVES \
	LOAD_INDEX (7*INDEX_BYTES)(X), I \
	LOAD_INDEX (7*INDEX_BYTES)(Y), J \
	XORL       UP_X, UP_X            \
	XORL       UP_Y, UP_Y            \
	CMPL       I, J                  \
	SETLS      UP_X                  \
	SETCC      UP_Y                  \
	SHLL       $3, UP_X              \
	SHLL       $3, UP_Y

// HITS without its first one, I = which that was, and J = where the second vector has it.
#define NEXT_HIT \
	TZCNTL       HITS, I                 \
	LEAL         -1(HITS), J             \
	ANDL         J, HITS                 \
	LOAD_INDEX   (X)(I*INDEX_BYTES), J   \
	VMOVD        J, X3                   \
	VPBROADCASTD X3, Y3                  \
	VPCMPEQD     Y2, Y3, Y3              \
	VMOVMSKPS    Y3, J                   \
	TZCNTL       J, J

// The end, where fewer than eight are left of one of the vectors: the first one, after
// they have changed places if need be. Its last eight go through the rest of the second
// one; SEEN of them have been there before, and FORMER of the last eight of the second
// one. Vectors shorter than that go one after the other. FOUND does something with the
// entries at I and J.
#define SEEN   R11
#define FORMER R12
#define THE_REST(EXCHANGE, BACK_X, UP_Y_8, BACK_Y, UP_X_1, UP_Y_1, FOUND) \
	CMPQ       NX, $8                \
	JLT        inOrder               \
	EXCHANGE                         \
inOrder:                                 \
	TESTQ      NX, NX                \
	JEQ        done                  \
	CMPQ       idx1_len+8(FP), $8    \
	JLT        short                 \
	CMPQ       SECOND_LENGTH, $8     \
	JLT        short                 \
	MOVL       $8, SEEN              \
	SUBQ       NX, SEEN              \
	BACK_X                           \
	XORL       FORMER, FORMER        \
eights:                                  \
	CMPQ       NY, $8                \
	JGE        whole                 \
	TESTQ      NY, NY                \
	JEQ        done                  \
	MOVL       $8, FORMER            \
	SUBQ       NY, FORMER            \
	BACK_Y                           \
whole:                                   \
	EIGHT_BY_EIGHT                   \
	SHRXL      SEEN, HITS, HITS      \
	SHLXL      SEEN, HITS, HITS      \
	TESTL      HITS, HITS            \
	JEQ        none                  \
found:                                   \
	NEXT_HIT                         \
	CMPL       J, FORMER             \
	JLT        again                 \
	FOUND                            \
again:                                   \
	TESTL      HITS, HITS            \
	JNE        found                 \
none:                                    \
	LOAD_INDEX (7*INDEX_BYTES)(X), I \
	LOAD_INDEX (7*INDEX_BYTES)(Y), J \
	CMPL       I, J                  \
	JLS        done                  \
	UP_Y_8                           \
	SUBQ       $8, NY                \
	JGT        eights                \
	JMP        done                  \
short:                                   \
	TESTQ      NY, NY                \
	JEQ        done                  \
	LOAD_INDEX (X), I                \
	LOAD_INDEX (Y), J                \
	CMPL       I, J                  \
	JCS        firstUp               \
	JHI        secondUp              \
	XORL       I, I                  \
	XORL       J, J                  \
	FOUND                            \
	UP_Y_1                           \
	DECQ       NY                    \
firstUp:                                 \
	UP_X_1                           \
	DECQ       NX                    \
	JNE        short                 \
	JMP        done                  \
secondUp:                                \
	UP_Y_1                           \
	DECQ       NY                    \
	JMP        short                 \
done:

// Vectors of 8 to 16 entries each, whose indices are all compared with one another: the
// first eight and the last eight of either, which may overlap. HITS = which entries of the
// first vector the second one has, and nothing jumps that could be foreseen wrongly. What is
// not so short goes on at the label long.
#define ALL_BY_ALL(long) \
	LEAQ          -8(NX), UP_X                  \
	LEAQ          -8(NY), UP_Y                  \
	CMPQ          UP_X, $8                      \
	JHI           long                          \
	CMPQ          UP_Y, $8                      \
	JHI           long                          \
	EIGHT_INDICES (X), Y1                       \
	EIGHT_INDICES (X)(UP_X*INDEX_BYTES), Y11    \
	EIGHT_INDICES (Y), Y2                       \
	EIGHT_INDICES (Y)(UP_Y*INDEX_BYTES), Y12    \
	VPCMPEQD      Y1, Y2, Y3                    \
	VPCMPEQD      Y11, Y2, Y13                  \
	VPCMPEQD      Y1, Y12, Y14                  \
	VPCMPEQD      Y11, Y12, Y15                 \
	AMONG_TURNED(Y2, Y3, Y13)                   \
	AMONG_TURNED(Y12, Y14, Y15)                 \
	VPERM2I128    $1, Y2, Y2, Y5                \
	VPERM2I128    $1, Y12, Y12, Y6              \
	AMONG(Y5, Y3, Y13)                          \
	AMONG(Y6, Y14, Y15)                         \
	AMONG_TURNED(Y5, Y3, Y13)                   \
	AMONG_TURNED(Y6, Y14, Y15)                  \
	VPOR          Y14, Y3, Y3                   \
	VPOR          Y15, Y13, Y13                 \
	VMOVMSKPS     Y3, HITS                      \
	VMOVMSKPS     Y13, I                        \
	SHLXL         UP_X, I, I                    \
	ORL           I, HITS

// first |= which of Y1 are those of y, last |= which of Y11.
#define AMONG(y, first, last) \
	VPCMPEQD y, Y1, Y8       \
	VPCMPEQD y, Y11, Y9      \
	VPOR     Y8, first, first \
	VPOR     Y9, last, last

#define AMONG_TURNED(y, first, last) \
	VPSHUFD $0x39, y, Y4     \
	VPSHUFD $0x4e, y, Y7     \
	VPSHUFD $0x93, y, Y10    \
	AMONG(Y4, first, last)   \
	AMONG(Y7, first, last)   \
	AMONG(Y10, first, last)
