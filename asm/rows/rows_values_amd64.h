// How the kernels on rows and vectors take values: float64 (F64), float32 (F32), or
// none (ONES), where the rows have scales. The includer defines one of these. VAL is the
// first value.
#ifdef VALUES
#undef VALUES
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
#undef ADD_TO_W
#ifdef WITHOUT_VALUES
#undef WITHOUT_VALUES
#else
#undef VALUE_BYTES
#endif
#endif

#ifdef F64
#undef F64
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
// X1 = fma(c, x, w) for entry E+k and its w
#define ADD_TO_W(k, c, w) \
	VMOVSD      ((k)*8)(VAL)(E*8), X1 \
	VFMADD213SD w, c, X1
#define VALUE_BYTES 8
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
#define ADD_TO_W(k, c, w) \
	VMOVSS      ((k)*4)(VAL)(E*4), X1 \
	VCVTPS2PD   X1, X1                \
	VFMADD213SD w, c, X1
#define VALUE_BYTES 4
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
#define VALUES Matrix_Scale
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
#define ADD_TO_W(k, c, w) VADDSD w, c, X1
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
