package vector

func dotInt8(x, y []int8) (sum int32) {
	for i, v := range x {
		sum += int32(v) * int32(y[i])
	}
	return sum
}

func squaredDistanceInt8(x, y []int8) (sum int32) {
	for i, v := range x {
		d := int32(v) - int32(y[i])
		sum += d * d
	}
	return sum
}

func dotInt8Rows(dst []int32, query, rows []int8, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, dotInt8)
}

func squaredDistanceInt8Rows(dst []int32, query, rows []int8, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, squaredDistanceInt8)
}
