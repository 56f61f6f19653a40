//go:build !purego

package asm

//go:noescape
func pairOddsAVX2(part, value, slope, e, o []float64)

var pairBlockAVX2 = func() PairBlockKernels { k := pairBlockGeneric; k.Odds = pairOddsAVX2; return k }()
