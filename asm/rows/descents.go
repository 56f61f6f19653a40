package rows

// descents is the portable twin of Descents32 and Descents16.
func descents[I index](idx []I) int {
	n := 0
	for e := 1; e < len(idx); e++ {
		n += int(uint64(int64(idx[e])-int64(idx[e-1])-1) >> 63)
	}
	return n
}
