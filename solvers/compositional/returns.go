package compositional

// Returns is a table of rewards: Periods rows of len(Assets) numbers.
type Returns struct {
	Assets  []string
	Dates   []string // nil where the table has none
	Periods int
	Values  []float64
}
