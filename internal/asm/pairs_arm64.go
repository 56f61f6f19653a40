//go:build !purego

package asm

// pairsNEON has only the sigmoid in assembly.
var pairsNEON = PairKernels{
	Hinge:       pairsGeneric.Hinge,
	HingeAdd:    pairsGeneric.HingeAdd,
	Logistic:    pairLogisticFrom(elementNEON.Sigmoid),
	LogisticAdd: pairsGeneric.LogisticAdd,
}
