// What the kernels of blocks of pairs share, given FOLD and CLEAR_SUMS of a vector
// width.

#define S SI        // the sample
#define N CX        // elements of it left
#define CENTER R9   // or the shift
#define LEAST R10
#define VALUE R11   // or the sum
#define SLOPE R12   // or the count
#define PART DI
#define C R13
#define G BX        // offset of a group of positives
#define P DX        // positives; their bytes from BEGIN on

#define BEGIN \
	SHLQ         $3, P               \
	LEAQ         ·elementTable(SB), R8 \
	CLEAR_SUMS                       \
	TESTQ        N, N                \
	JEQ          done

// C takes the sum of the lanes.
#define ADD_FOLDED \
	FOLD                             \
	VADDSD       (C), X0, X0         \
	VMOVSD       X0, (C)             \
	ADDQ         $8, C

#define NEXT_ELEMENT \
	ADDQ         $8, S               \
	DECQ         N                   \
	JNE          element             \
done:                                    \
	VZEROUPPER                       \
	RET
