// The end of the walk where it fetches records ahead. (The assembler also expands the
// macros of what an #ifdef leaves out, and not of files that it does not include.)

	// Less than a round is left of the row ahead: end it with the eight entries
	// before its end, whichever row they belong to, and go to the next one.
fetchEnd:
	CMPQ  FETCH, FETCH_END
	JGE   fetchRow
	MOVQ  FETCH_END, FETCH
	SUBQ  $8, FETCH
	JLT   fetched
	FETCH2(0, 1)
	FETCH2(2, 3)
	FETCH2(4, 5)
	FETCH2(6, 7)

fetched:
	MOVQ  FETCH_END, FETCH

fetchRow:
	CMPQ  FROW, AHEAD_LEN
	JGE   more
	MOVQ  AHEAD, T
	MOVL  (T)(FROW*4), P0
	MOVQ  MATRIX, T
	MOVQ  Matrix_Begin(T), FETCH
	MOVQ  (FETCH)(P0*8), FETCH
	MOVQ  Matrix_End(T), FETCH_END
	MOVQ  (FETCH_END)(P0*8), FETCH_END
	INCQ  FROW
	LEAQ  const_LazyRowGap-1(FROW), P1
	CMPQ  P1, AHEAD_LEN
	JGE   more
	MOVQ  AHEAD, P0
	MOVL  (P0)(P1*4), P0
	FETCH_ROW
	JMP   more
