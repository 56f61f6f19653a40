package vector

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// TestFMA holds the portable fused multiply-add against a product and a sum of 2,000 bits, for
// numbers of which many are halfway between two float32.
func TestFMA(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() float32 {
		switch random.IntN(4) {
		case 0:
			return math.Float32frombits(random.Uint32())
		case 1: // few bits: sums are ties
			return float32(math.Ldexp(float64(random.IntN(1<<13)-1<<12), random.IntN(60)-30))
		case 2: // products are subnormal
			return float32(math.Ldexp(random.NormFloat64(), -random.IntN(100)-25))
		}
		return float32(random.NormFloat64())
	}
	ties, twice := 0, 0
	for range 2_000_000 {
		x, y, z := draw(), draw(), draw()
		if random.IntN(2) == 0 { // a sum near a tie: the product is half a unit of z, and little more or less
			z = float32(math.Ldexp(1+float64(random.IntN(1<<23))/(1<<23), random.IntN(40)-20))
			unit := float64(math.Nextafter32(z, math.MaxFloat32) - z)
			x = float32(unit * (1 + float64(random.IntN(3)-1)*0x1p-23))
			y = 0.5 * float32(1+float64(random.IntN(3)-1)*0x1p-23)
		}
		got := fma(x, y, z)
		p, c := float64(x)*float64(y), float64(z)
		if s := p + c; s-s != 0 {
			if want := float32(s); !asmtest.Same(float64(got), float64(want)) {
				t.Fatalf("fma(%v, %v, %v) is %v, want %v", x, y, z, got, want)
			}
			continue
		}
		exact := new(big.Float).SetPrec(2000).SetFloat64(p)
		exact.Add(exact, new(big.Float).SetFloat64(c))
		want, _ := exact.Float32()
		if exact.Sign() == 0 {
			want = float32(p + c) // a zero's sign
		}
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("fma(%v, %v, %v) is %v, want %v", x, y, z, got, want)
		}
		if plain := float32(p + c); plain != want {
			twice++
		}
		if m, _ := exact.Float64(); float32(m) != want || exact.MinPrec() > 24 {
			ties++
		}
	}
	if twice < 1000 || ties < 1000 {
		t.Errorf("only %d of the sums are rounded wrongly by rounding twice", twice)
	}
}
