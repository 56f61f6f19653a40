package element

import "unsafe"

// FewPositions is PositionsAbove for so few scores that the way into assembly takes longer.
// dst has as many elements as s.
func FewPositions(dst *uint32, s []float64, t float64) (count int) {
	for i, v := range s {
		*(*uint32)(unsafe.Add(unsafe.Pointer(dst), count*4)) = uint32(i)
		above := 0 // no branch depends on v
		if v > t {
			above = 1
		}
		count += above
	}
	return count
}
