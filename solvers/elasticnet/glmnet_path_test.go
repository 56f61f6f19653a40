package elasticnet_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
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

// glmnetPath solves the points of the file lambdas, and prints b and w, a point a line.
const glmnetPath = `
suppressMessages(library(glmnet))
alpha <- as.numeric(commandArgs(TRUE)[1]); thresh <- as.numeric(commandArgs(TRUE)[2])
n <- scan("size", quiet=TRUE); e <- scan("entries", quiet=TRUE)
e <- matrix(e, 3); lambdas <- scan("lambdas", quiet=TRUE)
x <- sparseMatrix(i=e[1,], j=e[2,], x=e[3,], dims=n)
y <- factor(scan("y", quiet=TRUE))
glmnet.control(fdev=0, devmax=1)
f <- glmnet(x, y, family="binomial", alpha=alpha, lambda=lambdas, standardize=FALSE, thresh=thresh, maxit=1e5)
for (k in seq_along(f$lambda)) cat(sprintf("%.17g", c(f$a0[k], as.vector(f$beta[,k]))), "\n")
`

// TestPathAgainstGlmnet: the coefficients of a path of logistic fits are glmnet's on a9a,
// one class of sector.scale and generated dense rows. a9a has columns of which one is 1
// less another, so that weights of an L1 norm alone are not unique: it has a squared one
// beside it.
func TestPathAgainstGlmnet(t *testing.T) {
	t.Parallel()
	glmnet := solvetest.Glmnet(t)
	for _, c := range []struct {
		source string
		alpha  float64
		share  float64 // the last weight of the path over the first
		points int
		thresh float64 // of glmnet, which on sector.scale would go on for an hour
		within float64 // of weights; a9a's pairs of columns hardly tell how they share theirs
	}{{"a9a.xz", 0.9, 1e-2, 5, 1e-16, 2e-5}, {"sector.scale.xz", 1, 0.85, 3, 1e-13, 1e-7}, {"dense:n=2000,d=120", 1, 1e-2, 6, 1e-15, 1e-6}} {
		t.Run(c.source, func(t *testing.T) {
			p := &erm.Problem{Loss: loss.Logistic{}, Intercept: true}
			if strings.Contains(c.source, ":") {
				data := solvetest.Generate(t, c.source, 1)
				p.X, p.Y = data.X, data.Y
			} else {
				folder := os.Getenv("LANES_DATA")
				if folder == "" {
					folder = "../../../../shared/data"
				}
				data, err := sparse.ReadFile(context.Background(), filepath.Join(folder, c.source), sparse.ReadOptions{})
				if err != nil {
					t.Skipf("no %s; LANES_DATA names the folder of the data sets: %v", c.source, err)
				}
				p.X = data.X
				one := 1.0
				if p.Y, _, err = sparse.BinaryLabels(data.Y, &one); err != nil {
					t.Fatal(err)
				}
			}
			p.X = p.X.WithBias(1)
			high, _, err := elasticnet.MaxL1(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			path, err := elasticnet.NewPath(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			var ours [][]float64
			lambdas := make([]float64, c.points)
			for k := range lambdas {
				lambdas[k] = 0.98 * high / c.alpha * math.Pow(c.share, float64(k)/float64(c.points-1))
				got, err := path.Solve(t.Context(), penalty.ElasticNet{L1: c.alpha * lambdas[k], L2: (1 - c.alpha) * lambdas[k]}, solvers.Settings{GapTolerance: 1e-15, MaxEpochs: 1e5})
				if err != nil {
					t.Fatal(err)
				}
				ours = append(ours, got.Weights)
			}
			theirs := glmnet(t, glmnetPath, pathFiles(p, lambdas), fmt.Sprint(c.alpha), fmt.Sprint(c.thresh))
			worst, used := 0.0, 0
			for k, want := range theirs {
				for j, w := range append(want[1:], want[0]) { // the intercept is our last one
					worst = max(worst, math.Abs(ours[k][j]-w))
					if math.Abs(ours[k][j]-w) > c.within*(1+math.Abs(w)) {
						t.Errorf("point %d, weight %d: %.12g, glmnet has %.12g", k, j, ours[k][j], w)
					}
					if w != 0 {
						used++
					}
				}
			}
			t.Logf("%d weights that are not 0 of %d points, the largest difference is %.2g", used, len(theirs), worst)
			if len(theirs) != c.points || used < c.points {
				t.Errorf("glmnet found %d points with %d weights that are not 0", len(theirs), used)
			}
		})
	}
}

// pathFiles are what glmnetPath reads.
func pathFiles(p *elasticnet.Problem, lambdas []float64) map[string]string {
	var entries, ys, points strings.Builder
	for i, y := range p.Y {
		for j, v := range p.X.WithBias(0).Row(i) {
			fmt.Fprintf(&entries, "%d %d %.17g\n", i+1, j+1, v)
		}
		fmt.Fprintln(&ys, y)
	}
	for _, v := range lambdas {
		fmt.Fprintf(&points, "%.17g\n", v)
	}
	return map[string]string{
		"size": fmt.Sprintf("%d %d\n", p.X.Rows(), p.X.Cols()-1), "entries": entries.String(), "y": ys.String(), "lambdas": points.String(),
	}
}
