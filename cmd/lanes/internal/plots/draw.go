package plots

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// Sizes in points.
const (
	titleSize   = 11
	headingRow  = 14
	labelSize   = 10
	tickSize    = 9
	legendSize  = 9
	legendRow   = 13
	legendThumb = 30
	legendGap   = 5 // between a thumbnail and its text
	margin      = 8
)

func face(size float64) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size))
}

func textStyle(size float64, c color.Color) text.Style {
	return text.Style{Color: c, Font: face(size), Handler: plot.DefaultTextHandler}
}

// writePlot draws a figure below its title, which names the data, and the settings; the
// extension of path tells PNG from SVG.
func writePlot(a *console.App, path, title, settings string, f figure) error {
	f.title, f.settings = console.Printable(title, ""), console.Printable(settings, "")
	if f.settings != "" {
		f.settings += "; "
	}
	f.settings += "lanes " + console.Version()
	content := f.render(strings.EqualFold(filepath.Ext(path), ".svg"))
	return a.Write("plot", path, func(w io.Writer) error {
		_, err := w.Write(content.Bytes())
		return err
	})
}

// render draws the figure as SVG or as PNG. Legends stand below the axes, outside the curves. A
// legend that the panels share stands below all panels.
func (f figure) render(svg bool) *bytes.Buffer {
	if f.columns == 0 {
		f.columns = len(f.panels)
	}
	if f.width == 0 {
		f.width, f.height = panelWidth, panelHeight
	}
	f.height += f.longNames()
	rows := (len(f.panels) + f.columns - 1) / f.columns
	whole := f.width * vg.Length(f.columns)
	shared := f.sharesLegend()
	below := make([]vg.Length, rows) // the height of the legends of a row of panels
	bottom := vg.Length(0)
	if shared {
		bottom = newLegend(f.panels[0].items, whole-2*margin).height()
	} else {
		for k, p := range f.panels {
			below[k/f.columns] = max(below[k/f.columns], newLegend(p.items, f.width-2*margin).height())
		}
	}
	heading := f.heading(whole - 2*margin)
	height := bottom + f.height*vg.Length(rows) + headingHeight(heading)
	for _, h := range below {
		height += h
	}

	var canvas vg.CanvasWriterTo
	if svg {
		canvas = vgsvg.New(whole, height)
	} else {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(whole, height), vgimg.UseDPI(plotDPI))}
	}
	area := draw.New(canvas)
	area.SetColor(color.White)
	area.Fill(area.Rectangle.Path())
	top := area.Max.Y - headingHeight(heading)
	for k, line := range heading {
		at := vg.Point{X: area.Min.X + margin, Y: area.Max.Y - margin - headingRow*vg.Length(k)}
		line.style.YAlign = draw.YTop
		area.FillText(line.style, at, line.text)
	}
	part := func(left, width, height vg.Length) draw.Canvas {
		return draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left + margin, Y: top - height}, Max: vg.Point{X: left + width - margin, Y: top},
		}}
	}
	for row := range rows {
		own := f.panels[row*f.columns : min((row+1)*f.columns, len(f.panels))]
		for k, p := range own {
			place := part(f.width*vg.Length(k), f.width, f.height)
			place.Max.Y -= margin
			place.Min.Y += margin / 2
			x, y := p.draw(place, f.edges(row, k, place))
			if f.spots != nil {
				*f.spots = append(*f.spots, p.spots(x, y)...)
			}
		}
		top -= f.height
		for k, p := range own {
			if !shared {
				newLegend(p.items, f.width-2*margin).draw(part(f.width*vg.Length(k), f.width, below[row]))
			}
		}
		top -= below[row]
	}
	if shared {
		newLegend(f.panels[0].items, whole-2*margin).draw(part(0, whole, bottom))
	}

	var out bytes.Buffer
	canvas.WriteTo(&out) // into memory, which does not fail
	if !svg {
		return &out
	}
	return bytes.NewBuffer(fixWidths(out.Bytes()))
}

var svgText = regexp.MustCompile(`<text ([^>]*)font-family:Liberation Sans;([^>]*font-size:([0-9.]+)px[^>]*)>([^<]+)</text>`)

// fixWidths names fonts of about the same width beside Liberation Sans, and gives every text the
// width that the layout assumes: a wider font would run into its neighbours.
func fixWidths(svg []byte) []byte {
	return svgText.ReplaceAllFunc(svg, func(element []byte) []byte {
		m := svgText.FindSubmatch(element)
		size, _ := strconv.ParseFloat(string(m[3]), 64)
		width := textStyle(size, ink).Width(html.UnescapeString(string(m[4])))
		return fmt.Appendf(nil, `<text textLength="%.4g" lengthAdjust="spacingAndGlyphs" %sfont-family:'Liberation Sans',Arial,Helvetica,sans-serif;%s>%s</text>`, width.Points(), m[1], m[2], m[4])
	})
}

// headingLine is a line of text above the panels.
type headingLine struct {
	text  string
	style text.Style
}

