package console

import "strings"

// metricNames are the names of metrics for people, by their names in flags and in JSON.
var metricNames = map[string]string{
	"logloss": "log loss", "ap": "average precision", "auc": "AUC", "pauc": "partial AUC", "mse": "mean squared error", "deviance": "mean deviance",
	"mae": "mean absolute error", "loss": "mean loss", "macro_f1": "macro F1", "balanced_accuracy": "balanced accuracy",
}

// MetricName returns the name of a metric for people, as in log loss for logloss, also behind
// train_, cv_, valid_ or holdout_, and before _of_log and _standard_error.
func MetricName(name string) string {
	before, after := "", ""
	for _, prefix := range []string{"train_", "cv_", "valid_", "holdout_"} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			before, name = strings.TrimSuffix(prefix, "_")+" ", rest
		}
	}
	if rest, found := strings.CutSuffix(name, "_standard_error"); found {
		after, name = " standard error", rest
	}
	if rest, found := strings.CutSuffix(name, "_of_log"); found {
		after, name = " of the logarithm"+after, rest
	}
	kind, rates, found := strings.Cut(name, ":")
	text, known := metricNames[kind]
	if !known {
		text = strings.ReplaceAll(kind, "_", " ")
	}
	if found {
		text += " " + rates
	}
	return before + text + after
}
