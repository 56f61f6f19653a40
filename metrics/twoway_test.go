package metrics

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// piece is a row, or a part of one: its place is the first of score and turn.
type piece struct{ score, turn, weight float64 }

func (p piece) compare(q piece) int {
	return cmp.Or(cmp.Compare(p.score, q.score), -cmp.Compare(p.turn, q.turn))
}

// take keeps the pieces that lie between two weights in their order, cut at both ends.
func take(pieces []piece, from, to float64) (kept []piece) {
	at := 0.0
	for _, p := range pieces {
		end := at + p.weight
		if w := min(end, to) - max(at, from); w > 0 {
			kept = append(kept, piece{p.score, p.turn, w})
		}
		at = end
	}
	return kept
}

// twoWayByPairs is the definition, pair by pair: the share of right pairs among the
// lowest-scored 1-minTPR of the positives and the negatives ranked from low to high.
func twoWayByPairs(positives, negatives []piece, low, high, minTPR float64) float64 {
	total := func(pieces []piece) (sum float64) {
		for _, p := range pieces {
			sum += p.weight
		}
		return sum
	}
	slices.SortFunc(positives, piece.compare)
	slices.SortFunc(negatives, func(p, q piece) int { return q.compare(p) })
	positives = take(positives, 0, (1-minTPR)*total(positives))
	negatives = take(negatives, low*total(negatives), high*total(negatives))
	right := 0.0
	for _, p := range positives {
		for _, n := range negatives {
			if p.compare(n) > 0 {
				right += p.weight * n.weight
			}
		}
	}
	return right / total(positives) / total(negatives)
}

func region(rng *rand.Rand) (low, high, minTPR float64) {
	low, high, minTPR = rng.Float64(), rng.Float64(), rng.Float64()
	if low > high {
		low, high = high, low
	}
	if rng.IntN(2) == 0 {
		low = 0
	}
	return low, high, minTPR
}

// TestTwoWayByPairs compares rows without ties with all their pairs, and tied rows with
// rows that are split into parts, which take turns: positives first is an upper bound,
// negatives first a lower one.
func TestTwoWayByPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	for round := range 120 {
		score, label, weight := sample(rng, 2+rng.IntN(12), round%2 == 1)
		low, high, minTPR := region(rng)
		const parts = 40
		for _, tied := range []bool{false, true} {
			if !tied {
				for i := range score {
					score[i] = rng.NormFloat64() + label[i]
				}
			} else {
				for i := range score {
					score[i] = float64(rng.IntN(4))
				}
			}
			_, got, err := PartialAUC(score, label, weight, low, high, minTPR)
			if err != nil {
				t.Fatal(err)
			}
			bound := func(later float64) float64 {
				var positives, negatives []piece
				for i, s := range score {
					for k := range parts {
						p := piece{s, float64(k), weightOf(weight, i) / parts}
						if label[i] > 0 {
							positives = append(positives, p)
						} else {
							p.turn += later
							negatives = append(negatives, p)
						}
					}
				}
				return twoWayByPairs(positives, negatives, low, high, minTPR)
			}
			most, least := bound(0.5), bound(-0.5)
			if !(got <= most+1e-10 && got >= least-1e-10) || !tied && math.Abs(most-least) > 1e-10 {
				t.Fatalf("[%v, %v] above %v of scores %v, labels %v, weights %v: %v, by pairs %v to %v", low, high, minTPR, score, label, weight, got, least, most)
			}
		}
	}
}

