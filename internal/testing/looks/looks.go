// Package looks has the context by which tests end a run at a chosen look: solvers ask their
// context between any two units of work.
package looks

import "context"

// Context is cancelled once Err was called Left times more. One goroutine may ask it at a time.
type Context struct {
	context.Context
	Left int
}

// Until returns a context that is cancelled after a number of looks.
func Until(looks int) *Context { return &Context{context.Background(), looks} }

// Err counts a look.
func (c *Context) Err() error {
	if c.Left--; c.Left < 0 {
		return context.Canceled
	}
	return nil
}
