// How the kernels take values. Kernels on rows and on vectors take float64 (F64), float32 (F32),
// or none (ONES) if the rows have scales. Kernels on rows also take whole numbers of a unit
// (DECIMALS) or places in a table (CODES). The includer defines one of these. VAL is the first
// value.
#ifdef VALUES
#undef VALUES
#undef LAYOUT
#undef PREFETCH_VALUES
#undef MULTIPLY_ADD
#undef MULTIPLY_ADD_BOTH
#undef ADD_TO_TWO
#undef ADD_TO_ONE
#undef ADD_TWO
#undef ADD_ONE
#undef BROADCAST_X
#undef BROADCAST_X_512
#undef BROADCAST_ROW
#undef TIMES_X
#undef SCALE
#undef LOAD_UNIT
#ifdef WITHOUT_VALUES
#undef WITHOUT_VALUES
#endif
#else
// Of DECIMALS: x = n High + n Low, of the whole numbers n.
#define CONVERT(n, x, high, low, t) \
	VCVTDQ2PD   n, x        \
	VMULPD      low, x, t   \
	VFMADD132PD high, t, x
// Of CODES: x = the values of two entries from E+k on, with a and b for scratch
#define TWO_CODES(k, x_, a, b) \
	MOVWLZX ((k)*2)(VAL)(E*2), a   \
	MOVWLZX ((k)*2+2)(VAL)(E*2), b \
	VMOVSD  (TABLE)(a*8), x_       \
	VMOVHPD (TABLE)(b*8), x_, x_
#define FOUR_CODES(k) \
	TWO_CODES(k+0, X12, J0, J1)        \
	TWO_CODES(k+2, X13, J0, J1)        \
	VINSERTF128 $1, X13, Y12, Y12
#endif

#ifdef F64
#undef F64
#define LAYOUT LAYOUT_OF(const_I32F64, const_I16F64)
#define VALUES Matrix_Val64
// prefetch 32 values from E+k on
#define PREFETCH_VALUES(k) \
	PREFETCHT0 ((k)*8)(VAL)(E*8)          \
	PREFETCHT0 ((k)*8+64)(VAL)(E*8)       \
	PREFETCHT0 ((k)*8+128)(VAL)(E*8)      \
	PREFETCHT0 ((k)*8+192)(VAL)(E*8)
// acc = fma(x, y, acc) for four entries from E+k on
#define MULTIPLY_ADD(k, y, acc) VFMADD231PD ((k)*8)(VAL)(E*8), y, acc
#define MULTIPLY_ADD_BOTH(k, y, acc, y2, acc2) \
	VMOVUPD     ((k)*8)(VAL)(E*8), Y12 \
	VFMADD231PD Y12, y, acc            \
	VFMADD231PD Y12, y2, acc2
// y_ = fma(x, y_, acc_) for two entries from E+k on, for one
#define ADD_TO_TWO(k, y_, acc_) \
	VFMADD132PD ((k)*8)(VAL)(E*8), acc_, y_
#define ADD_TO_ONE(k, y_, acc_) \
	VFMADD132SD ((k)*8)(VAL)(E*8), acc_, y_
// y_ = fma(c, x, y_) for two entries, for one
#define ADD_TWO(c, y_) VFMADD231PD (VAL)(E*8), c, y_
#define ADD_ONE(c, y_) VFMADD231SD (VAL)(E*8), c, y_
// What the others need of matrix m, in high and low, of two lanes or four, or where
// the includer says. t is scratch.
#define LOAD_UNIT(m, t, high, low)
// to = x of entry E in every lane
#define BROADCAST_X(to) VBROADCASTSD (VAL)(E*8), to
#define BROADCAST_X_512(to) VBROADCASTSD (VAL)(E*8), to
// to = the value of all entries of row ROW in every lane, where there is one
#define BROADCAST_ROW(to)
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
#endif

