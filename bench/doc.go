// Package bench holds the benchmarks and the experiments of the papers.
package bench
