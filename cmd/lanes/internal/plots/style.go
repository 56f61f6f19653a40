package plots

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's without yellow, which is too pale for lines; the
// colour-blind can tell its colours apart.
//
// Their order separates colours that some people confuse and that would share a dash.
var palette = []color.RGBA{blue, red, black, orange, green, pink, sky}

// dashes are lengths of strokes and gaps in points. Their number and the number of colours
// have no common factor: neighbouring curves differ in both, and the first 28 curves differ.
var dashes = [][]float64{nil, {7, 2.5}, {2, 2}, {8, 2.5, 2, 2.5}}

var (
	blue   = color.RGBA{0, 114, 178, 255}
	red    = color.RGBA{213, 94, 0, 255}
	green  = color.RGBA{0, 158, 115, 255}
	black  = color.RGBA{0, 0, 0, 255}
	orange = color.RGBA{230, 159, 0, 255}
	sky    = color.RGBA{86, 180, 233, 255}
	pink   = color.RGBA{204, 121, 167, 255}
	ink    = color.RGBA{70, 70, 70, 255}
	grey   = color.RGBA{125, 125, 125, 255}
	light  = color.RGBA{190, 190, 190, 255}
	pale   = color.RGBA{224, 224, 224, 255}
)

// style is the colour, width and dash of a curve or a mark.
type style struct {
	color  color.RGBA
	dashes []float64
	width  float64          // in points, 0 for the usual
	glyph  draw.GlyphDrawer // on the points of a curve, nil for none
}

// styleOf returns the style of the k-th curve.
func styleOf(k int) style {
	return style{color: palette[k%len(palette)], dashes: dashes[k%len(dashes)]}
}

// CSS returns the colour and dashes of the k-th curve for a page with PageStyle.
func CSS(k int) (color, dashes string) {
	own := styleOf(k)
	color, dashes = variable(fmt.Sprintf("#%02x%02x%02x", own.color.R, own.color.G, own.color.B)), "none"
	if own.dashes != nil {
		dashes = strings.Trim(fmt.Sprint(own.dashes), "[]")
	}
	return color, dashes
}

func (s style) line() draw.LineStyle {
	out := draw.LineStyle{Color: s.color, Width: vg.Points(1.4)}
	if s.width > 0 {
		out.Width = vg.Points(s.width)
	}
	for _, d := range s.dashes {
		out.Dashes = append(out.Dashes, vg.Points(d))
	}
	return out
}

func (s style) dot(radius float64) draw.GlyphStyle {
	out := draw.GlyphStyle{Color: s.color, Radius: vg.Points(radius), Shape: s.glyph}
	if s.glyph == nil {
		out.Shape = draw.CircleGlyph{}
	}
	return out
}

// faint is a colour for areas behind curves.
func faint(c color.RGBA) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, 50} }

// across is a straight line through the whole panel.
type across struct {
	at      float64
	upright bool
	style   draw.LineStyle
}

func (a *across) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if a.upright {
		c.StrokeLines(a.style, c.ClipLinesX([]vg.Point{{X: x(a.at), Y: c.Min.Y}, {X: x(a.at), Y: c.Max.Y}})...)
	} else {
		c.StrokeLines(a.style, c.ClipLinesY([]vg.Point{{X: c.Min.X, Y: y(a.at)}, {X: c.Max.X, Y: y(a.at)}})...)
	}
}

func (a *across) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(a.style, c.Min.X, y, c.Max.X, y)
}

// stems are upright lines from a level to points.
type stems struct {
	points plotter.XYs
	from   float64
	style  draw.LineStyle
}

func (s *stems) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, at := range s.points {
		c.StrokeLine2(s.style, x(at.X), y(s.from), x(at.X), y(at.Y))
	}
}

// ticks are at most seven round numbers.
func ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, factor := range []float64{2, 2.5, 2} {
		if (high-low)/step > 6 {
			step *= factor
		}
	}
	var out []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+step*1e-9 && len(out) < 20; k++ {
		v := k*step + 0 // not -0
		out = append(out, plot.Tick{Value: v, Label: tickText(v, high-low)})
	}
	return out
}

// tickText drops what is rounding beside the range of the axis.
func tickText(v, span float64) string {
	if math.Abs(v) < span*1e-9 {
		return "0"
	}
	digits := 6
	if size := math.Abs(v) / span; size > 1e4 {
		digits = min(int(math.Log10(size))+3, 17)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// logTicks are powers of ten, or round numbers where the range is small.
func logTicks(low, high float64) []plot.Tick {
	decades := math.Log10(high) - math.Log10(low)
	if decades < 0.7 {
		return ticks(low, high)
	}
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	stride := math.Ceil(decades / 8)
	var out []plot.Tick
	for k := first; k <= last; k++ {
		for _, m := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
			tick := plot.Tick{Value: m * math.Pow(10, k)}
			if tick.Value < low*(1-1e-9) || tick.Value > high*(1+1e-9) || tick.Value == 0 {
				continue
			}
			switch {
			case m == 1 && math.Mod(k, stride) == 0:
				tick.Label = powerText(1, k)
			case m != 1 && decades > 5: // they would be a black bar
				continue
			case m == 2 && decades < 2, m == 5 && decades < 2:
				tick.Label = powerText(m, k)
			}
			out = append(out, tick)
		}
	}
	return out
}

// powerText is m times the power of ten, plain where that is short.
func powerText(m, power float64) string {
	if power >= -3 && power <= 3 {
		return strconv.FormatFloat(m*math.Pow(10, power), 'g', 6, 64)
	}
	return strconv.FormatFloat(m, 'g', 6, 64) + "e" + strconv.Itoa(int(power))
}
