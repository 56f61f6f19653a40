package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
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
		return a.PrintJSON(map[string]any{"auto": fitting.AutoAbout, "solvers": list})
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", fitting.AutoName, fitting.AutoAbout)
	for _, d := range list {
		fmt.Fprintf(w, "%s\t%s\n", d.Name, d.About)
		for _, p := range d.Parameters {
			fmt.Fprintf(w, "  --set %s=\t%s (default %s)\n", p.Name, p.About, p.Default)
		}
	}
	w.Flush()
	return a.Print("%s", text.String())
}
