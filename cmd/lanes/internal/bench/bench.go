// Package bench measures the kernels of every CPU path beside what the machine gives:
// how fast it reads, writes, copies, multiplies and divides, and what a call costs. A
// result says how long a call takes and what share that is of the least time that the
// machine needs for it; the rest of that time is the kernel's own doing.
package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/machine"
	"github.com/lanes-go/lanes/dispatch"
)

// Options say what to measure and how carefully.
type Options struct {
	Quick   bool
	Filter  *regexp.Regexp // names of kernels, as Kernels lists them; nil takes all
	Paths   []string       // none takes all that this CPU can run
	Lengths []int          // in place of the usual ones
	Core    int            // to stay on; below 0 takes the last of the fastest

	// Progress, where set, is called between measurements with the next measurement and the share
	// that is done, in the goroutine that measures.
	Progress func(what string, done float64)
	// Wanted selects the results to measure; nil means all.
	Wanted func(*Result) bool

	clock clock // nil is the system's
	most  int   // bytes of the longest streams, 0 for what the machine's caches ask for
}

// effort is how long everything takes.
type effort struct {
	slice   time.Duration // that a sample takes at least
	samples int           // of a kernel on a path, in a pass
	passes  int           // over everything, so that what changes with time shows
	limits  int           // passes in which the limits are measured, too: a divisor of them
	probes  int           // samples of a limit, in a pass
	long    float64       // ns of a call of which a pass takes one sample
}

func (o *Options) effort() effort {
	if o.Quick {
		return effort{slice: 100 * time.Microsecond, samples: 2, passes: 4, limits: 2, probes: 2, long: 1e6}
	}
	return effort{slice: 300 * time.Microsecond, samples: 2, passes: 6, limits: 6, probes: 2, long: 5e6}
}

// A Report is what a run measured.
type Report struct {
	Format    string    `json:"format"`
	Date      time.Time `json:"date"`
	Version   string    `json:"version"` // of lanes
	Go        string    `json:"go"`
	Quick     bool      `json:"quick"`
	Machine   Machine   `json:"machine"`
	Core      int       `json:"core"` // that it stayed on, -1 where the system did not let it
	Seconds   float64   `json:"seconds"`
	Noise     Noise     `json:"noise"`
	Sizes     []int     `json:"sizes"` // bytes
	Latencies Latencies `json:"latencies"`
	Limits    []Limits  `json:"limits"` // a path each
	Results   []Result  `json:"results"`
	Warnings  []string  `json:"warnings"`
	Changes   []Change  `json:"changes,omitempty"`
	Against   string    `json:"against,omitempty"`
}

// reportFormat is what files say that they hold.
const reportFormat = "lanes bench 1"

// Noise is what disturbed the measurements.
type Noise struct {
	Samples     int `json:"samples"`
	Interrupted int `json:"interrupted"` // samples in which another program took the core
	// Spread is the median spread of the results. Drift is the 95th percentile of their drifts,
	// by the place of the operands: other programs disturb memory more than the first cache.
	Spread float64            `json:"spread"`
	Drift  map[string]float64 `json:"drift"`
	// Slowest and Fastest are the lowest and highest clock rates of the core, in GHz.
	Slowest float64 `json:"slowest_ghz"`
	Fastest float64 `json:"fastest_ghz"`
}

// Result is the measurement of one kernel on one path, for operands of one size. Times are
// nanoseconds a call. Disturbances make kernels slower, never faster: the best sample shows
// the kernel, the other samples show the machine.
type Result struct {
	Kernel  string `json:"kernel"`
	Variant string `json:"variant,omitempty"`
	Size
	Path string `json:"path"`

	Time    float64   `json:"ns"` // of the best sample
	Median  float64   `json:"median_ns"`
	Samples []float64 `json:"samples_ns"`
	Repeats int       `json:"repeats"` // of the call in a sample
	// Drift is how much slower the second best pass is than the best pass, as a share, by
	// the best sample of each: how well the time repeats.
	Drift float64 `json:"drift"`

	Elements   float64 `json:"elements"`
	Bytes      float64 `json:"bytes"`
	Operations float64 `json:"operations"`
	Place      string  `json:"place"`    // where the operands lie: L1, L2, L3 or memory
	Limit      string  `json:"limit"`    // the limit of the machine that binds
	LimitTime  float64 `json:"limit_ns"` // the least time that it allows
	Share      float64 `json:"share"`    // LimitTime/Time

	passes []float64 // the best of each
}

// Name returns the name of a result, without its path.
func (r *Result) Name() string {
	name := r.Kernel
	if r.Variant != "" {
		name += "/" + r.Variant
	}
	return name + "/" + r.Size.String()
}

func (r *Result) key() string { return r.Name() + "/" + r.Path }

// String is the length, and of how many columns or out of how many non-zeros where that
// is not one row.
func (s Size) String() string {
	switch {
	case s.Columns == 0:
		return fmt.Sprint(s.Length)
	case s.NonZeros == s.Length:
		return fmt.Sprintf("%d of %d", s.Length, s.Columns)
	}
	return fmt.Sprintf("%d of %d, %d", s.Length, s.Columns, s.NonZeros)
}

// Kernels lists what there is to measure, by name.
func Kernels() (names []string) {
	list, _ := targets()
	for _, t := range list {
		names = append(names, t.String())
	}
	return names
}

// A visit is a target on operands of a size: all paths in turn.
type visit struct {
	target  *target
	size    Size
	results []*Result
}

// OptionError is an option that is not what it has to be.
type OptionError struct {
	Option   string // paths, core, lengths or filter
	Value    string
	Expected string
}

func (e *OptionError) Error() string { return e.Option + " " + e.Value + ": " + e.Expected }

// ErrNothing says that the options leave nothing to measure.
var ErrNothing = errors.New("nothing to measure")

// Run measures. It returns early with ctx's error, and no report.
func Run(ctx context.Context, o Options) (*Report, error) {
	began := time.Now()
	tables, err := o.tables()
	if err != nil {
		return nil, err
	}
	r := &Report{Format: reportFormat, Date: began.UTC().Truncate(time.Second), Go: runtime.Version(), Quick: o.Quick, Machine: ThisMachine(), Warnings: []string{}}
	most := o.most
	if most == 0 {
		most = r.Machine.beyond(6)
	}
	r.Sizes = measuredSizes(most)
	for _, n := range o.Lengths {
		if n < 1 || n > most/16 {
			return nil, &OptionError{"lengths", fmt.Sprint(n), fmt.Sprintf("a length is a number from 1 to %d here", most/16)}
		}
	}
	visits := o.plan(tables, most/16)
	if len(visits) == 0 {
		return nil, ErrNothing
	}
	core, release, err := pin(o.Core)
	defer release()
	if r.Core = core; err != nil {
		if o.Core >= 0 {
			return nil, &OptionError{"core", fmt.Sprint(o.Core), fmt.Sprintf("this program cannot stay on it: %v", err)}
		}
		r.warn("the system may move this program from core to core: %v", err)
	}
	// A collection of garbage in the middle of a sample would be measured with it.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	if o.clock == nil {
		o.clock = systemClock{began}
	}
	e := o.effort()
	if len(visits) < 50 {
		e.limits = 1
	}
	m := &run{ctx: ctx, o: &o, report: r, tables: tables, visits: visits, effort: e,
		sampler: &sampler{clock: o.clock, slice: int64(e.slice)}}
	if err := m.all(most); err != nil {
		return nil, err
	}
	r.finish(visits, m)
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// tables returns the kernels of the paths to measure.
func (o *Options) tables() (list []*asm.Table, err error) {
	all := runnable()
	if len(o.Paths) == 0 {
		return all, nil
	}
	for _, name := range o.Paths {
		k := slices.IndexFunc(all, func(t *asm.Table) bool { return t.Path == name })
		if k < 0 {
			names := make([]string, len(all))
			for k, t := range all {
				names[k] = t.Path
			}
			return nil, &OptionError{"paths", name, "there is no such CPU path here, only " + strings.Join(names, ", ")}
		}
		if !slices.Contains(list, all[k]) {
			list = append(list, all[k])
		}
	}
	return list, nil
}

