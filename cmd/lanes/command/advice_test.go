package command

import (
	"strings"
	"testing"
)

// A refusal beside --memory or --shards says what to do, and who does that is not refused again.
func TestAdviceFollowed(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=300,d=40,seed=5 x.lanes")...)
	rowsOf(t, "k", "text:n=300,d=40,seed=5", func(i int, line string) string {
		_, rest, _ := strings.Cut(line, " ")
		return string(rune('1'+i%3)) + " " + rest
	})
	succeed(t, "convert", "--quiet", "k", "k.lanes")
	for _, c := range []struct{ refused, says, followed string }{
		{"k.lanes --multiclass softmax --l1 1e-3", "train every class against the rest", "k.lanes --multiclass --l1 1e-3"},
		{"k.lanes --multiclass softmax --l1 1e-3", "leave other penalties out", "k.lanes --multiclass softmax"},
		{"k.lanes --multiclass softmax --penalty 1=0", "by --multiclass", "k.lanes --multiclass --penalty 1=0"},
		{"k.lanes --multiclass softmax --nonnegative 1", "leave --penalty, --penalties, --nonnegative and --bounds out", "k.lanes --multiclass softmax"},
		{"k.lanes --multiclass --path", "leave --path and --cv out, and give one --lambda", "k.lanes --multiclass --lambda 0.1"},
		{"k.lanes --multiclass --cv 3", "leave --path and --cv out, and give one --lambda", "k.lanes --multiclass --lambda 0.1"},
		{"k.lanes", "train a model for each class (--multiclass)", "k.lanes --multiclass"},
		{"k.lanes --path", "name the positive class (--positive V), or fit", "k.lanes --path --positive 2"},
		{"k.lanes --loss poisson --path", "give --lambdas, as HIGH:LOW:POINTS", "k.lanes --loss poisson --path --lambdas 1:0.1:3"},
		{"x.lanes --solver svrg", "take the solver proximal-newton, newton, prox-sdca or sdca-newton", "x.lanes --solver newton"},
		{"x.lanes --solver soap --hidden 3", "or sdca-newton, which trains linear scores alone", "x.lanes --solver prox-sdca"},
		{"x.lanes --solver mb-pauc --fpr 0,0.1", "or sdca-newton, which has no range of false-positive rates", "x.lanes --solver sdca-newton"},
		{"x.lanes --solver newton --l1 1e-3", "the solver proximal-newton", "x.lanes --solver proximal-newton --l1 1e-3"},
		{"x.lanes --solver newton --loss hinge", "take the solver prox-sdca or sdca-newton", "x.lanes --solver sdca-newton --loss hinge --epochs 3"},
		{"x.lanes --solver sdca-newton --lambda 0", "take the solver proximal-newton or newton", "x.lanes --solver newton --lambda 0 --epochs 5"},
		{"x.lanes --solver sdca-newton --loss probit", "take the solver proximal-newton or newton", "x.lanes --solver newton --loss probit"},
		{"x.lanes --batch 8", "adfsdca-minibatch, which needs all rows in memory", "x.lanes"},
		{"x.lanes --hidden 3", "which needs all rows in memory", "x.lanes"},
		{"x.lanes --holdout 0.2", "leave it out, or the limit of memory", "x.lanes"},
	} {
		const line = "train --quiet --memory 60MB "
		if o := inside(strings.Fields(line + c.refused)...); o.status != exitUsage && o.status != exitData || !strings.Contains(o.stderr, c.says) {
			t.Errorf("%s: exit status %d: %s", c.refused, o.status, o.stderr)
		}
		if o := inside(strings.Fields(line + c.followed)...); o.status != exitDone && o.status != exitRun { // as of a budget
			t.Errorf("%s: exit status %d: %s", c.followed, o.status, o.stderr)
		}
	}
}
