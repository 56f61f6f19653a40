package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
)

// A Change is a result that differs from an older one by more than the noise of both.
type Change struct {
	Name  string  `json:"name"`
	Path  string  `json:"path"`
	Old   float64 `json:"old_ns"`
	New   float64 `json:"new_ns"`
	Ratio float64 `json:"ratio"` // New/Old
	Noise float64 `json:"noise"` // what Ratio would have to differ from 1 by
}

// ReadFile reads a report that lanes bench --json printed, and checks that it is one.
func ReadFile(path string) (*Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s is damaged: %w after %d of %d bytes; it should be what lanes bench --json printed", path, err, syntax.Offset, len(text))
		}
		return nil, fmt.Errorf("%s is not what lanes bench --json printed: %w", path, err)
	}
	if r.Format != reportFormat {
		return nil, fmt.Errorf("%s is not what this version's lanes bench --json prints: its format is %q, not %q", path, r.Format, reportFormat)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return r, nil
}

// check finds what no run writes.
func (r *Report) check() error {
	if len(r.Sizes) == 0 || !slices.IsSorted(r.Sizes) || r.Sizes[0] <= 0 || len(r.Limits) == 0 || len(r.Latencies.Load) != len(r.Sizes) {
		return errors.New("it does not hold what the machine gives")
	}
	paths := make(map[string]bool)
	for k := range r.Limits {
		l := &r.Limits[k]
		for _, rates := range l.rates() {
			if len(*rates) != len(r.Sizes) {
				return fmt.Errorf("it does not hold what the machine gives on %q", l.Path)
			}
		}
		paths[l.Path] = true
	}
	if len(r.Results) == 0 {
		return errors.New("it holds no results")
	}
	for k := range r.Results {
		x := &r.Results[k]
		switch {
		case !paths[x.Path] || !slices.Contains(placeNames, x.Place) || x.Kernel == "" || x.Limit == "":
			return fmt.Errorf("%s is a result on path %q with operands in %q", x.Name(), x.Path, x.Place)
		case !(x.Time > 0) || !(x.Time <= x.Median) || !(x.Drift >= 0):
			return fmt.Errorf("%s on %s takes %v ns at best, %v in the median, with a drift of %v", x.Name(), x.Path, x.Time, x.Median, x.Drift)
		case !(x.Elements > 0) || x.Repeats < 1 || len(x.Samples) == 0 || slices.Min(x.Samples) <= 0:
			return fmt.Errorf("%s on %s has samples that are not positive numbers", x.Name(), x.Path)
		}
	}
	for place, drift := range r.Noise.Drift {
		if !(drift >= 0) {
			return fmt.Errorf("the noise in %s is %v", place, drift)
		}
	}
	return nil
}

// Comparable says why results of a machine tell nothing about an older report.
func (r *Report) Comparable(m Machine) error {
	if r.Machine == m {
		return nil
	}
	differ := fmt.Sprintf("%s (%s/%s), not %s (%s/%s)", r.Machine.Name, r.Machine.OS, r.Machine.Arch, m.Name, m.OS, m.Arch)
	if r.Machine.Name == m.Name && r.Machine.Arch == m.Arch && r.Machine.OS == m.OS {
		differ = fmt.Sprintf("a %s with other caches or of another model", m.Name)
	}
	return fmt.Errorf("measured on another machine: %s; times of two machines tell nothing about a change", differ)
}

// Wants tells whether an older report has a result, for Options.
func (r *Report) Wants() func(*Result) bool {
	has := make(map[string]bool)
	for k := range r.Results {
		has[r.Results[k].key()] = true
	}
	return func(new *Result) bool { return has[new.key()] }
}

// leastChange is what two runs may always differ by: where a program's code and data
// happen to lie is worth as much.
const leastChange = 0.03

// manyResults is the number of results from which on a change that all share is the machine's.
const manyResults = 20

// Compare finds the changes since an older report, the greatest changes first. A change common to
// all results of a place is not a change of a kernel: it is reported, and subtracted.
func (r *Report) Compare(old *Report, name string) {
	r.Against = name
	before := make(map[string]*Result)
	for k := range old.Results {
		before[old.Results[k].key()] = &old.Results[k]
	}
	ratios := make(map[string][]float64)
	for k := range r.Results {
		now := &r.Results[k]
		if then := before[now.key()]; then != nil {
			ratios[now.Place] = append(ratios[now.Place], now.Time/then.Time)
		}
	}
	common := make(map[string]float64)
	for place, of := range ratios {
		if common[place] = 1; len(of) >= manyResults {
			common[place] = median(of)
		}
	}
	for _, place := range placeNames {
		if shift := common[place]; shift > 0 && beyond(shift, leastChange) {
			r.warn("all kernels take %+.1f %% against %s where their operands lie in %s: the machine, or what they were built with, is another one", 100*(shift-1), name, place)
		}
	}
	for k := range r.Results {
		now := &r.Results[k]
		then := before[now.key()]
		if then == nil {
			continue
		}
		noise := max(leastChange, r.Noise.Drift[now.Place], old.Noise.Drift[then.Place], now.Drift, then.Drift)
		if ratio := now.Time / then.Time; beyond(ratio, noise) && beyond(ratio/common[now.Place], noise) {
			r.Changes = append(r.Changes, Change{now.Name(), now.Path, then.Time, now.Time, ratio, noise})
		}
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		x, y := math.Abs(math.Log(a.Ratio)), math.Abs(math.Log(b.Ratio))
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// beyond tells whether a ratio differs from 1 by more than noise, either way.
func beyond(ratio, noise float64) bool { return max(ratio, 1/ratio) > 1+noise }
