package solvetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Glmnet returns a function that runs a script in R, in a folder with the named files. It reads
// the numbers that the script prints, line by line. The test is skipped under -short, and without
// R and glmnet.
func Glmnet(t testing.TB) func(t testing.TB, script string, files map[string]string, arguments ...string) [][]float64 {
	t.Helper()
	if testing.Short() {
		t.Skip("starts R")
	}
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("no Rscript: install r-cran-glmnet")
	}
	return func(t testing.TB, script string, files map[string]string, arguments ...string) [][]float64 {
		t.Helper()
		folder := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("script.R", script)
		for name, text := range files {
			write(name, text)
		}
		command := exec.Command(r, append([]string{"script.R"}, arguments...)...)
		command.Dir = folder
		out, err := command.CombinedOutput()
		if strings.Contains(string(out), "no package called") {
			t.Skip("R has no glmnet: install r-cran-glmnet")
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var lines [][]float64
		for line := range strings.Lines(string(out)) {
			var numbers []float64
			for word := range strings.FieldsSeq(line) {
				number, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatalf("%v in %s", err, out)
				}
				numbers = append(numbers, number)
			}
			lines = append(lines, numbers)
		}
		return lines
	}
}
