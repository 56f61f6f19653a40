package portfolio

import (
	"context"
	"io"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// looked is a context that is cancelled after so many looks.
type looked struct {
	context.Context
	left int
}

func (l *looked) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// A portfolio whose run was broken off is no point of the frontier.
func TestFrontierLeavesOutWhatWasBrokenOff(t *testing.T) {
	t.Parallel()
	a := &console.App{In: nil, Out: io.Discard, Err: io.Discard, Quiet: true, Seed: 1}
	for looks := 40; looks < 90; looks += 13 {
		for _, weights := range [][]float64{nil, {4, 2, 1}} {
			f := &Flags{missing: "refuse", dateOrder: "ymd", generate: "n=60,d=5", risk: 1, limit: 1, passes: 30, gap: 1e-300, points: 4, frontier: weights}
			s, err := readStudy(a, nil, f)
			if err != nil {
				t.Fatal(err)
			}
			if s.main, err = optimise(context.Background(), a, s, f, compositional.AGD{}, f.risk, nil); err != nil {
				t.Fatal(err)
			}
			ctx := &looked{context.Background(), looks}
			if err := traceFrontier(ctx, a, s, f, compositional.AGD{}); err != nil {
				t.Fatal(err)
			}
			if ctx.left >= 0 || len(s.frontier) == 0 {
				t.Errorf("%d looks: %d points, %d looks are left", looks, len(s.frontier), ctx.left)
			}
			for _, p := range s.frontier {
				if p.Status == solvers.Cancelled {
					t.Errorf("%d looks: a point of risk %v was broken off", looks, p.risk)
				}
			}
		}
	}
}