// heading breaks the title and the settings of a figure into lines of a width.
func (f *figure) heading(width vg.Length) (lines []headingLine) {
	add := func(words string, style text.Style) {
		line := ""
		for _, word := range strings.Fields(words) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && style.Width(longer) > width {
				lines = append(lines, headingLine{line, style})
				longer = word
			}
			line = longer
		}
		if line != "" {
			lines = append(lines, headingLine{line, style})
		}
	}
	add(f.title, textStyle(titleSize, color.Black))
	add(f.settings, textStyle(tickSize, grey))
	return lines
}

// headingHeight returns the height of lines above the panels.
func headingHeight(lines []headingLine) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return margin + headingRow*vg.Length(len(lines))
}

// sharesLegend tells whether all panels name the same things.
func (f *figure) sharesLegend() bool {
	names := func(p panel) (out []string) {
		for _, i := range p.items {
			if i.name != "" {
				out = append(out, i.name)
			}
		}
		return out
	}
	for _, p := range f.panels[1:] {
		if !slices.Equal(names(p), names(f.panels[0])) {
			return false
		}
	}
	return len(f.panels) > 1
}

// usualBelow is the space below the data that a figure of the usual height has.
const usualBelow = 1.1 * vg.Inch

// longNames returns the height that upright names below an axis need beyond usualBelow.
func (f *figure) longNames() (more vg.Length) {
	place := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: f.width - 2*margin, Y: 10 * f.height}}} // high enough for any names
	for k := range f.panels {
		if f.panels[k].places != nil {
			more = max(more, f.panels[k].edges(place).Min.Y-usualBelow)
		}
	}
	return more
}

// edges returns the space beside the data of a panel that it and its neighbours need. The axes of
// a row and of a column then align. Names of places below an axis may be long, so panels without
// places do not align with them.
func (f *figure) edges(row, column int, place draw.Canvas) (e vg.Rectangle) {
	for k := range f.panels {
		own := f.panels[k].edges(place)
		if k/f.columns == row {
			e.Max.Y = max(e.Max.Y, own.Max.Y+f.panels[k].heightAbove())
			if (f.panels[k].places == nil) == (f.panels[row*f.columns+column].places == nil) {
				e.Min.Y = max(e.Min.Y, own.Min.Y)
			}
		}
		if k%f.columns == column {
			e.Min.X, e.Max.X = max(e.Min.X, own.Min.X), max(e.Max.X, own.Max.X)
		}
	}
	return e
}

// edges is the space that a panel needs on each side of its data.
func (p *panel) edges(place draw.Canvas) (e vg.Rectangle) {
	inner := p.inside(place)
	data := p.build(inner.Size().X).DataCanvas(inner)
	e.Min = vg.Point{X: data.Min.X - inner.Min.X, Y: data.Min.Y - inner.Min.Y}
	e.Max = vg.Point{X: inner.Max.X - data.Max.X, Y: inner.Max.Y - data.Max.Y}
	return e
}

// heightAbove is the height of the second horizontal axis.
func (p *panel) heightAbove() vg.Length {
	if p.above == "" {
		return 0
	}
	return tickSize + labelSize + 10
}

// drawAbove draws the second horizontal axis on top of the data.
func (p *panel) drawAbove(out *plot.Plot, data draw.Canvas) {
	if p.above == "" {
		return
	}
	const tick, gap = 4, 2
	x, _ := out.Transforms(&data)
	sty := textStyle(tickSize, ink)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
	for _, t := range p.top {
		at := vg.Point{X: x(t.Value), Y: data.Max.Y}
		data.StrokeLines(draw.LineStyle{Color: ink, Width: vg.Points(0.5)}, []vg.Point{at, {X: at.X, Y: at.Y + tick}})
		data.FillText(sty, vg.Point{X: at.X, Y: at.Y + tick + gap}, t.Label)
	}
	sty.Font = face(labelSize)
	data.FillText(sty, vg.Point{X: data.Center().X, Y: data.Max.Y + tick + tickSize + 2*gap}, p.above)
}

// inside leaves space for the label of the vertical axis.
func (p *panel) inside(place draw.Canvas) draw.Canvas {
	place.Min.X += labelSize + 9
	return place
}

// draw draws the panel without its legend, and returns where its axes put coordinates; edges is
// the space around the data.
func (p *panel) draw(place draw.Canvas, edges vg.Rectangle) (x, y func(float64) vg.Length) {
	inner, own := p.inside(place), p.edges(place)
	inner.Min.X += edges.Min.X - own.Min.X
	inner.Min.Y += edges.Min.Y - own.Min.Y
	inner.Max.X -= edges.Max.X - own.Max.X
	inner.Max.Y -= edges.Max.Y - own.Max.Y
	out := p.build(inner.Size().X)
	out.Draw(inner)
	data := out.DataCanvas(inner)
	data.StrokeLines(draw.LineStyle{Color: pale, Width: vg.Points(0.5)},
		[]vg.Point{{X: data.Min.X, Y: data.Max.Y}, data.Max, {X: data.Max.X, Y: data.Min.Y}})
	p.drawAbove(out, data)
	label := textStyle(labelSize, ink)
	label.XAlign, label.YAlign = draw.XCenter, draw.YCenter
	if len(p.items) == 0 {
		data.FillText(label, data.Center(), "no finite values")
	}
	// gonum would leave a large margin beside a logarithmic axis.
	label.YAlign, label.Rotation = draw.YTop, math.Pi/2
	data.FillText(label, vg.Point{X: place.Min.X, Y: data.Center().Y}, p.y)
	return out.Transforms(&data)
}

