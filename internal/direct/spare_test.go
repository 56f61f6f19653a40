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

// TestBorrowAgain: a run that borrows as one before it did finds that one's vectors, whatever
// the order in which they came back. Pools may lose some now and then, and do under -race.
func TestBorrowAgain(t *testing.T) {
	for range 50 {
		long := Borrow(16400)
		for _, v := range [][]float64{Borrow(50), Borrow(16384), Borrow(16385), long} {
			Return(v)
		}
		again, short := Borrow(16400), Borrow(60)
		if &again[0] == &long[0] && len(short) == 60 {
			return
		}
	}
	t.Error("a long vector is never found behind short ones")
}
