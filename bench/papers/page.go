package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is a study as its report has it.
type page struct {
	Title, Authors, Claim, Answer, Setting, Machine, Command, Remark string
	Styles                                                           template.CSS
	Sections                                                         []section
	Missing                                                          []section
}

type section struct {
	Anchor, Name, Caption, Word, Order, Missing, Seeds, Sets string
	Verdicts, Notes                                          []string
	Keys                                                     []key
	Panels                                                   []template.HTML
	Tables                                                   []tableHTML
}

// key is an entry of a figure's legend.
type key struct {
	Label  string
	Colour template.CSS
	Dashed bool
}

type tableHTML struct {
	Title string
	Head  []string
	Rows  [][]string
}

// palette gives every label of a part its colour, in the order in which they come; again
// says that one before has the same.
type palette map[string]int

func (p palette) colour(label string) (colour color.Color, again bool) {
	if _, known := p[label]; !known {
		p[label] = len(p)
	}
	return colours[p[label]%len(colours)], p[label] >= len(colours)
}

// write writes the report and the numbers behind its figures and tables.
func (s study) write(html, numbers io.Writer, parts []part, all results, command, remark string) error {
	report := dispatch.Report()
	out := page{
		Title: s.title, Authors: s.authors, Claim: s.claim, Setting: s.setting, Command: command, Remark: remark,
		Machine: fmt.Sprintf("%s, %d cores, CPU path %s, %s, %s", report.Name, report.Cores, report.Path, runtime.Version(), time.Now().Format(time.DateOnly)),
	}
	rows := csv.NewWriter(numbers)
	if err := rows.Write([]string{"part", "plot or table", "curve or row", "x or column", "value", "low", "high"}); err != nil {
		return err
	}
	looks, answers := make(styles), make(map[string]shown)
	for _, p := range parts {
		own := section{Anchor: strings.ReplaceAll(strings.ToLower(p.name), " ", "-"), Name: p.name, Caption: p.caption, Missing: p.missing}
		if p.missing != "" {
			out.Missing = append(out.Missing, own)
			continue
		}
		got := p.show(all)
		answers[p.name] = got
		for _, t := range got.found {
			own.Verdicts = append(own.Verdicts, t.String())
		}
		own.Order, own.Notes, own.Sets = got.order, got.notes, got.sets
		if len(got.found) == 1 {
			own.Word = got.head().word()
		}
		switch {
		case got.seeds == 1:
			own.Seeds = "One seed."
		case got.seeds > 1:
			own.Seeds = fmt.Sprintf("%d seeds.", got.seeds)
		}
		known, colours := make(map[string]bool), make(palette)
		for _, panel := range got.panels {
			for _, c := range panel.curves {
				if !known[c.label] {
					known[c.label] = true
					colour, again := colours.colour(c.label)
					r, g, b, _ := colour.RGBA()
					own.Keys = append(own.Keys, key{c.label, template.CSS(fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)), c.dashed || again})
				}
			}
			drawing, err := panel.svg(colours, looks)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			own.Panels = append(own.Panels, drawing)
			if err := panel.numbers(rows, p.name); err != nil {
				return err
			}
		}
		for _, t := range got.tables {
			own.Tables = append(own.Tables, tableHTML{t.title, t.rows[0], t.rows[1:]})
			for _, row := range t.rows[1:] {
				for k, cell := range row[1:] {
					if err := rows.Write([]string{p.name, t.title, row[0], t.rows[0][k+1], cell, "", ""}); err != nil {
						return err
					}
				}
			}
		}
		out.Sections = append(out.Sections, own)
	}
	out.Answer, out.Styles = s.answer(answers), looks.sheet()
	rows.Flush()
	if err := rows.Error(); err != nil {
		return err
	}
	return pageTemplate.Execute(html, out)
}

func (p panel) numbers(out *csv.Writer, part string) error {
	number := func(v float64) string { return fmt.Sprintf("%.6g", v) }
	for _, c := range p.curves {
		c = c.thinned(func(x, y float64) bool { return true })
		for i := range c.x {
			row := []string{part, p.title, c.label, number(c.x[i]), number(c.y[i]), "", ""}
			if c.low != nil {
				row[5], row[6] = number(c.low[i]), number(c.high[i])
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	return nil
}
