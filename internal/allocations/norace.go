//go:build !race

package allocations

const race = false
