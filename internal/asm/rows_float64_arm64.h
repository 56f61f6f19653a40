#define VALUES      Rows_Val64
#define VALUE_SHIFT 3
#define NEXT_VALUE  FMOVD.P 8(VAL), F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
