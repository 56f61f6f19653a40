// How the kernels on lazy records take values: float64 (F64), float32 (F32), none (ONES),
// where the rows have scales, whole numbers of a unit (DECIMALS) or places in a table
// (CODES). The includer defines one of these. VAL is the first value.
#ifdef VALUES
#undef VALUES
#undef LAYOUT
#undef FETCH_VALUES
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD_ONE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#else
// Of DECIMALS: X = n High + n Low, of four whole numbers
#define CONVERT(n) \
	MOVQ        MATRIX, T           \
	MOVQ        Matrix_Unit(T), T   \
	VCVTDQ2PD   n, X                \
	VMULPD      Unit_Low(T), X, Y7  \
	VFMADD132PD Unit_High(T), Y7, X
// Of CODES: X = the table's elements at the four codes in X7
#define LOOK_UP \
	MOVQ       MATRIX, T          \
	MOVQ       Matrix_Table(T), T \
	VPCMPEQD   Y0, Y0, Y0         \
	VXORPD     X, X, X            \
	VGATHERDPD Y0, (T)(X7*8), X
#endif

#ifdef F64
#undef F64
#define LAYOUT LAYOUT_OF(const_I32F64, const_I16F64)
#define VALUES Matrix_Val64
#define FETCH_VALUES \
	LEAQ (VAL)(P1*8), P1 \
	LEAQ (VAL)(P2*8), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VMOVUPD (VAL)(E*8), X
#define LOAD_TAIL_X VMASKMOVPD (VAL)(E*8), MASK, X
#define MULTIPLY_ADD_ONE(y, acc) VFMADD231SD (VAL)(E*8), y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#endif

#ifdef F32
#undef F32
#define LAYOUT LAYOUT_OF(const_I32F32, const_I16F32)
#define VALUES Matrix_Val32
#define FETCH_VALUES \
	LEAQ (VAL)(P1*4), P1 \
	LEAQ (VAL)(P2*4), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VCVTPS2PD (VAL)(E*4), X
#define LOAD_TAIL_X \
	VMASKMOVPS (VAL)(E*4), MASK32, X_ \
	VCVTPS2PD  X_, X
#define MULTIPLY_ADD_ONE(y, acc) \
	VCVTSS2SD   (VAL)(E*4), X7, X7 \
	VFMADD231SD X7, y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#endif

#ifdef ONES
#undef ONES
#define LAYOUT LAYOUT_OF(const_I32Ones, const_I16Ones)
#define VALUES Matrix_Scale
#define FETCH_VALUES
#define LOAD_X
#define LOAD_TAIL_X
#define MULTIPLY_ADD_ONE(y, acc) VADDSD y, acc, acc
#define MULTIPLY_ADD(y, acc) VADDPD y, acc, acc
#define TIMES_X(c, out) VMOVAPD c, out
// Without a scale, every value is 1. P0 is the row's number.
#define SCALE(y) \
	TESTQ  VAL, VAL \
	JZ     2(PC)    \
	VMULSD (VAL)(P0*8), y, y
#endif

#ifdef DECIMALS
#undef DECIMALS
#define LAYOUT LAYOUT_OF(const_I32Decimals, const_I16Decimals)
#define VALUES Matrix_Decimals
#define FETCH_VALUES \
	LEAQ (VAL)(P1*4), P1 \
	LEAQ (VAL)(P2*4), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      CONVERT((VAL)(E*4))
#define LOAD_TAIL_X \
	VPMASKMOVD (VAL)(E*4), MASK32, X_ \
	CONVERT(X_)
// P0 is free.
#define MULTIPLY_ADD_ONE(y, acc) \
	MOVQ        MATRIX, P0           \
	MOVQ        Matrix_Unit(P0), P0  \
	VMOVSS      (VAL)(E*4), X7       \
	VCVTDQ2PD   X7, X7               \
	VMULSD      Unit_Low(P0), X7, X3 \
	VFMADD132SD Unit_High(P0), X3, X7 \
	VFMADD231SD X7, y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#endif

#ifdef CODES
#undef CODES
#define LAYOUT LAYOUT_OF(const_I32Codes, const_I16Codes)
#define VALUES Matrix_Codes
#define FETCH_VALUES \
	LEAQ (VAL)(P1*2), P1 \
	LEAQ (VAL)(P2*2), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X \
	VPMOVZXWD (VAL)(E*2), X7 \
	LOOK_UP
// One to three codes, the last one three times where it is the only one; P3 is P2 here.
#define LOAD_TAIL_X \
	MOVWLZX (VAL)(E*2), P3         \
	VMOVD   P3, X7                 \
	LEAQ    -1(END), T             \
	LEAQ    1(E), P3               \
	CMPQ    P3, T                  \
	CMOVQGT T, P3                  \
	VPINSRW $2, (VAL)(P3*2), X7, X7 \
	VPINSRW $4, (VAL)(T*2), X7, X7 \
	MOVQ    P2, P3                 \
	LOOK_UP
#define MULTIPLY_ADD_ONE(y, acc) \
	MOVQ        MATRIX, P0           \
	MOVQ        Matrix_Table(P0), P0 \
	MOVWLZX     (VAL)(E*2), T        \
	VFMADD231SD (P0)(T*8), y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#endif
