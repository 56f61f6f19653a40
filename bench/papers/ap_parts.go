package main

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
)

func (s *apSet) tests(r results, method string, parameters map[string]string) []float64 {
	list := make([]float64, s.seeds)
	for seed := range list {
		list[seed] = r.number(s.key(method, parameters, seed+1), "test")
	}
	return list
}

func apTable2(sets []*apSet) part {
	printed := map[string][3]float64{"mushrooms": {2920, 1504, 5.27}, "w6a": {17188, 32561, 3.05}, "a9a": {32561, 16281, 24.08}, "w8a": {49749, 14951, 2.97}, "ijcnn1": {49990, 91701, 9.71}}
	return part{name: "Table 2", caption: "the data sets", show: func(results) shown {
		rows := [][]string{{"set", "training rows", "paper", "test rows", "paper", "positive, %", "paper"}}
		same := 0
		for _, s := range sets {
			positives := 0
			for _, y := range s.problem.Y {
				if y > 0 {
					positives++
				}
			}
			n, was := len(s.problem.Y), printed[s.name]
			rows = append(rows, []string{s.label, fmt.Sprint(n), fmt.Sprint(was[0]), fmt.Sprint(len(s.testY)), fmt.Sprint(was[1]),
				fmt.Sprintf("%.2f", 100*float64(positives)/float64(n)), fmt.Sprint(was[2])})
			if math.Abs(float64(n)-was[0]) < 100 {
				same++
			}
		}
		return shown{verdict: verdictOf(same, len(sets)), order: "The counts of the files at hand.", tables: []table{{rows: rows}},
			notes: []string{"The paper's mushrooms has 504 rows more than the negatives and 5.27 % of positives make; 4,424 in its table, 4,442 here."}}
	}}
}

func apTable3(sets []*apSet, r results) shown {
	head := []string{"set, method", "paper"}
	for _, reading := range apReadings {
		head = append(head, reading.label, "difference", "step, beta, margin")
	}
	rows := [][]string{head}
	var printedFirst []string
	first, agree, within, distance := make([][]string, len(apReadings)), make([]int, len(apReadings)), make([]int, len(apReadings)), make([]float64, len(apReadings))
	cells := 0
	for _, s := range sets {
		var prints []float64
		var labels []string
		means := make([][]float64, len(apReadings))
		for _, method := range apNames {
			was, known := printedAP[method][s.name]
			row := []string{s.label + ", " + apLabels[method], "-"}
			if known {
				row[1] = fmt.Sprintf("%.3f", was[0])
				cells++
			}
			if known && method != "moap-v1" {
				prints, labels = append(prints, was[0]), append(labels, apLabels[method])
			}
			for k, reading := range apReadings {
				parameters := s.best(r, method, reading)
				mean, deviation := spread(s.tests(r, method, parameters))
				difference := "-"
				if known {
					difference = fmt.Sprintf("%+.3f", mean-was[0])
					distance[k] += math.Abs(mean - was[0])
					// Five runs of 500 random batches do not repeat to 1e-6: the paper's
					// deviations are read as variances.
					if math.Abs(mean-was[0]) <= deviation+math.Sqrt(was[1])+0.0005 {
						within[k]++
					}
				}
				if known && method != "moap-v1" {
					means[k] = append(means[k], mean)
				}
				row = append(row, fmt.Sprintf("%.3f ± %.3f", mean, deviation), difference, strings.Join([]string{parameters["step"], parameters["beta"], parameters["margin"]}, ", "))
			}
			rows = append(rows, row)
		}
		printed := floats.MaxIdx(prints)
		printedFirst = append(printedFirst, s.label+": "+labels[printed])
		for k := range apReadings {
			here := floats.MaxIdx(means[k])
			first[k] = append(first[k], s.label+": "+labels[here])
			if means[k][printed] > means[k][here]-0.0015 {
				agree[k]++
			}
		}
	}
	out := shown{verdict: partly, tables: []table{{rows: rows}},
		order: fmt.Sprintf("Highest in the paper: %s.", strings.Join(printedFirst, ", ")),
		notes: []string{
			"A number agrees where it differs by no more than our deviation, the paper's and the rounding together, the paper's deviations taken for variances.",
			"Tried as well, each tuned anew: 20 rows of each class (a few hundredths more); fewer positives in a batch, 5, 2 or 1 of 20 (lower everywhere: ADAP on w8a .54, .52, .44 at margin 1); for SmoothAP, which is better here than there, as many positives as the data have (.61 and .43 on w8a and ijcnn1, nearer to the paper's .459 and .374); Adam's constants for ADAP. w6a is our split of w8a's rows, which may be what is left of its difference.",
		}}
	for k, reading := range apReadings {
		out.order += fmt.Sprintf(" Here, %s: %s; the paper's first is first, or within 0.0015 of it, on %d of %d sets, %d of %d numbers agree, mean distance %.3f.",
			reading.label, strings.Join(first[k], ", "), agree[k], len(sets), within[k], cells, distance[k]/float64(cells))
	}
	return out
}

