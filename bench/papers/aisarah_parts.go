package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

var gammas = []float64{1. / 64, 1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2}

const bandLevel = 0.97

func aisarahParts(l *laboratory) ([]part, error) {
	cases, err := l.aisarahCases()
	if err != nil {
		return nil, err
	}
	seeds := l.runs(10)
	parts := []part{figure1(cases, seeds)}
	with, without := chosen(cases, true), chosen(cases, false)
	for _, f := range []struct {
		regularised, plain, caption string
		of                          func(name, caption string, cases []*aisarahCase) part
	}{
		{"Figures 2, 8 and 9", "Figures 2, 10 and 11", "AI-SARAH with gamma from 1/64 to 1/2, regularised: P(w), ||grad P(w)||^2 and the running maximum of test accuracy; 20 passes",
			func(name, caption string, cases []*aisarahCase) part { return gammaPart(name, caption, cases, seeds) }},
		{"Figures 4, 5, 6 and 19", "Figures 18 and 20", "AI-SARAH against the tuned solvers, regularised: P(w), ||grad P(w)||^2 (by passes and by seconds) and the running maximum of test accuracy",
			func(name, caption string, cases []*aisarahCase) part {
				return evolutionPart(name, caption, cases, seeds)
			}},
		{"Figures 7 and 21", "Figure 22", "AI-SARAH's step size and its upper bound, regularised",
			func(name, caption string, cases []*aisarahCase) part { return stepPart(name, caption, cases, seeds) }},
		{"Figures 12, 13 and 16", "Figures 14, 15 and 17", "every setting of the tuning plan (table 3) against AI-SARAH, regularised: where the budget is spent",
			func(name, caption string, cases []*aisarahCase) part {
				return searchPart(name, caption, cases, l.quick)
			}},
	} {
		parts = append(parts, f.of(f.regularised, f.caption, with), f.of(f.plain, "the same, not regularised", without))
	}
	parts = append(parts, table2(cases), tables4to6(cases), table7(cases), aisarahTheorems(cases, l.runs(3)),
		part{name: "Figure 3", missing: "it has the running minima along all runs of the search; here the search keeps only where each run ends (figures 12, 13 and 16)"})
	return parts, nil
}

func chosen(cases []*aisarahCase, regularised bool) []*aisarahCase {
	var list []*aisarahCase
	for _, c := range cases {
		if c.regularised == regularised {
			list = append(list, c)
		}
	}
	return list
}

// curves are those of a method's seeds, one list a seed.
func (c *aisarahCase) curves(all results, m erm.Method, seeds int, name string, change func([]float64) []float64) [][]float64 {
	list := make([][]float64, seeds)
	for seed := range list {
		list[seed] = all[c.key(m, seed)][name]
		if change != nil {
			list[seed] = change(list[seed])
		}
	}
	return list
}

func runningMost(v []float64) []float64 { return running(v, math.Max) }

// evolution draws a quantity of several methods over passes.
func (c *aisarahCase) evolution(all results, list []contender, seeds int, title, name string, log bool, change func([]float64) []float64) panel {
	p := panel{title: c.name(), x: "effective passes", y: title, logY: log}
	for _, m := range list {
		p.curves = append(p.curves, band(m.label, c.places(), c.curves(all, m.method, seeds, name, change), bandLevel))
	}
	return p
}

func (c *aisarahCase) final(all results, m erm.Method, seeds int, name string) []float64 {
	list := make([]float64, seeds)
	for seed := range list {
		list[seed] = all.number(c.key(m, seed), name)
	}
	return list
}

func gammaPart(name, caption string, cases []*aisarahCase, seeds int) part {
	p := part{name: name, caption: caption}
	methods := make([]contender, len(gammas))
	for k, g := range gammas {
		methods[k] = contender{fmt.Sprintf("gamma = 1/%g", 1/g), erm.AISARAH{Gamma: g, Paper: true}}
	}
	short := make([]*aisarahCase, len(cases))
	for k, c := range cases {
		own := *c
		own.passes = 20
		short[k] = &own
		for _, m := range methods {
			p.runs = append(p.runs, own.runs(m.method, seeds)...)
		}
	}
	p.show = func(all results) shown {
		s := shown{seeds: seeds}
		alike := tally{what: "1/64 to 1/8 within three powers of ten", paper: 10}
		rows := [][]string{{"||grad P||^2 after 20 passes, median over seeds"}}
		for _, m := range methods {
			rows[0] = append(rows[0], m.label)
		}
		worst := 0.0
		for _, c := range short {
			s.panels = append(s.panels, c.evolution(all, methods, seeds, "P(w)", "P", false, nil),
				c.evolution(all, methods, seeds, "||grad P(w)||^2", "square", true, nil),
				c.evolution(all, methods, seeds, "test accuracy, running maximum", "metric", false, runningMost))
			row := []string{c.name()}
			least, most := math.Inf(1), 0.0
			for k, m := range methods {
				v := contest.Median(c.final(all, m.method, seeds, "square"))
				row = append(row, fmt.Sprintf("%.1e", v))
				if k < 4 { // the paper says it of 1/64 to 1/8
					least, most = min(least, v), max(most, v)
				}
			}
			worst = max(worst, math.Log10(most/least))
			alike.counted(most <= 1000*least)
			rows = append(rows, row)
		}
		s.tables = []table{{rows: rows}}
		s.order = fmt.Sprintf("Paper: 1/64 to 1/8 are alike, smaller is marginally better. Here these four differ by at most %.1f powers of ten of ||grad P||^2.", worst)
		s.found = []tally{alike}
		return s
	}
	return p
}

