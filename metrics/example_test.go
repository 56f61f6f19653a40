package metrics_test

import (
	"fmt"
	"log"

	"github.com/lanes-go/lanes/metrics"
)

func ExampleAveragePrecision() {
	score, label := []float64{0.9, 0.8, 0.4, 0.1}, []float64{1, -1, 1, -1}
	ap, err := metrics.AveragePrecision(score, label, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", ap) // (1/1 + 2/3) / 2
	// Output: 0.8333
}

// Several measures of one ranking: the rows are sorted once.
func ExampleRank() {
	score, label := []float64{0.9, 0.8, 0.4, 0.1}, []float64{1, -1, 1, -1}
	ranking, err := metrics.Rank(score, label, nil)
	if err != nil {
		log.Fatal(err)
	}
	area, err := ranking.AUROC()
	if err != nil {
		log.Fatal(err)
	}
	_, low, err := ranking.PartialAUC(0, 0.5, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area, low)
	// Output: 0.75 0.5
}

// Measures by name, as in a file of settings.
func ExampleFind() {
	score, label := []float64{2, -1, 0.5}, []float64{1, -1, -1}
	for _, name := range []string{"accuracy", "logloss", "pauc:0,0.5"} {
		metric, err := metrics.Find(name)
		if err != nil {
			log.Fatal(err)
		}
		value, err := metric.Compute(score, label, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %.4f\n", metric.Name, value)
	}
	// Output:
	// accuracy 0.6667
	// logloss 0.4714
	// pauc:0,0.5 1.0000
}
