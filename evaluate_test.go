package lanes_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// near tells whether two measures agree but for rounding.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// plainRows are rows of small numbers with the labels that they were given, in text.
type plainRows struct {
	labels []string
	values [][]float64 // all columns
	weight []float64
}

// makeRows makes rows whose labels depend on their values.
func makeRows(n, columns int, labels ...string) *plainRows {
	r := &plainRows{}
	for i := range n {
		row := make([]float64, columns)
		sum := 0.0
		for j := range row {
			if (i*7+j*j)%3 == 0 {
				row[j] = math.Round(8*math.Sin(float64(i*columns+j))) / 4
				sum += row[j] * float64(j%4)
			}
		}
		r.values = append(r.values, row)
		r.labels = append(r.labels, labels[(int(math.Abs(sum))+i%2)%len(labels)])
		r.weight = append(r.weight, float64(i%5)*0.75)
	}
	return r
}

// text returns the rows in LIBSVM's format.
func (r *plainRows) text() string {
	var text strings.Builder
	for i, row := range r.values {
		fmt.Fprint(&text, r.labels[i])
		for j, v := range row {
			if v != 0 {
				fmt.Fprintf(&text, " %d:%v", j+1, v)
			}
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}

func (r *plainRows) data(t *testing.T) *sparse.Data {
	t.Helper()
	data, err := sparse.Read(context.Background(), strings.NewReader(r.text()), "rows", sparse.ReadOptions{WordLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// scores returns the scores of a linear model by plain sums.
func (r *plainRows) scores(m *model.Linear) [][]float64 {
	scores := make([][]float64, len(r.values))
	for i, row := range r.values {
		for k := range m.Width() {
			w := m.Weights[k*m.Columns():][:m.Columns()]
			s := 0.0
			if m.Bias != 0 {
				s = m.Bias * w[m.Features]
			}
			for j, v := range row[:min(len(row), m.Features)] {
				s += v * w[j]
			}
			scores[i] = append(scores[i], s)
		}
	}
	return scores
}

// linear returns a model of some weights.
func linear(card model.Card, kind string, bias float64) *model.Linear {
	m := &model.Linear{Card: card, SolverType: kind, Bias: bias}
	if m.Meta != nil {
		m.Meta.Normalize = model.NormalizeNone
	}
	for k := range m.Columns() * m.Width() {
		m.Weights = append(m.Weights, math.Round(8*math.Cos(float64(3*k+1)))/8)
	}
	return m
}

// expectTwo compares a report of two classes with definitions.
func expectTwo(t *testing.T, r *lanes.Report, s []float64, positive []bool, w []float64, odds bool, rates [2]float64) {
	t.Helper()
	var all, right, loss, positives, ap, pairs, auc float64
	var tp, fp, fn, tn float64
	bins := make([][3]float64, 10) // weights, probabilities, positives
	for i := range s {
		all += w[i]
		sign := -1.0
		if positive[i] {
			sign = 1
			positives += w[i]
		}
		loss += w[i] * math.Log1p(math.Exp(-sign*s[i]))
		switch {
		case s[i] > 0 && positive[i]:
			tp += w[i]
		case s[i] > 0:
			fp += w[i]
		case positive[i]:
			fn += w[i]
		default:
			tn += w[i]
		}
		p := 1 / (1 + math.Exp(-s[i]))
		b := max(int(math.Ceil(10*p))-1, 0)
		bins[b][0] += w[i]
		bins[b][1] += w[i] * p
		if positive[i] {
			bins[b][2] += w[i]
		}
		above, hits := 0.0, 0.0 // rows of at least this score
		for j := range s {
			if s[j] >= s[i] {
				above += w[j]
				if positive[j] {
					hits += w[j]
				}
			}
			if positive[i] && !positive[j] {
				pairs += w[i] * w[j]
				switch {
				case s[i] > s[j]:
					auc += w[i] * w[j]
				case s[i] == s[j]:
					auc += w[i] * w[j] / 2
				}
			}
		}
		if positive[i] && w[i] > 0 {
			ap += w[i] * hits / above
		}
	}
	right = tp + tn
	precision, recall := tp/(tp+fp), tp/(tp+fn)
	c := r.Confusion
	for name, v := range map[string][2]float64{
		"rows": {float64(r.Rows), float64(len(s))}, "positives": {r.Positives, positives}, "accuracy": {r.Accuracy, right / all},
		"average precision": {r.AveragePrecision, ap / positives}, "AUROC": {r.AUROC, auc / pairs},
		"true positives": {c.TruePositive, tp}, "false positives": {c.FalsePositive, fp}, "false negatives": {c.FalseNegative, fn}, "true negatives": {c.TrueNegative, tn},
		"precision": {c.Precision(), precision}, "recall": {c.Recall(), recall}, "F1": {c.F1(), 2 * precision * recall / (precision + recall)},
	} {
		if !near(v[0], v[1]) {
			t.Errorf("%s: %v, not %v", name, v[0], v[1])
		}
	}
	if odds != (r.LogLoss == r.LogLoss) || odds && !near(r.LogLoss, loss/all) {
		t.Errorf("log loss: %v, not %v; scores are log odds: %v", r.LogLoss, loss/all, odds)
	}
	if odds {
		wrong := 0.0
		for k, b := range bins {
			got := r.Calibration[k]
			if !near(got.Weight, b[0]) || b[0] > 0 && (!near(got.Predicted, b[1]/b[0]) || !near(got.Observed, b[2]/b[0])) {
				t.Errorf("bin %d: %+v, not %v", k, got, b)
			}
			wrong += math.Abs(b[1] - b[2])
		}
		if !near(r.CalibrationError, wrong/all) {
			t.Errorf("calibration error: %v, not %v", r.CalibrationError, wrong/all)
		}
	} else if r.Calibration != nil || r.CalibrationError == r.CalibrationError {
		t.Errorf("a calibration %v of scores that are no log odds", r.Calibration)
	}
	if rates == [2]float64{} {
		if r.PartialAUC == r.PartialAUC || r.NormalisedPartialAUC == r.NormalisedPartialAUC {
			t.Error("a partial AUC that nobody wants")
		}
		return
	}
	// Straight lines between the rates of all thresholds, cut at both ends of the range.
	thresholds := slices.Compact(slices.Sorted(slices.Values(s)))
	slices.Reverse(thresholds)
	area, fpr, tpr := 0.0, 0.0, 0.0
	for _, threshold := range thresholds {
		nextF, nextT := fpr, tpr
		for i, v := range s {
			switch {
			case v != threshold:
			case positive[i]:
				nextT += w[i] / positives
			default:
				nextF += w[i] / (all - positives)
			}
		}
		at := func(rate float64) float64 { return tpr + (nextT-tpr)*(rate-fpr)/(nextF-fpr) }
		if low, high := max(fpr, rates[0]), min(nextF, rates[1]); low < high {
			area += (high - low) * (at(low) + at(high)) / 2
		}
		fpr, tpr = nextF, nextT
	}
	if width := rates[1] - rates[0]; !(math.Abs(r.PartialAUC-area) <= 1e-12) || !(math.Abs(r.NormalisedPartialAUC-area/width) <= 1e-11) {
		t.Errorf("partial AUC: %v and %v, not %v and %v", r.PartialAUC, r.NormalisedPartialAUC, area, area/width)
	}
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// TestEvaluateTwoClasses: models of two classes, labels that are numbers and words, and files
// of fewer and of more columns.
func TestEvaluateTwoClasses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	words := &model.Meta{LabelNames: []string{"spam", "ham"}}
	for name, c := range map[string]struct {
		card     model.Card
		labels   []string
		o        lanes.EvaluateOptions
		positive string
		sign     float64 // 0 for 1
	}{
		"numbers":           {model.Card{Positive: 7, Negative: -2}, []string{"-2", "7"}, lanes.EvaluateOptions{Rates: [2]float64{0.1, 0.35}}, "7", 0},
		"the smaller label": {model.Card{Positive: -2, Negative: 7}, []string{"-2", "7"}, lanes.EvaluateOptions{}, "-2", 0},
		"rest":              {model.Card{Positive: 7, Negative: -1, Rest: true}, []string{"7", "-2", "3"}, lanes.EvaluateOptions{}, "7", 0},
		"named":             {model.Card{Positive: 7, Negative: -2}, []string{"-2", "7"}, lanes.EvaluateOptions{Positive: "7", Rates: [2]float64{0, 0.2}}, "7", 0},
		"other labels":      {model.Card{Positive: 1, Negative: -1}, []string{"0", "1", "5"}, lanes.EvaluateOptions{Positive: "1"}, "1", 0},
		"the negative one":  {model.Card{Positive: 7, Negative: -2}, []string{"-2", "7"}, lanes.EvaluateOptions{Positive: "-2.0", Rates: [2]float64{0.5, 1}}, "-2", -1},
		"words":             {model.Card{Positive: 1, Negative: -1, Meta: words}, []string{"ham", "spam"}, lanes.EvaluateOptions{}, "spam", 0},
		"a word":            {model.Card{Positive: 1, Negative: -1, Meta: words}, []string{"ham", "spam", "eggs"}, lanes.EvaluateOptions{Positive: "spam"}, "spam", 0},
		"the negative word": {model.Card{Positive: 1, Negative: -1, Meta: words}, []string{"ham", "spam"}, lanes.EvaluateOptions{Positive: "ham"}, "ham", -1},
		"rest of words":     {model.Card{Positive: 1, Negative: -1, Rest: true, Meta: &model.Meta{LabelNames: []string{"spam", "rest"}}}, []string{"ham", "spam", "eggs"}, lanes.EvaluateOptions{}, "spam", 0},
	} {
		for _, columns := range []int{6, 9, 14} {
			for kind, odds := range map[string]bool{"L2R_LR": true, "L2R_L2LOSS_SVC": false} {
				card := c.card
				card.Features = 9
				m := linear(card, kind, 1.5*float64(columns%2))
				rows := makeRows(300, columns, c.labels...)
				positive, scores := make([]bool, 300), make([]float64, 300)
				for i, s := range rows.scores(m) {
					positive[i] = rows.labels[i] == c.positive
					if scores[i] = s[0]; c.sign != 0 {
						scores[i] *= c.sign
					}
				}
				for _, weight := range [][]float64{nil, rows.weight} {
					o := c.o
					o.RowWeights = weight
					r, err := lanes.Evaluate(ctx, m, rows.data(t), o)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if weight == nil {
						weight = ones(300)
					}
					expectTwo(t, r, scores, positive, weight, odds, c.o.Rates)
					if len(r.Missing) > 0 || r.Classes != nil || r.R2 == r.R2 || r.MacroF1 == r.MacroF1 {
						t.Errorf("%+v", r)
					}
					if t.Failed() {
						t.Fatalf("%s, %d columns, %s, weights %v", name, columns, kind, o.RowWeights != nil)
					}
				}
			}
		}
	}
}

// TestEvaluatePerceptron: scores of a perceptron are no log odds.
func TestEvaluatePerceptron(t *testing.T) {
	t.Parallel()
	n := score.Network{Features: 9, Hidden: []int{3}}
	m := &model.Perceptron{Card: model.Card{Features: 9, Positive: 1, Negative: 0}, Network: n}
	for k := range n.Parameters() {
		m.Weights = append(m.Weights, math.Cos(float64(5*k)))
	}
	rows := makeRows(300, 7, "0", "1")
	scores, positive := make([]float64, 300), make([]bool, 300)
	for i, row := range rows.values {
		// Layer by layer: 9 rows of 3 weights, 3 biases, 3 weights, a bias.
		scores[i] = m.Weights[33]
		for h := range 3 {
			unit := m.Weights[27+h]
			for j, v := range row {
				unit += v * m.Weights[3*j+h]
			}
			scores[i] += m.Weights[30+h] * math.Tanh(unit)
		}
		positive[i] = rows.labels[i] == "1"
	}
	r, err := lanes.Evaluate(context.Background(), m, rows.data(t), lanes.EvaluateOptions{Rates: [2]float64{0, 0.3}, RowWeights: rows.weight})
	if err != nil {
		t.Fatal(err)
	}
	expectTwo(t, r, scores, positive, rows.weight, false, [2]float64{0, 0.3})
}

// TestEvaluateSeveralClasses: one-vs-rest and softmax, numbers and words, and one class against
// the rest.
func TestEvaluateSeveralClasses(t *testing.T) {
	t.Parallel()
	words := []string{"red", "blue", "green", "none"} // no row is labelled none
	for _, softmax := range []bool{false, true} {
		for _, named := range []bool{false, true} {
			for kind, odds := range map[string]bool{"L2R_LR": true, "L2R_L2LOSS_SVC": false} {
				if softmax && !odds {
					continue
				}
				labels := []string{"4", "2", "9", "11"}
				card := model.Card{Features: 9, Classes: []float64{4, 2, 9, 11}, Meta: &model.Meta{Softmax: softmax}}
				if named {
					labels = words
					card.Meta.LabelNames = words
				}
				m := linear(card, kind, 1)
				for _, columns := range []int{7, 9, 12} {
					rows := makeRows(400, columns, labels[:3]...)
					for _, weight := range [][]float64{ones(400), rows.weight} {
						o := lanes.EvaluateOptions{RowWeights: weight}
						r, err := lanes.Evaluate(context.Background(), m, rows.data(t), o)
						if err != nil {
							t.Fatal(err)
						}
						expectSeveral(t, r, rows.scores(m), rows.labels, labels, weight, softmax, odds)
						for k := range labels[:3] {
							o := lanes.EvaluateOptions{RowWeights: weight, Positive: labels[k], Rates: [2]float64{0.05, 0.5}}
							r, err := lanes.Evaluate(context.Background(), m, rows.data(t), o)
							if err != nil {
								t.Fatal(err)
							}
							scores, positive := make([]float64, 400), make([]bool, 400)
							for i, s := range rows.scores(m) {
								positive[i], scores[i] = rows.labels[i] == labels[k], s[k]
								if softmax {
									p := likely(s, true)[k]
									scores[i] = math.Log(p / (1 - p))
								}
							}
							expectTwo(t, r, scores, positive, weight, odds, o.Rates)
						}
						if t.Failed() {
							t.Fatalf("softmax %v, words %v, %s, %d columns", softmax, named, kind, columns)
						}
					}
				}
			}
		}
	}
}

// likely returns the probabilities of classes by their scores.
func likely(s []float64, softmax bool) []float64 {
	p, sum := make([]float64, len(s)), 0.0
	for k, v := range s {
		if p[k] = 1 / (1 + math.Exp(-v)); softmax {
			p[k] = math.Exp(v)
		}
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// expectSeveral compares a report of several classes with definitions.
func expectSeveral(t *testing.T, r *lanes.Report, scores [][]float64, actual, labels []string, w []float64, softmax, odds bool) {
	t.Helper()
	table := map[[2]string]float64{}
	var all, right, loss float64
	bins := make([][3]float64, 10)
	for i, s := range scores {
		best, own := 0, 0
		for k := range s {
			if s[k] > s[best] {
				best = k
			}
			if labels[k] == actual[i] {
				own = k
			}
		}
		table[[2]string{actual[i], labels[best]}] += w[i]
		all += w[i]
		p := likely(s, softmax)
		loss -= w[i] * math.Log(p[own])
		b := int(math.Ceil(10*p[best])) - 1
		bins[b][0] += w[i]
		bins[b][1] += w[i] * p[best]
		if own == best {
			right += w[i]
			bins[b][2] += w[i]
		}
	}
	var recalls, f1s, withRows, seen float64
	for k, label := range labels {
		var rows, called float64
		for j, other := range labels {
			rows += table[[2]string{label, other}]
			called += table[[2]string{other, label}]
			if got := r.Table[k][j]; got != table[[2]string{label, other}] {
				t.Errorf("%s called %s: %v rows, not %v", label, other, got, table[[2]string{label, other}])
			}
		}
		hit := table[[2]string{label, label}]
		var precision, recall, f1 float64
		if called > 0 {
			precision = hit / called
		}
		if rows > 0 {
			recall = hit / rows
			recalls += recall
			withRows++
		}
		if hit > 0 {
			f1 = 2 * precision * recall / (precision + recall)
		}
		if rows+called > 0 {
			f1s += f1
			seen++
		}
		c := r.Classes[k]
		if fmt.Sprint(c.Label) != label || c.Rows != rows || !near(c.Precision, precision) || !near(c.Recall, recall) || !near(c.F1, f1) {
			t.Errorf("class %s: %+v; want %v rows, %v, %v, %v", label, c, rows, precision, recall, f1)
		}
	}
	wrong := 0.0
	for _, b := range bins {
		wrong += math.Abs(b[1] - b[2])
	}
	if !near(r.Accuracy, right/all) || !near(r.BalancedAccuracy, recalls/withRows) || !near(r.MacroF1, f1s/seen) {
		t.Errorf("accuracy %v, balanced %v, macro F1 %v; want %v, %v, %v", r.Accuracy, r.BalancedAccuracy, r.MacroF1, right/all, recalls/withRows, f1s/seen)
	}
	if odds && (!near(r.LogLoss, loss/all) || !near(r.CalibrationError, wrong/all)) || !odds && (r.LogLoss == r.LogLoss || r.Calibration != nil) {
		t.Errorf("log loss %v, calibration error %v; want %v, %v", r.LogLoss, r.CalibrationError, loss/all, wrong/all)
	}
	if r.AUROC == r.AUROC || r.Ranking != nil || len(r.Missing) > 0 || r.Rows != len(scores) {
		t.Errorf("%+v", r)
	}
}

// TestEvaluateRegression: the mean squared error and R2, by plain sums.
func TestEvaluateRegression(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{6, 9, 14} {
		rows := makeRows(300, columns, "-1.5", "0.25", "3", "8")
		m := linear(model.Card{Features: 9, Regression: true}, "L2R_L2LOSS_SVR", 2)
		data := rows.data(t)
		for _, weight := range [][]float64{nil, rows.weight} {
			r, err := lanes.Evaluate(context.Background(), m, data, lanes.EvaluateOptions{RowWeights: weight})
			if err != nil {
				t.Fatal(err)
			}
			if weight == nil {
				weight = ones(300)
			}
			var all, mean, errors, variance float64
			for i, y := range data.Y {
				all += weight[i]
				mean += weight[i] * y
			}
			mean /= all
			for i, s := range rows.scores(m) {
				errors += weight[i] * (s[0] - data.Y[i]) * (s[0] - data.Y[i])
				variance += weight[i] * (mean - data.Y[i]) * (mean - data.Y[i])
			}
			if !near(r.MeanSquaredError, errors/all) || !near(r.R2, 1-errors/variance) || r.Accuracy == r.Accuracy || r.Rows != 300 {
				t.Errorf("%+v, want %v and %v", r, errors/all, 1-errors/variance)
			}
		}
	}
}

// TestEvaluateScores: scores of any source, some of them infinite or equal.
func TestEvaluateScores(t *testing.T) {
	t.Parallel()
	labels, scores, positive, weight := make([]float64, 500), make([]float64, 500), make([]bool, 500), make([]float64, 500)
	for i := range scores {
		labels[i], weight[i] = float64(3+i%3/2), float64(i%4)*1.25
		positive[i], scores[i] = labels[i] == 4, math.Round(3*math.Sin(float64(i)))+float64(i%3/2)
	}
	rates := [2]float64{0.25, 0.75}
	for _, w := range [][]float64{ones(500), weight} {
		r, err := lanes.EvaluateScores(labels, scores, lanes.EvaluateOptions{RowWeights: w, Rates: rates})
		if err != nil {
			t.Fatal(err)
		}
		expectTwo(t, r, scores, positive, w, true, rates)
	}
	for i := range positive {
		positive[i] = !positive[i]
	}
	r, err := lanes.EvaluateScores(labels, scores, lanes.EvaluateOptions{Positive: "3"})
	if err != nil {
		t.Fatal(err)
	}
	expectTwo(t, r, scores, positive, ones(500), true, [2]float64{})
	r, err = lanes.EvaluateScores([]float64{0, 1, 1}, []float64{math.Inf(-1), 0, math.Inf(1)}, lanes.EvaluateOptions{})
	if err != nil || r.AUROC != 1 || r.Accuracy != 2./3 || !near(r.LogLoss, math.Ln2/3) {
		t.Errorf("%+v, %v", r, err)
	}
}
