// How the row-batch kernels do without values.
#define VALUES Rows_Scale
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
#define TIMES_X(x, y, acc) VADDPD y, acc, acc
// sum_ *= the row's scale, in both lanes
#define SCALE(sum_) \
	TESTQ    VAL, VAL             \
	JEQ      3(PC)                \
	VMOVDDUP (VAL)(ROW*8), X12    \
	VMULPD   X12, sum_, sum_
