package memory

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

// TestGrow: a slice gets what is expected, or half more, and an error if there is not as much.
func TestGrow(t *testing.T) {
	t.Parallel()
	v, err := Grow("rows", []int64{1, 2, 3}, 1, 100)
	if err != nil || cap(v) < 100 || !slices.Equal(v, []int64{1, 2, 3}) {
		t.Errorf("%v of %d, %v", v, cap(v), err)
	}
	if w, err := Grow("rows", v, 97, 1000); err != nil || &w[0] != &v[0] {
		t.Errorf("a slice with enough capacity is moved: %v", err)
	}
	if v, err := Grow("rows", make([]int64, 100), 1, 0); err != nil || cap(v) < 150 || cap(v) > 200 {
		t.Errorf("100 elements grow to %d, %v", cap(v), err)
	}
	if w, err := Make[int32]("rows", 5, 9); err != nil || len(w) != 5 || cap(w) < 9 {
		t.Errorf("%d of %d, %v", len(w), cap(w), err)
	}
	if _, known := Available(); !known {
		t.Skip("the system does not tell what is free")
	}
	// What is expected is not taken if it is too much; what is needed is refused.
	if v, err := Grow("rows", []int64{1}, 1, math.MaxInt/16); err != nil || cap(v) > 100 {
		t.Errorf("%d elements, %v", cap(v), err)
	}
	short := new(ShortError)
	if v, err := Grow("rows", []int64{1}, math.MaxInt/16, 0); !errors.As(err, &short) || len(v) != 1 || short.What != "rows" {
		t.Errorf("%d elements, %v", cap(v), err)
	}
}

// TestCoversALittle: an answer of the system holds for needs that it covers, for a while.
func TestCoversALittle(t *testing.T) {
	t.Parallel()
	used := heapNow().used
	a := asker{room: room{1 << 40, 1 << 40, 1 << 40}, known: true, used: used, at: time.Now()}
	if !a.covers(fewBytes) || a.covers(1<<40) {
		t.Error("a need of some bytes is not covered, or a need of all is")
	}
	a.used = used - 1<<40 // has been taken since
	if a.covers(fewBytes) {
		t.Error("what was taken is taken twice")
	}
	a.used, a.at = used, time.Now().Add(-time.Second)
	if a.covers(fewBytes) {
		t.Error("an old answer holds")
	}
}
