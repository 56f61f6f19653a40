//go:build linux

package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// headline is a training from compressed text of generated clicks.
type headline struct {
	rows            int64
	textMB, packed  float64
	generate, train float64 // seconds of whole processes
	peakMB          float64
	status          string
	gap             float64
	auc, planted    float64 // on the test part
}

// leastRows is the size of the smallest training and of the smallest test part.
const leastRows = 10_000

// headline trains on a hundredth, a tenth and all of the rows of a log of clicks, and measures on
// rows behind them.
func (b *bench) headline() error {
	test, planted, err := b.clicks("test.csv.zst", b.rows, min(max(b.rows/10, leastRows), 1_000_000))
	if err != nil {
		return err
	}
	var runs []headline
	for _, rows := range []int64{b.rows / 100, b.rows / 10, b.rows} {
		if rows < leastRows && rows < b.rows {
			continue
		}
		h, err := b.train(rows, test, planted.AUC)
		if err != nil {
			return err
		}
		runs = append(runs, h)
		remark("%d rows: trained in %.0f s, AUC %.5f", rows, h.train, h.auc)
	}
	fmt.Printf("`lanes train clicks.csv.zst %s`, whole processes, on %d test rows behind the training rows.\n\n", b.headlineFlags(), planted.Rows)
	fmt.Print("| rows | text, GB | packed, GB | generate, s | train, minutes | peak MB | result | test AUC | planted model's AUC |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, h := range runs {
		fmt.Printf("| %d | %.2f | %.2f | %.0f | %.2f | %.0f | %s, gap %.1e | %.5f | %.5f |\n",
			h.rows, h.textMB/1e3, h.packed/1e3, h.generate, h.train/60, h.peakMB, h.status, h.gap, h.auc, h.planted)
	}
	fmt.Println()
	if last := len(runs) - 1; last > 0 {
		a, z := runs[last-1], runs[last]
		fmt.Printf("Measured: %d rows in %.2f minutes. From %d to %d rows the time grows as rows^%.2f: %.2f minutes for each million rows more.\n\n",
			z.rows, z.train/60, a.rows, z.rows, slope(a, z), (z.train-a.train)/60/(float64(z.rows-a.rows)/1e6))
	}
	if b.picture == "" {
		return nil
	}
	version, err := exec.Command(b.lanes, "--version").Output()
	if err != nil {
		return err
	}
	return draws(b.picture, runs, fmt.Sprintf("generated clicks, %s\n%s\n--C %s --memory %s", bytes.TrimSpace(version), b.flags, b.cost, b.memory))
}

// slope is the power of the rows by which the time grows from one run to the next.
func slope(a, z headline) float64 {
	return math.Log(z.train/a.train) / math.Log(float64(z.rows)/float64(a.rows))
}

func (b *bench) headlineFlags() string { return b.flags + " --C " + b.cost + " --memory " + b.memory }

// train is a training on the first rows of the log, from compressed text.
func (b *bench) train(rows int64, test string, planted float64) (h headline, err error) {
	file, made, err := b.clicks("clicks.csv.zst", 0, rows)
	if err != nil {
		return h, err
	}
	defer os.Remove(file)
	info, err := os.Stat(file)
	if err != nil {
		return h, err
	}
	m, t, cost, err := b.fit(file, test, "", b.headlineFlags())
	if err != nil {
		return h, err
	}
	// A row has much the same length in all parts of the log.
	sample, _, err := b.clicks("sample.csv", 0, min(rows, leastRows))
	if err != nil {
		return h, err
	}
	plain, err := os.Stat(sample)
	if err != nil {
		return h, err
	}
	return headline{
		rows: rows, textMB: float64(plain.Size()) / float64(min(rows, leastRows)) * float64(rows) / 1e6, packed: float64(info.Size()) / 1e6,
		generate: made.Seconds, train: cost.seconds, peakMB: cost.peakMB, status: t.Status, gap: t.Gap, auc: m.AUC, planted: planted,
	}, nil
}

var (
	ours  = color.RGBA{R: 0x1f, G: 0x6f, B: 0xb4, A: 0xff}
	known = color.RGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xff}
)

// oneTwoFive are marks of a logarithmic axis.
func oneTwoFive(low, high float64) (marks []plot.Tick) {
	for decade := 1e-6; decade <= high; decade *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if v := digit * decade; v >= low && v <= high {
				marks = append(marks, plot.Tick{Value: v, Label: fmt.Sprintf("%.3g", v)})
			}
		}
	}
	return marks
}

// draws draws the time of the trainings and their AUC, by rows. about names data, settings and
// version.
func draws(path string, runs []headline, about string) error {
	minutes, auc := plot.New(), plot.New()
	minutes.Title.Text, auc.Title.Text = "From compressed text to the model\n"+about, "AUC on rows that follow"
	minutes.Y.Label.Text, auc.Y.Label.Text = "minutes", "AUC"
	var times, reached, planted plotter.XYs
	for _, h := range runs {
		x := float64(h.rows)
		times = append(times, plotter.XY{X: x, Y: h.train / 60})
		reached = append(reached, plotter.XY{X: x, Y: h.auc})
		planted = append(planted, plotter.XY{X: x, Y: h.planted})
	}
	var sizes plot.ConstantTicks
	for _, h := range runs {
		sizes = append(sizes, plot.Tick{Value: float64(h.rows), Label: fmt.Sprint(float64(h.rows) / 1e6)})
	}
	for _, p := range []*plot.Plot{minutes, auc} {
		p.X.Label.Text, p.X.Scale, p.X.Tick.Marker = "million rows", plot.LogScale{}, sizes
		p.Add(plotter.NewGrid())
	}
	minutes.Y.Scale, minutes.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(oneTwoFive)
	line, points, err := plotter.NewLinePoints(times)
	if err != nil {
		return err
	}
	line.Color, points.Color, points.Shape = ours, ours, draw.CircleGlyph{}
	minutes.Add(line, points)
	line, points, err = plotter.NewLinePoints(reached)
	if err != nil {
		return err
	}
	line.Color, points.Color, points.Shape = ours, ours, draw.CircleGlyph{}
	best, err := plotter.NewLine(planted)
	if err != nil {
		return err
	}
	best.Color, best.Dashes = known, []vg.Length{vg.Points(4), vg.Points(3)}
	auc.Add(line, points, best)
	auc.Legend.Add("lanes", line, points)
	auc.Legend.Add("the planted model", best)
	auc.Y.Max = slices.MaxFunc(runs, func(x, y headline) int { return int(1e6 * (x.planted - y.planted)) }).planted + 0.01

	canvas, err := draw.NewFormattedCanvas(8*vg.Inch, 3.6*vg.Inch, strings.TrimPrefix(filepath.Ext(path), "."))
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: vg.Points(20), PadTop: vg.Points(4), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(8)}
	all := draw.New(canvas)
	for k, place := range plot.Align([][]*plot.Plot{{minutes, auc}}, tiles, all)[0] {
		[]*plot.Plot{minutes, auc}[k].Draw(place)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err = canvas.WriteTo(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
