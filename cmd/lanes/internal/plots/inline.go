package plots

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

//go:embed page.css
var styleText string

// PageStyle is the style of every page: text, tables, and the colours of inline pictures, in
// light, in dark and in print.
func PageStyle() template.CSS { return template.CSS(styleText) }

// Inline is a picture for a page: SVG whose colours and size the page's style decides, with a
// text at each of its points.
type Inline = template.HTML

// Size of a panel on a page.
const inlineWidth, inlineHeight = 4.3 * vg.Inch, 3.2 * vg.Inch

// spot is a point of a curve that a reader may ask for.
type spot struct {
	at   vg.Point
	text string
}

// mostSpots is the largest number of spots of a curve: more could not be pointed at.
const mostSpots = 100

// spots returns points of the named lines and dots of a panel, where they are drawn.
func (p *panel) spots(x, y func(float64) vg.Length) (list []spot) {
	for _, i := range p.items {
		switch i.plotters[0].(type) {
		case *plotter.Polygon, *across: // which have no points
			continue
		}
		if i.name == "" {
			continue
		}
		for _, at := range thin(i.points, mostSpots) {
			text := fmt.Sprintf("%s\n%s %s\n%s %s", i.name, p.x, p.placeText(at.X), p.y, short4(at.Y))
			list = append(list, spot{vg.Point{X: x(at.X), Y: y(at.Y)}, text})
		}
	}
	return list
}

// placeText is a coordinate on the horizontal axis.
func (p *panel) placeText(x float64) string {
	if k := int(x); p.places != nil && k >= 0 && k < len(p.places) {
		return p.places[k]
	}
	return short4(x)
}

var (
	svgColor = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
	svgHead  = regexp.MustCompile(`(?s)^.*?<svg width="[^"]*" height="[^"]*"`)
)

// variables are the names that PageStyle has for colours.
var variables = []struct {
	color color.RGBA
	name  string
}{
	{blue, "blue"}, {red, "red"}, {green, "green"}, {black, "black"}, {orange, "orange"}, {sky, "sky"}, {pink, "pink"},
	{ink, "ink"}, {grey, "grey"}, {light, "light"}, {pale, "pale"}, {color.RGBA{255, 255, 255, 255}, "paper"},
}

// variable is the colour of an SVG as a variable of PageStyle. Colours that were mixed with
// their opacity are off by 1.
func variable(text string) string {
	var c [3]int
	fmt.Sscanf(text, "#%02x%02x%02x", &c[0], &c[1], &c[2])
	near := func(a int, b uint8) bool { return a-int(b) <= 1 && int(b)-a <= 1 }
	for _, v := range variables {
		if near(c[0], v.color.R) && near(c[1], v.color.G) && near(c[2], v.color.B) {
			return "var(--" + v.name + ")"
		}
	}
	return text
}

// inline draws each panel by itself.
func (f figure) inline() (list []Inline) {
	for _, p := range f.panels {
		one := figure{panels: []panel{p}, width: inlineWidth, height: inlineHeight, spots: &[]spot{}}
		if f.columns == 1 && len(p.places) > 0 { // as wide as its names need
			one.width, one.height = f.width, f.height
		}
		text := one.render(true).String()
		text = svgColor.ReplaceAllStringFunc(text, variable)
		text = strings.ReplaceAll(text, "font-variant:normal;font-weight:normal;font-style:normal;", "")
		text = svgHead.ReplaceAllLiteralString(text, fmt.Sprintf(`<svg role="img" aria-label="%s"`, html.EscapeString(p.y+" against "+p.x)))
		var spots strings.Builder
		for _, s := range *one.spots {
			fmt.Fprintf(&spots, `<circle class="spot" cx="%.1f" cy="%.1f" r="4"><title>%s</title></circle>`, s.at.X.Points(), s.at.Y.Points(), html.EscapeString(s.text))
		}
		end := strings.LastIndex(text, "</g>")
		list = append(list, Inline(text[:end]+spots.String()+text[end:]))
	}
	return list
}
