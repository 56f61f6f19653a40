package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

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
		parts = append(parts, f.of(f.regularised, f.caption, with), f.of(f.plain, strings.Replace(f.caption, "regularised", "not regularised", 1), without))
	}
	parts = append(parts, table2(cases), tables4to6(cases), table7(cases), aisarahTheorems(cases, l.runs(3)),
		part{name: "Figure 3", missing: "it has the running minima along all runs of the search, by passes and by seconds, on five sets, of which ijcnn1 is at hand; here the search keeps only where each run ends (figures 12, 13 and 16)"})
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

// curves returns the curves of a method, one for each seed.
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
		smallest := tally{what: "gamma = 1/64 has the lowest median of these four"}
		alike := tally{what: "gammas from 1/64 to 1/8 end within three powers of ten of each other"}
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
				row = append(row, fmt.Sprintf("%.2e", v))
				if k < 4 { // the paper says it of 1/64 to 1/8
					least, most = min(least, v), max(most, v)
				}
			}
			smallest.counted(least == contest.Median(c.final(all, methods[0].method, seeds, "square")))
			worst = max(worst, math.Log10(most/least))
			alike.counted(most <= 1000*least)
			rows = append(rows, row)
		}
		s.tables = []table{{rows: rows}}
		s.order = fmt.Sprintf("Paper: gammas from 1/64 to 1/8 perform consistently, and smaller ones marginally better. Here ||grad P||^2 at the end differs among these four by at most %.1f powers of ten.", worst)
		s.found, s.sets = []tally{alike, smallest}, aisarahSets(cases)
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
		s := shown{seeds: seeds, sets: aisarahSets(cases)}
		rows := [][]string{{"at the end, median over seeds"}}
		for _, m := range cases[0].contenders {
			rows[0] = append(rows[0], m.label)
		}
		var first, accurateFirst []string
		gradient := tally{what: "the method with the smallest gradient in the paper has it here"}
		seconds := tally{what: "AI-SARAH has the smallest gradient at equal seconds"}
		phi := tally{what: "P(w) of AI-SARAH is below SARAH's and SARAH+'s"}
		accurate := tally{what: "Adam has the best accuracy, beyond the seeds' spread"}
		highestMedian := tally{what: "Adam has the highest median accuracy"}
		reduced := tally{what: "AI-SARAH is more accurate than SARAH, SARAH+ and SVRG"}
		adam := slices.IndexFunc(cases[0].contenders, func(m contender) bool { return m.label == "Adam" })
		for _, c := range cases {
			s.panels = append(s.panels, c.evolution(all, c.contenders, seeds, "P(w)", "P", false, nil),
				c.evolution(all, c.contenders, seeds, "||grad P(w)||^2", "square", true, nil),
				c.bySeconds(all, seeds),
				c.evolution(all, c.contenders, seeds, "test accuracy, running maximum", "metric", false, runningMost))
			var squares, objectives, accuracies [][]float64
			var medianSquares, medianAccuracies []float64
			row, timedRow, accuracyRow := []string{c.name() + ", ||grad P||^2"}, []string{c.name() + ", at equal seconds"}, []string{c.name() + ", best accuracy"}
			timed := c.atEqualSeconds(all, seeds)
			seconds.count(ahead(timed[0], timed[1:], compareLogs))
			winner := 0
			for k, m := range c.contenders {
				squares = append(squares, c.final(all, m.method, seeds, "square"))
				objectives = append(objectives, c.final(all, m.method, seeds, "P"))
				own := make([]float64, seeds)
				for seed := range own {
					own[seed] = slices.Max(all[c.key(m.method, seed)]["metric"])
				}
				accuracies = append(accuracies, negated(own))
				medianSquares, medianAccuracies = append(medianSquares, contest.Median(squares[k])), append(medianAccuracies, contest.Median(own))
				row, accuracyRow = append(row, fmt.Sprintf("%.1e", medianSquares[k])), append(accuracyRow, fmt.Sprintf("%.4f", medianAccuracies[k]))
				timedRow = append(timedRow, fmt.Sprintf("%.1e", contest.Median(timed[k])))
				if m.label == c.winner() {
					winner = k
				}
			}
			rows = append(rows, row, timedRow, accuracyRow)
			best, mostAccurate := c.contenders[floats.MinIdx(medianSquares)].label, c.contenders[floats.MaxIdx(medianAccuracies)].label
			first, accurateFirst = append(first, c.label+": "+best), append(accurateFirst, c.label+": "+mostAccurate)
			gradient.count(ahead(squares[winner], without(squares, winner), compareLogs))
			phi.count(ahead(objectives[0], objectives[1:3], compare))
			reduced.count(ahead(accuracies[0], accuracies[1:4], compare))
			highestMedian.counted(mostAccurate == "Adam")
			accurate.count(ahead(accuracies[adam], without(accuracies, adam), compare))
		}
		s.tables = []table{{rows: rows}}
		s.order = fmt.Sprintf("Smallest gradient in the paper: %s; here: %s. Highest median of the best accuracy here: %s.", winners(cases), strings.Join(first, ", "), strings.Join(accurateFirst, ", "))
		s.found = []tally{gradient}
		s.notes = []string{"Whose gradient is the smallest in the paper is read from section B.3: Adam's where it says so, AI-SARAH's on the other sets, of which it says only most."}
		if cases[0].regularised { // figures 4 to 6
			s.found = append(s.found, highestMedian, accurate, seconds, phi, reduced)
			s.notes = append(s.notes, "Paper: AI-SARAH has the smallest gradient by passes, and at the same seconds; P(w) of AI-SARAH is below SARAH's and SARAH+'s, except perhaps on covtype; tuned Adam dominates the accuracy, and AI-SARAH is above the other methods of reduced variance on most sets. "+
				equalSeconds)
		} else {
			s.notes = append(s.notes, "Paper: tuned Adam has a smaller gradient than AI-SARAH on a1a and mushrooms (and on gisette and w1a, which are not at hand). Of the other quantities the paper says nothing for this case. "+equalSeconds)
		}
		return s
	}
	return p
}

