package direct

import "testing"

// TestBorrow: a vector is as long as was asked for, and nobody else's until it is returned.
func TestBorrow(t *testing.T) {
	Return(nil)
	for range 100 {
		a, b := Borrow(1000), Borrow(2000)
		if len(a) != 1000 || len(b) != 2000 {
			t.Fatalf("%d and %d elements", len(a), len(b))
		}
		for i := range a {
			a[i] = 1
		}
		for i := range b {
			b[i] = 2
		}
		for _, v := range a {
			if v != 1 {
				t.Fatal("two borrowers have the same vector")
			}
		}
		Return(b)
		Return(a)
	}
}
