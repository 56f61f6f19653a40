// The walk over the selected rows, included into the body of a kernel that
// defines ROW_BEGIN, STEP and ROW_END and has loaded M, W, LIST, FIRST and COUNT.
	MOVD  INDICES(M), INDEX_BASE
	MOVD  VALUES(M), VALUE_BASE
	MOVD  ZR, K
	B     next

row:
	NEXT_ROW
#include "row_steps_arm64.h"
	ROW_END
	ADD   $1, K, K

next:
	CMP   COUNT, K
	BLT   row
	RET
