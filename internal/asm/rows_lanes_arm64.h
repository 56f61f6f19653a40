// The entries of one row, N of them from IDX and VAL on: entry e takes STEP with
// lane e mod 8 of both sums. The includer puts done behind it.
	B     more

eight:
	STEP(F16, F24)
	STEP(F17, F25)
	STEP(F18, F26)
	STEP(F19, F27)
	STEP(F20, F28)
	STEP(F21, F29)
	STEP(F22, F30)
	STEP(F23, F31)

more:
	SUBS  $8, N, N
	BGE   eight
	ADDS  $8, N, N
	BEQ   done
	STEP(F16, F24)
	SUBS  $1, N, N
	BEQ   done
	STEP(F17, F25)
	SUBS  $1, N, N
	BEQ   done
	STEP(F18, F26)
	SUBS  $1, N, N
	BEQ   done
	STEP(F19, F27)
	SUBS  $1, N, N
	BEQ   done
	STEP(F20, F28)
	SUBS  $1, N, N
	BEQ   done
	STEP(F21, F29)
	SUBS  $1, N, N
	BEQ   done
	STEP(F22, F30)
