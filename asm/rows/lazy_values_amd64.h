// How the kernels on lazy records take values: float64 (F64), float32 (F32), or none
// (ONES), where the rows have scales. The includer defines one of these. VAL is the first
// value.
#ifdef VALUES
#undef VALUES
#undef FETCH_VALUES
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD_ONE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#endif

#ifdef F64
#undef F64
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