const equalSeconds = "Equal seconds are those at which the quickest method has spent its passes."

// aisarahSets names the data sets that a part's statements are counted on.
func aisarahSets(cases []*aisarahCase) string { return setsAtHand(len(cases), 10) }

// atEqualSeconds is ||grad P||^2 of each method and seed at the time at which the first method
// has spent its passes.
func (c *aisarahCase) atEqualSeconds(all results, seeds int) [][]float64 {
	at := math.Inf(1)
	for _, m := range c.contenders {
		at = math.Min(at, contest.Median(c.final(all, m.method, seeds, "seconds")))
	}
	list := make([][]float64, len(c.contenders))
	for k, m := range c.contenders {
		for seed := range seeds {
			r := all[c.key(m.method, seed)]
			list[k] = append(list[k], sampled(r["seconds"], r["square"], []float64{at})[0])
		}
	}
	return list
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
		s := shown{seeds: seeds, sets: aisarahSets(cases), notes: []string{"Both are means over the seeds; they begin after the first pass, which is the first full gradient. 1/L is the step that the global constant of smoothness allows."}}
		rows := [][]string{{"set", "1/L", "step after 1 pass", "in the middle", "at the end", "bound after 1 pass", "in the middle", "at the end"}}
		names := []string{"step", "bound"}
		begins := tally{what: "the step begins at 1/L or below"}
		grows, steady := make([]tally, 2), make([]tally, 2)
		for k, what := range []string{"the step", "the upper bound"} {
			grows[k] = tally{what: what + " ends above its value after 1 pass"}
			steady[k] = tally{what: what + " changes by less than half in the second half of the run"}
		}
		for _, c := range cases {
			s.panels = append(s.panels, c.stepPanel(all, own, seeds, c.name()))
			row := []string{c.name(), fmt.Sprintf("%.3g", 1/c.smoothness)}
			for k, name := range names {
				v := c.stepBand(all, own, seeds, name).y
				first, middle, last := v[0], v[len(v)/2], v[len(v)-1]
				row = append(row, fmt.Sprintf("%.3g", first), fmt.Sprintf("%.3g", middle), fmt.Sprintf("%.3g", last))
				if name == "step" {
					begins.counted(first <= 1/c.smoothness)
				}
				grows[k].counted(last > first)
				steady[k].counted(math.Abs(last-middle) < middle/2)
			}
			rows = append(rows, row)
		}
		s.tables, s.found = []table{{rows: rows}}, append([]tally{begins}, grows...)
		if cases[0].regularised {
			s.found = append(s.found, steady...)
			s.order = "Paper: step and upper bound begin conservatively, grow, and are stable after a few passes."
		} else {
			s.order = fmt.Sprintf("Paper: without a regulariser both may grow for as long as one looks. Here the step changes by less than half in the second half of the run on %d of %d sets, the bound on %d.", steady[0].holds, steady[0].of, steady[1].holds)
		}
		return s
	}
	return p
}

