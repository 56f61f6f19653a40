package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// exponent is the power of x that y falls or grows with: the slope of a line through the
// logarithms. NaN where fewer than two places have a logarithm.
func exponent(x, y []float64) float64 {
	var a, b []float64
	for i := range x {
		if u, v := math.Log(x[i]), math.Log(y[i]); !math.IsNaN(u+v) && !math.IsInf(u, 0) && !math.IsInf(v, 0) {
			a, b = append(a, u), append(b, v)
		}
	}
	if len(a) < 2 {
		return nan
	}
	_, slope := stat.LinearRegression(a, b, nil, false)
	return slope
}

// sdcaTheorems holds the passes that theorems 1 and 4 allow against the passes of the runs.
func sdcaTheorems(cases, batches []*sdcaCase) part {
	own := part{name: "Theorems 1 and 4", caption: "the passes that the bounds allow, and the passes measured"}
	optimum := func(c *sdcaCase) string { return "optimum: " + c.name }
	for _, c := range cases {
		own.runs = append(own.runs, c.run(sdca.Adaptive{}, 0), run{optimum(c), float64(c.p.X.NNZ()), func(ctx context.Context) (record, error) {
			got, err := erm.Solve(ctx, c.p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-12, Workers: 1})
			if err != nil {
				return nil, err
			}
			c0, err := c.potential(got.Weights)
			return record{"C0": {c0}}, err
		}})
	}
	const largest = 32
	for _, c := range batches {
		own.runs = append(own.runs, c.run(sdca.Minibatch{}, 1), c.run(sdca.Minibatch{}, largest))
	}
	own.show = func(all results) shown {
		rows := [][]string{{"set and loss", "(23): passes to 1e-3", "measured", "sets of batches", "(37): passes of 32 rows over passes of one", "measured"}}
		holds := tally{what: "the passes stay within (23)", cases: "cases"}
		grows := tally{what: "the passes grow with the batch by no more than (37) says", cases: "cases"}
		for k, c := range cases {
			const epsilon = 1e-3
			lambda, smooth, mean, most := c.constants()
			n := float64(c.p.X.Rows())
			allowed := (1 + smooth*mean/(lambda*n)) * math.Log((lambda+smooth*most)*all.number(optimum(c), "C0")/(2*lambda*smooth*epsilon))
			took := all[c.key(sdca.Adaptive{}, 0)].reached(epsilon, "passes")
			holds.count(within(took, allowed))
			b := batches[k]
			lambda, smooth, mean, _ = b.constants()
			ratio := smooth * mean / (lambda * float64(b.p.X.Rows()))
			growth := (1 + float64(min(largest, b.mostShared()))*ratio) / (1 + ratio)
			measured := all[b.key(sdca.Minibatch{}, largest)].reached(epsilon, "passes") / all[b.key(sdca.Minibatch{}, 1)].reached(epsilon, "passes")
			grows.count(within(measured, growth))
			rows = append(rows, []string{c.name, fmt.Sprintf("%.1f", allowed), cell("%.1f", took), fmt.Sprintf("%d rows", b.p.X.Rows()), fmt.Sprintf("%.1f", growth), cell("%.1f", measured)})
		}
		return shown{found: []tally{holds, grows}, seeds: 1, sets: sdcaSets, tables: []table{{rows: rows}},
			order: "The theorems bound the expectation of P(w) - P(w*). The passes here are to a duality gap, which is larger, so a run that keeps to the bound keeps to it in P(w) as well. A run that ends before the gap (-) counts as level. Q is the mean of ||x_i||^2; C0 comes from the optimum of Newton's method.",
			notes: []string{"Theorem 3, which the paper cites, gives the constants v of (34); a test of lanes' package sdca holds them against (33). Theorems 2 and 5 are of single losses that are not convex while their average is. Section 7 has no such problem, so they are not measured; five solvers take such losses (option average-convex), and an example of the package finds a principal component with them."}}
	}
	return own
}

// within orders a measured number and its bound; a run that did not come so far says nothing.
func within(measured, bound float64) int {
	switch {
	case math.IsNaN(measured):
		return 0
	case measured <= bound:
		return -1
	}
	return 1
}

// constants are lambda, L, Q and the largest ||x_i||^2.
func (c *sdcaCase) constants() (lambda, smooth, mean, most float64) {
	squares := matrix.SquaredNorms(c.p.X)
	return c.p.Ridge(), c.p.Loss.Peak(), stat.Mean(squares, nil), slices.Max(squares)
}

// mostShared is the largest number of rows that share a feature.
func (c *sdcaCase) mostShared() int {
	counts := make([]int, c.p.X.Cols())
	for i := range c.p.X.Rows() {
		for j := range c.p.X.Row(i) {
			counts[j]++
		}
	}
	return slices.Max(counts)
}

