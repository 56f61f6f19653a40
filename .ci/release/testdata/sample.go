// The whole way of the library, one call a step, as a program of another module goes it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

const columns = 123 // of the training file, as in a9a; the test file lacks the last one

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	drawn, err := synthetic.Shape{Name: "onehot", N: 3500, D: columns, Seed: 1}.Generate(nil)
	if err != nil {
		return err
	}
	err = errors.Join(write("train", drawn, 0, 3000, columns), write("test", drawn, 3000, 3500, columns-1))
	if err != nil {
		return err
	}
	train, err := lanes.Read(ctx, "train")
	if err != nil {
		return err
	}

	fitted, err := lanes.Train(ctx, train, lanes.Options{})
	if err := check(ctx, "zero options", fitted, err); err != nil {
		return err
	}
	fitted, err = lanes.Train(ctx, train, lanes.Options{
		Kind: lanes.Softmax, ClassWeight: lanes.Balanced, Penalty: lanes.L1(1e-4), Intercept: lanes.FreeIntercept,
	})
	if err := check(ctx, "softmax, balanced, L1, intercept", fitted, err); err != nil {
		return err
	}
	fitted, err = lanes.CrossValidate(ctx, train, lanes.Search{
		Options: lanes.Options{Metric: lanes.LogLoss}, Folds: 5, OneStandardError: true,
	})
	if err := check(ctx, "cross-validation", fitted, err); err != nil {
		return err
	}
	if folds := fitted.Folds; folds.Chosen != folds.Lambdas[folds.OneError] || folds.OneError > folds.Validated.Best {
		return errors.New("cross-validation did not choose by one standard error")
	}
	fitted, err = lanes.For(ctx, train, lanes.AveragePrecision, 3, lanes.Options{})
	return check(ctx, "for average precision", fitted, err)
}

// check evaluates a model on the test file, saves it, reads it back, and scores one row.
func check(ctx context.Context, what string, fitted *lanes.Fitted, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	test, err := fitted.Read(ctx, "test")
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	report, err := fitted.Evaluate(ctx, test)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if report.Rows != 500 || !(report.AUROC > 0.7) {
		return fmt.Errorf("%s: %d rows have the AUROC %v", what, report.Rows, report.AUROC)
	}
	if err := fitted.WriteFile("model"); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	saved, err := model.ReadFile("model")
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	row, values := []int{0, 20, columns + 7}, []float64{1, 1, 1} // the model does not know the last column
	score, err := fitted.Score(row, values)
	again, wrong := saved.Score(row, values)
	if err := errors.Join(err, wrong); err != nil || again != score {
		return fmt.Errorf("%s: the saved model scores %v, the fitted one %v: %v", what, again, score, err)
	}
	fmt.Printf("%s: %v, AUROC %.3f, score %.3f", what, fitted.Result.Status, report.AUROC, score)
	if saved.Logistic() {
		p, err := saved.Probability(row, values)
		if want := 1 / (1 + math.Exp(-score)); err != nil || math.Abs(p-want) > 1e-12 {
			return fmt.Errorf("%s: the probability is %v, want %v: %v", what, p, want, err)
		}
		fmt.Printf(", probability %.3f", p)
	}
	fmt.Println()
	return nil
}

// write writes rows [first, end) without the columns from width on.
func write(path string, drawn *synthetic.Generated, first, end, width int) error {
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: width})
	for i := first; i < end; i++ {
		var row []int
		for j := range drawn.X.Row(i) {
			if j < width {
				row = append(row, j)
			}
		}
		if err := b.AddRow(row, nil); err != nil {
			return err
		}
	}
	x, err := b.Build()
	if err != nil {
		return err
	}
	return sparse.WriteLIBSVMFile(path, &sparse.Data{X: x, Y: drawn.Y[first:end]})
}
