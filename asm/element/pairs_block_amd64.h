// What the kernels of blocks of pairs share, given FOLD and CLEAR_SUMS of a vector
// width.

#define S SI        // the sample
#define N CX        // elements of it left
#define CENTER R9   // or the shift
#define LEAST R10
#define VALUE R11   // or the sum
#define SLOPE R12   // or the count
#define PART DI    // or the odds of the positives
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

// The arguments of Logistic, of SigmoidAbove and the slopes, and of SoftplusAbove.
#define LOGISTIC_ARGUMENTS \
	MOVQ part_base+0(FP), PART      \
	MOVQ value_base+24(FP), VALUE   \
	MOVQ slope_base+48(FP), SLOPE   \
	MOVQ s_base+72(FP), S           \
	MOVQ s_len+80(FP), N            \
	MOVQ center_base+96(FP), CENTER \
	MOVQ center_len+104(FP), P

#define ABOVE_ARGUMENTS \
	MOVQ count_base+0(FP), SLOPE    \
	MOVQ sum_base+24(FP), VALUE     \
	MOVQ c_base+48(FP), C           \
	MOVQ s_base+72(FP), S           \
	MOVQ s_len+80(FP), N            \
	MOVQ center_base+96(FP), CENTER \
	MOVQ least_base+120(FP), LEAST  \
	MOVQ least_len+128(FP), P

#define SOFTPLUS_ARGUMENTS \
	MOVQ count_base+0(FP), SLOPE    \
	MOVQ sum_base+24(FP), VALUE     \
	MOVQ s_base+48(FP), S           \
	MOVQ s_len+56(FP), N            \
	MOVQ center_base+72(FP), CENTER \
	MOVQ least_base+96(FP), LEAST   \
	MOVQ least_len+104(FP), P