func evolutionPart(name, caption string, cases []*aisarahCase, seeds int) part {
	p := part{name: name, caption: caption}
	for _, c := range cases {
		for _, m := range c.contenders {
			p.runs = append(p.runs, c.runs(m.method, seeds)...)
		}
	}
	p.show = func(all results) shown {
		s := shown{seeds: seeds, notes: []string{"In the paper AI-SARAH has the smallest gradient on all data sets of the regularised case; in the other case tuned Adam is better on a1a and mushrooms (and on gisette and w1a, which are not at hand). The paper has P(w) of AI-SARAH below SARAH's and SARAH+'s, and says of the accuracy with a regulariser that tuned Adam dominates and that AI-SARAH is above the other methods of reduced variance on most sets."}}
		rows := [][]string{{"at the end, median over seeds"}}
		for _, m := range cases[0].contenders {
			rows[0] = append(rows[0], m.label)
		}
		var first, accurateFirst []string
		gradient := tally{what: "smallest gradient where the paper has it", paper: 10}
		loss := tally{what: "AI-SARAH's P(w) below SARAH's and SARAH+'s", paper: 10}
		accurate := tally{what: "Adam has the best accuracy", paper: 10}
		highestMedian := tally{what: "Adam has the highest median accuracy", paper: 10}
		reduced := tally{what: "AI-SARAH more accurate than SARAH, SARAH+ and SVRG", paper: 10}
		for _, c := range cases {
			s.panels = append(s.panels, c.evolution(all, c.contenders, seeds, "P(w)", "P", false, nil),
				c.evolution(all, c.contenders, seeds, "||grad P(w)||^2", "square", true, nil),
				c.bySeconds(all, seeds),
				c.evolution(all, c.contenders, seeds, "test accuracy, running maximum", "metric", false, runningMost))
			values := func(name string) (list [][]float64) {
				for _, m := range c.contenders {
					list = append(list, c.final(all, m.method, seeds, name))
				}
				return list
			}
			squares, objectives := values("square"), values("P")
			var accuracies [][]float64
			for _, m := range c.contenders {
				own := make([]float64, seeds)
				for seed := range own {
					own[seed] = -slices.Max(all[c.key(m.method, seed)]["metric"])
				}
				accuracies = append(accuracies, own)
			}
			mostAccurate := ""
			row, best, least := []string{c.name() + ", ||grad P||^2"}, "", math.Inf(1)
			accuracyRow := []string{c.name() + ", best accuracy"}
			winner, adam, highest := 0, 0, math.Inf(-1)
			for k, m := range c.contenders {
				v := contest.Median(squares[k])
				row = append(row, fmt.Sprintf("%.1e", v))
				accuracy := -contest.Median(accuracies[k])
				accuracyRow = append(accuracyRow, fmt.Sprintf("%.4f", accuracy))
				if accuracy > highest {
					mostAccurate, highest = m.label, accuracy
				}
				if v < least {
					best, least = m.label, v
				}
				if m.label == c.winner() {
					winner = k
				}
				if m.label == "Adam" {
					adam = k
				}
			}
			rows = append(rows, row, accuracyRow)
			first = append(first, c.label+": "+best)
			accurateFirst = append(accurateFirst, c.label+": "+mostAccurate)
			gradient.count(ahead(squares[winner], without(squares, winner), compareLogs))
			loss.count(ahead(objectives[0], objectives[1:3], compare))
			reduced.count(ahead(accuracies[0], accuracies[1:4], compare))
			highestMedian.counted(mostAccurate == "Adam")
			accurate.count(ahead(accuracies[adam], without(accuracies, adam), compare))
		}
		s.tables = []table{{rows: rows}}
		s.found = []tally{gradient, loss}
		if cases[0].regularised { // figure 6
			s.found = append(s.found, accurate, highestMedian, reduced)
		}
		s.order = fmt.Sprintf("Smallest gradient in the paper: %s; here: %s. Highest median of the best accuracy here: %s.", winners(cases), strings.Join(first, ", "), strings.Join(accurateFirst, ", "))
		return s
	}
	return p
}

