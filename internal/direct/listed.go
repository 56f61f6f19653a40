package direct

// Listed returns the listed elements in a vector of its own, nil of nil.
func Listed[T any](from []T, list []uint32) []T {
	if from == nil {
		return nil
	}
	to := make([]T, len(list))
	for k, i := range list {
		to[k] = from[i]
	}
	return to
}
