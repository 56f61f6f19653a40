package inference_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// inFile is the problem with its rows in a file, in groups of some rows.
func inFile(t *testing.T, p *inference.Problem, rows int) *inference.Problem {
	t.Helper()
	path, x := filepath.Join(t.TempDir(), "rows"), p.X.WithBias(0)
	_, err := sparse.WriteCacheBlocks(t.Context(), path, func(yield func(*sparse.Data, error) bool) {
		for first := 0; first < x.Rows(); first += rows {
			end := min(first+rows, x.Rows())
			var list []uint32
			for i := first; i < end; i++ {
				list = append(list, uint32(i))
			}
			block, err := x.PickRows(nil, list)
			part := &sparse.Data{X: block, Y: p.Y[first:end]}
			if p.SampleWeight != nil {
				part.Weight, part.Offset = p.SampleWeight[first:end], p.Offset[first:end]
			}
			if !yield(part, err) {
				return
			}
		}
	}, sparse.Storage{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	own := *p
	own.X, own.Y, own.SampleWeight, own.Offset = nil, nil, nil, nil
	own.Rows = &solvers.Rows{Stream: s.WithBias(1)}
	if p.Loss.Labels() {
		own.Rows.Labels = &sparse.LabelMap{Positive: 1, Negative: -1}
	}
	return &own
}

// bits is all that a table says, with the covariance.
func bits(t *testing.T, got *inference.Table) string {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(got.Coefficients) {
		for j := range i + 1 {
			text = fmt.Appendf(text, " %x", math.Float64bits(got.CovarianceOf(i, j)))
		}
	}
	return string(text)
}

// TestRowsAnywhere: rows in a file have the bits of rows in memory with as many shards, for any limit of memory,
// number of workers and of processes. A limit that is too small is refused before a row is read.
func TestRowsAnywhere(t *testing.T) {
	t.Parallel()
	ctx, r := t.Context(), rand.New(rand.NewPCG(7, 7))
	for k, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.Poisson{}, loss.Gamma{}} {
		s := draw(r, phi, 1500, k > 0)
		w, _, _, _, _ := s.fit([]int{3, 0, 1})
		p := s.problem(t, []float64{w[1], w[2], 0, w[0]})
		p.Shards = 16
		file := inFile(t, p, 70)
		for _, how := range inference.Covariances() {
			o := inference.Options{Covariance: how, Sets: []inference.Set{{Name: "two", Columns: []int{0, 1}}}}
			if how == inference.Cluster {
				o.Clusters = s.groups
			}
			in, err := inference.Of(ctx, p, o, 2)
			if err != nil {
				t.Fatal(err)
			}
			want := bits(t, in)
			need, err := inference.Needs(file, o)
			if err != nil || need < 8<<20 {
				t.Fatalf("%d bytes are needed, %v", need, err)
			}
			for _, memory := range []int64{need, need + 3000, need + 60000, 0} {
				for workers := range 3 {
					file.Rows.Memory = memory
					got, err := inference.Of(ctx, file, o, workers)
					if err != nil {
						t.Fatalf("%v, %s, %d bytes: %v", phi, how, memory, err)
					}
					if text := bits(t, got); text != want {
						t.Errorf("%v, %s, %d bytes, %d workers:\n%s, in memory\n%s", phi, how, memory, workers, text, want)
					}
				}
			}
			file.Rows.Memory = need - 1
			before, _ := file.Rows.Stream.Progress()
			var short *shards.MemoryError
			if _, err := inference.Of(ctx, file, o, 2); !errors.As(err, &short) || short.Need != need {
				t.Errorf("%d bytes of %d: %v", need-1, need, err)
			}
			if after, _ := file.Rows.Stream.Progress(); after != before {
				t.Errorf("%d rows were read for an estimate that is refused", after-before)
			}
			file.Rows.Memory = 0
			for _, of := range []*inference.Problem{p, file} {
				errs := shardstest.Run(3, func(ranks solvers.Ranks) error {
					own := *of
					own.Ranks = ranks
					got, err := inference.Of(ctx, &own, o, 1)
					if err == nil && bits(t, got) != want {
						err = errors.New("other bits")
					}
					return err
				})
				for rank, err := range errs {
					if how == inference.Cluster != (err != nil) || err != nil && !strings.Contains(err.Error(), "in one process") {
						t.Errorf("%v, %s, rank %d: %v", phi, how, rank, err)
					}
				}
			}
		}
	}
}

// TestOpenGroups: groups of rows take memory while they are open alone: rows that are sorted by their group take less
// than others.
func TestOpenGroups(t *testing.T) {
	t.Parallel()
	const n = 4000
	s := draw(rand.New(rand.NewPCG(8, 8)), loss.Squared{}, n, false)
	w, _, c, h, inverse := s.fit([]int{3, 0, 1})
	p := s.problem(t, []float64{w[1], w[2], 0, w[0]})
	p.Shards = 8
	file := inFile(t, p, 300)
	var needs []int64
	for _, of := range []func(i int) int64{func(i int) int64 { return int64(i / 4) }, func(i int) int64 { return int64(i % (n / 4)) }} {
		for i := range n {
			s.groups[i] = of(i)
		}
		o := inference.Options{Clusters: slices.Clone(s.groups)}
		need, err := inference.Needs(file, o)
		if err != nil {
			t.Fatal(err)
		}
		needs = append(needs, need)
		file.Rows.Memory = 64 * n / 8
		if need, err := inference.Needs(file, o); err != nil || need <= file.Rows.Memory || need >= needs[0] {
			t.Errorf("%d bytes are needed where %d do not hold the groups, %v", need, file.Rows.Memory, err)
		}
		file.Rows.Memory = need
		got, err := inference.Of(t.Context(), file, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		v := s.covariance(inference.Cluster, []int{3, 0, 1}, c, h, inverse)
		if got.Clusters != n/4 || !near(got.CovarianceOf(0, 0), v.At(1, 1), 1e-9) || !near(got.CovarianceOf(1, 3), v.At(2, 0), 1e-9) {
			t.Errorf("%d groups, %v and %v, want %v and %v", got.Clusters, got.CovarianceOf(0, 0), got.CovarianceOf(1, 3), v.At(1, 1), v.At(2, 0))
		}
	}
	if more := needs[1] - needs[0]; more != (8*4+128)*(n/4-1) {
		t.Errorf("groups that are open at a time take %d bytes more", more)
	}
}

// TestRowsInFileRefused: what cannot be estimated of rows in a file is refused, and why; a run that is cancelled ends.
func TestRowsInFileRefused(t *testing.T) {
	t.Parallel()
	s := draw(rand.New(rand.NewPCG(9, 9)), loss.Logistic{}, 90, false)
	w, _, _, _, _ := s.fit([]int{3, 0, 1})
	good := inFile(t, s.problem(t, []float64{w[1], w[2], 0, w[0]}), 50)
	for want, change := range map[string]func(p *inference.Problem){
		"no rows":                             func(p *inference.Problem) { p.Rows.Stream = nil },
		"leave X, Y":                          func(p *inference.Problem) { p.Y = s.y },
		"bias column":                         func(p *inference.Problem) { p.Rows.Stream = p.Rows.Stream.WithBias(0) },
		"set Rows.Labels":                     func(p *inference.Problem) { p.Rows.Labels = nil },
		"0 or more":                           func(p *inference.Problem) { p.Rows.Memory = -1 },
		"power of two":                        func(p *inference.Problem) { p.Shards = 3 },
		"3 weights of":                        func(p *inference.Problem) { p.W = p.W[:3] },
		"is neither":                          func(p *inference.Problem) { p.Rows.Labels = &sparse.LabelMap{Positive: 4, Negative: 2} },
		"no minimum":                          func(p *inference.Problem) { p.W = []float64{9, 9, 9, 9} },
		"loss needs targets above 0":          func(p *inference.Problem) { p.Loss, p.Rows.Labels = loss.Gamma{}, nil },
		"errors of its weights are not known": func(p *inference.Problem) { p.Loss = loss.Huber{Delta: 1} },
	} {
		p, rows := *good, *good.Rows
		p.Rows = &rows
		change(&p)
		if got, err := inference.Of(t.Context(), &p, inference.Options{}, 2); err == nil || got != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := inference.Of(over, good, inference.Options{}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if need, err := inference.Needs(s.problem(t, nil), inference.Options{}); need != 0 || err != nil {
		t.Errorf("rows in memory need %d bytes, %v", need, err)
	}
}
