package report

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/receipt"
)

// PrintVerified reports in what a repeated run differs from its receipt r; where results
// differ, it returns an error.
func PrintVerified(a *console.App, path string, r, here *receipt.Receipt) error {
	results, circumstances := r.Differences(here)
	var err error
	if a.JSON {
		err = a.PrintJSON(map[string]any{
			"receipt": path, "data": here.Data, "same_bits": len(results) == 0, "weights_sha256": here.Result.Weights,
			"differences": append([]receipt.Difference{}, results...), "circumstances": append([]receipt.Difference{}, circumstances...),
		})
	} else {
		text := console.NewText()
		fmt.Fprintf(text, "data\tthose of the receipt: %d x %d, %d non-zeros\n", here.Data.Rows, here.Data.Columns, here.Data.NonZeros)
		fmt.Fprintf(text, "run\t%s, %s after %.4g passes\n", here.Used.Solver, here.Result.Status, here.Result.Passes)
		fmt.Fprintf(text, "weights sha256\t%s\n", here.Result.Weights)
		fmt.Fprintf(text, "same bits\t%s\n", map[bool]string{true: "yes", false: "no"}[len(results) == 0])
		for _, d := range append(results, circumstances...) {
			fmt.Fprintf(text, "%s\t%s here, %q in the receipt\n", strings.ReplaceAll(d.What, "_", " "), d.Here, d.Receipt)
		}
		err = a.PrintText(text)
	}
	if err != nil || len(results) == 0 {
		return err
	}
	var names []string
	for _, d := range results {
		names = append(names, d.What)
	}
	explained := ""
	if r.By.Version != here.By.Version {
		explained = fmt.Sprintf("; the receipt is of version %q, and another version may have other bits", r.By.Version)
	}
	return fmt.Errorf("the run is not that of the receipt: %s differ%s", strings.Join(names, ", "), explained)
}
