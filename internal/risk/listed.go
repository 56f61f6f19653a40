package risk

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

// Split lists the places of the elements that are equal to which, and the places of all others.
func Split[T comparable](of []T, which T) (equal, others []uint32) {
	for i, v := range of {
		if v == which {
			equal = append(equal, uint32(i))
		} else {
			others = append(others, uint32(i))
		}
	}
	return equal, others
}
