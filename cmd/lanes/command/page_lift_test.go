package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
)

// TestPageOfLift: the lift by tenths, KS and Gini stand on the page of two classes as eval has them. The
// page of counts has their Gini, its curve, and predictions beside targets.
func TestPageOfLift(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := "claims,age,area,years,late\n"
	for i := range 403 {
		text += fmt.Sprintf("%d,%d,%s,%v,%v\n", i*i%5*(1+i%3)/2, 20+i%37, []string{"city", "land", "coast"}[i%3], 0.25*float64(1+i%4), i*i%11 < 3)
	}
	if err := os.WriteFile(at("t.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	page := func(sections string) string {
		t.Helper()
		text := read(t, at("page.html"))
		page := plotstest.ParsePage(t, text)
		if got := strings.Join(page.IDs, " "); got != sections {
			t.Errorf("sections %s", got)
		}
		return strings.Join(strings.Fields(page.Text), " ")
	}
	tells := func(page string, lines [][]string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(page, strings.Join(line, "")) {
				t.Errorf("the page does not say %q", line)
			}
		}
	}
	bare := func(page string) string { return strings.ReplaceAll(page, " ", "") }

	succeed(t, "train", at("t.csv"), "--target", "late", "--ignore", "claims", "--model", at("m"), "--quiet", "--html", at("page.html"))
	v := object(t, succeed(t, "eval", at("m"), at("t.csv"), "--json"))
	said := page("result columns weights measures curves lift confusion calibration run repeat")
	var lines [][]string
	for k, bin := range v["lift"].([]any) {
		b := bin.(map[string]any)
		lines = append(lines, []string{fmt.Sprintf("%d%%to%d%%", 10*k, 10*k+10), fmt.Sprintf("%.4g", b["rows"]), fmt.Sprintf("%.5g", b["positives"]), fmt.Sprintf("%.3f", b["lift"]), fmt.Sprintf("%.1f%%", 100*b["captured"].(float64))})
	}
	if len(lines) != 10 {
		t.Fatalf("%d parts", len(lines))
	}
	tells(bare(said), lines)
	tells(bare(said), [][]string{{fmt.Sprintf("KS%.6g", v["ks"])}, {fmt.Sprintf("Gini%.6g", v["gini"])}})
	tells(said, [][]string{{fmt.Sprintf("KS %.4g is the largest", v["ks"])}, {fmt.Sprintf("Gini %.4g is 2 AUC", v["gini"])}})

	succeed(t, "train", at("t.csv"), "--target", "claims", "--loss", "poisson", "--exposure", "years", "--model", at("m"), "--quiet", "--html", at("page.html"))
	v = object(t, succeed(t, "eval", at("m"), at("t.csv"), "--json"))
	said = page("result columns weights measures lorenz calibration residuals run repeat")
	lines = nil
	for _, bin := range v["calibration"].([]any) {
		b := bin.(map[string]any)
		lines = append(lines, []string{fmt.Sprintf("%.4gto%.4g", b["low"], b["high"]), fmt.Sprintf("%.6g", b["rows"]), fmt.Sprintf("%.4g", b["predicted"]), fmt.Sprintf("%.4g", b["observed"])})
	}
	if len(lines) < 8 {
		t.Fatalf("%d parts", len(lines))
	}
	tells(bare(said), lines)
	tells(bare(said), [][]string{{fmt.Sprintf("Gini%.6g", v["gini"])}})
	tells(said, [][]string{{fmt.Sprintf("Gini %.4g is twice the area", v["gini"])}, {fmt.Sprintf("%.4g of what the targets themselves have", v["normalised_gini"])}})
	succeed(t, "eval", at("m"), at("t.csv"), "--html", at("page.html"), "--quiet")
	page("columns weights measures lorenz calibration residuals repeat")
}