// without leaves out the list at a place.
func without(lists [][]float64, place int) [][]float64 {
	return slices.Delete(slices.Clone(lists), place, place+1)
}

// winner is whose gradient is the smallest in the paper (section B.3).
func (c *aisarahCase) winner() string {
	if !c.regularised && (c.set == "a1a" || c.set == "mushrooms") {
		return "Adam"
	}
	return "AI-SARAH"
}

func winners(cases []*aisarahCase) string {
	list := make([]string, len(cases))
	for k, c := range cases {
		list[k] = c.label + ": " + c.winner()
	}
	return strings.Join(list, ", ")
}

// bySeconds draws the median run of each method over the time it took.
func (c *aisarahCase) bySeconds(all results, seeds int) panel {
	p := panel{title: c.name(), x: "seconds", y: "||grad P(w)||^2", logY: true}
	for _, m := range c.contenders {
		square, seconds := c.curves(all, m.method, seeds, "square", nil), c.curves(all, m.method, seeds, "seconds", nil)
		own := curve{label: m.label}
		for i := range c.places() {
			var s, q []float64
			for seed := range square {
				s, q = append(s, seconds[seed][i]), append(q, square[seed][i])
			}
			own.x, own.y = append(own.x, contest.Median(s)), append(own.y, contest.Median(q))
		}
		p.curves = append(p.curves, own)
	}
	return p
}

func stepPart(name, caption string, cases []*aisarahCase, seeds int) part {
	p := part{name: name, caption: caption}
	own := erm.AISARAH{Paper: true}
	for _, c := range cases {
		p.runs = append(p.runs, c.runs(own, seeds)...)
	}
	p.show = func(all results) shown {
		s := shown{seeds: seeds, notes: []string{"The line 1/L is the step that the global constant of smoothness would allow."}}
		grows, steady := tally{what: "the bound grows", paper: 10}, tally{what: "and settles", paper: 10}
		for _, c := range cases {
			s.panels = append(s.panels, panel{title: c.name(), x: "effective passes", y: "step size", logY: true, curves: []curve{
				band("step size", c.places()[2:], cut(c.curves(all, own, seeds, "step", nil), 2), bandLevel),
				band("upper bound", c.places()[2:], cut(c.curves(all, own, seeds, "bound", nil), 2), bandLevel),
				{label: "1/L", x: []float64{1, c.passes}, y: []float64{1 / c.smoothness, 1 / c.smoothness}, dashed: true},
			}})
			bounds := band("", c.places(), c.curves(all, own, seeds, "bound", nil), bandLevel).y
			grows.counted(bounds[len(bounds)-1] > bounds[2])
			steady.counted(bounds[len(bounds)-1] < 1.5*bounds[len(bounds)/2])
		}
		s.found = []tally{grows}
		if cases[0].regularised {
			s.found = append(s.found, steady)
			s.order = fmt.Sprintf("Paper: both begin conservatively, grow, and settle after a few passes. Here the bound ends above where it began on %d of %d sets, and grows by less than half in the second half of the run on %d.", grows.holds, len(cases), steady.holds)
		} else {
			s.order = fmt.Sprintf("Paper: without a regulariser both may grow for as long as one looks. Here the bound ends above where it began on %d of %d sets; on %d it is steady in the second half.", grows.holds, len(cases), steady.holds)
		}
		return s
	}
	return p
}

func cut(runs [][]float64, first int) [][]float64 {
	out := make([][]float64, len(runs))
	for k, run := range runs {
		out[k] = run[min(first, len(run)):]
	}
	return out
}

