// Package plotstest reads the pictures that tests look at.
package plotstest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// Picture is what a test reads in an SVG, in points from the bottom left.
type Picture struct {
	Texts map[string][]plotter.XY // where they begin
	Lines []Line
}

// Line is one stroke of a picture.
type Line struct {
	Points        plotter.XYs
	Color, Dashes string
}

var (
	svgText = regexp.MustCompile(`<text [^>]*\bx="([^"]*)" y="([^"]*)" transform="scale\(1, -1\)"\s*style="[^"]*">([^<]*)<`)
	svgPath = regexp.MustCompile(`<path d="([^"]*)" style="fill:none;([^"]*)"`)
	svgAt   = regexp.MustCompile(`[ML](-?[0-9.e+-]+),(-?[0-9.e+-]+)`)
)

// ParseSVG reads what the package plots draws.
func ParseSVG(t *testing.T, svg string) Picture {
	t.Helper()
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	p := Picture{Texts: make(map[string][]plotter.XY)}
	for _, m := range svgText.FindAllStringSubmatch(svg, -1) {
		p.Texts[m[3]] = append(p.Texts[m[3]], plotter.XY{X: number(m[1]), Y: -number(m[2])})
	}
	for _, m := range svgPath.FindAllStringSubmatch(svg, -1) {
		var l Line
		for _, at := range svgAt.FindAllStringSubmatch(m[1], -1) {
			l.Points = append(l.Points, plotter.XY{X: number(at[1]), Y: number(at[2])})
		}
		for _, s := range strings.Split(m[2], ";") {
			name, value, _ := strings.Cut(s, ":")
			switch name {
			case "stroke":
				l.Color = value
			case "stroke-dasharray":
				l.Dashes = value
			}
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}
