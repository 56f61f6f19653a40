package panics

import (
	"errors"
	"strings"
	"testing"
)

func fails(value any) { panic(value) }

// The first panic is repeated once, with its value and where it happened, also by way of two
// catchers.
func TestCatcher(t *testing.T) {
	sentinel := errors.New("the sentinel")
	var inner, outer Catcher
	if !inner.Do(func() {}) || inner.Any() {
		t.Error("a panic where there was none")
	}
	inner.Repeat()
	if inner.Do(func() { fails(sentinel) }) || inner.Do(func() { fails("another") }) || !inner.Any() {
		t.Error("functions that panicked returned")
	}
	outer.Do(inner.Repeat)
	defer func() {
		caught, _ := recover().(*Caught)
		if caught == nil || caught.Value != sentinel || !errors.Is(caught, sentinel) || !strings.Contains(caught.Error(), "panics.fails") {
			t.Errorf("caught %v", caught)
		}
		inner.Repeat()
		outer.Repeat()
		inner.Do(func() { fails(3) })
		if inner.first.Load().Unwrap() != nil {
			t.Error("a number is an error")
		}
	}()
	outer.Repeat()
}
