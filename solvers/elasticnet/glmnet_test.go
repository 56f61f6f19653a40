package elasticnet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// glmnetScript solves one problem a line of the table cases, and prints b and w.
const glmnetScript = `
suppressMessages(library(glmnet))
x <- as.matrix(read.table("x")); y <- scan("y", quiet=TRUE); v <- scan("weights", quiet=TRUE)
cases <- read.table("cases", header=TRUE)
for (k in seq_len(nrow(cases))) {
  c <- cases[k,]
  family <- if (c$logistic) "binomial" else "gaussian"
  target <- if (c$logistic) factor(sign(y)) else y
  w <- if (c$weighted) v else rep(1, length(y))
  # glmnet divides y by its deviation, and so the squared norm's weight
  u <- w / sum(w)
  l2 <- if (c$logistic) c$l2 else c$l2 * sqrt(sum(u*y^2) - c$intercept*sum(u*y)^2)
  total <- c$l1 + l2
  glmnet.control(fdev=0, devmax=1)
  f <- glmnet(x, target, family=family, weights=w, alpha=c$l1/total, lambda=total, standardize=FALSE,
              intercept=as.logical(c$intercept), thresh=1e-25, maxit=1e7)
  cat(sprintf("%.17g", c(as.vector(f$a0), as.vector(f$beta))), "\n")
}`

// TestAgainstGlmnet: the weights are glmnet's, for the two losses that both have, with and
// without an intercept, a squared norm and weights of the rows.
func TestAgainstGlmnet(t *testing.T) {
	t.Parallel()
	glmnet := solvetest.Glmnet(t)
	const n, d = 150, 12
	random := rand.New(rand.NewPCG(5, 6))
	columns, values, ptr := []uint32{}, []float64{}, []int64{0}
	y, weight := make([]float64, n), make([]float64, n)
	var xs, ys, vs, table strings.Builder
	sum := 0.0
	for i := range n {
		margin := 0.3
		for j := range d {
			v := 2*random.Float64() - 1
			columns, values = append(columns, uint32(j)), append(values, v)
			margin += v * float64(j%4-1)
			fmt.Fprintf(&xs, "%.17g ", v)
		}
		xs.WriteByte('\n')
		ptr = append(ptr, int64(len(columns)))
		y[i], weight[i] = margin+2*random.Float64()-1, 0.5+random.Float64()
		sum += weight[i]
	}
	for i := range weight {
		weight[i] *= n / sum // glmnet makes their mean 1
		fmt.Fprintf(&ys, "%.17g\n", y[i])
		fmt.Fprintf(&vs, "%.17g\n", weight[i])
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	sign := make([]float64, n)
	for i := range y {
		sign[i] = math.Copysign(1, y[i])
	}
	table.WriteString("logistic intercept weighted l1 l2\n")
	var problems []*elasticnet.Problem
	for k := range 16 {
		p := &erm.Problem{X: x, Y: y, Loss: loss.Squared{}, Penalty: penalty.L1{Lambda: 0.05}}
		if p.Intercept = k&2 > 0; p.Intercept {
			p.X = x.WithBias(1)
		}
		if k&1 > 0 {
			p.Loss, p.Y, p.Penalty = loss.Logistic{}, sign, penalty.ElasticNet{L1: 0.01, L2: p.Ridge()}
		}
		if k&4 > 0 {
			p.SampleWeight = weight
		}
		if k&8 > 0 {
			p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0.02}
		}
		fmt.Fprintf(&table, "%d %d %d %.17g %.17g\n", k&1, k>>1&1, k>>2&1, penalty.WeightOf(p.Penalty), p.Ridge())
		problems = append(problems, p)
	}
	files := map[string]string{"x": xs.String(), "y": ys.String(), "weights": vs.String(), "cases": table.String()}
	lines := glmnet(t, glmnetScript, files)
	if len(lines) != len(problems) {
		t.Fatalf("R printed %v", lines)
	}
	for k, p := range problems {
		got, err := elasticnet.Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-17, MaxEpochs: 1e5})
		if err != nil {
			t.Fatal(err)
		}
		ours := append([]float64{0}, got.Weights[:d]...)
		if p.Intercept {
			ours[0] = got.Weights[d]
		}
		zeros := 0
		for j, want := range lines[k] {
			if math.Abs(ours[j]-want) > 1e-8 || (ours[j] == 0) != (want == 0) {
				t.Errorf("case %d (%v, intercept %v, weights %v, l2 %v), weight %d: %.12g, glmnet has %.12g", k, p.Loss, p.Intercept, p.SampleWeight != nil, p.Ridge(), j, ours[j], want)
			}
			if want == 0 {
				zeros++
			}
		}
		if zeros == 0 && k < 2 {
			t.Errorf("case %d has no weight that is 0", k)
		}
	}
}
