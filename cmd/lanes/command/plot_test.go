package command

import (
	"image"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
)

// TestPlotsShow looks in the pictures for their contents.
func TestPlotsShow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plot, model := filepath.Join(dir, "plot.svg"), filepath.Join(dir, "model")
	rows := fourClasses(t, 300, 5)
	named := file(t, "names", strings.ReplaceAll(columnNames(12), "größe", "<i> & a name of 28 characters or more"))
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"train", "--generate", small, "--gap", "1e-5"}, []string{"Training on ", "objective", "duality gap", "tolerance 1e-5"}},
		{[]string{"train", rows, "--positive", "7", "--valid", rows, "--metric", "auc", "--solver", "svrg"}, []string{"Training on classes", "seed 1", "validation AUC", "best, kept: 0."}},
		{[]string{"train", rows, "--multiclass", "--model", model}, []string{"One-vs-rest classes on classes", "F1 on the training rows", "macro F1 0.", "lowest F1: ", "tolerance 1e-6", "-1", "20"}},
		{[]string{"eval", rows, "--model", model}, []string{"model on classes", "300 rows, 4 classes", "macro F1 0.", "precision", "recall", "-1", "20"}},
		{[]string{"train", rows, "--positive", "7", "--path", "--cv", "4", "--one-se"}, []string{"Cross-validation on classes", "one standard error", "mean over the folds", "best", "kept: lambda ", "log loss, 4 folds"}},
		{[]string{"train", rows, "--positive", "7", "--path", "--valid", rows}, []string{"Path of lambda on classes", "valid log loss", "kept: lambda "}},
		{[]string{"train", rows, "--positive", "7", "--path", "--model", model}, []string{"duality gap", "kept: lambda ", "tolerance "}},
		{[]string{"train", rows, "--positive", "7", "--path", "--sparse", "--intercept"}, []string{"Sparse path on classes", "non-zero weights", "column 1", "kept: l1 ", "12", "0"}},
		{[]string{"train", rows, "--positive", "7", "--path", "--sparse", "--intercept", "--names", named}, []string{"&lt;i&gt; &amp; a name of 28 charac...", "kept: l1 "}},
		{[]string{"train", rows, "--multiclass", "--path", "--sparse", "--intercept"}, []string{" of class ", "48"}},
		{[]string{"train", rows, "--positive", "7", "--path", "--sparse", "--cv", "3"}, []string{"non-zero weights", "best", "kept: l1 "}},
		{[]string{"eval", rows, "--positive", "7", "--model", model, "--fpr", "0,0.2"}, []string{"model on classes", "300 rows, ", "prevalence 0.", "chance", "partial AUC 0 to 0.2: 0.", "AUC 0."}},
		{[]string{"compare", "--generate", small, "--epochs", "4", "--solvers", "svrg,adam,newton"}, []string{"Solvers on ", "lambda ", "epochs (passes over the data)", "svrg", "adam", "newton", "seconds", "objective above the best seen"}},
		{[]string{"train", rows, "--positive", "7", "--for", "auc", "--epochs", "300"}, []string{"Search for AUC on classes", "chosen: logistic", "AUC, 5 folds"}},
		{[]string{"portfolio", "--generate", "n=400,d=6", "--long-only"}, []string{"single assets", "efficient frontier", "the same portfolios, test periods", "equal weights", "risk weight 1"}},
	} {
		succeed(t, append(c.args, "--quiet", "--plot", plot)...)
		drawn := plotstest.ParseSVG(t, read(t, plot))
		for _, want := range append(c.want, "lanes "+console.Version()) {
			found := false
			for text := range drawn.Texts {
				found = found || strings.Contains(text, want)
			}
			if !found {
				t.Errorf("%v: the plot tells nothing of %q", c.args, want)
			}
		}
		longest, widest := 0, 0.0
		for _, l := range drawn.Lines {
			longest = max(longest, len(l.Points))
		}
		for _, l := range drawn.Lines {
			if len(l.Points) > 1 {
				widest = max(widest, math.Abs(l.Points[len(l.Points)-1].X-l.Points[0].X))
			}
		}
		if longest < 4 && c.args[1] != rows || widest < 100 {
			t.Errorf("%v: no curve of more than %d points, none wider than %v", c.args, longest, widest)
		}
	}
	png := filepath.Join(dir, "plot.png")
	succeed(t, "train", "--generate", small, "--quiet", "--plot", png)
	file, err := os.Open(png)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if picture, _, err := image.Decode(file); err != nil || picture.Bounds().Dx() < 1200 || picture.Bounds().Dy() < 450 {
		t.Errorf("the PNG: %v, %v", picture.Bounds(), err)
	}
}
