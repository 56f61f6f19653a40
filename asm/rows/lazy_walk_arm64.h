// The walk of a sweep over the listed rows. The body of a kernel includes it, and defines the
// kernel's arguments and the steps of the walk.
	MOVD  MATRIX, M
	MOVD  RECORDS, REC
	MOVD  INDICES(M), INDEX_BASE
	MOVD  VALUES(M), VALUE_BASE
	LOAD_UNIT(M)
	MOVD  LIST_BASE, LIST
	MOVD  LIST_LEN, COUNT
#ifdef BACKWARD
	MOVD  COUNT, K
#else
	MOVD  ZR, K
#endif
	B     next

row:
	MOVWU (LIST)(K<<2), ROW
	ROW_ENTRIES
	ROW_END
#ifdef BACKWARD
next:
	SUBS  $1, K, K
	BGE   row
#else
	ADD   $1, K, K

next:
	CMP   COUNT, K
	BLT   row
#endif
	RET
