package metrics

import "testing"

// TestNames finds metrics by the names of scikit-learn and of papers.
func TestNames(t *testing.T) {
	score, label := []float64{2, -1, 0.5, 0.7, -3}, []float64{1, -1, -1, 1, 1}
	for name, want := range map[string]string{
		"auprc": "ap", "average_precision": "ap", "auroc": "auc", "roc_auc": "auc", "log_loss": "logloss",
		"ap": "ap", "auc": "auc", "logloss": "logloss", "accuracy": "accuracy", "pauc:0,0.5": "pauc:0,0.5",
		"pauc:0,0.5,0.25": "pauc:0,0.5,0.25", "pauc:0.0,0.5,0": "pauc:0,0.5",
	} {
		m, err := Find(name)
		if err != nil || m.Name != want {
			t.Fatalf("%s is %q: %v", name, m.Name, err)
		}
		own, err := Find(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err1 := m.Compute(score, label, nil)
		if v, err2 := own.Compute(score, label, nil); err1 != nil || err2 != nil || got != v {
			t.Errorf("%s computes %v (%v), %s %v (%v)", name, got, err1, want, v, err2)
		}
	}
	for other, own := range otherNames {
		if Name(own) != own || Name(other) != own {
			t.Errorf("%s and %s are %s and %s", other, own, Name(other), Name(own))
		}
	}
	if _, err := Find("AUC"); err == nil {
		t.Error("a name in other letters was found")
	}
}
