//go:build !cgo

// Package cpeer holds the loops that lanes is compared with, written in plain C.
// In a build without cgo they are absent.
package cpeer

import "github.com/lanes-go/lanes/asm/rows"

// Available tells that this build has no C.
const Available = false

// Dot does nothing.
func Dot([]float64, []int64, *rows.Matrix, []float64, bool) {}

// Add does nothing.
func Add([]float64, []int64, *rows.Matrix, []float64) {}