// potential is C0 of (19) for alpha = 0: alpha* are minus the slopes of the losses at w*.
func (c *sdcaCase) potential(best []float64) (float64, error) {
	z, err := scored(c.p.X, best)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range z {
		slope := c.p.Loss.Slope(v, c.p.Y[i])
		sum += slope * slope
	}
	return sum/float64(len(z)) + c.p.Ridge()*c.p.Loss.Peak()*kernels.SquaredNorm(best), nil
}

// aisarahTheorems holds algorithm 4, which computes local constants of smoothness, against
// SARAH with the global one, as corollary 3.2 does.
func aisarahTheorems(cases []*aisarahCase, seeds int) part {
	own := part{name: "Theorem 3.1 and corollary 3.2", caption: "algorithm 1 with uniform sampling (algorithm 4 of appendix A) against SARAH with steps 1/L"}
	var small []*aisarahCase
	methods := func(c *aisarahCase) []contender {
		n := c.p.X.Rows()
		return []contender{{"algorithm 4", erm.AISARAHUniform{Inner: n}}, {"SARAH", erm.SARAH{Step: 1 / c.largest(), Inner: max(1, n/64)}}}
	}
	for _, c := range cases {
		if c.set == "a1a" { // an iteration costs as much as a pass
			s := *c
			s.passes = 10
			small = append(small, &s)
			for _, m := range methods(&s) {
				for seed := range seeds {
					own.runs = append(own.runs, s.ending(m.method, seed))
				}
			}
		}
	}
	own.show = func(all results) shown {
		rows := [][]string{{"set", "algorithm 4: ||grad P||^2 after 10 passes", "SARAH, step 1/L"}}
		faster := tally{what: "algorithm 4 has a smaller gradient than SARAH after 10 passes", cases: "cases"}
		for _, c := range small {
			row := []string{c.name()}
			var ends [][]float64
			for _, m := range methods(c) {
				var squares []float64
				for seed := range seeds {
					squares = append(squares, all.number("ending: "+c.key(m.method, seed), "square"))
				}
				ends, row = append(ends, squares), append(row, fmt.Sprintf("%.1e", contest.Median(squares)))
			}
			faster.count(compareLogs(ends[0], ends[1]))
			rows = append(rows, row)
		}
		return shown{found: []tally{faster}, seeds: seeds, sets: "A case is a1a with one of the two lambdas.", tables: []table{{rows: rows}},
			order: "Corollary 3.2: the steps 1/L^t add up to at least SARAH's steps 1/L, so algorithm 1 can converge faster. Theorem 3.1 gives no rate at the steps of algorithm 1: with eta_0 = 1/L^0 its factor (5) is 1 + 1/(mu H), above 1.",
			notes: []string{"L is the largest constant of a row's loss, as the corollary has it. Algorithm 4 takes single rows and SARAH batches of 64, so the two differ in more than the steps. The paper has no such experiment.",
				"Algorithm 3 draws rows in proportion to their local constants; it is the solver ai-sarah-importance, held against the listing by a test, and neither the paper nor this page measures it.",
				"Algorithm 5 searches the step between two given bounds; it is the solver ai-sarah-interval, held against the listing by a test, and the paper has no numbers of it.",
				"Theorem C.10 bounds the squared gradient after each outer loop of algorithm 5 by a factor sigma_m, below 1 for long loops and upper bounds of the step below 1/L_k, the constant of the loop's points. It is not measured: L_k is not known before the loop, and with the global constant and a fixed step it is SARAH's own theorem."}}
	}
	return own
}

// largest is the largest constant of smoothness of a row's loss, with lambda.
func (c *aisarahCase) largest() float64 {
	return c.p.Loss.Peak()*slices.Max(matrix.SquaredNorms(c.p.X)) + c.p.Ridge()
}

// apRates are the proved powers of the iterations with which the gradient norm falls, for batches
// of some of the positives; SOAP (Adam) has none.
var apRates = map[string]float64{"moap-v1": 5, "moap-v2": 4, "adap": 4, "soap": 5, "soap-amsgrad": 5}

