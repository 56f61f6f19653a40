// Package report tells people and programs what came of a command, as text, as JSON and as
// a page; measures are computed where they are reported.
package report

import (
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
