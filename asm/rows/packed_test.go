package rows

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestUnitRoundsOnce compares Unit.Of with quotients of exact arithmetic: numbers of every
// size, and those whose quotient is nearest to where rounding changes.
func TestUnitRoundsOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for places := range MostPlaces + 1 {
		u := NewUnit(places)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
		check := func(n int32) {
			want, _ := new(big.Rat).SetFrac(big.NewInt(int64(n)), ten).Float64()
			if got := u.Of(n); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%d at %d places is %v, want %v", n, places, got, want)
			}
		}
		for _, n := range []int32{0, 1, -1, 3, 10, 33679, math.MaxInt32, math.MinInt32, math.MaxInt32 - 1} {
			check(n)
		}
		for range 2000 {
			check(int32(random.Uint32()) >> random.IntN(31))
		}
		for _, n := range nearTies(places) {
			check(n)
			check(-n)
		}
	}
}

// nearTies are numbers n whose quotient by 10^places lies closest to the middle of two
// float64s: 2n 2^s is nearly an odd multiple of 5^places.
func nearTies(places int) (list []int32) {
	five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(places)), nil)
	for size := range 31 {
		// n of this many bits has its quotient in a binade or two.
		for shift := 54 - size; shift < 58+3*places-size; shift++ {
			inverse := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), uint(shift)), five)
			if inverse == nil {
				continue
			}
			for _, rest := range []int64{1, -1, 2, -2, 3} {
				n := new(big.Int).Mul(inverse, big.NewInt(rest))
				n.Mod(n, five)
				if n.IsInt64() && n.Int64() <= math.MaxInt32 && n.Int64() > 0 {
					list = append(list, int32(n.Int64()))
				}
			}
		}
	}
	return list
}
