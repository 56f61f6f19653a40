package direct

const (
	// Unit is the largest relative rounding error of one operation.
	Unit = 0x1p-53
	// Tiny is the largest absolute error of a product that underflows.
	Tiny = 0x1p-1074
)
