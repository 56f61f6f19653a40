package penalty

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Box restricts weights to [Low, High]. Prox costs one pass over x. It is safe for concurrent use.
type Box struct{ Low, High float64 }

// Check wants finite bounds, the lower one not above the upper one.
func (r Box) Check(int) error { return checkBox(r.Low, r.High) }

// Prox moves every coordinate to the nearest number of the interval.
func (r Box) Prox(x []float64, _ float64) { clip(x, r.Low, r.High) }

// Value returns 0.
func (Box) Value([]float64) float64 { return 0 }

// String returns the name with all parameters.
func (r Box) String() string { return fmt.Sprintf("box %v %v", r.Low, r.High) }

// Descent returns the maximum of -g'y over the box.
func (r Box) Descent(g []float64) float64 { return L1Box{0, r.Low, r.High}.Descent(g) }

// Reach returns the distance of the farthest corner.
func (r Box) Reach(x []float64) float64 { return L1Box{0, r.Low, r.High}.Reach(x) }

// L1Box is the penalty Lambda ||x||_1 with weights in [Low, High]. Prox costs two passes over x: a
// coordinate is shrunk and then moved into the interval, which is exact since r is a
// sum over coordinates. It is safe for concurrent use.
type L1Box struct{ Lambda, Low, High float64 }

// Check wants Lambda finite and 0 or more, and finite bounds in order.
func (r L1Box) Check(int) error {
	if err := checkWeight("lambda", r.Lambda); err != nil {
		return err
	}
	return checkBox(r.Low, r.High)
}

// Prox shrinks by step Lambda and moves into the interval.
func (r L1Box) Prox(x []float64, step float64) {
	L1{r.Lambda}.Prox(x, step)
	clip(x, r.Low, r.High)
}

// Value returns Lambda ||x||_1.
func (r L1Box) Value(x []float64) float64 { return L1{r.Lambda}.Value(x) }

// String returns the name with all parameters.
func (r L1Box) String() string { return fmt.Sprintf("l1 %v in box %v %v", r.Lambda, r.Low, r.High) }

// Descent returns the maximum of -g'y - Lambda ||y||_1 over the box. It is reached in
// each coordinate at an end, or at 0 where that lies between.
func (r L1Box) Descent(g []float64) float64 {
	total := 0.0
	for _, v := range g {
		low := -float64(v*r.Low) - float64(r.Lambda*math.Abs(r.Low))
		high := -float64(v*r.High) - float64(r.Lambda*math.Abs(r.High))
		best := max(low, high)
		if r.Low <= 0 && r.High >= 0 {
			best = max(best, 0)
		}
		total += best
	}
	return total
}

// Reach returns the distance of the farthest corner.
func (r L1Box) Reach(x []float64) float64 {
	square := 0.0
	for _, v := range x {
		far := max(math.Abs(r.High-v), math.Abs(v-r.Low))
		square = math.FMA(far, far, square)
	}
	return math.Sqrt(square)
}

// clip leaves x where low is above high: Check says so, and Prox may be called without.
func clip(x []float64, low, high float64) {
	if low <= high {
		direct.Box(x, x, low, high)
	}
}

func checkBox(low, high float64) error {
	if !(low <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return fmt.Errorf("the box is [%v, %v]; it needs finite bounds, the lower one first", low, high)
	}
	return nil
}
