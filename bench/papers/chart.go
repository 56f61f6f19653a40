package main

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	panelWidth  = 3.4 * vg.Inch
	panelHeight = 2.6 * vg.Inch
	mostPoints  = 40
)

// svg draws a panel.
func (p panel) svg(colours palette, looks styles) (template.HTML, error) {
	plotted := plot.New()
	plotted.Title.Text, plotted.X.Label.Text, plotted.Y.Label.Text = p.title, p.x, p.y
	plotted.Title.TextStyle.Font.Size, plotted.Legend.TextStyle.Font.Size = vg.Points(10), vg.Points(7.5)
	for _, axis := range []*plot.Axis{&plotted.X, &plotted.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = vg.Points(9), vg.Points(7.5)
	}
	for _, axis := range []struct {
		*plot.Axis
		log bool
	}{{&plotted.X, p.logX}, {&plotted.Y, p.logY}} {
		axis.Tick.Marker = marks{axis.log}
		if axis.log {
			axis.Scale = plot.LogScale{}
		}
	}
	plotted.Add(plotter.NewGrid())
	drawn := 0
	for _, c := range p.curves {
		c = c.thinned(p.drawable)
		if len(c.x) == 0 {
			continue
		}
		drawn++
		tone, again := colours.colour(c.label)
		if c.low != nil {
			if area := c.area(tone); area != nil {
				plotted.Add(area)
			}
		}
		points := make(plotter.XYs, len(c.x))
		for i := range points {
			points[i].X, points[i].Y = c.x[i], c.y[i]
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return "", fmt.Errorf("%s, %s: %w", p.title, c.label, err)
		}
		line.Color, line.Width = tone, vg.Points(1.2)
		if c.dashed || again {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		plotted.Add(line)
	}
	if drawn == 0 {
		return template.HTML(fmt.Sprintf("<p class=empty>%s: nothing to draw</p>", template.HTMLEscapeString(p.title))), nil
	}
	canvas := vgsvg.New(panelWidth, panelHeight)
	plotted.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", err
	}
	text := out.String()
	text = text[strings.Index(text, "<svg"):]
	return template.HTML(looks.named(text)), nil
}

// styles gives the styles of drawings names, because a page repeats few of them thousands
// of times.
type styles map[string]string

var styleAttribute = regexp.MustCompile(`\s+style="([^"]*)"`)

func (s styles) named(svg string) string {
	return styleAttribute.ReplaceAllStringFunc(svg, func(attribute string) string {
		text := styleAttribute.FindStringSubmatch(attribute)[1]
		if _, known := s[text]; !known {
			s[text] = fmt.Sprintf("s%d", len(s))
		}
		return fmt.Sprintf(" class=%q", s[text])
	})
}

// sheet is the style sheet of all names, in their order.
func (s styles) sheet() template.CSS {
	rules := make([]string, 0, len(s))
	for text, name := range s {
		rules = append(rules, fmt.Sprintf(".%s{%s}", name, strings.ReplaceAll(text, "Liberation Serif", "serif")))
	}
	slices.Sort(rules)
	return template.CSS(strings.Join(rules, "\n"))
}

// drawable tells whether a point has a place on the axes.
func (p panel) drawable(x, y float64) bool {
	finite := func(v float64, log bool) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0) }
	return finite(x, p.logX) && finite(y, p.logY)
}

// thinned leaves out points that cannot be drawn, and points too close to be told apart.
func (c curve) thinned(drawable func(x, y float64) bool) curve {
	out := c
	out.x, out.y, out.low, out.high = nil, nil, nil, nil
	every := max(1, (len(c.x)+mostPoints-1)/mostPoints)
	for i := range c.x {
		if i%every != 0 && i != len(c.x)-1 || !drawable(c.x[i], c.y[i]) {
			continue
		}
		out.x, out.y = append(out.x, c.x[i]), append(out.y, c.y[i])
		if c.low == nil {
			continue
		}
		low, high := c.low[i], c.high[i]
		if !drawable(c.x[i], low) {
			low = c.y[i] / 10 // below what a logarithmic axis can have
		}
		if !drawable(c.x[i], high) {
			high = c.y[i]
		}
		out.low, out.high = append(out.low, low), append(out.high, high)
	}
	return out
}

func (c curve) area(tone color.Color) *plotter.Polygon {
	var around plotter.XYs
	for i := range c.x {
		around = append(around, plotter.XY{X: c.x[i], Y: c.high[i]})
	}
	for i := len(c.x) - 1; i >= 0; i-- {
		around = append(around, plotter.XY{X: c.x[i], Y: c.low[i]})
	}
	area, err := plotter.NewPolygon(around)
	if err != nil {
		return nil
	}
	r, g, b, _ := tone.RGBA()
	area.Color, area.LineStyle.Width = color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 40}, 0
	return area
}

// colours differ also for people who cannot distinguish red and green.
var colours = [...]color.Color{
	color.RGBA{0, 0, 0, 255}, color.RGBA{120, 120, 120, 255}, color.RGBA{0, 114, 178, 255}, color.RGBA{86, 180, 233, 255},
	color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
}

// marks labels an axis with three numbers or more.
type marks struct{ log bool }

const leastMarks = 3

// Ticks returns the marks: powers of ten on a logarithmic axis, or their multiples where the
// axis spans few powers; round numbers elsewhere.
func (m marks) Ticks(low, high float64) []plot.Tick {
	if m.log {
		for _, multiples := range [][]float64{{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
			if ticks := powers(low, high, multiples); labelled(ticks) >= leastMarks {
				return ticks
			}
		}
	}
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	if labelled(ticks) >= leastMarks {
		return ticks
	}
	ticks = ticks[:0]
	for k := range leastMarks {
		v := low + (high-low)*float64(k+1)/(leastMarks+1)
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
	}
	return ticks
}

func labelled(ticks []plot.Tick) (count int) {
	for _, t := range ticks {
		if t.Label != "" {
			count++
		}
	}
	return count
}

// powers marks the multiples of powers of ten, few enough of them labelled to read.
func powers(low, high float64, multiples []float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	every := max(1, (last-first)*len(multiples)/8)
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		for i, multiple := range multiples {
			tick := plot.Tick{Value: multiple * math.Pow(10, float64(k))}
			if tick.Value < low || tick.Value > high {
				continue
			}
			if ((k-first)*len(multiples)+i)%every == 0 {
				tick.Label = fmt.Sprintf("%.4g", tick.Value)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}
