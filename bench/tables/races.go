//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// races prints what whole processes take, from the file to the model, lanes and scikit-learn in
// turn.
func (b *bench) races() error {
	fmt.Print("From the file to the model, whole processes in turn; medians. CPU is the time of all threads.\n\n",
		"| table | MB | lanes, s | scikit-learn, s | times faster | by CPU | lanes, peak MB | scikit-learn, peak MB | share |\n|---|---|---|---|---|---|---|---|---|\n")
	file, err := b.repeated(adult, b.times)
	if err == nil {
		err = b.race(fmt.Sprintf("adult, %d times over", b.times), file, adult.recipe, adult.flags+" --C 1")
	}
	if err != nil {
		remark("adult is left out: %v", err)
	}
	columns := synthetic.ClickColumns()
	r := recipe{Target: "click", Positive: "1", Header: true, Numbers: columns[1:14], Categories: columns[14:]}
	for _, rows := range []int64{b.rows / 10, b.rows} {
		if file, _, err = b.clicks("clicks.csv", 0, max(rows, 1)); err != nil {
			return err
		}
		if err := b.race(fmt.Sprintf("clicks, %d rows", rows), file, r, b.flags+" --C 1"); err != nil {
			return err
		}
	}
	fmt.Println()
	return nil
}

// race prints a row of the table.
func (b *bench) race(name, file string, r recipe, flags string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	r.Tolerance = 1e-4
	var ours, theirs [3][]float64
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	trouble := "none"
	add := func(to *[3][]float64, t *took) {
		for k, v := range []float64{t.seconds, t.busy, t.peakMB} {
			to[k] = append(to[k], v)
		}
	}
	for range b.rounds {
		_, _, t, err := b.fit(file, "", "", flags)
		if err != nil {
			return err
		}
		add(&ours, t)
		if b.pipeline == "" || trouble != "none" {
			continue
		}
		if t, err = b.learn(ctx, nil, r, file, ""); err != nil {
			remark("%s: scikit-learn: %v", name, err)
			if trouble = "failed"; ctx.Err() != nil {
				trouble = "above " + b.limit.String()
			} else if strings.Contains(err.Error(), "Memory") {
				trouble = "out of memory"
			}
			continue
		}
		add(&theirs, t)
	}
	fmt.Printf("| %s | %.0f | %.2f |", name, float64(info.Size())/1e6, contest.Median(ours[0]))
	if len(theirs[0]) == 0 {
		fmt.Printf(" %s | | | %.0f | | |\n", trouble, contest.Median(ours[2]))
		return nil
	}
	ratio := func(k int) float64 { return contest.Median(theirs[k]) / contest.Median(ours[k]) }
	fmt.Printf(" %.2f | **%.1f** | **%.1f** | %.0f | %.0f | **%.2f** |\n",
		contest.Median(theirs[0]), ratio(0), ratio(1), contest.Median(ours[2]), contest.Median(theirs[2]), 1/ratio(2))
	return nil
}

// repeated writes a table with the rows of the training file several times over.
func (b *bench) repeated(d table, times int) (string, error) {
	train, _, err := b.split(d)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(train)
	if err != nil {
		return "", err
	}
	header, rows, _ := strings.Cut(string(text), "\n")
	path := b.path(fmt.Sprintf("%s-%d.csv", d.name, times))
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, header)
	for range times {
		out.WriteString(rows)
	}
	return path, out.Flush()
}

// clicks generates a log of clicks.
func (b *bench) clicks(name string, first, rows int64) (path string, planted planted, err error) {
	path = b.path(name)
	_, err = b.call(&planted, "generate", "clicks", "--out", path, fmt.Sprintf("--first=%d", first), fmt.Sprintf("--rows=%d", rows))
	return path, planted, err
}

// planted is what lanes generate prints.
type planted struct {
	Rows    int64   `json:"rows"`
	Clicks  int64   `json:"clicks"`
	AUC     float64 `json:"planted_auc"`
	LogLoss float64 `json:"planted_log_loss"`
	Seconds float64 `json:"seconds"`
}

// reading prints the speed of reading CSV and LIBSVM text of the same encoded rows.
// The labels of the target of adult.csv cannot be words of LIBSVM text: another column is learned.
func (b *bench) reading() error {
	fmt.Print("Reading, whole files to rows in memory, MB of text a second; medians. A table is read twice, once to learn the columns: the speed counts its bytes once.\n\n",
		"| rows | CSV, MB | CSV, MB/s | LIBSVM text, MB | LIBSVM text, MB/s | LIBSVM / CSV |\n|---|---|---|---|---|---|\n")
	if file, err := b.repeated(adult, b.times); err != nil {
		remark("adult is left out: %v", err)
	} else if err := b.read("adult", file, "--target sex"); err != nil {
		return err
	}
	file, _, err := b.clicks("clicks.csv", 0, min(b.rows, 1_000_000))
	if err == nil {
		err = b.read("clicks", file, b.flags)
	}
	fmt.Println()
	return err
}

func (b *bench) read(name, file, flags string) error {
	text := b.path("rows.svm")
	var ignored map[string]any
	if _, err := b.call(&ignored, append([]string{"convert", file, text}, strings.Fields(flags)...)...); err != nil {
		return err
	}
	defer os.Remove(text)
	var speed [2][]float64
	var size [2]float64
	for range b.rounds {
		for k, way := range []struct{ file, flags string }{{file, flags}, {text, ""}} {
			info, err := os.Stat(way.file)
			if err != nil {
				return err
			}
			_, t, _, err := b.fit(way.file, "", "", way.flags+" --passes 3")
			if err != nil {
				return err
			}
			size[k] = float64(info.Size()) / 1e6
			speed[k] = append(speed[k], size[k]/t.Load)
		}
	}
	a, c := contest.Median(speed[0]), contest.Median(speed[1])
	fmt.Printf("| %s, %s | %.0f | %.0f | %.0f | %.0f | **%.2f** |\n", name, filepath.Base(file), size[0], a, size[1], c, c/a)
	return nil
}
