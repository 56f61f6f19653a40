#define VALUES      Rows_Val32
#define VALUE_SHIFT 2
#define NEXT_VALUE \
	FMOVS.P 4(VAL), F0 \
	FCVTSD  F0, F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
