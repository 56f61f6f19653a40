package erm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// readData reads a kept data set, or skips the test; labels equal to positive
// become +1, others -1.
func readData(t testing.TB, name string, positive float64) (*sparse.Matrix, []float64) {
	t.Helper()
	for _, dir := range []string{os.Getenv("LANES_DATA"), "../../../shared/data"} {
		path := filepath.Join(dir, name+".xz")
		if _, err := os.Stat(path); dir == "" || err != nil {
			continue
		}
		data, err := sparse.ReadFile(path, sparse.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, _, err := sparse.BinaryLabels(data.Y, &positive)
		if err != nil {
			t.Fatal(err)
		}
		return data.X, y
	}
	t.Skipf("data set %s not found: set LANES_DATA to its folder", name)
	return nil, nil
}
