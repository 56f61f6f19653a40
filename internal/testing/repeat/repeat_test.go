package repeat

import "testing"

func TestSkip(t *testing.T) {
	for _, repeated := range []string{"", "1"} {
		t.Setenv("LANES_REPEAT", repeated)
		ran := false
		t.Run("once", func(t *testing.T) {
			Skip(t)
			ran = true
		})
		if ran != (repeated == "") {
			t.Errorf("LANES_REPEAT=%q: the test ran %t", repeated, ran)
		}
	}
}

func TestOnce(t *testing.T) {
	t.Setenv("LANES_REPEAT", "1")
	ran := false
	t.Run("once", func(t *testing.T) {
		Once(t)
		ran = true
	})
	if ran != raced {
		t.Errorf("the race detector watches: %t, and the test ran: %t", raced, ran)
	}
}

func TestSize(t *testing.T) {
	if got := Size("whole", "short"); (got == "short") != testing.Short() {
		t.Errorf("%s, under -short %t", got, testing.Short())
	}
}
