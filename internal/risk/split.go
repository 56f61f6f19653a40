package risk

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