// plan lists the visits, sizes of one family together.
func (o *Options) plan(tables []*asm.Table, most int) (visits []*visit) {
	list, _ := targets()
	for k := range list {
		t := &list[k]
		if o.Filter != nil && !o.Filter.MatchString(t.String()) {
			continue
		}
		for _, size := range t.family.sizes(o, t.work, most) {
			if !fits(t.Variant, size) {
				continue
			}
			v := &visit{target: t, size: size}
			for _, table := range tables {
				result := &Result{Kernel: t.Kernel, Variant: t.Variant, Size: size, Path: table.Path}
				if o.Wanted == nil || o.Wanted(result) {
					v.results = append(v.results, result)
				}
			}
			if len(v.results) > 0 {
				visits = append(visits, v)
			}
		}
	}
	return visits
}

// fits tells whether the indices of a layout can hold the columns.
func fits(variant string, size Size) bool {
	return !strings.HasPrefix(variant, "i16") || size.Columns <= 1<<16
}

func (r *Report) warn(format string, values ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, values...))
}

// run is the state of a run.
type run struct {
	ctx     context.Context
	o       *Options
	report  *Report
	tables  []*asm.Table
	visits  []*visit
	effort  effort
	sampler *sampler
	clocks  []float64

	steps, done int
}

// all measures everything, once a pass.
func (m *run) all(most int) error {
	p := newProber(m.sampler, m.report.Sizes, m.effort.probes)
	p.step = func() error { return m.step("the machine") }
	all := runnable() // what the machine gives, whatever paths are asked for
	m.report.Limits = make([]Limits, len(all))
	m.steps = m.effort.passes*len(m.visits) + m.effort.limits*len(all)*len(m.report.Sizes)
	m.report.Latencies = p.latencies()
	longest := 0
	for _, v := range m.visits {
		longest = max(longest, v.size.Length)
	}
	storage := newStorage(longest)
	for pass := range m.effort.passes {
		p.pass = pass
		if pass > 0 {
			storage.next()
		}
		for k, table := range all {
			if pass%(m.effort.passes/m.effort.limits) != 0 {
				break
			}
			at := slices.IndexFunc(machine.Paths, func(k *machine.Kernels) bool { return k.Path == table.Rows.Path })
			m.report.Limits[k].Path = table.Path
			if err := p.path(machine.Paths[at], &m.report.Limits[k]); err != nil {
				return err
			}
		}
		for _, v := range m.visits {
			if err := m.step(v.target.String()); err != nil {
				return err
			}
			if err := m.visit(v, storage); err != nil {
				return err
			}
		}
	}
	return nil
}

// step reports the progress of the run, and reads the clock rate of the core.
func (m *run) step(what string) error {
	if m.o.Progress != nil {
		m.o.Progress(what, float64(m.done)/float64(m.steps))
	}
	m.done++
	if m.done%16 == 1 {
		if clock := m.sampler.gigahertz(); clock > 0 {
			m.clocks = append(m.clocks, clock)
		}
	}
	return m.ctx.Err()
}

// visit takes the samples of a pass, one path after the other again and again. A disturbance of
// the machine then affects all paths.
func (m *run) visit(v *visit, s *storage) error {
	in := s.of(v.target, v.size)
	repeat := make([]func(n int), len(v.results))
	for i, result := range v.results {
		k := slices.IndexFunc(m.tables, func(t *asm.Table) bool { return t.Path == result.Path })
		repeat[i] = v.target.family.call(v.target.Kernel, v.target.Variant, v.target.of(m.tables[k]), in)
		if repeat[i] == nil {
			return fmt.Errorf("%s: no call for a function of its type", v.target)
		}
	}
	sinkTrue = true
	before := make([]int, len(v.results))
	for i, result := range v.results {
		before[i] = len(result.Samples)
	}
	for k := range m.effort.samples {
		for i, result := range v.results {
			if k > 0 && result.Repeats == 1 && result.Samples[before[i]] > m.effort.long {
				continue
			}
			restore, err := dispatch.Force(result.Path) // which some kernels read
			if err != nil {
				return err
			}
			if result.Repeats == 0 {
				result.Repeats = m.sampler.calibrate(repeat[i])
			} else if k == 0 && result.Repeats > 1 {
				repeat[i](1 + result.Repeats/8) // the caches hold what came before
			}
			result.Samples = append(result.Samples, m.sampler.sample(repeat[i], result.Repeats))
			restore()
			if !sinkTrue {
				return fmt.Errorf("%s refuses its operands", result.Name())
			}
		}
	}
	for i, result := range v.results {
		result.passes = append(result.passes, slices.Min(result.Samples[before[i]:]))
	}
	return nil
}

// finish computes what follows from the samples.
func (r *Report) finish(visits []*visit, m *run) {
	if slices.Sort(m.clocks); len(m.clocks) > 0 {
		r.Noise.Slowest, r.Noise.Fastest = quantile(m.clocks, 0.05), quantile(m.clocks, 0.95)
	}
	var spreads []float64
	drifts := make(map[string][]float64)
	best := best(r.Limits)
	for _, v := range visits {
		d := v.target.family.demand(v.target.Kernel, v.target.Variant, v.target.work, v.size)
		for _, result := range v.results {
			k := slices.IndexFunc(r.Limits, func(l Limits) bool { return l.Path == result.Path })
			result.summarize()
			result.Elements, result.Bytes, result.Operations = d.elements, d.bytes(), d.operations
			result.Place = r.Machine.level(d.streamed + d.scattered)
			b := r.bound(&d, &r.Limits[k], best)
			result.Limit, result.LimitTime, result.Share = b.limit, b.ns, b.ns/result.Time
			spreads = append(spreads, result.spread())
			drifts[result.Place] = append(drifts[result.Place], result.Drift)
			r.Results = append(r.Results, *result)
		}
	}
	slices.Sort(spreads)
	r.Noise.Samples, r.Noise.Interrupted = m.sampler.taken, m.sampler.interrupted
	r.Noise.Spread, r.Noise.Drift = quantile(spreads, 0.5), make(map[string]float64)
	for place, of := range drifts {
		r.Noise.Drift[place] = quantile(slices.Sorted(slices.Values(of)), 0.95)
	}
	r.warnOfNoise()
}

// summarize computes what follows from the samples alone.
func (r *Result) summarize() {
	r.Time = max(slices.Min(r.Samples), math.SmallestNonzeroFloat64)
	r.Median = max(median(r.Samples), r.Time)
	if slices.Sort(r.passes); len(r.passes) > 1 {
		r.Drift = (r.passes[1] - r.passes[0]) / r.Time
	}
}

// spread is how far the median is from the best, as a share.
func (r *Result) spread() float64 { return (r.Median - r.Time) / r.Time }

// The noise that is worth a warning.
const (
	muchInterrupted = 0.05 // of the samples
	muchSpread      = 0.05
	muchClock       = 0.05
)

func (r *Report) warnOfNoise() {
	n := r.Noise
	if share := float64(n.Interrupted) / float64(max(n.Samples, 1)); share > muchInterrupted {
		r.warn("other programs took the core in %.0f %% of the samples: times may be too long", 100*share)
	}
	if n.Spread > muchSpread {
		r.warn("the machine is noisy: the median sample takes %.0f %% longer than the best", 100*n.Spread)
	}
	if n.Fastest > (1+muchClock)*n.Slowest {
		r.warn("the clock of the core changed between %.2f and %.2f GHz", n.Slowest, n.Fastest)
	}
}
