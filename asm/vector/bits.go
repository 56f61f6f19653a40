package vector

import "math/bits"

func hamming(x, y []uint64) (count int32) {
	for i, v := range x {
		count += int32(bits.OnesCount64(v ^ y[i]))
	}
	return count
}

func jaccard(x, y []uint64) float32 {
	both, either := 0, 0
	for i, v := range x {
		both += bits.OnesCount64(v & y[i])
		either += bits.OnesCount64(v | y[i])
	}
	return float32(float64(both) / float64(max(either, 1)))
}

func hammingRows(dst []int32, query, rows []uint64, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, hamming)
}

func jaccardRows(dst []float32, query, rows []uint64, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, jaccard)
}