#ifdef F32
#undef F32
#define LAYOUT LAYOUT_OF(const_I32F32, const_I16F32)
#define VALUES Matrix_Val32
#define PREFETCH_VALUES(k) \
	PREFETCHT0 ((k)*4)(VAL)(E*4)          \
	PREFETCHT0 ((k)*4+64)(VAL)(E*4)
#define MULTIPLY_ADD(k, y, acc) \
	VCVTPS2PD   ((k)*4)(VAL)(E*4), Y12 \
	VFMADD231PD Y12, y, acc
#define MULTIPLY_ADD_BOTH(k, y, acc, y2, acc2) \
	VCVTPS2PD   ((k)*4)(VAL)(E*4), Y12 \
	VFMADD231PD Y12, y, acc            \
	VFMADD231PD Y12, y2, acc2
#define ADD_TO_TWO(k, y_, acc_) \
	VCVTPS2PD   ((k)*4)(VAL)(E*4), X12 \
	VFMADD132PD X12, acc_, y_
#define ADD_TO_ONE(k, y_, acc_) \
	VMOVSS      ((k)*4)(VAL)(E*4), X12 \
	VCVTPS2PD   X12, X12               \
	VFMADD132SD X12, acc_, y_
#define ADD_TWO(c, y_) \
	VCVTPS2PD   (VAL)(E*4), X12 \
	VFMADD231PD X12, c, y_
#define ADD_ONE(c, y_) \
	VMOVSS      (VAL)(E*4), X12 \
	VCVTPS2PD   X12, X12        \
	VFMADD231SD X12, c, y_
#define LOAD_UNIT(m, t, high, low)
#define BROADCAST_X(to) \
	VBROADCASTSS (VAL)(E*4), X12 \
	VCVTPS2PD    X12, to
#define BROADCAST_X_512(to) VCVTPS2PD.BCST (VAL)(E*4), to
#define BROADCAST_ROW(to)
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
#endif

#ifdef ONES
#undef ONES
#define WITHOUT_VALUES
#define LAYOUT LAYOUT_OF(const_I32Ones, const_I16Ones)
#define VALUES Matrix_Scale
#define LOAD_UNIT(m, t, high, low)
#define PREFETCH_VALUES(k)
#define MULTIPLY_ADD(k, y, acc) VADDPD y, acc, acc
#define MULTIPLY_ADD_BOTH(k, y, acc, y2, acc2) \
	VADDPD y, acc, acc    \
	VADDPD y2, acc2, acc2
#define ADD_TO_TWO(k, y_, acc_) \
	VADDPD acc_, y_, y_
#define ADD_TO_ONE(k, y_, acc_) \
	VADDSD acc_, y_, y_
#define ADD_TWO(c, y_) VADDPD c, y_, y_
#define ADD_ONE(c, y_) VADDSD c, y_, y_
#define BROADCAST_X(to)
#define BROADCAST_X_512(to)
#define BROADCAST_ROW(to) \
	VBROADCASTSD rowsOne<>(SB), to \
	TESTQ        VAL, VAL          \
	JEQ          2(PC)             \
	VBROADCASTSD (VAL)(ROW*8), to
#define TIMES_X(x, y, acc) VADDPD y, acc, acc
// sum_ *= the row's scale, in both lanes
#define SCALE(sum_) \
	TESTQ    VAL, VAL             \
	JEQ      3(PC)                \
	VMOVDDUP (VAL)(ROW*8), X12    \
	VMULPD   X12, sum_, sum_
#endif

// Kernels on single vectors do not have these.
#ifdef DECIMALS
#undef DECIMALS
#define WITHOUT_VALUES
#define LAYOUT LAYOUT_OF(const_I32Decimals, const_I16Decimals)
#define VALUES Matrix_Decimals
#define LOAD_UNIT(m, t, high, low) \
	MOVQ    Matrix_Unit(m), t \
	VMOVUPD Unit_High(t), high \
	VMOVUPD Unit_Low(t), low
