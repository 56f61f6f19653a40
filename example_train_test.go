package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// must ends an example that went wrong.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// onehot draws rows of two classes.
func onehot(rows int) *sparse.Data {
	drawn := must(synthetic.Shape{Name: "onehot", N: rows, D: 60, Seed: 1}.Generate(nil))
	return &sparse.Data{X: drawn.X, Y: drawn.Y}
}

// fruit has three classes by words.
func fruit() *sparse.Data {
	text := strings.Repeat("apple 1:2 2:1\nlemon 1:1 2:3\nplum 3:2\napple 1:3\nlemon 2:2 3:0.5\nplum 1:0.5 3:3\n", 10)
	return must(sparse.Read(context.Background(), strings.NewReader(text), "fruit", sparse.ReadOptions{WordLabels: true}))
}

// Each of several classes is trained against the rest.
func ExampleTrain_severalClasses() {
	fitted := must(lanes.Train(context.Background(), fruit(), lanes.Options{ClassWeight: lanes.Balanced}))
	for _, fit := range fitted.Fits {
		fmt.Println(fitted.About().Word(fit.Label), fit.Rows, fit.Result.Status)
	}
	label := must(fitted.Predict([]int{0}, []float64{4}))
	fmt.Println(fitted.About().Word(label))
	// Output:
	// apple 20 converged
	// lemon 20 converged
	// plum 20 converged
	// apple
}

// One model of all classes, whose probabilities belong together.
func ExampleTrain_softmax() {
	fitted := must(lanes.Train(context.Background(), fruit(), lanes.Options{Kind: lanes.Softmax, Penalty: lanes.L2(0.01)}))
	p := must(fitted.RowScores(nil, []int{0, 1}, []float64{1, 2}))
	if err := fitted.Probabilities(p); err != nil {
		log.Fatal(err)
	}
	for k, word := range fitted.About().Words() {
		fmt.Printf("%s %.2f\n", word, p[k])
	}
	fmt.Printf("sum %.2f\n", p[0]+p[1]+p[2])
	// Output:
	// apple 0.16
	// lemon 0.83
	// plum 0.01
	// sum 1.00
}

// The lasso along a path: the larger the weight of the L1 norm, the fewer weights are not 0.
func ExamplePath() {
	fitted := must(lanes.Path(context.Background(), onehot(1000), lanes.Search{
		Options: lanes.Options{Intercept: lanes.FreeIntercept}, OverL1: true, Weights: []float64{0.03, 0.01, 0.003},
	}))
	for _, fit := range fitted.Fits {
		nonzero := 0
		for _, w := range fit.Result.Weights[:60] { // the intercept is the last one
			if w != 0 {
				nonzero++
			}
		}
		fmt.Println(fit.Weight, fit.Result.Status, nonzero)
	}
	// Output:
	// 0.03 converged 7
	// 0.01 converged 20
	// 0.003 converged 45
}

// Five folds choose the penalty: the largest one that is as good as the best within its error.
func ExampleCrossValidate() {
	fitted := must(lanes.CrossValidate(context.Background(), onehot(1000), lanes.Search{
		Options: lanes.Options{Metric: lanes.AUROC}, Weights: []float64{1, 0.1, 0.01, 0.001}, OneStandardError: true,
	}))
	for k, weight := range fitted.Folds.Lambdas {
		fmt.Printf("%v: %.2f\n", weight, fitted.Folds.Mean[k])
	}
	fmt.Println("chosen", fitted.Folds.Chosen)
	// Output:
	// 1: 0.78
	// 0.1: 0.85
	// 0.01: 0.87
	// 0.001: 0.87
	// chosen 0.01
}

// Looks for the way to train that ranks best.
func ExampleFor() {
	fitted := must(lanes.For(context.Background(), onehot(300), lanes.AveragePrecision, 2, lanes.Options{}))
	best := fitted.Tried.Tried[fitted.Best]
	fmt.Println(len(fitted.Tried.Tried) > 1, best.Mean > 0.5, best.Mean == fitted.Metrics["cv_ap"])
	// Output: true true true
}

