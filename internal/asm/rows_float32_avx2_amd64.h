// How the row-batch kernels take float32 values.
#define VALUES Rows_Val32
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
#define BROADCAST_X(to) \
	VBROADCASTSS (VAL)(E*4), X12 \
	VCVTPS2PD    X12, to
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
