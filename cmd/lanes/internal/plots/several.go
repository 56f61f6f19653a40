package plots

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/solvers"
)

// short4 is a number in four digits, as the axes write them.
func short4(v float64) string {
	text := strconv.FormatFloat(v, 'g', 4, 64)
	return strings.NewReplacer("e-0", "e-", "e+0", "e", "e+", "e").Replace(text)
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// DrawTraining draws classes, a path, a cross-validation, a search, or the run of a single fit.
func DrawTraining(a *console.App, path string, r *fitting.Trained, limits solvers.Settings) error {
	f := trainingFigure(r, limits)
	title := f.title + " on " + filepath.Base(r.Problem.Data.Name)
	return writePlot(a, path, title, r.Solver+", "+fitting.Setting(r, limits.BatchSize), f)
}

// InlineTraining draws what DrawTraining does.
func InlineTraining(r *fitting.Trained, limits solvers.Settings) []Inline {
	return trainingFigure(r, limits).inline()
}

// trainingFigure draws what a training did; the title of the figure says what that is.
func trainingFigure(r *fitting.Trained, limits solvers.Settings) (f figure) {
	report := r.Related
	switch {
	case report == nil:
	case report.Wanted != nil:
		f, f.title = wantedFigure(report.Wanted), "Search for "+console.MetricName(report.Wanted.Metric)
	case report.CrossValidation != nil && len(report.CrossValidation.Points) > 1:
		f = figure{panels: foldPanels(report.CrossValidation), title: "Cross-validation"}
	case report.Classes != nil:
		f, f.title = classFigure(report.Classes, limits), "One-vs-rest classes"
	case report.Profiles != nil:
		others := pathPanels(report, normWeightAxis, r.Problem.L1(), limits)
		f = figure{panels: append([]panel{profilePanel(report, r.Problem.L1())}, others...), title: "Sparse path"}
	case report.Path != nil && report.Path[0].NonZeros != nil: // all of them 0, everywhere
		f = figure{panels: pathPanels(report, normWeightAxis, r.Problem.L1(), limits), title: "Sparse path"}
	case report.Path != nil:
		f = figure{panels: pathPanels(report, lambdaAxis, r.Problem.Ridge(), limits), title: "Path of lambda"}
	}
	if f.panels == nil {
		f, f.title = runFigure(r.Solver, r.Points, limits), "Training"
	}
	return f
}

const (
	lambdaAxis     = "lambda"
	normWeightAxis = "l1"
	nearBest       = ", near the best"
)

// pathPanels show what became of every weight, and which one was kept.
func pathPanels(report *fitting.RelatedReport, axis string, kept float64, limits solvers.Settings) []panel {
	objective := panel{x: axis, y: "objective", logX: true}
	gap := panel{x: axis, y: gapAxis, logX: true, logY: true}
	metric := panel{x: axis, y: console.MetricName(report.Metric), logX: true}
	dotted := style{color: blue, glyph: draw.CircleGlyph{}}
	values := func(of func(fitting.FitReport) *float64) plotter.XYs {
		out := make(plotter.XYs, len(report.Path))
		for k, fit := range report.Path {
			out[k] = plotter.XY{X: *fit.Lambda, Y: orNaN(of(fit))}
		}
		return out
	}
	keep := func(p *panel, points plotter.XYs) {
		for _, at := range points {
			if at.X == kept {
				p.rule("", kept, true, style{color: red, dashes: dashes[1], width: 1})
				p.dots("kept: "+axis+" "+short4(kept), plotter.XYs{at}, style{color: red, glyph: draw.RingGlyph{}}, 4.5)
			}
		}
	}
	objectives := values(func(f fitting.FitReport) *float64 { return f.Objective })
	objective.line("objective", objectives, dotted)
	keep(&objective, objectives)
	if report.Metric != "" {
		points := values(func(f fitting.FitReport) *float64 { return f.Metric })
		metric.line(metric.y, points, dotted)
		keep(&metric, points)
		at := slices.IndexFunc(points, func(at plotter.XY) bool { return at.X == kept })
		near := points[max(at-3, 0):min(at+4, len(points))]
		if at < 0 || len(near) > len(points)*2/3 {
			return []panel{objective, metric}
		}
		zoom := panel{x: axis, y: metric.y + nearBest, logX: true}
		zoom.line(metric.y, near, dotted)
		keep(&zoom, near)
		return []panel{objective, metric, zoom}
	}
	points := values(func(f fitting.FitReport) *float64 { return f.Gap })
	target := limits.GapTolerance
	if !slices.ContainsFunc(points, func(at plotter.XY) bool { return at.Y > 0 }) {
		points = values(func(f fitting.FitReport) *float64 { return f.GradientNorm })
		gap.y, target = normAxis, limits.GradientTolerance
	}
	gap.line(gap.y, points, dotted)
	if len(gap.items) > 0 {
		gap.rule("tolerance "+short4(target), target, false, style{color: grey, dashes: dashes[1], width: 1})
		keep(&gap, points)
	}
	return []panel{objective, gap}
}

// foldPanels show the metric over the folds with its standard errors: at all lambdas,
// and near the best, where a path is long enough for both.
func foldPanels(report *fitting.FoldsReport) []panel {
	metric := console.MetricName(report.Metric) + fmt.Sprintf(", %d folds", report.Folds)
	whole := foldPanel(report, report.Points, metric)
	best := slices.IndexFunc(report.Points, func(p fitting.FoldsPoint) bool { return p.Lambda == report.BestLambda })
	first := slices.IndexFunc(report.Points, func(p fitting.FoldsPoint) bool { return p.Lambda == report.OneErrorLambda })
	if best < 0 || first < 0 {
		return []panel{whole}
	}
	first, best = min(first, best), max(first, best)
	near := report.Points[max(first-2, 0):min(best+3, len(report.Points))]
	if len(near) < 3 || len(near) > len(report.Points)*2/3 {
		return []panel{whole}
	}
	return []panel{whole, foldPanel(report, near, metric+nearBest)}
}

func foldPanel(report *fitting.FoldsReport, points []fitting.FoldsPoint, name string) panel {
	p := panel{x: lambdaAxis, y: name, logX: true}
	if points[0].NonZeros != nil {
		p.x = normWeightAxis
		p.countAbove(len(points), func(k int) (float64, int) { return points[k].Lambda, int(math.Round(*points[k].NonZeros)) })
	}
	var mean, low, high plotter.XYs
	var by []float64
	for _, at := range points {
		m, e := orNaN(at.Mean), orNaN(at.Error)
		mean = append(mean, plotter.XY{X: at.Lambda, Y: m})
		if e-e != 0 {
			e = 0
		}
		low, high = append(low, plotter.XY{X: at.Lambda, Y: m - e}), append(high, plotter.XY{X: at.Lambda, Y: m + e})
		by = append(by, e)
	}
	p.area("one standard error", low, high, blue)
	p.spans(mean, by, blue)
	p.line("mean over the folds", mean, style{color: blue, glyph: draw.CircleGlyph{}})
	mark := func(name string, lambda float64, s style) {
		for _, at := range mean {
			if at.X == lambda {
				p.rule("", lambda, true, style{color: s.color, dashes: s.dashes, width: 1})
				p.dots(name+": "+p.x+" "+short4(lambda), plotter.XYs{at}, s, 4.5)
			}
		}
	}
	kept := func(lambda float64) string {
		if lambda == report.Chosen {
			return ", kept"
		}
		return ""
	}
	if report.OneErrorLambda != report.BestLambda {
		mark("one standard error"+kept(report.OneErrorLambda), report.OneErrorLambda, style{color: green, dashes: dashes[2], glyph: draw.BoxGlyph{}})
		mark("best"+kept(report.BestLambda), report.BestLambda, style{color: red, dashes: dashes[1], glyph: draw.RingGlyph{}})
	} else {
		mark("best and one standard error, kept", report.BestLambda, style{color: red, dashes: dashes[1], glyph: draw.RingGlyph{}})
	}
	return p
}

// ClassScore is a class as the plots show it; a measure that is not there is NaN.
type ClassScore struct {
	Label                 string
	F1, Precision, Recall float64
}

// lowestNamed is the number of classes that the legend of many names.
const lowestNamed = 5

// scorePanel draws the F1 of every class above or below the mean, with precision and
// recall where those are known. The worst ones stand out.
func scorePanel(name string, scores []ClassScore) panel {
	p := panel{x: "class", y: name, rangeX: [2]float64{-0.8, float64(len(scores)) - 0.2}}
	order := make([]int, len(scores))
	sum := 0.0
	for k, s := range scores {
		p.places = append(p.places, s.Label)
		order[k] = k
		sum += s.F1
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[i].F1, scores[j].F1) })
	mean := sum / float64(len(scores))
	worst := order[:min(lowestNamed, len(scores)/4)]
	worst = slices.DeleteFunc(worst, func(k int) bool { return scores[k].F1 >= mean })
	var low, rest, precision, recall plotter.XYs
	for k, s := range scores {
		at := plotter.XY{X: float64(k), Y: s.F1}
		if slices.Contains(worst, k) {
			low = append(low, at)
		} else {
			rest = append(rest, at)
		}
		precision = append(precision, plotter.XY{X: at.X, Y: s.Precision})
		recall = append(recall, plotter.XY{X: at.X, Y: s.Recall})
	}
	var named []string
	for _, k := range worst {
		named = append(named, fmt.Sprintf("%s (%.2f)", scores[k].Label, scores[k].F1))
	}
	p.rule("macro F1 "+short4(mean), mean, false, style{color: grey, dashes: dashes[1], width: 1})
	p.dots("precision", precision, style{color: orange, glyph: draw.BoxGlyph{}}, 2.2)
	p.dots("recall", recall, style{color: pink}, 1.8)
	p.stems("F1", rest, mean, style{color: blue}, 2.6)
	p.stems("lowest F1: "+strings.Join(named, ", "), low, mean, style{color: red, glyph: draw.BoxGlyph{}}, 3.2)
	return p
}

