package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
)

// portfolioSets says which sets a figure has here.
var portfolioSets = map[string]string{
	"Figure 1": setsAtHand(2, 3),
	"Figure 2": setsAtHand(3, 5),
	"Figure 3": setsAtHand(3, 5),
	"Figure 4": setsAtHand(3, 5),
}

// portfolioRuns are the runs of all methods on the sets of a figure.
func portfolioRuns(list []*portfolio, seeds int) []run {
	var runs []run
	for _, p := range list {
		for _, c := range p.contenders {
			for seed := range seeds {
				runs = append(runs, p.run(c, seed+1))
			}
		}
	}
	return runs
}

// endings are a method's results over the seeds: curves, last gaps, and samples/N to each level.
type endings struct {
	curves          [][]float64
	finals          []float64
	reached         [][]float64 // by level and seed
	last, lastShare float64     // median of finals, and as a share of the gap at x0
	above           float64     // the smallest level that was reached and is below last, NaN for none
}

func (p *portfolio) endings(all results, c portfolioContender, seeds int) endings {
	e := endings{reached: make([][]float64, len(portfolioLevels)), above: nan}
	for seed := range seeds {
		r := all[p.key(c, seed+1)]
		e.curves = append(e.curves, r["gap"])
		// a gap below the precision of Phi* says no more than that
		e.finals = append(e.finals, math.Max(r["gap"][len(r["gap"])-1], optimumPrecision))
		for i := range e.reached {
			e.reached[i] = append(e.reached[i], r["reached"][i])
		}
	}
	e.last = contest.Median(e.finals)
	e.lastShare = e.last / (p.first - p.least)
	for i, level := range portfolioLevels {
		if !math.IsInf(contest.Median(e.reached[i]), 1) && e.lastShare > level {
			e.above = level
		}
	}
	return e
}

// String is the last gap, and the samples/N to each level.
func (e endings) String() string {
	cells := make([]string, len(e.reached))
	for i, v := range e.reached {
		cells[i] = "-"
		if at := contest.Median(v); !math.IsInf(at, 1) {
			cells[i] = fmt.Sprintf("%.0f", at)
		}
	}
	text := fmt.Sprintf("%.1e", e.last)
	if e.last <= optimumPrecision {
		text = fmt.Sprintf("below %.0e", optimumPrecision)
	}
	text += " (" + strings.Join(cells, " / ") + ")"
	if !math.IsNaN(e.above) {
		text += endsAbove(e.above)
	}
	return text
}

func portfolioPart(name, caption string, list []*portfolio, seeds int) part {
	own := part{name: name, caption: caption, runs: portfolioRuns(list, seeds)}
	own.show = func(all results) shown {
		s := shown{seeds: seeds, sets: portfolioSets[name]}
		rows := [][]string{{"set and setting", "gap at x0"}}
		for _, c := range list[0].contenders {
			rows[0] = append(rows[0], c.label)
		}
		fewest := tally{what: "eta = 0.01: SCVRG needs the fewest samples"}
		coarse := tally{what: "eta = 0.01: SCVRG needs the fewest samples to a hundredth of the gap at x0"}
		lessRobust := tally{what: "eta = 0.01: VRSC-PG is less robust than SCVRG"}
		agdLast, agdFirst := tally{what: "eta = 0.01: AGD needs the most samples"}, tally{what: "eta = 0.01: on the contrary, AGD needs the fewest samples"}
		robust := tally{what: "eta = 0.01: SCVRG and VRSC-PG are more robust than SCGD and ASC-PG"}
		falls := tally{what: "eta = 0.01: SCVRG ends below its start"}
		defaults := tally{what: "lanes' defaults: SCVRG needs the fewest samples"}
		authors := tally{what: "the authors' steps: SCVRG ends lowest"} // few runs come to a hundredth of the gap
		var risen []string
		shares := map[string][]span{paperMode: make([]span, len(rows[0])-2), authorsMode: make([]span, len(rows[0])-2)}
		for _, p := range list {
			if p.mode == paperMode {
				s.eta.add(0.01 / p.longest)
			}
			pan := panel{title: p.name + ", " + p.mode, x: "samples / N", y: "Phi(x) - Phi*", logY: true}
			row := []string{p.name + ", " + p.mode, fmt.Sprintf("%.1e", p.first-p.least)}
			finals, reached := make([][]float64, len(p.contenders)), make([][][]float64, len(p.contenders))
			for k, c := range p.contenders {
				e := p.endings(all, c, seeds)
				finals[k], reached[k] = e.finals, e.reached
				pan.curves = append(pan.curves, curve{label: c.label, x: p.places(), y: medians(e.curves)})
				row = append(row, e.String())
				if !math.IsNaN(e.above) {
					risen = append(risen, c.label+" on "+p.name+" ("+p.mode+")")
				}
				if p.mode != defaultMode {
					shares[p.mode][k].add(e.lastShare)
				}
			}
			s.panels = append(s.panels, pan)
			rows = append(rows, row)
			samples := samplesToDeepest(reached)
			agd := len(p.contenders) - 1
			switch p.mode {
			case defaultMode:
				defaults.count(ahead(samples[0], samples[1:], compare))
				continue
			case authorsMode:
				authors.count(ahead(finals[0], finals[1:], compareLogs))
				continue
			}
			fewest.count(ahead(samples[0], samples[1:], compare))
			agdFirst.count(ahead(samples[agd], samples[:agd], compare))
			first := make([][]float64, len(reached))
			for k := range reached {
				first[k] = reached[k][0]
			}
			coarse.count(ahead(first[0], first[1:], compare))
			last := -1
			for _, other := range samples[:agd] {
				last = max(last, compare(other, samples[agd]))
			}
			agdLast.count(last)
			robust.count(max(ahead(finals[0], finals[2:4], compareLogs), ahead(finals[1], finals[2:4], compareLogs)))
			lessRobust.count(compareLogs(finals[0], finals[1]))
			falls.counted(contest.Median(finals[0]) < p.first-p.least)
		}
		s.tables = []table{{title: fmt.Sprintf("gap after %g samples/N (samples/N to 1e-2 / 1e-4 / 1e-6 of the gap at x0), medians over the seeds", list[0].budget), rows: rows}}
		s.found = []tally{fewest, coarse, lessRobust}
		if name == "Figure 1" {
			s.found = append(s.found, agdLast, agdFirst, robust, falls)
			s.order = fmt.Sprintf("With eta = 0.01 the gap ends at these multiples of the gap at x0: %s. ", sharesText(list[0], shares[paperMode]))
			s.order += fmt.Sprintf("Here eta = 0.01 is %s times 1/L, the step of AGD. ", s.eta.text("%.2g"))
			if defaults.holds == defaults.of {
				s.order += "With lanes' defaults, which choose steps from the data, SCVRG is first. "
			}
		}
		s.found = append(s.found, defaults, authors)
		s.order += "Paper: SCVRG outperforms the other methods; VRSC-PG is less robust. Counted here are the samples/N to 1e-6 of the gap at x0, or to 1e-4 or 1e-2 if no method comes further. More robust means here: a smaller gap at the end. " +
			fmt.Sprintf("With the authors' steps the gap ends at these multiples of the gap at x0: %s.", sharesText(list[0], shares[authorsMode]))
		s.order += risenText(risen)
		return s
	}
	return own
}

