package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
)

// controls is the number of cells that a mechanism does not touch and is measured on.
const controls = 5

// measure prints the table of the mechanisms. It runs in the patched tree.
func (o *options) measure(to io.Writer) error {
	cells, err := o.cells()
	if err != nil {
		return err
	}
	touched := make([]string, len(cells)) // the mechanisms met in each cell
	for k := range cells {
		os.Setenv(met, "")
		if err := cells[k].run(); err != nil {
			return fmt.Errorf("%s: %w", cells[k].name, err)
		}
		touched[k] = os.Getenv(met)
	}
	fmt.Fprintf(to, "| mechanism | lines | cells | median | best | worst | controls | worst cell |\n|---|--:|--:|--:|--:|--:|--:|---|\n")
	for _, m := range mechanisms {
		if len(o.only) > 0 && !slices.Contains(o.only, m.name) {
			continue
		}
		lines, err := m.lines("..")
		if err != nil {
			return err
		}
		var gains, rest []float64
		worst := ""
		for k := range cells {
			touches := strings.Contains(touched[k], "|"+m.name+"|")
			if !touches && len(rest) == controls {
				continue
			}
			gain, err := o.gain(&cells[k], m.name)
			if err != nil {
				return err
			}
			if !touches {
				rest = append(rest, gain)
				continue
			}
			if gains = append(gains, gain); gain == slices.Min(gains) {
				worst = cells[k].name
			}
		}
		fmt.Fprintf(to, "| %s: %s | %d | %d | %s | %s | %s |\n", m.name, m.about, lines, len(gains), summary(gains), middle(rest), worst)
	}
	return nil
}

// gain is the median ratio of processor seconds without a mechanism to seconds with it.
func (o *options) gain(c *cell, name string) (float64, error) {
	var failed error
	way := func(value string) func() {
		return func() {
			os.Setenv(off, value)
			if err := c.run(); err != nil && failed == nil {
				failed = fmt.Errorf("%s without %s: %w", c.name, name, err)
			}
		}
	}
	contest.Rounds = o.rounds
	results := contest.Run(contest.Contender{Name: "on", Run: way("")}, contest.Contender{Name: "off", Run: way(name)})
	os.Setenv(off, "")
	return results[1].Ratio, failed
}

func summary(gains []float64) string {
	if len(gains) == 0 {
		return "- | - | -"
	}
	return fmt.Sprintf("%.3f | %.2f | %.2f", contest.Median(gains), slices.Max(gains), slices.Min(gains))
}

func middle(gains []float64) string {
	if len(gains) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", contest.Median(gains))
}

// lines counts the lines of a mechanism's functions, with their comments.
func (m *mechanism) lines(tree string) (count int, err error) {
	for _, code := range m.code {
		file, function, _ := strings.Cut(code, ":")
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, filepath.Join(tree, file), nil, parser.ParseComments)
		if err != nil {
			return 0, err
		}
		found := false
		for _, d := range parsed.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || function != "*" && f.Name.Name != function {
				continue
			}
			begin := f.Pos()
			if f.Doc != nil {
				begin = f.Doc.Pos()
			}
			found = true
			count += files.Position(f.End()).Line - files.Position(begin).Line + 1
		}
		if !found {
			return 0, fmt.Errorf("%s: no function %s: mend the list of mechanisms", m.name, code)
		}
	}
	return count, nil
}
