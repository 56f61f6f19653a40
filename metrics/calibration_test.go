package metrics

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func TestCalibrationByHand(t *testing.T) {
	probability := []float64{0, 0.25, 0.5, 0.75, 1, 0.6}
	label := []float64{-1, 1, -1, 1, 1, -1}
	weight := []float64{1, 1, 2, 1, 3, 0}
	table, err := Calibration(probability, label, weight, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []CalibrationBin{
		{Low: 0, High: 0.5, Weight: 4, Predicted: (0 + 0.25 + 2*0.5) / 4, Observed: 0.25},
		{Low: 0.5, High: 1, Weight: 4, Predicted: (0.75 + 3) / 4, Observed: 1},
	}
	for k := range want {
		if table[k] != want[k] {
			t.Errorf("bin %d: %+v, want %+v", k, table[k], want[k])
		}
	}
	near(t, "calibration error", CalibrationError(table), (0.0625+0.0625)/2)
	brier, err := Brier(probability, label, weight)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Brier", brier, (0.75*0.75+2*0.25+0.25*0.25)/8)
}

func TestCalibrationHoldsEveryRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 50 {
		n, bins := 1+rng.IntN(300), 1+rng.IntN(20)
		p, label := make([]float64, n), make([]float64, n)
		for i := range p {
			p[i], label[i] = float64(rng.IntN(bins+1))/float64(bins), float64(rng.IntN(2))
		}
		table, err := Calibration(p, label, nil, bins)
		if err != nil {
			t.Fatal(err)
		}
		rows, positives, want := 0.0, 0.0, 0.0
		for _, b := range table {
			rows += b.Weight
			positives += b.Weight * b.Observed
			if b.Weight > 0 && !(b.Predicted >= b.Low-1e-12 && b.Predicted <= b.High+1e-12) {
				t.Fatalf("%+v", b)
			}
		}
		for _, y := range label {
			want += y
		}
		near(t, "rows", rows, float64(n))
		near(t, "positives", positives, want)
	}
}

func TestCalibrationRefuses(t *testing.T) {
	one := []float64{1}
	for name, p := range map[string][]float64{"above": {1.1}, "below": {-0.1}, "NaN": {math.NaN()}, "none": {}} {
		if _, err := Calibration(p, one[:len(p)], nil, 10); err == nil {
			t.Errorf("%s accepted", name)
		}
		if _, err := Brier(p, one[:len(p)], nil); err == nil {
			t.Errorf("Brier: %s accepted", name)
		}
	}
	if _, err := Calibration(one, one, nil, 0); err == nil {
		t.Error("0 bins accepted")
	}
}

func TestCalibrationAgainstScikitLearn(t *testing.T) {
	repeat.Skip(t)
	const script = `
import json, sys
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss
p, y = json.load(sys.stdin)
o, q = calibration_curve(y, p, n_bins=7)
print(json.dumps([list(o), list(q), [brier_score_loss(y, p)]]))
`
	rng := rand.New(rand.NewPCG(9, 9))
	p, label := make([]float64, 500), make([]float64, 500)
	for i := range p {
		p[i] = math.Round(rng.Float64()*1e3) / 1e3
		if rng.Float64() < p[i] {
			label[i] = 1
		}
	}
	input, err := json.Marshal([][]float64{p, label})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", script)
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Skipf("python3 with scikit-learn is not here: %v", err)
	}
	var theirs [3][]float64
	if err := json.Unmarshal(output, &theirs); err != nil {
		t.Fatal(err)
	}
	table, err := Calibration(p, label, nil, 7)
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range table {
		near(t, "observed", b.Observed, theirs[0][k])
		near(t, "predicted", b.Predicted, theirs[1][k])
	}
	brier, err := Brier(p, label, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Brier", brier, theirs[2][0])
}
