package plots

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
	"github.com/lanes-go/lanes/metrics"
)

// TestLegendCoversNothing draws curves into every corner of one to three panels and
// looks for points under the names in the legend.
func TestLegendCoversNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 30 {
		panels := make([]panel, 1+round%3)
		curves := 1 + random.IntN(12)
		for k := range panels {
			panels[k] = panel{x: "x", y: "y", logY: random.IntN(2) == 0}
			for c := range curves {
				var points plotter.XYs
				for j := range 60 {
					points = append(points, plotter.XY{X: float64(j), Y: math.Exp(3 * random.NormFloat64())})
				}
				name := fmt.Sprintf("solver%d", c)
				if round%2 == 1 {
					name += fmt.Sprintf("-of-panel%d", k)
				}
				panels[k].line(name, points, styleOf(c))
			}
		}
		f := figure{panels: panels, columns: 1 + random.IntN(len(panels))}
		drawn := plotstest.ParseSVG(t, f.render(true).String())
		names, points := 0, 0
		for name, places := range drawn.Texts {
			if !strings.HasPrefix(name, "solver") {
				continue
			}
			for _, at := range places {
				names++
				for _, l := range drawn.Lines {
					if len(l.Points) == 2 { // axes, ticks, and the legend's own
						continue
					}
					for _, p := range l.Points {
						points++
						if p.X > at.X-40 && p.X < at.X+6*float64(len(name)) && p.Y > at.Y-4 && p.Y < at.Y+9 {
							t.Fatalf("round %d: %s at %v covers %v", round, name, at, p)
						}
					}
				}
			}
		}
		want := curves
		if round%2 == 1 {
			want *= len(panels)
		}
		if names != want || points < 40*want {
			t.Errorf("round %d: %d names for %d, %d points", round, names, want, points)
		}
	}
}

// TestStylesDiffer compares the curves with each other in normal vision. It also compares them in
// the vision of people without the receptors for red or for green (Viénot, Brettel and Mollon,
// 1999).
func TestStylesDiffer(t *testing.T) {
	linear := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
	lightness := func(v float64) float64 { return math.Cbrt(v) }
	seen := func(c color.RGBA, lack int) [3]float64 {
		r, g, b := linear(c.R), linear(c.G), linear(c.B)
		switch lack {
		case 1: // red
			r = 0.1124*r + 0.8876*g
			g = r
			b += 0.004 * (r - g)
		case 2: // green
			r = 0.2927*r + 0.7073*g
			g = r
		}
		return [3]float64{lightness(r), lightness(g), lightness(b)}
	}
	for k := range 28 {
		for j := range k {
			a, b := styleOf(k), styleOf(j)
			if !slices.Equal(a.dashes, b.dashes) {
				continue
			}
			for lack := range 3 {
				x, y := seen(a.color, lack), seen(b.color, lack)
				if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 0.12 || d < 0.25 && k < 10 {
					t.Errorf("curves %d and %d are %.3f apart to who lacks receptor %d", j, k, d, lack)
				}
			}
		}
	}
	if slices.Equal(styleOf(0).dashes, styleOf(1).dashes) || styleOf(0).color == styleOf(1).color {
		t.Error("two neighbours share colour and dash")
	}
}

// TestTicks asks for the ticks of ranges of all sizes.
func TestTicks(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 20000 {
		low := math.Pow(10, 40*random.Float64()-30)
		high := low * math.Pow(10, math.Pow(10, 3*random.Float64()-1.5))
		for _, logarithm := range []bool{false, true} {
			find := ticks
			if logarithm {
				find = logTicks
			}
			labels := make(map[string]bool)
			for _, tick := range find(low, high) {
				if tick.Value < low-1e-6*(high-low) || tick.Value > high+1e-6*(high-low) {
					t.Fatalf("%v outside of %v to %v", tick.Value, low, high)
				}
				if tick.Label == "" {
					continue
				}
				v, err := strconv.ParseFloat(tick.Label, 64)
				if err != nil || !(math.Abs(v-tick.Value) <= 1e-4*(high-low)) && !(math.Abs(v-tick.Value) <= 1e-9*v) || labels[tick.Label] {
					t.Fatalf("%v to %v: the tick %q at %v, %v", low, high, tick.Label, tick.Value, err)
				}
				labels[tick.Label] = true
			}
			if len(labels) < 2 || len(labels) > 10 {
				t.Fatalf("%v to %v, logarithm %t: the ticks %v", low, high, logarithm, labels)
			}
		}
	}
}