func apTable5(sets []*apSet, r results) shown {
	rows := [][]string{{"set", "MOAP-V1", "MOAP-V2", "V1 - V2", "paper: V1", "V2", "V1 - V2"}}
	order := ""
	for _, s := range sets {
		for _, reading := range apReadings {
			one, _ := spread(s.tests(r, "moap-v1", s.best(r, "moap-v1", reading)))
			two, _ := spread(s.tests(r, "moap-v2", s.best(r, "moap-v2", reading)))
			row := []string{s.label + ", " + reading.label, fmt.Sprintf("%.3f", one), fmt.Sprintf("%.3f", two), fmt.Sprintf("%+.3f", one-two), "-", "-", "-"}
			if s.name == "w6a" {
				row[4], row[5], row[6] = "0.608", "0.596", "+0.012"
				order += fmt.Sprintf(" %+.3f (%s)", one-two, reading.label)
			}
			rows = append(rows, row)
		}
	}
	return shown{verdict: partly, tables: []table{{rows: rows}}, order: "Paper: MOAP-V1 and V2 are alike, +0.012 on w6a. Here, V1 - V2 on w6a:" + order + "."}
}

func apPrecisionRecall(sets []*apSet, r results) shown {
	s := shown{verdict: described, order: "The curves behind table 3; the paper shows them without numbers.", notes: []string{"The final model of the first seed."}}
	for _, set := range sets {
		for _, reading := range apReadings {
			p := panel{title: set.label + ", " + reading.label, x: "recall", y: "precision"}
			for _, method := range apNames {
				c := r["curves: "+set.key(method, set.best(r, method, reading), 1)]
				p.curves = append(p.curves, curve{label: apLabels[method], x: c["recall"], y: c["precision"]})
			}
			s.panels = append(s.panels, p)
		}
	}
	return s
}

func apConvergence(sets []*apSet, r results) shown {
	s := shown{}
	fastest, of := 0, 0
	for _, set := range sets {
		for _, reading := range apReadings {
			p := panel{title: set.label + ", " + reading.label, x: "iterations", y: "average precision, training rows"}
			areas := make([]float64, len(apNames))
			for k, method := range apNames {
				parameters := set.best(r, method, reading)
				var runs [][]float64
				var x []float64
				for seed := range set.seeds {
					c := r["curves: "+set.key(method, parameters, seed+1)]
					runs, x = append(runs, c["train"]), c["iterations"]
				}
				own := band(apLabels[method], x, runs, 0.95)
				p.curves = append(p.curves, own)
				areas[k] = floats.Sum(own.y) / float64(len(own.y))
			}
			s.panels = append(s.panels, p)
			of++
			if floats.MaxIdx(areas) == 0 {
				fastest++
			}
		}
	}
	s.order = fmt.Sprintf("Paper: ADAP converges fastest. Here its training curve is the highest on average over the 500 iterations in %d of %d cases.", fastest, of)
	s.verdict = verdictOf(fastest, of)
	return s
}
