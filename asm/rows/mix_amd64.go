//go:build !purego

package rows

// mixDotAVX2 is dotMix. It may end before rows whose indices end less than 8 entries before the end
// of all.
func mixDotAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64) int {
	switch double := m.Mix.Val64 != nil; {
	case m.Idx16 != nil && double:
		return mixDot1664AVX2(out, m, list, first, w)
	case m.Idx16 != nil:
		return mixDot1632AVX2(out, m, list, first, w)
	case double:
		return mixDot3264AVX2(out, m, list, first, w)
	}
	return mixDot3232AVX2(out, m, list, first, w)
}

//go:noescape
func mixDot1664AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64) int

//go:noescape
func mixDot1632AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64) int

//go:noescape
func mixDot3264AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64) int

//go:noescape
func mixDot3232AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64) int
