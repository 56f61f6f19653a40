package related

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/gonum"
)

// glmnetFolds cross-validates the points of the file lambdas on the folds of the file fold. It
// prints the lambdas that cv.glmnet selects, then mean deviances and their standard errors.
const glmnetFolds = `
suppressMessages(library(glmnet))
n <- scan("size", quiet=TRUE); x <- matrix(scan("x", quiet=TRUE), n[1], n[2], byrow=TRUE)
y <- factor(scan("y", quiet=TRUE)); fold <- scan("fold", quiet=TRUE); lambdas <- scan("lambdas", quiet=TRUE)
glmnet.control(fdev=0, devmax=1)
f <- cv.glmnet(x, y, family="binomial", type.measure="deviance", lambda=lambdas, foldid=fold,
	standardize=FALSE, thresh=1e-14, maxit=1e6)
cat(sprintf("%.17g", c(f$lambda.min, f$lambda.1se, f$cvm, f$cvsd)), "\n")
`

// TestOneErrorAgainstGlmnet compares cross-validation of a path of L1 norms with cv.glmnet on the
// same folds. Equal are the best point, the point within one standard error of it, and all means
// and standard errors. The deviance of cv.glmnet is twice the log loss.
func TestOneErrorAgainstGlmnet(t *testing.T) {
	t.Parallel()
	glmnet := solvetest.Glmnet(t)
	const rows, columns, folds, points = 600, 30, 5, 12
	data := solvetest.Generate(t, fmt.Sprintf("dense:n=%d,d=%d", rows, columns), 4)
	metric, err := metrics.Find("logloss")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2) {
		p := &erm.Problem{X: data.X.WithBias(1), Y: data.Y, Loss: loss.Logistic{}, Intercept: true}
		high, _, err := elasticnet.MaxL1(nil, p.With(p.Penalty))
		if err != nil {
			t.Fatal(err)
		}
		lambdas, err := Lambdas(high, 0.002*high, points)
		if err != nil {
			t.Fatal(err)
		}
		run := Run{Begin: SparsePath{}.Begin, Penalty: lasso, Settings: solvers.Settings{GapTolerance: 1e-9, Workers: 2}}
		v, err := CrossValidate(context.Background(), p, lambdas, Validation{Folds: folds, Seed: seed, Metric: metric}, run)
		if err != nil {
			t.Fatal(err)
		}
		class := make([]uint32, rows)
		for i, y := range p.Y {
			if y > 0 {
				class[i] = 1
			}
		}
		fold, err := Folds(rows, class, folds, seed)
		if err != nil {
			t.Fatal(err)
		}
		x, count := new(strings.Builder), make([]int, folds)
		for i := range rows {
			count[fold[i]]++
			fold[i]++
			for j := range columns {
				fmt.Fprintf(x, "%.17g ", gonum.View(p.X).At(i, j))
			}
		}
		lines := glmnet(t, glmnetFolds, map[string]string{
			"size": fmt.Sprint(rows, " ", columns), "x": x.String(), "y": list(p.Y), "fold": list(fold), "lambdas": list(lambdas),
		})
		if len(lines) != 1 || len(lines[0]) != 2+2*points {
			t.Fatalf("glmnet has %v for %d points", lines, points)
		}
		theirs := lines[0]
		if best, one := v.Lambdas[v.Best], v.Lambdas[v.OneError]; best != theirs[0] || one != theirs[1] || !(one > best) {
			t.Errorf("seed %d: best at %v and one error at %v, glmnet at %v and %v", seed, best, one, theirs[0], theirs[1])
		}
		for k := range lambdas {
			mean, deviation := theirs[2+k]/2, theirs[2+points+k]/2
			if !(math.Abs(v.Mean[k]-mean) <= 1e-6*mean) || !(math.Abs(v.Error[k]-deviation) <= 1e-4*deviation) {
				t.Errorf("seed %d, point %d (folds of %v rows): %v +- %v, glmnet %v +- %v", seed, k, count, v.Mean[k], v.Error[k], mean, deviation)
			}
		}
	}
}

// list is numbers as text.
func list[T any](v []T) string {
	text := make([]string, len(v))
	for k, x := range v {
		text[k] = fmt.Sprintf("%v", x)
	}
	return strings.Join(text, " ")
}
