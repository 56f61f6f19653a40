package related

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
)

// plainSearch makes the decisions of a search from what the trials measured, as the
// documentation of Choose has them. It knows nothing of fits.
type plainSearch struct {
	values   map[string][]float64 // by name and lambda
	higher   bool
	tried    []plainTrial
	missing  string // the first that the search should have tried
	rows     int
	curved   float64 // the largest lambda
	rankers  []Candidate
	branches map[string]int
}

type plainTrial struct {
	Candidate
	values []float64
	mean   float64
}

func keyOf(name string, lambda float64) string { return fmt.Sprintf("%s at %v", name, lambda) }

// better tells by how much a is better than b.
func (s *plainSearch) better(a, b float64) float64 {
	if s.higher {
		return a - b
	}
	return b - a
}

// try tells whether a candidate is new.
func (s *plainSearch) try(c Candidate, lambda float64) bool {
	if slices.ContainsFunc(s.tried, func(t plainTrial) bool { return t.String() == c.String() && t.Lambda == lambda }) {
		return false
	}
	c.Lambda = lambda
	t := plainTrial{Candidate: c, values: s.values[keyOf(c.String(), lambda)]}
	if t.values == nil && s.missing == "" {
		s.missing = keyOf(c.String(), lambda)
	}
	for _, v := range t.values {
		t.mean += v / float64(len(t.values))
	}
	s.tried = append(s.tried, t)
	return true
}

// best returns the best trial from index from on; ties go to the larger lambda.
func (s *plainSearch) best(from int) int {
	best := from
	for k := from; k < len(s.tried); k++ {
		by := s.better(s.tried[k].mean, s.tried[best].mean)
		if by > 0 || by == 0 && s.tried[k].Lambda > s.tried[best].Lambda {
			best = k
		}
	}
	return best
}

// worse is by how much b is worse than a, with the standard error of that.
func (s *plainSearch) worse(a, b int) (mean, wrong float64) {
	n := float64(len(s.tried[a].values))
	for f, v := range s.tried[a].values {
		mean += s.better(v, s.tried[b].values[f]) / n
	}
	for f, v := range s.tried[a].values {
		wrong += math.Pow(s.better(v, s.tried[b].values[f])-mean, 2)
	}
	return mean, math.Sqrt(wrong / (n - 1) / n)
}

// simplest returns the simplest of the trials within one standard error of the best. A simpler kind
// precedes, and within a kind a larger lambda.
func (s *plainSearch) simplest() int {
	best := s.best(0)
	n, squares := float64(len(s.tried[best].values)), 0.0
	for _, v := range s.tried[best].values {
		squares += math.Pow(v-s.tried[best].mean, 2)
	}
	found := -1
	for _, solver := range []bool{true, false} {
		for _, balanced := range []bool{false, true} {
			for k, t := range s.tried {
				logistic := t.Solver == Logistic
				if logistic != solver || logistic && t.Balanced != balanced || s.better(s.tried[best].mean, t.mean) > math.Sqrt(squares/(n-1)/n) {
					continue
				}
				if found < 0 || t.Lambda > s.tried[found].Lambda {
					found = k
				}
			}
			if found >= 0 {
				if found != best {
					s.branches["a simpler one"]++
				}
				return found
			}
		}
	}
	return best
}

// hopeless tells whether a trial is worse than a rival by more than two standard errors.
func (s *plainSearch) hopeless(k, rival int) bool {
	if rival < 0 {
		return false
	}
	mean, wrong := s.worse(rival, k)
	if mean > 2*wrong {
		s.branches["hopeless"]++
		return true
	}
	return false
}

