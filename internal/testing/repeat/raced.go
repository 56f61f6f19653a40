//go:build race

package repeat

// raced says that the race detector watches.
const raced = true
