package sdca

import (
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// Dual steps on few rows keep to one worker.
func TestFewRowsStepAlone(t *testing.T) {
	x, _ := generated(t, "text:n=300,d=400", 3)
	pool := matrix.NewPool(2)
	defer pool.Close()
	if stepsPool(x, pool) != nil {
		t.Error("a second worker shares the products of 300 rows")
	}
	least := leastShared
	leastShared = 0
	t.Cleanup(func() { leastShared = least })
	if stepsPool(x, pool) != pool {
		t.Error("many rows are left to one worker")
	}
}
