package pauc

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
)

// overlap is the length of [a, b] in [c, d].
func overlap(a, b, c, d float64) float64 { return max(0, min(b, d)-max(a, c)) }

// violations returns the violation of every order of the rows, by the definition: r
// counts the negatives on the way down.
func violations(z, y []float64, from, to float64, visit func(v float64)) {
	order := make([]int, len(y))
	for k := range order {
		order[k] = k
	}
	var permute func(k int)
	permute = func(k int) {
		if k < len(order) {
			for i := k; i < len(order); i++ {
				order[k], order[i] = order[i], order[k]
				permute(k + 1)
				order[k], order[i] = order[i], order[k]
			}
			return
		}
		total, rank := 0.0, 0.0
		for at, j := range order {
			if y[j] > 0 {
				continue
			}
			rank++
			for _, i := range order[at+1:] {
				if y[i] > 0 {
					total += overlap(rank-1, rank, from, to) + overlap(rank-1, rank, 0, to)*(z[j]-z[i])
				}
			}
		}
		visit(total)
	}
	permute(0)
}

func randomTask(random *rand.Rand, positives, negatives int) (t *task, z []float64) {
	t = &task{}
	for i := range positives + negatives {
		if i < positives {
			t.y, t.positives = append(t.y, 1), append(t.positives, uint32(i))
		} else {
			t.y, t.negatives = append(t.y, -1), append(t.negatives, uint32(i))
		}
	}
	for !(t.low < t.high) {
		t.low, t.high = random.Float64(), random.Float64()
		if random.IntN(3) == 0 {
			t.low = 0
		}
		if random.IntN(3) == 0 { // whole ranks
			t.low, t.high = math.Floor(t.low*float64(negatives))/float64(negatives), math.Ceil(t.high*float64(negatives))/float64(negatives)
		}
	}
	t.m, t.n = ranks(t.low, t.high, negatives)
	return t, randomScores(random, positives+negatives)
}

// randomScores has ties, and margins of exactly 1.
func randomScores(random *rand.Rand, n int) []float64 {
	z := make([]float64, n)
	for i := range z {
		if z[i] = random.NormFloat64(); random.IntN(2) == 0 {
			z[i] = math.Round(2*z[i]) / 2
		}
	}
	return z
}

// The ranking found is the most violated one of all, and its plane touches the
// surrogate there and lies below it everywhere else.
func TestHardestAgainstAllRankings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range repeat.Size(300, 30) {
		task, z := randomTask(random, 1+random.IntN(3), 1+random.IntN(4))
		h := newHardest(task)
		n := float64(len(task.negatives))
		c := make([]float64, len(z))
		for range 3 {
			most := math.Inf(-1)
			violations(z, task.y, task.low*n, task.high*n, func(v float64) { most = max(most, v) })
			constant, err := h.plane(c, z)
			if err != nil {
				t.Fatal(err)
			}
			dot, _ := kernels.Dot(c, z)
			if got := constant + dot; math.Abs(got-h.scale*most) > 1e-12 {
				t.Fatalf("scores %v, labels %v, range [%v, %v]: %v, and %v of all rankings", z, task.y, task.low, task.high, got, h.scale*most)
			}
			d := make([]float64, len(z))
			for range 20 {
				other := randomScores(random, len(z))
				below, _ := kernels.Dot(c, other)
				another, err := h.plane(d, other)
				if err != nil {
					t.Fatal(err)
				}
				value, _ := kernels.Dot(d, other)
				if constant+below > another+value+1e-12 {
					t.Fatalf("a plane is at %v where the surrogate is %v", constant+below, another+value)
				}
			}
			z = randomScores(random, len(z))
		}
	}
}

// Pairs that decide by themselves whether their negative is above make no ranking and
// no convex surrogate, where the range does not begin at 0.
func TestPairsAloneAreNotConvex(t *testing.T) {
	alone := func(first, second float64) float64 { // one positive at 0, m = 1, n = 2
		return max(0, max(first, second)) + max(0, 1+min(first, second))
	}
	if !(alone(-0.5, -0.5) > alone(0, -1)/2+alone(-1, 0)/2) {
		t.Error("convex after all: use it, it is simpler")
	}
}

func TestSurrogateIsAboveTheLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	for range 200 {
		task, _ := randomTask(random, 1+random.IntN(20), 1+random.IntN(60))
		z := make([]float64, len(task.y))
		for i := range z {
			z[i] = random.NormFloat64() + task.y[i]
		}
		h, c := newHardest(task), make([]float64, len(z))
		constant, err := h.plane(c, z)
		if err != nil {
			t.Fatal(err)
		}
		dot, _ := kernels.Dot(c, z)
		_, area, err := metrics.PartialAUC(z, task.y, nil, task.low, task.high, task.minTPR)
		if err != nil {
			t.Fatal(err)
		}
		if constant+dot < 1-area-1e-12 {
			t.Fatalf("%v below the loss %v", constant+dot, 1-area)
		}
		// With margins of 1 it is the loss.
		for i := range z {
			z[i] = 3 * task.y[i]
		}
		if constant, err = h.plane(c, z); err != nil || constant != 0 || kernels.MaxAbs(c) != 0 {
			t.Fatalf("perfect scores: %v, %v, %v", constant, c, err)
		}
	}
}

func TestHardestRefusesNaN(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	task, z := randomTask(random, 3, 4)
	z[5] = math.NaN()
	if _, err := newHardest(task).plane(make([]float64, len(z)), z); err == nil {
		t.Error("NaN accepted")
	}
}
