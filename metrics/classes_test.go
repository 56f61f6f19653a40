package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestClassesByHand(t *testing.T) {
	table, err := Classify([]uint32{0, 0, 1, 1, 1, 2}, []uint32{0, 1, 1, 1, 0, 1}, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Each()[1]; got != (Confusion{TruePositive: 2, FalsePositive: 2, FalseNegative: 1, TrueNegative: 1}) {
		t.Errorf("class 1: %+v", got)
	}
	near(t, "accuracy", table.Accuracy(), 3.0/6)
	near(t, "balanced accuracy", table.BalancedAccuracy(), (1.0/2+2.0/3+0)/3)
	near(t, "macro F1", table.MacroF1(), (2.0/4+4.0/7+0)/3)

	loss, err := ClassLogLoss([]float64{0.5, 0.25, 0.25, 0.125, 0, 0.875}, []uint32{1, 2}, []float64{3, 1}, 3)
	near(t, "log loss", loss, (3*math.Log(4)-math.Log(0.875))/4)
	if err != nil {
		t.Error(err)
	}
	if loss, err := ClassLogLoss([]float64{1, 0}, []uint32{1}, nil, 2); err != nil || !math.IsInf(loss, 1) {
		t.Errorf("the loss of an impossible class is %v, %v", loss, err)
	}
}

// With two classes, everything is what the binary metrics say.
func TestClassesOfTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	score, label, weight := sample(rng, 300, true)
	actual, predicted := make([]uint32, len(score)), make([]uint32, len(score))
	for i, s := range score {
		if s > 0 {
			predicted[i] = 1
		}
		if label[i] > 0 {
			actual[i] = 1
		}
	}
	table, err := Classify(actual, predicted, weight, 2)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Accuracy(score, label, weight)
	near(t, "accuracy", table.Accuracy(), want)
	confusion, _ := ConfusionAt(score, label, weight, math.SmallestNonzeroFloat64)
	near(t, "F1", table.Each()[1].F1(), confusion.F1())
	near(t, "recall", table.Each()[1].Recall(), confusion.Recall())
}

// TestEachClass counts the rows of every class against the rest one by one.
func TestEachClass(t *testing.T) {
	const rows, classes = 500, 7
	rng := rand.New(rand.NewPCG(5, 6))
	actual, predicted, weight := make([]uint32, rows), make([]uint32, rows), make([]float64, rows)
	for i := range rows {
		actual[i], predicted[i], weight[i] = uint32(rng.IntN(classes-1)), uint32(rng.IntN(classes-2)), float64(rng.IntN(5))*0.75
	}
	table, err := Classify(actual, predicted, weight, classes)
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range table.Each() {
		var want Confusion
		for i, w := range weight {
			own, called := int(actual[i]) == k, int(predicted[i]) == k
			switch {
			case own && called:
				want.TruePositive += w
			case called:
				want.FalsePositive += w
			case own:
				want.FalseNegative += w
			default:
				want.TrueNegative += w
			}
		}
		if got != want { // which are exact
			t.Errorf("class %d: %+v, not %+v", k, got, want)
		}
	}
}

func TestClassesRefuse(t *testing.T) {
	one := []uint32{0}
	for name, err := range map[string]error{
		"no rows":                   second(Classify(nil, nil, nil, 2)),
		"lengths":                   second(Classify(one, nil, nil, 2)),
		"no classes":                second(Classify(one, one, nil, 0)),
		"less than none":            second(Classify(one, one, nil, -1)),
		"too many":                  second(Classify(one, one, nil, 1<<30)),
		"more than an int of cells": second(ClassLogLoss(nil, nil, nil, math.MinInt)),
		"cells that wrap":           second(ClassLogLoss(nil, make([]uint32, 4), nil, math.MaxInt/2+1)),
		"actual":                    second(Classify([]uint32{2}, one, nil, 2)),
		"predicted":                 second(Classify(one, []uint32{2}, nil, 2)),
		"weight":                    second(Classify(one, one, []float64{math.NaN()}, 2)),
		"probabilities":             second(ClassLogLoss([]float64{1}, one, nil, 2)),
		"class":                     second(ClassLogLoss([]float64{1}, []uint32{1}, nil, 1)),
		"above 1":                   second(ClassLogLoss([]float64{1.5}, one, nil, 1)),
		"no weight":                 second(ClassLogLoss([]float64{1}, one, []float64{0}, 1)),
	} {
		if err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }
