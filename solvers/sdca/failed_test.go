package sdca

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// fillingDisk is a recorder that fails after room records.
type fillingDisk struct{ room int }

var errDiskFull = errors.New("disk full")

func (f *fillingDisk) Record(solvers.Point) error {
	if f.room--; f.room < 0 {
		return errDiskFull
	}
	return nil
}

// TestResumesWhereTheRecorderFailed: a run whose recorder failed at any point resumes to the same
// bits, whether or not two workers share its groups.
func TestResumesWhereTheRecorderFailed(t *testing.T) {
	x, y := generated(t, "text:n=800,d=700", 2)
	p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(len(y))}}
	s := solvers.Settings{MaxEpochs: 25, Seed: 3, Workers: 2, GapTolerance: 1e-9}
	compare := func(m Method) {
		want, points := solve(t, p, m, s), 0
		for ; ; points++ {
			cut := s
			cut.Checkpoint, cut.Recorder = filepath.Join(t.TempDir(), "run"), &fillingDisk{points}
			if _, err := Solve(context.Background(), p, m, cut); err == nil {
				break
			} else if !errors.Is(err, errDiskFull) {
				t.Fatal(err)
			}
			cut.Recorder, cut.Resume = nil, cut.Checkpoint
			got := solve(t, p, m, cut)
			wantSame(t, "resumed", append(got.Weights, got.Gap, got.Total.Epochs), append(want.Weights, want.Gap, want.Total.Epochs))
		}
		if points < 2 {
			t.Errorf("%d points", points)
		}
	}
	compare(Prox{})
	compare(Hybrid{})
}