// build makes the plot of a panel of some width, without the label of its vertical axis.
func (p *panel) build(width vg.Length) *plot.Plot {
	out := plot.New()
	out.BackgroundColor = nil
	out.X.Label.Text = p.x
	out.X.Label.TextStyle.Font, out.X.Label.TextStyle.Color = face(labelSize), ink
	out.X.Label.Padding = vg.Points(3)
	for _, axis := range []*plot.Axis{&out.X, &out.Y} {
		axis.Padding = 0
		axis.LineStyle.Color, axis.Tick.LineStyle.Color, axis.Tick.Label.Color = ink, ink, ink
		axis.Tick.Label.Font = face(tickSize)
		axis.Tick.Length = vg.Points(4)
		axis.Tick.Marker = plot.TickerFunc(ticks)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = pale, pale
	if p.places != nil {
		grid.Vertical.Color = nil
	}
	out.Add(grid)
	for _, i := range p.items {
		out.Add(i.plotters...)
	}
	out.X.Min, out.X.Max = reach(p.items, func(at plotter.XY) float64 { return at.X }, p.logX, p.rangeX)
	out.Y.Min, out.Y.Max = reach(p.items, func(at plotter.XY) float64 { return at.Y }, p.logY, p.rangeY)
	if p.logX && out.X.Min > 0 {
		out.X.Scale, out.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	if p.logY && out.Y.Min > 0 {
		out.Y.Scale, out.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	p.namePlaces(out, width)
	return out
}

// namePlaces writes the names of places below the axis, as many as fit, and upright if they
// are many.
func (p *panel) namePlaces(out *plot.Plot, width vg.Length) {
	if p.places == nil {
		return
	}
	sty := &out.X.Tick.Label
	wide := vg.Length(0)
	for _, name := range p.places {
		wide = max(wide, sty.Width(name))
	}
	each := width / vg.Length(len(p.places)+2)
	need := wide + vg.Points(4)
	if need > each {
		sty.Font = face(7)
		sty.Rotation, sty.XAlign, sty.YAlign = math.Pi/2, draw.XRight, draw.YCenter
		need = vg.Points(7.5)
		out.X.Tick.Length = vg.Points(6)
	}
	stride := int(math.Ceil(float64(need / each)))
	out.X.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		var list []plot.Tick
		for k := 0; k < len(p.places); k += stride {
			list = append(list, plot.Tick{Value: float64(k), Label: p.places[k]})
		}
		return list
	})
}

// legend names the items of a panel in rows and columns.
type legend struct {
	items []item
	wide  []vg.Length // of the columns
}

// newLegend finds the fewest rows that fit into a width.
func newLegend(items []item, width vg.Length) legend {
	l := legend{items: slices.DeleteFunc(slices.Clone(items), func(i item) bool { return i.name == "" })}
	sty := textStyle(legendSize, ink)
	count := len(l.items)
	for rows := 1; rows <= count; rows++ {
		l.wide = make([]vg.Length, (count+rows-1)/rows)
		whole := vg.Length(0)
		for k, i := range l.items {
			column := &l.wide[k%len(l.wide)]
			whole -= *column
			*column = max(*column, sty.Width(i.name)+legendThumb+3*legendGap)
			whole += *column
		}
		if whole <= width {
			break
		}
	}
	return l
}

func (l legend) height() vg.Length {
	if len(l.items) == 0 {
		return 0
	}
	return legendRow*vg.Length((len(l.items)+len(l.wide)-1)/len(l.wide)) + margin
}

// draw puts the legend at the top of a place.
func (l legend) draw(c draw.Canvas) {
	sty := textStyle(legendSize, ink)
	sty.YAlign = draw.YCenter
	left := c.Center().X + legendGap
	for _, w := range l.wide {
		left -= w / 2
	}
	x := left
	for k, i := range l.items {
		if k%len(l.wide) == 0 {
			x = left
		}
		y := c.Max.Y - legendRow*vg.Length(k/len(l.wide))
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - legendRow + 2}, Max: vg.Point{X: x + legendThumb, Y: y - 2}}}
		for _, p := range i.plotters {
			if thumb, ok := p.(plot.Thumbnailer); ok {
				thumb.Thumbnail(&box)
			}
		}
		c.FillText(sty, vg.Point{X: x + legendThumb + legendGap, Y: y - legendRow/2}, i.name)
		x += l.wide[k%len(l.wide)]
	}
}
