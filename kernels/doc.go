// Package kernels gives the vector kernels as plain functions over slices:
// checked, documented, and run on the CPU path that package dispatch chose.
//
// Every function returns the same bits on every CPU and operating system. Sums add in a fixed
// order: lanes of elements a fixed distance apart, each with fused multiply-add, then a fixed
// tree. This differs from a plain loop only in rounding. No function allocates, panics, or
// touches memory outside its slices, whatever it is given.
package kernels
