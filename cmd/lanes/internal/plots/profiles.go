package plots

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

const (
	// mostCounts is the largest number of counts above an axis, namedProfiles the number of
	// profiles that the legend names.
	mostCounts    = 8
	namedProfiles = 8
	// longestNamed is the number of characters of a name that a legend shows.
	longestNamed = 28
)

// shortened is the beginning of a long name.
func shortened(name string) string {
	if letters := []rune(name); len(letters) > longestNamed {
		return string(letters[:longestNamed-3]) + "..."
	}
	return name
}

// countAbove writes the number of non-zero weights above the axis, at some of count points.
func (p *panel) countAbove(count int, at func(k int) (x float64, nonZeros int)) {
	p.above = "non-zero weights"
	ticks := min(count, mostCounts)
	for t := range ticks {
		x, n := at(t * (count - 1) / max(ticks-1, 1))
		p.top = append(p.top, plot.Tick{Value: x, Label: strconv.Itoa(n)})
	}
}

// profilePanel draws the weights along a sparse path: they grow from 0 as the weight of the
// norm falls. The number of non-zero weights stands above.
func profilePanel(report *fitting.RelatedReport, kept float64) panel {
	p := panel{x: normWeightAxis, y: "weight", logX: true}
	path := report.Path
	p.countAbove(len(path), func(k int) (float64, int) { return *path[k].Lambda, *path[k].NonZeros })
	for at := range report.Profiles { // named profiles last, so that they lie on top
		k := (at + namedProfiles) % len(report.Profiles)
		if len(report.Profiles) <= namedProfiles {
			k = at
		}
		own := report.Profiles[k]
		points := make(plotter.XYs, len(own.Values))
		for i, v := range own.Values {
			points[i] = plotter.XY{X: *path[i].Lambda, Y: v}
		}
		look, name := styleOf(k), ""
		if k < namedProfiles {
			name = shortened(own.Name)
		} else {
			look.width, look.dashes = 0.7, nil
		}
		p.line(name, points, look)
	}
	p.rule("", 0, false, style{color: grey, width: 0.7})
	p.rule("kept: l1 "+short4(kept), kept, true, style{color: red, dashes: dashes[1], width: 1})
	if report.MoreProfiles > 0 {
		p.y = fmt.Sprintf("weight (the largest %d of %d)", len(report.Profiles), len(report.Profiles)+report.MoreProfiles)
	}
	return p
}
