package fitting

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
)

// mostPoints bounds the points that are kept of a run for its outputs: the recorded
// points of --trace, and what a plot or a page can show.
const (
	MostTraced  = 1 << 16
	MostPlotted = 1 << 12
)

// progress records a run and shows where it stands.
type progress struct {
	*console.Display
	trace  *solvers.Thinned // nil where nothing needs the points
	limits solvers.Settings
	label  string

	rows        int // of a sweep over a file, 0 for none
	used, bytes atomic.Int64
	lately      []reading // of the last seconds, the oldest first

	mu    sync.Mutex
	start time.Time
	last  solvers.Point
	some  bool
	seen  time.Time // when last came
}

// reading is how far a run over a file was at a time.
type reading struct {
	at          time.Time
	used, bytes int64
}

// window is the time over which the speed of a sweep is measured.
const window = 5 * time.Second

// speed returns the rows and the bytes a second of the last seconds. It is 0 before the second call.
func (p *progress) speed(now time.Time) (rows, bytes float64) {
	r := reading{now, p.used.Load(), p.bytes.Load()}
	p.lately = append(p.lately, r)
	for len(p.lately) > 2 && now.Sub(p.lately[1].at) >= window {
		p.lately = p.lately[1:]
	}
	first := p.lately[0]
	seconds := now.Sub(first.at).Seconds()
	if seconds <= 0 {
		return 0, 0
	}
	return float64(r.used-first.used) / seconds, float64(r.bytes-first.bytes) / seconds
}

// tracer returns a recorder for one of several fits, nil where no output asks for
// their points.
func tracer(a *console.App, fits int, by solvers.Metric) *solvers.Thinned {
	if a.Points == 0 {
		return nil
	}
	t := &solvers.Thinned{Most: max(a.Points/fits, 64)}
	if by != nil {
		t.Better = func(p, q solvers.Point) bool {
			if by.HigherIsBetter() {
				return p.Metric > q.Metric
			}
			return p.Metric < q.Metric
		}
	}
	return t
}

// NewProgress starts to watch a run; quiet shows nothing.
func NewProgress(a *console.App, label string, limits solvers.Settings) *progress {
	p := &progress{trace: tracer(a, 1, limits.Validation), limits: limits, label: label, start: time.Now()}
	p.Display = a.Show(p.line)
	return p
}

// sweep returns the parts about the current epoch: its row, the bytes a second of the last seconds,
// and the time left. The caller holds p.mu.
func (p *progress) sweep() []console.Phrase {
	used := p.used.Load()
	if p.rows == 0 || used == 0 {
		return nil
	}
	here := used % int64(p.rows)
	rate, bytes := p.speed(time.Now())
	parts := []console.Phrase{console.NewPhrase(1, fmt.Sprintf("row %d of %d", here, p.rows))}
	if bytes > 0 {
		parts = append(parts, console.NewPhrase(2, fmt.Sprintf("%.0f MB/s", bytes/1e6)))
	}
	if float64(here) < leastDone*float64(p.rows) || rate == 0 {
		return parts
	}
	return append(parts, console.Suffixed(console.Remaining(3, float64(int64(p.rows)-here)/rate*float64(time.Second)), " in the epoch"))
}

// Record takes note of a point.
func (p *progress) Record(point solvers.Point) error {
	if p.trace != nil {
		p.trace.Record(point)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.some, p.seen = point, true, time.Now()
	return nil
}

// Points returns the recorded points of the run, nil without a trace.
func (p *progress) Points() []solvers.Point {
	if p.trace == nil {
		return nil
	}
	return p.trace.Points()
}

func (p *progress) line(width int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := time.Since(p.start)
	if !p.some {
		return console.Fitted(width, append([]console.Phrase{console.NewPhrase(0, p.label+": starting"), console.NewPhrase(1, console.Short(elapsed))}, p.sweep()...))
	}
	parts := describe(&p.last, &p.limits, 0)
	if p.last.Seconds > 0 {
		parts = append(parts, console.NewPhrase(7, fmt.Sprintf("%.3g epochs/s", p.last.Epochs/p.last.Seconds)))
	}
	parts = append(parts, p.sweep()...)
	parts = append(parts, console.NewPhrase(3, console.Short(elapsed)))
	if p.rows == 0 {
		parts = append(parts, console.AtMost(2, p.left(elapsed)))
	}
	parts[0].Text = p.label + ": " + parts[0].Text
	return console.Fitted(width, parts)
}

// describe are the parts that tell of a point, from a rank on.
func describe(point *solvers.Point, limits *solvers.Settings, rank int) []console.Phrase {
	parts := []console.Phrase{console.NewPhrase(rank, fmt.Sprintf("%.4g epochs", point.Epochs)), console.NewPhrase(rank+6, fmt.Sprintf("loss %.6g", point.Objective))}
	if point.Gap-point.Gap == 0 {
		parts = append(parts, console.NewPhrase(rank+1, fmt.Sprintf("gap %.2e", point.Gap)))
	} else if point.GradientNorm-point.GradientNorm == 0 {
		parts = append(parts, console.NewPhrase(rank+1, fmt.Sprintf("gradient %.2e", point.GradientNorm)))
	}
	if point.NonZeros > 0 {
		parts = append(parts, console.NewPhrase(rank+5, fmt.Sprintf("%d non-zeros", point.NonZeros)))
	}
	if point.Metric-point.Metric == 0 && limits.Validation != nil {
		parts = append(parts, console.NewPhrase(rank+4, fmt.Sprintf("%s %.5g", limits.Validation.Name(), point.Metric)))
	}
	return parts
}

// left estimates the time to the nearer of the two budgets, in nanoseconds. A run with a tolerance may
// end earlier.
func (p *progress) left(elapsed time.Duration) float64 {
	left := math.Inf(1)
	if p.limits.MaxTime > 0 {
		left = float64(p.limits.MaxTime - elapsed)
	}
	if p.last.Epochs > leastDone*p.limits.MaxEpochs && p.last.Seconds > 0 {
		perPass := p.last.Seconds / p.last.Epochs * float64(time.Second)
		left = min(left, float64((p.limits.MaxEpochs-p.last.Epochs)*perPass)-float64(time.Since(p.seen)))
	}
	return left
}
