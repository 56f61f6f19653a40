package report

import (
	"fmt"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
)

// PrintSolvers lists the solvers with their parameters.
func PrintSolvers(a *console.App) error {
	var list []solvers.Description
	for _, s := range registry.All() {
		list = append(list, s.Description)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"auto": lanes.AutoAbout, "solvers": list})
	}
	text := console.NewText()
	fmt.Fprintf(text, "%s\t%s\n", lanes.Auto, lanes.AutoAbout)
	for _, d := range list {
		fmt.Fprintf(text, "%s\t%s\n", d.Name, d.About)
		for _, p := range d.Parameters {
			fmt.Fprintf(text, "  --set %s=\t%s (default %s)\n", p.Name, p.About, p.Default)
		}
	}
	return a.PrintText(text)
}
