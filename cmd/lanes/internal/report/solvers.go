package report

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
)

// families are the families of solvers, in the order of the list, with what they minimise.
var families = []struct{ name, title string }{
	{"erm", "Mean loss: newton, stochastic gradients"},
	{"sdca", "Mean loss: dual coordinate ascent"},
	{"elasticnet", "Mean loss with an L1 penalty"},
	{"ap", "Average precision"},
	{"pauc", "Partial AUC (--fpr), AUC, sum of ranked range (--range)"},
	{"compositional", "Portfolios (lanes portfolio --solver)"},
}

// PrintSolvers lists the solvers, a line each by family, or those named with their parameters.
func PrintSolvers(a *console.App, names []string) error {
	var all, chosen []solvers.Description
	for _, s := range registry.All() {
		all = append(all, s.Description)
	}
	for _, name := range names {
		at := slices.IndexFunc(all, func(d solvers.Description) bool { return d.Name == name })
		if at < 0 {
			var known []string
			for _, d := range all {
				known = append(known, d.Name)
			}
			return console.Usagef("--list %s: there is no such solver%s; 'lanes train --list' shows all", name, nearest.Suggest(name, "", known))
		}
		chosen = append(chosen, all[at])
	}
	text := console.NewText()
	switch {
	case a.JSON && len(names) > 0:
		return a.PrintJSON(map[string]any{"solvers": chosen})
	case a.JSON:
		return a.PrintJSON(map[string]any{"auto": lanes.AutoAbout, "solvers": all})
	case len(names) > 0:
		for _, d := range chosen {
			fmt.Fprintf(text, "%s\t%s\n", d.Name, d.About)
			for _, p := range d.Parameters {
				fmt.Fprintf(text, "  --set %s=\t%s (default %s)\n", p.Name, p.About, p.Default)
			}
			if len(d.Parameters) == 0 {
				fmt.Fprintf(text, "  no parameters\t\n")
			}
		}
		return a.PrintText(text)
	}
	width := 0
	for _, d := range all {
		width = max(width, len(d.Name))
	}
	line := func(name, about string) { fmt.Fprintf(text, "  %-*s  %s\n", width, name, about) }
	line(lanes.Auto, lanes.AutoAbout)
	for _, family := range families {
		fmt.Fprintf(text, "%s:\n", family.title)
		for _, d := range all {
			if d.Family == family.name {
				line(d.Name, d.About)
			}
		}
	}
	fmt.Fprintf(text, "'lanes train --list SOLVER' shows parameters. Defaults are guarded; --paper is as in the paper.\n")
	return a.PrintText(text)
}
