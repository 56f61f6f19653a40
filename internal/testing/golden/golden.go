// Package golden pins the bits of every solver: testdata/weights holds the SHA-256 of
// the weights of a fixed list of small runs, the same on every CPU path and
// architecture. The list follows the catalog of the solvers, so that a solver that
// registers has runs, and fails until its lines stand in the file.
//
// A change that alters bits on purpose rewrites the file with
//
//	go test ./internal/testing/golden -update
//
// and says why in its commit message.
package golden
