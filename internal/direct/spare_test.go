package direct

import "testing"

// TestBorrow: a vector is as long as was asked for, and nobody else's until it is returned.
func TestBorrow(t *testing.T) {
	Return(nil)
	for range 100 {
		Return(Borrow(1000))
		a, b := Borrow(1000), Borrow(1200)
		c := Borrow(900)
		for k, v := range [][]float64{a, b, c} {
			if want := []int{1000, 1200, 900}[k]; len(v) != want {
				t.Fatalf("%d elements, not %d", len(v), want)
			}
			for i := range v {
				v[i] = float64(k)
			}
		}
		for k, v := range [][]float64{a, b, c} {
			for _, x := range v {
				if x != float64(k) {
					t.Fatal("two borrowers have the same vector")
				}
			}
		}
		Return(b)
	}
}
