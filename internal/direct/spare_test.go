package direct

import (
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
)

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

// TestBorrowWithout: whoever borrows and returns one vector after the other allocates nothing.
func TestBorrowWithout(t *testing.T) {
	if n := allocations.Count(200, func() { Return(Borrow(77)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestWorkspace: vectors of a workspace share no element until it is released, and Zeros and Lend
// clear what others left.
func TestWorkspace(t *testing.T) {
	type pair struct{ a, b float64 }
	for range 100 {
		lent := new(Workspace)
		if vectors := [][]float64{lent.Zeros(1000), lent.Vector(1000), lent.Zeros(900)}; len(vectors[1]) != 1000 {
			t.Fatalf("%d elements, not 1000", len(vectors[1]))
		} else if pairs := Lend[pair](lent, 500); len(pairs) != 500 || pairs[499] != (pair{}) {
			t.Fatalf("%d pairs, the last %v", len(pairs), pairs[len(pairs)-1])
		} else {
			for k, v := range vectors {
				for i, x := range v {
					if k != 1 && x != 0 {
						t.Fatalf("element %d of vector %d is %v, not 0", i, k, x)
					}
					v[i] = float64(k + 1)
				}
			}
			for i := range pairs {
				pairs[i] = pair{7, 7}
			}
			for k, v := range vectors {
				for _, x := range v {
					if x != float64(k+1) {
						t.Fatal("two borrowers have the same vector")
					}
				}
			}
		}
		lent.Release()
	}
	if v := (*Workspace)(nil).Zeros(3); len(v) != 3 {
		t.Errorf("%d elements without a workspace, not 3", len(v))
	}
}

// TestBorrowToKeep: a vector that its borrower keeps is 0 and holds no memory beyond its elements.
func TestBorrowToKeep(t *testing.T) {
	for range 100 {
		for _, size := range []int{1000, 1100, 1500} {
			v := Borrow(size)
			for i := range v {
				v[i] = 1
			}
			Return(v)
		}
		kept := BorrowToKeep(1000)
		if cap(kept) > 1200 {
			t.Fatalf("1000 elements with room for %d", cap(kept))
		}
		for _, x := range kept {
			if x != 0 {
				t.Fatal("not 0")
			}
		}
	}
}
