//go:build !purego

package rows

import "testing"

// TestWideFar takes every matrix for one beyond the caches. The rows look a chunk of entries
// ahead, at the last one behind which no page may be read.
func TestWideFar(t *testing.T) {
	before := wideFar
	t.Cleanup(func() { wideFar = before })
	wideFar = 0
	for layout := range Layout(Layouts) {
		for _, width := range []int{20, 33, 64, 97, 105} {
			for seed := range uint64(3) {
				newWideCase(t, layout, []int{3, 0, 1, 64, 2, 33, 100, 1}, seed, width).check(t)
			}
		}
		newWideCase(t, layout, []int{0, 0}, 5, 105).check(t)
	}
}
