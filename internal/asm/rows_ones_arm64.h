#define VALUES      Rows_Scale
#define VALUE_SHIFT 3
#define NEXT_VALUE
#define MULTIPLY_ADD(y, acc) FADDD y, acc, acc
#define TIMES_X(c, out) FMOVD c, out
// Without a scale, every value is 1.
#define SCALE(y) \
	CBZ   VALUE_BASE, 3(PC)        \
	FMOVD (VALUE_BASE)(ROW<<3), F0 \
	FMULD F0, y, y
