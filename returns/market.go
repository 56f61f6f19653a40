package returns

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
)

// Market describes generated returns.
type Market struct {
	// Periods (N) and Assets (d) are the sizes, Factors the number of common factors; 0
	// means 7240, 25 and 3.
	Periods, Assets, Factors int
	Seed                     uint64
}

// Generate returns rewards, N x d in percent a day, of a factor model: asset j earns
// drift_j + sum_f load_jf shock_f + noise_j, with a first factor that all assets load
// by about 1, as markets have it. Most of the variance is common, and means are a
// twentieth of a standard deviation: the shape of the daily portfolios of French's data
// library. Shocks are sums of uniform numbers, close to normal.
func (m Market) Generate() (*Table, error) {
	if m.Periods == 0 {
		m.Periods = 7240
	}
	if m.Assets == 0 {
		m.Assets = 25
	}
	if m.Factors == 0 {
		m.Factors = 3
	}
	if m.Periods < 1 || m.Assets < 1 || m.Factors < 1 {
		return nil, errors.New("returns: a market has one period, asset and factor at least")
	}
	if float64(m.Periods)*float64(m.Assets) > 1<<27 || m.Factors > m.Assets+10 {
		return nil, fmt.Errorf("returns: %d periods of %d assets with %d factors are too many", m.Periods, m.Assets, m.Factors)
	}
	random := random.New(m.Seed)
	normal := func() float64 {
		sum := -6.0
		for range 12 {
			sum += random.Float64()
		}
		return sum
	}
	drift, noise := make([]float64, m.Assets), make([]float64, m.Assets)
	loads := make([]float64, m.Assets*m.Factors)
	r := &Table{Values: make([]float64, m.Periods*m.Assets), Periods: m.Periods, Assets: make([]string, m.Assets)}
	for j := range m.Assets {
		r.Assets[j] = fmt.Sprintf("asset-%d", j+1)
		drift[j] = math.FMA(0.02, normal(), 0.04)
		noise[j] = math.FMA(0.3, random.Float64(), 0.2)
		for f := range m.Factors {
			if f == 0 {
				loads[j*m.Factors] = math.FMA(0.15, normal(), 1)
			} else {
				loads[j*m.Factors+f] = float64(0.3 * normal())
			}
		}
	}
	shocks := make([]float64, m.Factors)
	for i := range m.Periods {
		for f := range shocks {
			shocks[f] = normal()
		}
		row := r.Values[i*m.Assets : (i+1)*m.Assets]
		for j := range row {
			v := math.FMA(noise[j], normal(), drift[j])
			for f, s := range shocks {
				v = math.FMA(loads[j*m.Factors+f], s, v)
			}
			row[j] = v
		}
	}
	return r, nil
}
