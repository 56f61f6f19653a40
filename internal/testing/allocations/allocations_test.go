package allocations

import "testing"

var sink []byte

func TestCount(t *testing.T) {
	if Race {
		t.Skip("nothing is counted under the race detector")
	}
	calls := 0
	if n := Count(10, func() {
		if calls++; calls < 12 { // one count, with its call ahead of counting
			sink = make([]byte, 64)
		}
	}); n != 0 {
		t.Errorf("%v allocations, though two counts of three have none", n)
	}
	if n := Count(10, func() { sink = make([]byte, 64) }); n != 1 {
		t.Errorf("%v allocations, not 1", n)
	}
}
