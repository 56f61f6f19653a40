package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
)

// Frontier are what the plot of portfolios shows: points of the standard deviation
// and the mean of the return of a period.
type Frontier struct {
	Unit, Period    string // of the returns
	Assets          plotter.XYs
	Inside, Outside plotter.XYs // of the frontier, in the periods that it was made for and in those after
	Through, After  plotter.XYs // where its curves go through, in ascending order
	Risk            float64     // that was asked for
	Own             plotter.XY  // its portfolio
	Equal, Later    plotter.XY  // equal weights, inside and outside
	Run             Curve       // for the risk that was asked for
	Limits          solvers.Settings
}

// DrawFrontier draws the frontier, inside and outside of the periods that it was made for, and
// the progress of the run. Above is a title with the settings.
func DrawFrontier(a *console.App, path, title, settings string, c *Frontier) error {
	own, equal, later := plotter.XYs{c.Own}, plotter.XYs{c.Equal}, plotter.XYs{c.Later}
	frontier := panel{x: "standard deviation of the return of a " + c.Period + " (" + c.Unit + ")", y: "mean return of a " + c.Period + " (" + c.Unit + ")"}
	frontier.dots("single assets", c.Assets, style{color: light}, 1.6)
	frontier.line("efficient frontier", c.Through, style{color: blue})
	frontier.dots("", c.Inside, style{color: blue}, 2.4)
	frontier.line("the same portfolios, test periods", c.After, style{color: red, dashes: dashes[1]})
	frontier.dots("", c.Outside, style{color: red, glyph: draw.BoxGlyph{}}, 2.4)
	frontier.dots(fmt.Sprintf("risk weight %g", c.Risk), own, style{color: black, glyph: draw.RingGlyph{}}, 4.5)
	frontier.dots("equal weights", equal, style{color: green}, 3)
	frontier.dots("equal weights, test periods", later, style{color: green, glyph: draw.RingGlyph{}}, 3)
	panels := []panel{frontier}
	// Where limits allow far more risk than assets have, those would be one spot.
	near := item{points: frontier.clean(slices.Concat(c.Assets, own, equal, later, plotter.XYs{{}}))}
	low, high := reach([]item{near}, func(at plotter.XY) float64 { return at.X }, false, [2]float64{})
	if _, most := reach(frontier.items, func(at plotter.XY) float64 { return at.X }, false, [2]float64{}); most > 4*high {
		zoom := frontier
		zoom.x = "standard deviation, near the assets"
		zoom.rangeX = [2]float64{low, high}
		zoom.rangeY[0], zoom.rangeY[1] = reach([]item{near}, func(at plotter.XY) float64 { return at.Y }, false, [2]float64{})
		panels = append(panels, zoom)
	}
	return writePlot(a, path, title, settings, figure{panels: append(panels, residual(c.Run.Name, c.Run.Points, c.Limits)...)})
}
