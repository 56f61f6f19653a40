// What the NEON sweeps over rows share: eight lanes in scalar registers, or
// sixteen for two sums at once.

#define ZERO_LANES(a, b, c, d, e, f, g, h) \
	FMOVD ZR, a \
	FMOVD ZR, b \
	FMOVD ZR, c \
	FMOVD ZR, d \
	FMOVD ZR, e \
	FMOVD ZR, f \
	FMOVD ZR, g \
	FMOVD ZR, h

// a = ((a+e)+(c+g)) + ((b+f)+(d+h))
#define FOLD(a, b, c, d, e, f, g, h) \
	FADDD e, a, a \
	FADDD g, c, c \
	FADDD f, b, b \
	FADDD h, d, d \
	FADDD c, a, a \
	FADDD d, b, b \
	FADDD b, a, a

// The entries of one row, N of them from IDX and VAL on: entry e takes STEP with lane
// e mod 8 of both sums. The includer puts done behind it.
#define EACH_ENTRY \
	B     more     \
eight:                 \
	STEP(F16, F24) \
	STEP(F17, F25) \
	STEP(F18, F26) \
	STEP(F19, F27) \
	STEP(F20, F28) \
	STEP(F21, F29) \
	STEP(F22, F30) \
	STEP(F23, F31) \
more:                  \
	SUBS  $8, N, N \
	BGE   eight    \
	ADDS  $8, N, N \
	BEQ   done     \
	STEP(F16, F24) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F17, F25) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F18, F26) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F19, F27) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F20, F28) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F21, F29) \
	SUBS  $1, N, N \
	BEQ   done     \
	STEP(F22, F30)

// The entries of row ROW, for the walk of a sweep that defines ROW_BEGIN and STEP.
#define ROW_ENTRIES \
	MOVD  Matrix_Begin(M), T                  \
	MOVD  (T)(ROW<<3), BEGIN                  \
	MOVD  Matrix_End(M), T                    \
	MOVD  (T)(ROW<<3), N                      \
	SUB   BEGIN, N, N                         \
	ADD   BEGIN<<INDEX_SHIFT, INDEX_BASE, IDX \
	ADD   BEGIN<<VALUE_SHIFT, VALUE_BASE, VAL \
	ROW_BEGIN                                 \
	EACH_ENTRY                                \
done:
