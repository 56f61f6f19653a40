// The entries of row ROW, included into the walk of a sweep that defines
// ROW_BEGIN and STEP: entry e goes to lane e mod 8.
	MOVD  Rows_Begin(M), T
	MOVD  (T)(ROW<<3), BEGIN
	MOVD  Rows_End(M), T
	MOVD  (T)(ROW<<3), N
	SUB   BEGIN, N, N
	ADD   BEGIN<<INDEX_SHIFT, INDEX_BASE, IDX
	ADD   BEGIN<<VALUE_SHIFT, VALUE_BASE, VAL
	ROW_BEGIN
#include "rows_lanes_arm64.h"

done:
