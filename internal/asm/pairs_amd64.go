//go:build !purego

package asm

var pairsAVX2 = PairKernels{
	Hinge:       pairHingeAVX2,
	HingeAdd:    pairHingeAddAVX2,
	Logistic:    pairLogisticAVX2,
	LogisticAdd: pairLogisticAddAVX2,
}

//go:noescape
func pairHingeAVX2(l, s []float64, shift float64) float64

//go:noescape
func pairHingeAddAVX2(c, l []float64, a float64) float64

//go:noescape
func pairLogisticAVX2(l, s []float64, center, scale float64) float64

//go:noescape
func pairLogisticAddAVX2(c, l []float64, a float64) float64