// TestPartialArea compares the shaded area with the partial AUC.
func TestPartialArea(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		n := 20 + random.IntN(100)
		scores, y := make([]float64, n), make([]float64, n)
		for i := range n {
			scores[i], y[i] = float64(random.IntN(30)), float64(2*(i%2)-1)
		}
		ranking, err := metrics.Rank(scores, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		rates, err := ranking.ROCCurve()
		if err != nil {
			t.Fatal(err)
		}
		var roc plotter.XYs
		for _, p := range rates {
			roc = append(roc, plotter.XY{X: p.FalsePositiveRate, Y: p.TruePositiveRate})
		}
		low := random.Float64() / 2
		high := low + random.Float64()/2
		minTPR := max(0, random.Float64()-0.3)
		area := 0.0
		under := above(between(roc, low, high), minTPR)
		bottom := level(under, minTPR)
		for k := 1; k < len(under); k++ {
			area += (under[k].X - under[k-1].X) * (under[k].Y - bottom[k].Y + under[k-1].Y - bottom[k-1].Y) / 2
		}
		if want, _, err := ranking.PartialAUC(low, high, minTPR); err != nil || !(math.Abs(area-want) <= 1e-12) {
			t.Fatalf("%v is shaded, the partial AUC is %v, %v", area, want, err)
		}
	}
}

// TestFoldMarkers looks in the panels for the best lambda and the lambda of one standard error.
func TestFoldMarkers(t *testing.T) {
	report := &fitting.FoldsReport{Folds: 5, Metric: "auc", HigherIsBetter: true, BestLambda: 0.01, OneErrorLambda: 0.1, Chosen: 0.1}
	for k, mean := range []float64{0.5, 0.6, 0.78, 0.79, 0.8, 0.79, 0.78, 0.77, 0.76, 0.75, 0.74, 0.73} {
		lambda := []float64{100, 10, 1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}[k]
		report.Points = append(report.Points, fitting.FoldsPoint{Lambda: lambda, Mean: console.Finite(mean), Error: console.Finite(0.02)})
	}
	panels := foldPanels(report)
	if len(panels) != 2 {
		t.Fatalf("%d panels", len(panels))
	}
	for _, p := range panels {
		found := 0
		for _, i := range p.items {
			switch want := (plotter.XY{X: 0.01, Y: 0.8}); i.name {
			case "one standard error, kept: lambda 0.1":
				want = plotter.XY{X: 0.1, Y: 0.79}
				fallthrough
			case "best: lambda 0.01":
				found++
				if len(i.points) != 1 || i.points[0] != want {
					t.Errorf("%s is at %v", i.name, i.points)
				}
			}
		}
		low, high := reach(p.items, func(at plotter.XY) float64 { return at.Y }, false, [2]float64{})
		if found != 2 || low > 0.77 || high < 0.82 {
			t.Errorf("%d markers; the errors reach from %v to %v", found, low, high)
		}
	}
}

