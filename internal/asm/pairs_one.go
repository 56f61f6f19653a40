package asm

// pairSigmoidOne and pairSoftplusOne define the kernels of that name.

func pairSigmoidOne(c, s []float64, center, least float64) (sum float64, count int) {
	var l [8]float64
	for j, v := range s {
		if d := v - center; d > least {
			q := sigmoid(d)
			l[j&7] += q
			c[j] += q
			count++
		}
	}
	return sum8(&l), count
}

func pairSoftplusOne(s []float64, center, least float64) (sum float64, count int) {
	var l [8]float64
	for j, v := range s {
		if d := v - center; d > least {
			l[j&7] += softplus(d)
			count++
		}
	}
	return sum8(&l), count
}