// apTheorems holds the proved rates against slopes.
func apTheorems(s *apSet, seeds int, quick bool) part {
	own := part{name: "Table 1 and theorems 1 to 4", caption: "the gradient of the surrogate against the length of the run, in the paper's setting, on " + s.label}
	lengths := []int{125, 500, 2000, 8000}
	if quick {
		lengths = lengths[:3]
	}
	names := []string{"moap-v1", "moap-v2", "adap", "soap", "soap-adam", "soap-amsgrad"}
	parameters := func(length int) map[string]string {
		return map[string]string{"paper": "true", "step": "1", "beta": "0.5", "iterations": fmt.Sprint(length)}
	}
	key := func(name string, length, seed int) string { return "rate: " + s.key(name, parameters(length), seed) }
	for _, name := range names {
		for _, length := range lengths {
			for seed := range seeds {
				own.runs = append(own.runs, run{key(name, length, seed+1), float64(length) * 1e4, func(ctx context.Context) (record, error) {
					got, err := s.solve(ctx, name, parameters(length), solvers.Settings{Seed: uint64(seed + 1), Workers: 1})
					if err != nil {
						return nil, err
					}
					return record{"gradient": {got.GradientNorm}}, nil
				}})
			}
		}
	}
	own.show = func(r results) shown {
		rows := [][]string{{"method", "proved"}}
		for _, length := range lengths {
			rows[0] = append(rows[0], fmt.Sprintf("after %d", length))
		}
		rows[0] = append(rows[0], "slope")
		met := tally{what: "the gradient falls as fast as proved, or faster", cases: "methods"}
		pan := panel{title: s.label, x: "iterations", y: "gradient norm of the surrogate", logX: true, logY: true}
		for _, name := range names {
			row := []string{apLabels[name], "none"}
			if rate := apRates[name]; rate > 0 {
				row[1] = fmt.Sprintf("-1/%g", rate)
			}
			var x, y []float64
			for _, length := range lengths {
				var norms []float64
				for seed := range seeds {
					norms = append(norms, r.number(key(name, length, seed+1), "gradient"))
				}
				x, y = append(x, float64(length)), append(y, stat.Mean(norms, nil))
				row = append(row, fmt.Sprintf("%.2e", y[len(y)-1]))
			}
			slope := exponent(x, y)
			if rate := apRates[name]; rate > 0 {
				met.counted(slope <= -1/rate)
			}
			rows = append(rows, append(row, fmt.Sprintf("%+.2f", slope)))
			pan.curves = append(pan.curves, curve{label: apLabels[name], x: x, y: y})
		}
		return shown{found: []tally{met}, seeds: seeds, panels: []panel{pan}, tables: []table{{rows: rows}},
			order: "Proved for batches of some of the positives: a mean squared gradient of epsilon^2 after T = O(1/epsilon^4) iterations of MOAP-V2 and ADAP, and O(1/epsilon^5) of MOAP-V1 (theorem 2) and SOAP; nothing for SOAP (Adam). The theorems have constant steps and shares that depend on epsilon; theorems 3 and 4 also hold for steps and shares that decrease as 1/sqrt(t). " +
				"Measured is the gradient norm at the end of runs of several lengths, margin 1, step 1 and beta 0.5. Both decrease as 1/sqrt(t) for MOAP and ADAP, and are fixed for SOAP.",
			notes: []string{"The theorems bound the mean of the squared gradient over the run; measured is its end. A proved rate is an upper bound. A steeper slope agrees with it. A flatter one, on one set and with steps that no theorem chose, does not refute it. Theorem 1 takes all positives at every iteration, which no experiment of the paper does."}}
	}
	return own
}

// optimumPrecision is how well Phi* is known: a smaller gap says nothing.
const optimumPrecision = 1e-10

