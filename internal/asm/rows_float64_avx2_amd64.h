// How the row-batch kernels take float64 values.
#define VALUES Rows_Val64
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
// to = x of entry E in every lane
#define BROADCAST_X(to) VBROADCASTSD (VAL)(E*8), to
#define TIMES_X(x, y, acc) VFMADD231PD x, y, acc
#define SCALE(sum_)