// Rows that stay in their file give the bits of rows in memory, with as many shards.
func ExampleTrainStream() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	data, cache := onehot(1000), filepath.Join(dir, "rows.lanes")
	if err := sparse.WriteCacheFile(cache, data); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	rows := must(sparse.OpenStream(ctx, cache))
	defer rows.Close()
	o := lanes.Options{Settings: solvers.Settings{Shards: 4}}
	streamed := must(lanes.TrainStream(ctx, rows, 0, o))
	o.Solver = "newton"
	inMemory := must(lanes.Train(ctx, data, o))
	fmt.Println(streamed.Result.Status, solvers.HashWeights(streamed.Result.Weights) == solvers.HashWeights(inMemory.Result.Weights))
	// Output: converged true
}

// cancelling cancels a run at its second point.
type cancelling struct {
	points int
	cancel func()
}

func (c *cancelling) Record(solvers.Point) error {
	if c.points++; c.points == 2 {
		c.cancel()
	}
	return nil
}

// A run that is cancelled returns the best model so far, and the error of its context.
func ExampleTrain_cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	settings := solvers.Settings{GapTolerance: 1e-12, Recorder: &cancelling{cancel: cancel}}
	fitted, err := lanes.Train(ctx, onehot(1000), lanes.Options{Solver: "svrg", Settings: settings})
	fmt.Println(errors.Is(err, context.Canceled), fitted.Result.Status)
	fmt.Println(must(fitted.Probability([]int{0, 9}, nil)) < 1)

	_, err = lanes.Train(ctx, onehot(1000), lanes.Options{}) // there is no point yet
	fmt.Println(errors.Is(err, context.Canceled), errors.Is(err, lanes.ErrNotBegun))
	// Output:
	// true cancelled
	// true
	// true true
}

// A run that a budget ended goes on from its checkpoint to the bits of a run without a stop.
func ExampleTrain_resume() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	ctx, data, file := context.Background(), onehot(1000), filepath.Join(dir, "checkpoint")
	train := func(s solvers.Settings) *lanes.Fitted {
		s.GapTolerance = 1e-8
		return must(lanes.Train(ctx, data, lanes.Options{Solver: "svrg", Settings: s}))
	}
	first := train(solvers.Settings{MaxEpochs: 3, Checkpoint: file})
	second := train(solvers.Settings{MaxEpochs: 500, Resume: file})
	whole := train(solvers.Settings{MaxEpochs: 500})
	fmt.Println(first.Result.Status, "then", second.Result.Status)
	fmt.Println(solvers.HashWeights(second.Result.Weights) == solvers.HashWeights(whole.Result.Weights))
	// Output:
	// budget reached then converged
	// true
}

// Scores of single rows take no allocation. Any number of goroutines may ask for them.
func ExampleFitted() {
	fitted := must(lanes.Train(context.Background(), onehot(1000), lanes.Options{}))
	columns, values := []int{0, 9, 400}, []float64{1, 1, 1} // column 400 is unknown, and counts for nothing
	p := must(fitted.Probability(columns, values))
	score := must(fitted.Score(columns[:2], nil)) // nil: all values are 1
	fmt.Printf("%.3f %.3f %v\n", p, score, must(fitted.Predict(columns, values)))
	// Output: 0.546 0.183 1
}

// watching prints what a training does.
type watching struct{}

func (watching) Begin(s lanes.Stage)      { fmt.Println(s.Fits, s.What) }
func (watching) Fit(int) solvers.Recorder { return nil }
func (watching) Running(int)              {}
func (watching) Trying(related.Progress)  {}
func (watching) Sweep(rows, bytes int64)  {}
func (watching) End()                     { fmt.Println("done") }

// A Watch receives the stages of a training. The recorders that its Fit returns receive points.
func ExampleWatch() {
	must(lanes.CrossValidate(context.Background(), onehot(300), lanes.Search{
		Options: lanes.Options{Watch: watching{}}, Folds: 3, Weights: []float64{0.1, 0.01},
	}))
	// Output:
	// 6 fits of 3 folds
	// done
	// 1 all rows
	// done
}

// A trace records every point that a run evaluates.
func ExampleOptions_recorder() {
	var trace solvers.Trace
	fitted := must(lanes.Train(context.Background(), onehot(1000), lanes.Options{Settings: solvers.Settings{Recorder: &trace}}))
	last := trace[len(trace)-1]
	fmt.Println(last.Objective < trace[0].Objective, last.Gap <= 1e-6, last.Objective == fitted.Result.Objective)
	// Output: true true true
}