// DrawClasses draws the F1, the precision and the recall of every class, below a title with the
// settings.
func DrawClasses(a *console.App, path, title, settings string, scores []ClassScore) error {
	return writePlot(a, path, title, settings, scoreFigure(scores))
}

// InlineClasses draws what DrawClasses does.
func InlineClasses(scores []ClassScore) []Inline { return scoreFigure(scores).inline() }

func scoreFigure(scores []ClassScore) figure {
	return classSize(len(scores), scorePanel("F1, precision, recall", scores))
}

// classFigure shows the F1 of every class on the training rows, and how far its fit
// was from the optimum when it ended.
func classFigure(classes []fitting.FitReport, limits solvers.Settings) figure {
	scores := make([]ClassScore, len(classes))
	var gaps, norms plotter.XYs
	for k, c := range classes {
		scores[k] = ClassScore{fmt.Sprint(*c.Label), orNaN(c.F1), math.NaN(), math.NaN()}
		gaps = append(gaps, plotter.XY{X: float64(k), Y: orNaN(c.Gap)})
		norms = append(norms, plotter.XY{X: float64(k), Y: orNaN(c.GradientNorm)})
	}
	scored := scorePanel("F1 on the training rows", scores)
	fits := panel{x: "class", y: gapAxis, logY: true, places: scored.places, rangeX: scored.rangeX}
	target := limits.GapTolerance
	if len(fits.clean(gaps)) == 0 {
		fits.y, gaps, target = normAxis, norms, limits.GradientTolerance
	}
	within, above := plotter.XYs{}, plotter.XYs{}
	for _, at := range gaps {
		if target > 0 && at.Y > target {
			above = append(above, at)
		} else {
			within = append(within, at)
		}
	}
	fits.dots(fits.y+" at the end", within, style{color: blue}, 2.4)
	fits.dots("above the target", above, style{color: red, glyph: draw.BoxGlyph{}}, 3)
	if len(fits.items) > 0 {
		fits.rule("tolerance "+short4(target), target, false, style{color: grey, dashes: dashes[1], width: 1})
	}
	return classSize(len(classes), scored, fits)
}

// classSize lays panels with a place for every class one above the other, as wide as
// the names of the classes need.
func classSize(classes int, panels ...panel) figure {
	width := min(max(panelWidth*1.3, vg.Points(8*float64(classes+8))), 13*vg.Inch)
	return figure{panels: panels, columns: 1, width: width, height: panelHeight * 0.8}
}
