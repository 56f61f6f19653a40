package metrics

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

const sklearnScript = `
import json, sys
try:
    import numpy as np
    from sklearn import metrics as m
except ImportError:
    sys.exit(3)
for line in sys.stdin:
    s, y, w = json.loads(line)
    y = np.array(y) > 0
    p = 1 / (1 + np.exp(-np.array(s)))
    pauc = m.roc_auc_score(y, s, sample_weight=w, max_fpr=0.3)
    low = 0.3 * 0.3 / 2
    print(json.dumps([m.average_precision_score(y, s, sample_weight=w), m.roc_auc_score(y, s, sample_weight=w),
        (2 * pauc - 1) * (0.3 - low) + low, m.log_loss(y, p, sample_weight=w),
        m.accuracy_score(y, np.array(s) > 0, sample_weight=w)]))
`

func TestAgainstScikitLearn(t *testing.T) {
	repeat.Skip(t)
	const python = "/usr/bin/python3"
	rng := rand.New(rand.NewPCG(4, 4))
	var input strings.Builder
	var want [][]float64
	for round := range 30 {
		score, label, weight := sample(rng, 2+rng.IntN(500), round%2 == 1)
		line, err := json.Marshal([][]float64{score, label, weight})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&input, "%s\n", line)
		ap, err1 := AveragePrecision(score, label, weight)
		auc, err2 := AUROC(score, label, weight)
		pauc, _, err3 := PartialAUC(score, label, weight, 0, 0.3, 0)
		loss, err4 := LogLoss(score, label, weight)
		accuracy, err5 := Accuracy(score, label, weight)
		for _, err := range []error{err1, err2, err3, err4, err5} {
			if err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, []float64{ap, auc, pauc, loss, accuracy})
	}
	command := exec.Command(python, "-W", "ignore", "-c", sklearnScript)
	command.Stdin = strings.NewReader(input.String())
	output, err := command.Output()
	if err != nil {
		t.Skipf("%s with scikit-learn is not here: %v", python, err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(output)))
	for round, ours := range want {
		lines.Scan()
		var theirs []float64
		if err := json.Unmarshal(lines.Bytes(), &theirs); err != nil {
			t.Fatal(err)
		}
		for k := range ours {
			near(t, fmt.Sprintf("round %d, measure %d", round, k), ours[k], theirs[k])
		}
	}
}
