// Package panics passes panics of callers' code, such as readers and recorders, from other
// goroutines to the caller's goroutine. Only the caller may have a use for them: a panic that
// nobody catches on its goroutine ends the program.
package panics

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Caught is what a panic is repeated with.
type Caught struct {
	Value any
	Stack []byte // where it happened
}

// Error has the stack in it: where the panic is repeated is no place to look for its cause.
func (c *Caught) Error() string {
	return fmt.Sprintf("%v\n\nit happened on another goroutine:\n%s", c.Value, c.Stack)
}

// Unwrap returns the value where that is an error, nil otherwise.
func (c *Caught) Unwrap() error {
	err, _ := c.Value.(error)
	return err
}

// Catcher catches the first panic of functions that it calls. The zero value is ready.
type Catcher struct{ first atomic.Pointer[Caught] }

// Do calls f, and tells whether it returned.
func (c *Catcher) Do(f func()) (returned bool) {
	defer c.Catch()
	f()
	return true
}

// Catch ends a panic where it is deferred.
func (c *Catcher) Catch() {
	if value := recover(); value != nil {
		caught, already := value.(*Caught)
		if !already {
			caught = &Caught{value, debug.Stack()}
		}
		c.first.CompareAndSwap(nil, caught)
	}
}

// Any tells whether there was one.
func (c *Catcher) Any() bool { return c.first.Load() != nil }

// Repeat panics if there was one, and forgets it.
func (c *Catcher) Repeat() {
	if caught := c.first.Load(); caught != nil {
		c.first.Store(nil)
		panic(caught)
	}
}