// figure1 compares AI-SARAH with SARAH at fixed steps on the first set, which stands for
// real-sim.
func figure1(cases []*aisarahCase, seeds int) part {
	c := *cases[0]
	c.contenders = []contender{{"AI-SARAH", erm.AISARAH{Paper: true}}}
	for power := -2; power <= 5; power++ {
		c.contenders = append(c.contenders, contender{fmt.Sprintf("SARAH, step 2^%d", power), erm.SARAH{Step: math.Pow(2, float64(power))}})
	}
	p := part{name: "Figure 1", caption: "AI-SARAH against SARAH with fixed steps: optimality gap, ||v_t||^2 of AI-SARAH, its step sizes, and the curvatures s_i = sigma(z)(1 - sigma(z)) of the losses"}
	for _, m := range c.contenders {
		p.runs = append(p.runs, c.runs(m.method, seeds)...)
	}
	optimum := "optimum: " + c.name()
	p.runs = append(p.runs, run{optimum, 1, func(ctx context.Context) (record, error) {
		got, err := erm.Solve(ctx, c.p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-14, Workers: 1})
		if err != nil {
			return nil, err
		}
		return record{"P": {got.Objective}}, nil
	}})
	curvature := func(w []float64) (float64, error) {
		z, err := scored(c.p.X, w)
		if err != nil {
			return 0, err
		}
		for i, v := range z {
			s := 1 / (1 + math.Exp(-v))
			z[i] = s * (1 - s)
		}
		return contest.Median(z), nil
	}
	curvatureKey := "curvatures: " + c.name()
	p.runs = append(p.runs, run{curvatureKey, 1, func(ctx context.Context) (record, error) {
		w := &watch{metric: curvature}
		got, err := c.solve(ctx, erm.AISARAH{Paper: true}, 0, w, every)
		if err != nil {
			return nil, err
		}
		return w.record(got, c.places()), nil
	}})
	p.show = func(all results) shown {
		least := all.number(optimum, "P")
		gap := panel{title: "(a) optimality gap", x: "effective passes", y: "P(w) - P(w*)", logY: true}
		for _, m := range c.contenders {
			gap.curves = append(gap.curves, band(m.label, c.places(), c.curves(all, m.method, seeds, "P", func(v []float64) []float64 {
				out := make([]float64, len(v))
				for i := range v {
					out[i] = v[i] - least
				}
				return out
			}), bandLevel))
		}
		own := c.contenders[:1]
		square := c.evolution(all, own, seeds, "||v_t||^2", "direction", true, nil)
		square.title = "(b) the recursive gradient"
		steps := panel{title: "(c) step size", x: "effective passes", y: "step size", logY: true, curves: []curve{
			band("step size", c.places()[2:], cut(c.curves(all, own[0].method, seeds, "step", nil), 2), bandLevel),
			band("upper bound", c.places()[2:], cut(c.curves(all, own[0].method, seeds, "bound", nil), 2), bandLevel),
			{label: "1/L", x: []float64{1, c.passes}, y: []float64{1 / c.smoothness, 1 / c.smoothness}, dashed: true},
		}}
		medians := all[curvatureKey]["metric"]
		bars := panel{title: "(d) median of s_i", x: "effective passes", y: "s_i", curves: []curve{{label: "median of s_i", x: c.places(), y: medians}}}
		best, bestGap := "", math.Inf(1)
		for _, m := range c.contenders {
			if v := contest.Median(c.final(all, m.method, seeds, "P")) - least; v < bestGap {
				best, bestGap = m.label, v
			}
		}
		finals := make([][]float64, len(c.contenders))
		for k, m := range c.contenders {
			finals[k] = c.final(all, m.method, seeds, "P")
			for seed := range finals[k] {
				finals[k][seed] -= least
			}
		}
		below := tally{what: "AI-SARAH ends below every fixed step", standIns: c.label}
		below.count(ahead(finals[0], finals[1:], compareLogs))
		diverges := tally{what: "step 2^5 diverges", standIns: c.label}
		highest := 0.0
		last := c.contenders[len(c.contenders)-1].method
		for _, run := range c.curves(all, last, seeds, "P", nil) {
			highest = max(highest, slices.Max(run))
		}
		end := contest.Median(c.final(all, last, seeds, "P"))
		diverges.counted(math.IsInf(end, 1))
		curvatures := tally{what: "the curvatures fall below 0.05", standIns: c.label}
		curvatures.counted(medians[len(medians)-1] < 0.05)
		s := shown{found: []tally{below, diverges, curvatures}, seeds: seeds, panels: []panel{gap, square, steps, bars}, notes: []string{
			"The paper shows real-sim, which is not at hand: " + c.name() + " takes its place. ||v_t||^2 is shown for AI-SARAH alone."},
			order: fmt.Sprintf("Paper: AI-SARAH ends below SARAH with every fixed step; 2^5 diverges; the median of s_i falls from 0.25 to below 0.05. Here the smallest gap after %g passes is of %s; with 2^5, P(w) rises to %.3g and ends at %.3g; the median of s_i falls from %.3f to %.3f.", c.passes, best, highest, end, medians[0], medians[len(medians)-1])}
		return s
	}
	return p
}