func (s *plainSearch) logistic(c Candidate, lambdas []float64, least, rival int) int {
	from := len(s.tried)
	for k, v := range lambdas {
		if k >= least && s.best(from) != len(s.tried)-1 {
			break // the metric turned
		}
		s.try(c, v)
		if k >= least {
			s.branches["beyond 1/n"]++
		}
	}
	best := s.best(from)
	for top := lambdas[0]; !s.hopeless(best, rival) && s.tried[best].Lambda == top && top < 30*lambdas[0]; {
		top *= 10
		s.try(c, top)
		s.branches["above"]++
		best = s.best(from)
	}
	for !s.hopeless(best, rival) {
		low := math.Inf(1)
		for _, t := range s.tried[from:] {
			low = min(low, t.Lambda)
		}
		if s.tried[best].Lambda != low || low <= 1e-4/float64(s.rows) {
			break
		}
		s.try(c, low/10)
		s.branches["below"]++
		best = s.best(from)
	}
	if s.hopeless(best, rival) {
		return best
	}
	at := s.tried[best].Lambda
	s.try(c, at*3)
	s.try(c, at/3)
	return s.best(from)
}

// plainTurns are what settings are multiplied with for as long as that helps, or once.
var plainTurns = map[string][]struct {
	name    string
	usual   float64
	factors []float64
	once    bool
}{
	"adap":    {{"step", 0.04, []float64{3, 0.25}, false}, {"iterations", 400, []float64{4}, true}},
	"mb-pauc": {{"rates", 0, []float64{2, 0.5}, false}, {"step", 10, []float64{3, 0.25}, false}, {"length", 500, []float64{4}, true}},
	"auc-m":   {{"step", 3, []float64{3, 0.25}, false}, {"length", 500, []float64{4}, true}},
}

func (s *plainSearch) rank(start, other int) {
	from := len(s.tried)
	for _, c := range s.rankers {
		c.Balanced = s.tried[start].Balanced
		s.try(c, s.tried[start].Lambda)
	}
	best := s.best(from)
	if !(s.better(s.tried[best].mean, s.tried[start].mean) > 0) {
		s.branches["no ranker pays"]++
		return
	}
	if other >= 0 && !s.hopeless(other, start) {
		s.branches["from the other weights"]++
		c := s.tried[best].Candidate
		c.Balanced = s.tried[other].Balanced
		s.try(c, s.tried[other].Lambda)
		best = s.best(from)
	}
	for _, turn := range plainTurns[s.tried[best].Solver] {
		before := best
		for _, factor := range turn.factors {
			for {
				c := s.tried[best].Candidate
				if turn.name == "rates" {
					if c.High *= factor; !(c.High > c.Low && c.High <= 1) {
						s.branches["rates out of range"]++
						break
					}
				} else {
					value := turn.usual
					if text, is := c.Parameters[turn.name]; is {
						value, _ = strconv.ParseFloat(text, 64)
					}
					set := map[string]string{}
					for name, text := range c.Parameters {
						set[name] = text
					}
					set[turn.name] = strconv.FormatFloat(value*factor, 'g', 6, 64)
					c.Parameters = set
				}
				last := best
				s.try(c, c.Lambda)
				if best = s.best(from); best == last {
					break
				}
				s.branches["turned"]++
				if turn.once {
					break
				}
			}
			if best != before {
				break
			}
		}
	}
}

// choose returns the best logistic trial and that which is chosen.
func (s *plainSearch) choose() (logistic, chosen int) {
	one := 1 / float64(s.rows)
	top := one
	for top*10 <= s.curved/30 {
		top *= 10
	}
	var lambdas []float64
	least := 0
	for v := top; ; v /= 10 {
		lambdas = append(lambdas, v)
		if least == 0 && v <= one {
			least = len(lambdas)
		}
		if v <= 1e-4*one {
			break
		}
	}
	plain := s.logistic(Candidate{Solver: Logistic}, lambdas, least, -1)
	near := lambdas[:1]
	for k, v := range lambdas {
		if v >= s.tried[plain].Lambda/30 {
			near = lambdas[:max(k+1, 1)]
		}
	}
	balanced := s.logistic(Candidate{Solver: Logistic, Balanced: true}, near, len(near), plain)
	start, other := s.best(0), balanced
	if start == balanced {
		other = plain
	}
	if s.rankers != nil {
		s.rank(start, other)
	}
	return start, s.simplest()
}