// portfolioTheorem holds the slope of the gap along the samples against the rates of table I.
func portfolioTheorem(list []*portfolio, seeds int) part {
	own := part{name: "Table I and theorem 3", caption: "the slope of the gap against samples/N in logarithms, from the tenth of the budget to its end, medians over the seeds", runs: portfolioRuns(list, seeds)}
	proved := map[string]float64{"SCVRG": -1. / 3, "VRSC-PG": -1. / 2, "SCGD": -1. / 4, "ASC-PG": -1 / 3.5, "AGD": -2}
	own.show = func(all results) shown {
		rows := [][]string{{"set and setting"}}
		met := make(map[string]map[string]*tally) // by method and setting
		for _, c := range list[0].contenders {
			rows[0] = append(rows[0], c.label)
			met[c.label] = make(map[string]*tally)
			for _, mode := range portfolioModes {
				met[c.label][mode] = new(tally)
			}
		}
		for _, p := range list {
			row := []string{p.name + ", " + p.mode}
			for _, c := range p.contenders {
				x, y := p.places(), medians(p.endings(all, c, seeds).curves)
				for i, gap := range y {
					if gap < optimumPrecision {
						y[i] = nan
					}
				}
				slope := exponent(x[len(x)/10:], y[len(x)/10:])
				row = append(row, cell("%+.2f", slope))
				met[c.label][p.mode].count(within(math.Round(100*slope), math.Round(100*proved[c.label])))
			}
			rows = append(rows, row)
		}
		var found []tally
		counts := [][]string{append([]string{"method", "proved slope"}, portfolioModes...)}
		for _, c := range list[0].contenders {
			row := []string{c.label, fmt.Sprintf("%.2f", proved[c.label])}
			whole := tally{what: fmt.Sprintf("%s falls as fast as proved (slope %.2f), or faster", c.label, proved[c.label]), cases: "cases"}
			for _, mode := range portfolioModes {
				row = append(row, met[c.label][mode].counts())
				whole = whole.plus(*met[c.label][mode])
			}
			found, counts = append(found, whole), append(counts, row)
		}
		return shown{found: found, seeds: seeds, tables: []table{{title: "sets with the proved slope, or a steeper one", rows: counts}, {title: "slopes", rows: rows}},
			sets: fmt.Sprintf("A case is one of the %d sets of figures 1 to 4 in one of the three settings.", len(list)/len(portfolioModes)),
			order: "Table I bounds the samples to a gap of epsilon. In epsilon alone the bounds are O(1/epsilon^3) for SCVRG beside log(1/epsilon), O(1/epsilon^2) for VRSC-PG, O(1/epsilon^4) for SCGD, O(1/epsilon^3.5) for ASC-PG and O(1/epsilon^0.5) for AGD. So the gap falls at least as the powers -1/3, -1/2, -1/4, -1/3.5 and -2 of the samples. " +
				"Gaps below 1e-10, the precision of Phi*, are left out. Slopes are compared with two decimals. A run that is below it from the tenth of the budget on (-) counts as level.",
			notes: []string{"Theorem 3 asks for samples a and b in proportion to 1/epsilon^2, thousands and more; the experiments of the paper, and here, take 5, which the theorem does not cover. " +
				"The rates hold for the steps of each method's own theory and in the limit: a flatter slope in a run of other steps and few samples/N does not refute them."}}
	}
	return own
}

// paucTheorem says why theorem 5 is not measured: what it asks for beside what the experiments
// of the paper have.
func paucTheorem(sets []*paucSet) part {
	return part{name: "Theorem 5", caption: "AGD-SBCD: the constants that the theorem asks for", show: func(results) shown {
		rows := [][]string{{"set", "mu at most", "mu in the paper", "iterations of the first call at least", "in the paper"}}
		for _, s := range sets {
			const batch = 100
			apart, most, positives := s.apart()
			// B >= ||grad s_ij|| is the largest ||x_i - x_j||, and L a quarter of its square. D_l
			// is at least N+ B. With mu = 1/(2 rho), T_0 >= 144 (D_l/L)^2/I.
			rows = append(rows, []string{s.name, fmt.Sprintf("%.2g", 4/(apart*apart)), "100 to 1e10", fmt.Sprintf("%.1e", 144*16*positives*positives/(batch*most*most)), "50"})
		}
		return shown{sets: paucSets(sets), tables: []table{{title: "mu in units of 1/(N+ N-)", rows: rows}},
			order: "Not measured: the theorem, as stated, does not cover the settings of the experiments. It bounds the iterations to a nearly epsilon-critical point by O(1/epsilon^6) up to logarithms. It asks for mu below 1/(N+ N- L), where L is the largest constant of smoothness of a pair's loss, and for many more iterations. Its steps depend on distances to unknown minima.",
			notes: []string{"The bounds of the table hold whatever the unknown distances of the theorem are: D_l is replaced by its part N+ B, and mu is 1/(2 rho), which the paper calls optimal up to constants."}}
	}}
}

// apart bounds the largest distance of a positive and a negative row from below and above; it
// returns the number of positives as well.
func (s *paucSet) apart() (least, most, positives float64) {
	squares := matrix.SquaredNorms(s.train.x)
	largest := map[float64]int{-1: -1, 1: -1}
	for i, y := range s.train.y {
		if k := largest[y]; k < 0 || squares[i] > squares[k] {
			largest[y] = i
		}
		positives += max(y, 0)
	}
	first := make([]float64, s.train.x.Cols())
	for j, v := range s.train.x.Row(largest[1]) {
		first[j] = v
	}
	for i, y := range s.train.y {
		if y > 0 {
			continue
		}
		product := 0.0
		for j, v := range s.train.x.Row(i) {
			product += v * first[j]
		}
		least = max(least, squares[i]+squares[largest[1]]-2*product)
	}
	return math.Sqrt(least), math.Sqrt(squares[largest[1]]) + math.Sqrt(squares[largest[-1]]), positives
}
