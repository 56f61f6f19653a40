package vector

func divide(dst, x []float32, a float32) {
	for i, v := range x {
		dst[i] = v / a
	}
}

func scale(dst []float32, a float32, x []float32) {
	for i, v := range x {
		dst[i] = a * v
	}
}

func add(dst, x, y []float32) {
	for i, v := range x {
		dst[i] = v + y[i]
	}
}

func sub(dst, x, y []float32) {
	for i, v := range x {
		dst[i] = v - y[i]
	}
}

func mul(dst, x, y []float32) {
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

func mulAdd(dst, x, y, z []float32) {
	for i, v := range x {
		dst[i] = fma(v, y[i], z[i])
	}
}

func addScaled(dst []float32, a float32, x, y []float32) {
	for i, v := range x {
		dst[i] = fma(a, v, y[i])
	}
}

func clamp(dst, x []float32, lo, hi float32) {
	for i, v := range x {
		dst[i] = lesser(hi, greater(lo, v))
	}
}