// TestDecisionsOfSearches: searches by metrics of chance, which are good and bad at every
// turn, try what the documentation says and choose what it says.
func TestDecisionsOfSearches(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	p := clusters(t, 30, 4)
	positives, squares := 0.0, 0.0
	for i, y := range p.Y {
		if y > 0 {
			positives++
		}
		for _, v := range p.X.Row(i) {
			squares += v * v
		}
	}
	share := positives / (float64(len(p.Y)) - positives)
	branches := map[string]int{}
	for seed := range uint64(16) {
		random := rand.New(rand.NewPCG(seed, 3))
		name := []string{"ap", "logloss", "auc", "pauc:0.1,0.6"}[seed%4]
		s, err := newSearch(context.Background(), p, Wanted{For: name, Folds: 3, Seed: seed}, solvers.Settings{Workers: 1, GapTolerance: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		defer s.keep.file.Close()
		peak, bend, noise, kinds := 4*random.Float64()-2.5, random.Float64(), 0.3*random.Float64(), random.Float64()
		hash := func(text string) float64 {
			h := fnv.New64a()
			h.Write([]byte(text))
			return rand.New(rand.NewPCG(h.Sum64(), seed)).Float64() - 0.5
		}
		s.v.Metric.Compute = func(score, _, _ []float64) (float64, error) {
			size := 0.0
			for _, v := range score {
				size += math.Abs(v) / float64(len(score))
			}
			at := math.Log10(size+1e-300) - peak
			value := kinds*hash(s.stages[len(s.stages)-1].name) - bend*at*at/10 + noise*hash(fmt.Sprint(score))
			if s.Metric.Direction == metrics.LowerIsBetter {
				value = -value
			}
			return value, nil
		}
		if err := s.search(); err != nil {
			t.Fatal(err)
		}
		want := &plainSearch{
			values: map[string][]float64{}, higher: name != "logloss", rows: len(p.Y), curved: squares / float64(len(p.Y)) / 4, branches: branches,
			rankers: map[string][]Candidate{
				"ap":           {{Solver: "adap"}, {Solver: "mb-pauc", High: share}, {Solver: "mb-pauc", High: share / 2}},
				"auc":          {{Solver: "auc-m", High: 1}, {Solver: "mb-pauc", High: 1}, {Solver: "mb-pauc", High: 0.3}},
				"pauc:0.1,0.6": {{Solver: "mb-pauc", Low: 0.1, High: 0.6}, {Solver: "agd-sbcd", Low: 0.1, High: 0.6}, {Solver: "adap"}},
			}[name],
		}
		for _, tried := range s.Tried {
			want.values[keyOf(tried.String(), tried.Lambda)] = tried.Values
		}
		logistic, chosen := want.choose()
		for k, tried := range want.tried {
			if k >= len(s.Tried) || s.Tried[k].String() != tried.String() || s.Tried[k].Lambda != tried.Lambda {
				t.Fatalf("search %d for %s: trial %d is not %s (%s is missing)", seed, name, k, keyOf(tried.String(), tried.Lambda), want.missing)
			}
		}
		if len(s.Tried) != len(want.tried) || s.Logistic != logistic || s.Best != chosen || s.Status != solvers.Converged {
			t.Fatalf("search %d for %s: %d trials, of which %d and %d were chosen, not %d, %d and %d", seed, name, len(s.Tried), s.Logistic, s.Best, len(want.tried), logistic, chosen)
		}
	}
	for _, what := range []string{"a simpler one", "hopeless", "beyond 1/n", "above", "below", "no ranker pays", "from the other weights", "turned", "rates out of range"} {
		if branches[what] == 0 {
			t.Errorf("no search met: %s (%v)", what, branches)
		}
	}
}
