package console

import "testing"

func TestMetricName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"logloss": "log loss", "cv_logloss": "cv log loss", "cv_logloss_standard_error": "cv log loss standard error", "train_auc": "train AUC",
		"pauc:0,0.05": "partial AUC 0,0.05", "cv_pauc:0,0.05_standard_error": "cv partial AUC 0,0.05 standard error", "train_accuracy": "train accuracy", "macro_f1": "macro F1", "": "",
	} {
		if got := MetricName(name); got != want {
			t.Errorf("MetricName(%q) = %q, not %q", name, got, want)
		}
	}
}
