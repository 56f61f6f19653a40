package loss

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// The distribution of a normal variable, in the elementary functions of package kernels. TestLabelLinks
// holds it against series and continued fractions in numbers of 160 bits.

// rootTwoPi is the root of 2 pi.
const rootTwoPi = 0x1.40d931ff62706p+1

// farNormal is where hazardRest is 1/x to a tenth of a unit.
const farNormal = 1e9

// hazard has (x + 5/4) hazardRest(x) as a polynomial of t = (x-4)/(x+4): Chebyshev's interpolation of
// degree 28, off by 1.3e-17 of itself at most.
var hazard = [...]float64{
	0x1.2f374beb76724p+0, -0x1.3e436efcabfbbp-3, -0x1.240acaf13ba96p-3, 0x1.75b8bbbc24d24p-3, -0x1.147b70d781c18p-4,
	-0x1.a019376353dc9p-6, 0x1.0918533860964p-5, -0x1.6adaf9dac0bccp-9, -0x1.4ad1a6caf1de8p-7, 0x1.e29221f37eeefp-9,
	0x1.46932acf46dc4p-9, -0x1.cd4ce29c83a77p-10, -0x1.e6a8603167ab2p-12, 0x1.502e15ea91da3p-11, 0x1.46572f3dfccebp-15,
	-0x1.9f705a2d391b1p-13, 0x1.2063ca8866343p-16, 0x1.bb5625c1dbe24p-15, -0x1.94e45d2509eaap-17, -0x1.8da0b21a15959p-17,
	0x1.48690f2cfc0c4p-18, 0x1.127b3396c4d7cp-19, -0x1.a1441813d9c28p-20, -0x1.c4175bb61fd3cp-23, 0x1.a4ba27a1275e6p-22,
	-0x1.ef1b230c77ba9p-30, -0x1.2d2956f15b13dp-24, 0x1.77471c09fcb86p-29, 0x1.c007d42720485p-28,
}

// hazardRest returns density(x)/(1 - distribution(x)) - x for x of 0 or more: it falls from 0.8, as 1/x
// in the end. It errs by 4 units at most.
func hazardRest(x float64) float64 {
	if x > farNormal {
		return 1 / x
	}
	t := (x - 4) / (x + 4)
	sum := hazard[len(hazard)-1]
	for k := len(hazard) - 2; k >= 0; k-- {
		sum = math.FMA(sum, t, hazard[k])
	}
	return sum / (x + 1.25)
}

// normal is what is known of a normal variable at a point m.
type normal struct {
	minusLog float64 // -log distribution(m)
	ratio    float64 // density(m)/distribution(m)
	rest     float64 // ratio + m, above 0
	share    float64 // distribution(m)
}

// normalAt computes it. minusLog, ratio and share err by 8, 4 and 8 units at most, but for what
// underflows.
func normalAt(m float64) (n normal) {
	a := math.Abs(m)
	square := float64(a * a)
	e := 0.0 // exp(-m^2/2), of which low is what rounding takes
	if square < math.MaxFloat64 {
		e = kernels.ExpOf(-float64(0.5 * square))
	}
	low := 0.0
	if e > 0 {
		low = -float64(e * float64(0.5*math.FMA(a, a, -square)))
	}
	rest := hazardRest(a)
	if m <= 0 {
		n.ratio, n.rest = a+rest, rest
		n.minusLog = float64(0.5*square) + kernels.LogOf(float64(rootTwoPi*n.ratio))
		n.share = (e + low) / float64(rootTwoPi*n.ratio)
		return n
	}
	mills := 1 / (a + rest)
	above := math.FMA(e, mills, float64(low*mills)) // times rootTwoPi, the share above m
	under := rootTwoPi - above
	n.minusLog = -kernels.Log1pOf(-(above / rootTwoPi))
	if m <= nearMiddle {
		under = 0.5*rootTwoPi + float64(m*middle(square))
		n.minusLog = -kernels.LogOf(under / rootTwoPi)
	}
	n.ratio = (e + low) / under
	n.rest = a + n.ratio
	n.share = under / rootTwoPi
	return n
}

// nearMiddle is up to where distribution(m) - 1/2 is summed as a series.
const nearMiddle = 0.5

// middle returns rootTwoPi (distribution(m) - 1/2)/m for the square of m, up to 1/4: the sum of
// (-m^2/2)^k/(k! (2k+1)).
func middle(square float64) float64 {
	half, sum := -float64(0.5*square), 0.0
	for k := 11; k > 0; k-- {
		sum = float64(half / float64(k) * (1/float64(2*k+1) + sum))
	}
	return 1 + sum
}