// span is the range of several values.
type span struct {
	least, most float64
	count       int
}

func (s *span) add(v float64) {
	if s.count == 0 {
		s.least, s.most = v, v
	}
	s.least, s.most, s.count = math.Min(s.least, v), math.Max(s.most, v), s.count+1
}

// join adds another range.
func (s *span) join(other span) {
	if other.count > 0 {
		s.add(other.least)
		s.add(other.most)
	}
}

func (s span) text(format string) string {
	first, last := fmt.Sprintf(format, s.least), fmt.Sprintf(format, s.most)
	if first == last {
		return first
	}
	return first + " to " + last
}

func sharesText(p *portfolio, shares []span) string {
	var list []string
	for k, c := range p.contenders {
		list = append(list, c.label+" "+shares[k].text("%.3g"))
	}
	return strings.Join(list, ", ")
}

// samplesToDeepest is the samples/N of each method and seed to the deepest level that the median
// run of some method reaches; reached has the methods, the levels and the seeds.
func samplesToDeepest(reached [][][]float64) [][]float64 {
	deepest := 0
	for _, levels := range reached {
		for i, v := range levels {
			if !math.IsInf(contest.Median(v), 1) {
				deepest = max(deepest, i)
			}
		}
	}
	samples := make([][]float64, len(reached))
	for k, levels := range reached {
		samples[k] = levels[deepest]
	}
	return samples
}

// medians is the median of several curves at each place.
func medians(runs [][]float64) []float64 {
	out, at := make([]float64, len(runs[0])), make([]float64, len(runs))
	for i := range out {
		for k, run := range runs {
			at[k] = run[i]
		}
		out[i] = contest.Median(at)
	}
	return out
}

func portfolioTable(list []*portfolio) part {
	return part{name: "Table II", caption: "the data sets", show: func(results) shown {
		rows := [][]string{{"set", "N", "paper", "d", "paper", "lambda", "1/L"}}
		same := tally{what: "the same N and d"}
		for _, p := range list {
			if p.mode != paperMode {
				continue
			}
			n, d := "7240", "25"
			if p.figure == "1" {
				n, d = "13781", "100"
			}
			same.counted(fmt.Sprint(p.n) == n && fmt.Sprint(p.d) == d)
			rows = append(rows, []string{p.name, fmt.Sprint(p.n), n, fmt.Sprint(p.d), d, fmt.Sprintf("%g", p.lambda), fmt.Sprintf("%.4f", p.longest)})
		}
		return shown{found: []tally{same}, sets: setsAtHand(11, 18), order: "The counts of the files at hand, beside the paper's. L is the largest eigenvalue of the second derivative of F.", tables: []table{{rows: rows}},
			notes: []string{"ME is the authors' name for the sets by size and book-to-market (BM in the paper). Europe, Japan and the large set by operating profitability are not at hand."}}
	}}
}
