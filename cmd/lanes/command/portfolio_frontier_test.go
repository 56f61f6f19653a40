package command

import (
	"context"
	"io"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// A portfolio whose run was broken off is no point of the frontier.
func TestFrontierLeavesOutWhatWasBrokenOff(t *testing.T) {
	t.Parallel()
	a := &console.App{In: nil, Out: io.Discard, Err: io.Discard, Quiet: true, Seed: 1}
	for asked := 40; asked < 90; asked += 13 {
		for _, weights := range [][]float64{nil, {4, 2, 1}} {
			f := &portfolioFlags{missing: "refuse", dateOrder: "ymd", generate: "n=60,d=5", risk: 1, limit: 1, passes: 30, gap: 1e-300, points: 4, frontier: weights}
			s, err := readStudy(a, nil, f)
			if err != nil {
				t.Fatal(err)
			}
			if s.main, err = optimise(context.Background(), a, s, f, compositional.AGD{}, f.risk, nil); err != nil {
				t.Fatal(err)
			}
			ctx := looks.Until(asked)
			if err := traceFrontier(ctx, a, s, f, compositional.AGD{}); err != nil {
				t.Fatal(err)
			}
			if ctx.Left >= 0 || len(s.frontier) == 0 {
				t.Errorf("%d looks: %d points, %d looks are left", asked, len(s.frontier), ctx.Left)
			}
			for _, p := range s.frontier {
				if p.Status == solvers.Cancelled {
					t.Errorf("%d looks: a point of risk %v was broken off", asked, p.risk)
				}
			}
		}
	}
}
