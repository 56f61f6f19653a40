// Package contexts says what functions of lanes do with the contexts that they are given.
package contexts

import (
	"context"
	"errors"
	"fmt"
)

// Given returns the background in place of a nil context.
func Given(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Err returns nil while ctx is not done, and then an error that wraps its error and its cause.
func Err(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