// stepBand is the mean of AI-SARAH's steps, or of their bounds, from the end of the first pass on.
func (c *aisarahCase) stepBand(all results, m erm.Method, seeds int, name string) curve {
	const first = int(1 / every)
	label := map[string]string{"step": "step size", "bound": "upper bound"}[name]
	return band(label, c.places()[first:], cut(c.curves(all, m, seeds, name, nil), first), bandLevel)
}

func (c *aisarahCase) stepPanel(all results, m erm.Method, seeds int, title string) panel {
	return panel{title: title, x: "effective passes", y: "step size", logY: true, curves: []curve{
		c.stepBand(all, m, seeds, "step"), c.stepBand(all, m, seeds, "bound"),
		{label: "1/L", x: []float64{1, c.passes}, y: []float64{1 / c.smoothness, 1 / c.smoothness}, dashed: true},
	}}
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
		steps := c.stepPanel(all, own[0].method, seeds, "(c) step size")
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
		below := tally{what: "AI-SARAH ends below SARAH with every fixed step"}
		below.count(ahead(finals[0], finals[1:], compareLogs))
		diverges := tally{what: "SARAH with step 2^5 diverges"}
		highest := 0.0
		last := c.contenders[len(c.contenders)-1].method
		for _, run := range c.curves(all, last, seeds, "P", nil) {
			highest = max(highest, slices.Max(run))
		}
		end := contest.Median(c.final(all, last, seeds, "P"))
		diverges.counted(math.IsInf(end, 1))
		sizes := c.stepBand(all, own[0].method, seeds, "step")
		global := 1 / c.smoothness
		passed := slices.IndexFunc(sizes.y, func(v float64) bool { return v > global })
		sooner, larger, when := tally{what: "AI-SARAH's step is above 1/L within 5 passes"}, tally{what: "AI-SARAH's step ends above 2^5"}, "never"
		sooner.counted(passed >= 0 && sizes.x[passed] <= 5)
		if passed >= 0 {
			when = fmt.Sprintf("after %g passes", sizes.x[passed])
		}
		largest := sizes.y[len(sizes.y)-1]
		larger.counted(largest > 32)
		curvatures := tally{what: "the median of s_i falls below 0.05"}
		curvatures.counted(medians[len(medians)-1] < 0.05)
		s := shown{found: []tally{below, diverges, sooner, larger, curvatures}, seeds: seeds, sets: setsAtHand(0, 1, c.label+" for real-sim"), panels: []panel{gap, square, steps, bars},
			notes: []string{"Every set has its own L: 2^5 is 8 times 1/L on real-sim, and " + fmt.Sprintf("%.0f times on %s. ", 32/global, c.label) + "||v_t||^2 is shown for AI-SARAH alone, and the local constants of smoothness of panel (c) are not. The distribution of s_i is shown by its median."},
			order: fmt.Sprintf("Paper: AI-SARAH converges faster than SARAH with fixed steps from 2^-2 to 2^4; SARAH with 2^5 diverges. The step of AI-SARAH surpasses 1/L within 5 passes and ends above 2^5. The median of s_i falls from 0.25 to below 0.05. "+
				"Here, after %g passes, %s has the smallest gap. With 2^5, P(w) rises to %.3g and ends at %.3g. The step of AI-SARAH passes 1/L = %.3g %s and ends at %.3g. The median of s_i falls from %.3f to %.3f.",
				c.passes, best, highest, end, global, when, largest, medians[0], medians[len(medians)-1])}
		return s
	}
	return p
}
