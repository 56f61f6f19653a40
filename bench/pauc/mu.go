package main

import (
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// sensitivity is table 6: AGD-SBCD with the paper's values of mu, times P N, and 100,
// which its appendix tunes over as well.
func (o *options) sensitivity() error {
	fmt.Printf("\n# AGD-SBCD with different mu, partial AUC in [%v, %v] (table 6)\n\n", middle[0], middle[1])
	fmt.Printf("The paper's setting from w = 0 (c = 10, C = 50, gamma/mu = 2, %d epochs) and the untouched default with another\nmu; means over seeds 1 to %d of the last point, or of the result.\nThe paper's test areas, on CheXpert, differ by 0.026 at most between 1e3 and 1e10.\n", pairEpochs, o.seeds)
	sets, err := o.choose("ijcnn1", "w8a")
	if err != nil {
		return err
	}
	rows := [][]string{{"data", "mu", "loss", "training area", "test area", "default: training area", "test area"}}
	for _, s := range sets {
		p, err := pauc.Paper(s.X, s.Y)
		if err != nil {
			return err
		}
		own := *p
		own.Lambda = 1 / float64(len(s.Y))
		for _, mu := range []float64{1e2, 1e3, 1e8, 1e10} {
			var loss, train, test, defaultTrain, defaultTest float64
			for seed := range o.seeds {
				settings := solvers.Settings{Seed: uint64(seed + 1), MaxPasses: pairEpochs, Initial: make([]float64, s.X.Cols())}
				points, err := runPairs(p, pauc.AGDSBCD{Loops: pauc.Loops{Paper: true, Inner: 10, Length: 50, Outer: 10000}, Mu: mu, Step: 2}, settings)
				if err != nil {
					return fmt.Errorf("%s, mu %v: %w", s.Name, mu, err)
				}
				w := points[len(points)-1].w
				loss += lossAt(p, w)
				train += area(s.X, s.Y, w, middle)
				test += area(s.TestX, s.TestY, w, middle)
				if points, err = runPairs(&own, pauc.AGDSBCD{Mu: mu}, solvers.Settings{Seed: uint64(seed + 1)}); err != nil {
					return err
				}
				w = highest(points).w
				defaultTrain += area(s.X, s.Y, w, middle)
				defaultTest += area(s.TestX, s.TestY, w, middle)
			}
			row := []string{s.Name, fmt.Sprintf("%.0e", mu)}
			for _, v := range []float64{loss, train, test, defaultTrain, defaultTest} {
				row = append(row, fmt.Sprintf("%.4f", v/float64(o.seeds)))
			}
			rows = append(rows, row)
		}
	}
	fmt.Println()
	figure.Table(os.Stdout, rows)
	return nil
}

// highest is the point that a run without validation ends with: its objective is 1
// minus the area.
func highest(points []point) point {
	best := points[0]
	for _, p := range points {
		if p.value < best.value {
			best = p
		}
	}
	return best
}