// TestTwoWayExact integrates the curve above the bound in exact arithmetic.
func TestTwoWayExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 71))
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	op := func(f func(z, x, y *big.Rat) *big.Rat) func(x, y *big.Rat) *big.Rat {
		return func(x, y *big.Rat) *big.Rat { return f(new(big.Rat), x, y) }
	}
	add, minus, times, over := op((*big.Rat).Add), op((*big.Rat).Sub), op((*big.Rat).Mul), op((*big.Rat).Quo)
	for round := range 400 {
		score, label, weight := sample(rng, 2+rng.IntN(40), round%2 == 1)
		low, high, minTPR := region(rng)
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		from, to := times(rat(low), rat(r.Negatives)), times(rat(high), rat(r.Negatives))
		floor := times(rat(minTPR), rat(r.Positives))
		area := new(big.Rat)
		var x0, y0 = new(big.Rat), new(big.Rat)
		thresholds := slices.Clone(score)
		slices.Sort(thresholds)
		slices.Reverse(thresholds)
		for _, threshold := range slices.Compact(thresholds) {
			c, err := ConfusionAt(score, label, weight, threshold)
			if err != nil {
				t.Fatal(err)
			}
			x1, y1 := rat(c.FalsePositive), rat(c.TruePositive)
			if left, right := x0, x1; x1.Cmp(x0) > 0 {
				at := func(y *big.Rat) *big.Rat { // where the segment reaches y
					return add(x0, over(times(minus(y, y0), minus(x1, x0)), minus(y1, y0)))
				}
				rise := func(x *big.Rat) *big.Rat {
					return minus(add(y0, over(times(minus(x, x0), minus(y1, y0)), minus(x1, x0))), floor)
				}
				if y0.Cmp(floor) < 0 {
					if left = x1; y1.Cmp(floor) > 0 {
						left = at(floor)
					}
				}
				if left.Cmp(from) < 0 {
					left = from
				}
				if right.Cmp(to) > 0 {
					right = to
				}
				if right.Cmp(left) > 0 {
					area = add(area, times(minus(right, left), over(add(rise(left), rise(right)), rat(2))))
				}
			}
			x0, y0 = x1, y1
		}
		want, _ := over(area, times(rat(r.Positives), rat(r.Negatives))).Float64()
		raw, normalised, err := r.PartialAUC(low, high, minTPR)
		if err != nil {
			t.Fatal(err)
		}
		if most := (high - low) * (1 - minTPR); math.Abs(raw-want) > 1e-14 || math.Abs(normalised-want/most) > 1e-13/most {
			t.Fatalf("[%v, %v] above %v of scores %v, labels %v, weights %v: %v and %v, exactly %v", low, high, minTPR, score, label, weight, raw, normalised, want)
		}
	}
}

// TestTwoWayMirrored exchanges the classes and negates the scores: the region of rates up
// to b and from a on becomes the region up to 1-a and from 1-b on.
func TestTwoWayMirrored(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 300 {
		score, label, weight := sample(rng, 2+rng.IntN(50), round%2 == 1)
		_, high, minTPR := region(rng)
		raw, _, err := PartialAUC(score, label, weight, 0, high, minTPR)
		for i := range score {
			score[i], label[i] = -score[i], -label[i]
		}
		mirrored, _, err2 := PartialAUC(score, label, weight, 0, 1-minTPR, 1-high)
		if err != nil || err2 != nil || math.Abs(raw-mirrored) > 1e-14 {
			t.Fatalf("up to %v, above %v: %v (%v), mirrored %v (%v)", high, minTPR, raw, err, mirrored, err2)
		}
	}
}

// TestTwoWayNearOne holds the area in 0 to 1 for bounds that float64 hardly separates from
// 1: a perfect ranking reaches 1, one with a positive at the end 0.
func TestTwoWayNearOne(t *testing.T) {
	for _, scale := range []float64{1, 0.1, 3, 0x1p-1060, 0x1p900} {
		weight := []float64{scale, scale, scale, scale}
		for minTPR := 1 - 0x1p-40; minTPR < 1; minTPR = math.Nextafter(1-(1-minTPR)/2, 1) {
			for score, want := range map[[4]float64]float64{{4, 3, 2, 1}: 1, {4, 1, 3, 2}: 0} {
				_, v, err := PartialAUC(score[:], []float64{1, 1, -1, -1}, weight, 0, 0.75, minTPR)
				if err != nil || v != want {
					t.Fatalf("scores %v, weights %v, above %v: %v (%v), want %v", score, weight, minTPR, v, err, want)
				}
			}
		}
	}
}