// TestTextsKeepTheirWidth: each text of an SVG says the width that the layout has for it, so that
// a wider font runs into nothing.
func TestTextsKeepTheirWidth(t *testing.T) {
	p := panel{x: "recall & more", y: "precision"}
	p.line("average <precision> 0.7199", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, style{color: blue})
	f := figure{panels: []panel{p}, title: "a title", settings: "some settings"}
	texts := regexp.MustCompile(`<text textLength="([0-9.]+)" lengthAdjust="spacingAndGlyphs" [^>]*font-size:([0-9.]+)px[^>]*>([^<]*)</text>`).FindAllStringSubmatch(f.render(true).String(), -1)
	seen := map[string]bool{}
	for _, m := range texts {
		text := html.UnescapeString(m[3])
		seen[text] = true
		width, _ := strconv.ParseFloat(m[1], 64)
		size, _ := strconv.ParseFloat(m[2], 64)
		if want := textStyle(size, ink).Width(text).Points(); !(math.Abs(width-want) <= 1e-3*want) {
			t.Errorf("%q of %v points is %v wide, not %v", text, size, want, width)
		}
	}
	for _, want := range []string{"a title", "some settings", "recall & more", "precision", "average <precision> 0.7199", "0.4"} {
		if !seen[want] {
			t.Errorf("%q has no width; these have: %v", want, seen)
		}
	}
}

// TestLongNamesBelow: upright names below an axis make the figure higher, not the data lower, and
// the panel beside keeps its own lower edge.
func TestLongNamesBelow(t *testing.T) {
	height := func(length, panel int) (data vg.Length) {
		named := figureOfPlaces(length)
		var spots []spot
		named.spots = &spots
		named.render(true)
		low, high := vg.Length(math.Inf(1)), vg.Length(math.Inf(-1))
		for _, s := range spots {
			if strings.HasPrefix(s.text, named.panels[panel].items[0].name) {
				low, high = min(low, s.at.Y), max(high, s.at.Y)
			}
		}
		return high - low
	}
	for panel := range 2 {
		if short, long := height(25, panel), height(70, panel); long < short*0.99 {
			t.Errorf("panel %d: the data are %v high below short names, %v below long ones", panel, short, long)
		}
	}
	if beside, below := height(70, 0), height(70, 1); beside < below+usualBelow {
		t.Errorf("the panel without names is %v high, the one with names %v", beside, below)
	}
}

// figureOfPlaces has a panel without names of places and one with eight names of a length.
func figureOfPlaces(length int) figure {
	points := plotter.XYs{{X: 0, Y: 0}, {X: 7, Y: 1}}
	plain, named := panel{x: "x", y: "y"}, panel{x: "solver", y: "gain"}
	plain.dots("plain", points, style{color: blue}, 2)
	named.dots("named", points, style{color: blue}, 2)
	for range 8 {
		named.places = append(named.places, strings.Repeat("m", length))
	}
	return figure{panels: []panel{plain, named}}
}

// TestLorenzNames: a curve has its Gini in its name, but one that is not known.
func TestLorenzNames(t *testing.T) {
	curve, err := metrics.Lorenz([]float64{1, 2, 3}, []float64{1, 5, 2}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for best, want := range map[float64]string{0.5: "by target, Gini 0.5", math.NaN(): "by target"} {
		got := string(InlineLorenz(curve, 0.25, best)[0])
		if !strings.Contains(got, ">"+want+"<") || !strings.Contains(got, "by prediction, Gini 0.25") || strings.Contains(got, "NaN") {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

// TestLift: the curve of what was found passes the places of the table, and stems begin at 1.
func TestLift(t *testing.T) {
	ranking, err := metrics.Rank([]float64{5, 4, 3, 2}, []float64{1, 1, -1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bins, err := ranking.Lift(2)
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := InlineLift(ranking, bins)
	if err != nil || len(pictures) != 2 {
		t.Fatal(len(pictures), err)
	}
	for _, b := range []string{"0.25\nshare of positives found 0.3333", "0.5\nshare of positives found 0.6667", "0.75\nshare of positives found 0.6667", "1\nshare of positives found 1"} {
		if !strings.Contains(string(pictures[0]), b) {
			t.Errorf("no %q in %s", b, pictures[0])
		}
	}
	for k, b := range bins {
		if want := fmt.Sprintf("%v\nlift %s", 0.25+0.5*float64(k), short4(b.Lift)); !strings.Contains(string(pictures[1]), want) {
			t.Errorf("no %q in %s", want, pictures[1])
		}
	}
}