#define PREFETCH_VALUES(k) \
	PREFETCHT0 ((k)*4)(VAL)(E*4)          \
	PREFETCHT0 ((k)*4+64)(VAL)(E*4)
#define MULTIPLY_ADD(k, y, acc) \
	CONVERT(((k)*4)(VAL)(E*4), Y12, Y13, Y14, Y15) \
	VFMADD231PD Y12, y, acc
#define MULTIPLY_ADD_BOTH(k, y, acc, y2, acc2) \
	CONVERT(((k)*4)(VAL)(E*4), Y12, Y13, Y14, Y15) \
	VFMADD231PD Y12, y, acc            \
	VFMADD231PD Y12, y2, acc2
#define ADD_TO_TWO(k, y_, acc_) \
	CONVERT(((k)*4)(VAL)(E*4), X12, X13, X14, X15) \
	VFMADD132PD X12, acc_, y_
#define ADD_TO_ONE(k, y_, acc_) \
	VMOVSS      ((k)*4)(VAL)(E*4), X12 \
	CONVERT(X12, X12, X13, X14, X15)   \
	VFMADD132SD X12, acc_, y_
#define ADD_TWO(c, y_) \
	CONVERT((VAL)(E*4), X12, X13, X14, X15) \
	VFMADD231PD X12, c, y_
#define ADD_ONE(c, y_) \
	VMOVSS      (VAL)(E*4), X12      \
	CONVERT(X12, X12, X13, X14, X15) \
	VFMADD231SD X12, c, y_
#define BROADCAST_X(to) \
	VMOVSS       (VAL)(E*4), X12     \
	CONVERT(X12, X12, X13, X14, X15) \
	VBROADCASTSD X12, to
#define BROADCAST_X_512(to) BROADCAST_X(to)
#define BROADCAST_ROW(to)
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
#endif

// The includer has LOAD_TABLE, LOOK_UP and CODE, a scratch register.
#ifdef CODES
#undef CODES
#define WITHOUT_VALUES
#define LAYOUT LAYOUT_OF(const_I32Codes, const_I16Codes)
#define VALUES Matrix_Codes
#define LOAD_UNIT(m, t, high, low) LOAD_TABLE(m, t)
#define PREFETCH_VALUES(k) PREFETCHT0 ((k)*2)(VAL)(E*2)
#define MULTIPLY_ADD(k, y, acc) \
	FOUR_CODES(k)           \
	VFMADD231PD Y12, y, acc
#define MULTIPLY_ADD_BOTH(k, y, acc, y2, acc2) \
	FOUR_CODES(k)             \
	VFMADD231PD Y12, y, acc   \
	VFMADD231PD Y12, y2, acc2
#define ADD_TO_TWO(k, y_, acc_) \
	TWO_CODES(k, X12, J0, J1)  \
	VFMADD132PD X12, acc_, y_
#define ADD_TO_ONE(k, y_, acc_) \
	MOVWLZX ((k)*2)(VAL)(E*2), J0 \
	VFMADD132SD (TABLE)(J0*8), acc_, y_
// J0 and J1 are columns here.
#define ADD_TWO(c, y_) \
	MOVWLZX     (VAL)(E*2), LIMIT          \
	VMOVSD      (TABLE)(LIMIT*8), X12      \
	MOVWLZX     2(VAL)(E*2), LIMIT         \
	VMOVHPD     (TABLE)(LIMIT*8), X12, X12 \
	VFMADD231PD X12, c, y_
#define ADD_ONE(c, y_) \
	MOVWLZX (VAL)(E*2), LIMIT \
	VFMADD231SD (TABLE)(LIMIT*8), c, y_
#define BROADCAST_X(to) \
	MOVWLZX (VAL)(E*2), CODE \
	LOOK_UP(CODE, to)
#define BROADCAST_X_512(to) BROADCAST_X(to)
#define BROADCAST_ROW(to)
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
#endif
