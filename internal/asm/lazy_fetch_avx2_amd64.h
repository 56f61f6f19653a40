// Fetches the first 512 entries of row P0 of matrix T; the hardware sees the
// rest coming.
	MOVQ    Rows_Begin(T), P1
	MOVQ    (P1)(P0*8), P1
	MOVQ    Rows_End(T), P2
	MOVQ    (P2)(P0*8), P2
	LEAQ    512(P1), P3
	CMPQ    P2, P3
	CMOVQGT P3, P2
	FETCH_INDICES
	FETCH_VALUES
