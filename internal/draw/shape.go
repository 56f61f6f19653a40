// Package draw draws data sets of known shapes from planted models, for package synthetic and
// tests of package sparse.
package draw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/matrix"
)

// Shape describes a generated data set: which kind, how large, from which seed.
type Shape struct {
	Name string // onehot, text, wide, dense or imbalanced
	N, D int    // rows and columns
	Seed uint64
}

// Generated is what synthetic.Generated is.
type Generated struct {
	X               *matrix.Matrix
	Y, Weights      []float64
	Intercept, Loss float64
}

// shapeKind holds what distinguishes the shapes.
type shapeKind struct {
	name     string
	n, d     int     // defaults
	minD     int     // fewest columns that make sense
	entries  int     // mean entries of a row
	spread   float64 // standard deviation of the planted margins
	positive float64 // share of positives, 0 for about half and no intercept
	ones     bool    // all values are 1
	about    string
	rows     func(k *shapeKind, d int, seed uint64) rowMaker
}

var shapeKinds = []shapeKind{
	{name: "onehot", n: 32561, d: 123, minD: 2, entries: 14, spread: 2, positive: 0.24, ones: true, rows: newGroups,
		about: "a9a-like: one column of each of 14 groups active, all values 1"},
	{name: "text", n: 100000, d: 47236, minD: 4, entries: 76, spread: 3, rows: newWeightedWords,
		about: "rcv1-like: Zipf columns, about 76 weighted entries, unit rows"},
	{name: "wide", n: 20000, d: 1355191, minD: 4, entries: 455, spread: 3, rows: newPlainWords,
		about: "news20-like: a million Zipf columns, about 455 equal entries, unit rows"},
	{name: "dense", n: 20000, d: 500, minD: 1, entries: 500, spread: 2, rows: newDense,
		about: "every entry stored, column scales between 1/3 and 1"},
	{name: "imbalanced", n: 50000, d: 300, minD: 4, entries: 12, spread: 3, positive: 0.03, ones: true, rows: newRare,
		about: "w8a-like: about 12 of 300 columns active, all values 1, 3 % positives"},
}

// Shapes lists the names that ParseShape knows, each with one line about it.
func Shapes() [][2]string {
	names := make([][2]string, len(shapeKinds))
	for i, k := range shapeKinds {
		names[i] = [2]string{k.name, k.about}
	}
	return names
}

func kindOf(name string) (*shapeKind, error) {
	known := make([]string, len(shapeKinds))
	for i := range shapeKinds {
		if shapeKinds[i].name == name {
			return &shapeKinds[i], nil
		}
		known[i] = shapeKinds[i].name
	}
	return nil, fmt.Errorf("unknown generated shape %q; want one of: %s", name, strings.Join(known, ", "))
}

// ParseShape reads NAME[:n=..,d=..,seed=..]. Sizes that are not given take the
// shape's defaults, the seed takes the given one. Sizes may be written as 1e6.
func ParseShape(spec string, seed uint64) (Shape, error) {
	name, settings, given := strings.Cut(spec, ":")
	k, err := kindOf(name)
	if err != nil {
		return Shape{}, err
	}
	s := Shape{Name: name, N: k.n, D: k.d, Seed: seed}
	if !given {
		return s, nil
	}
	for _, setting := range strings.Split(settings, ",") {
		key, value, found := strings.Cut(setting, "=")
		if !found {
			return Shape{}, fmt.Errorf("generated shape %q: %q is none of n=ROWS, d=COLUMNS and seed=NUMBER", spec, setting)
		}
		switch key {
		case "n":
			s.N, err = parseSize(value)
		case "d":
			s.D, err = parseSize(value)
		case "seed":
			s.Seed, err = strconv.ParseUint(value, 10, 64)
		default:
			err = fmt.Errorf("no such setting; there are n, d and seed")
		}
		if err != nil {
			return Shape{}, fmt.Errorf("generated shape %q: %s: %w", spec, key, err)
		}
	}
	return s, s.check(k)
}

func parseSize(text string) (int, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) || v < 1 || v > math.MaxInt32 {
		return 0, fmt.Errorf("%q is not a whole number between 1 and %d", text, math.MaxInt32)
	}
	return int(v), nil
}

// maxGenerated bounds the entries of a generated matrix, a column counting as
// four: 2^32 take 50 GB.
const maxGenerated = 1 << 32

func (s Shape) check(k *shapeKind) error {
	if s.N < 1 || s.N > math.MaxInt32 || s.D < k.minD || s.D > matrix.MaxColumns {
		return fmt.Errorf("generated shape %s: n=%d, d=%d: n must lie between 1 and %d, d between %d and %d",
			s.Name, s.N, s.D, math.MaxInt32, k.minD, matrix.MaxColumns)
	}
	entries := int64(k.entries)
	if s.Name == "dense" {
		entries = int64(s.D)
	}
	if total := entries*int64(s.N) + 4*int64(s.D); total > maxGenerated || total > math.MaxInt/16 {
		return fmt.Errorf("generated shape %s: n=%d, d=%d: about %d entries are more than can be held here", s.Name, s.N, s.D, entries*int64(s.N))
	}
	return nil
}

// A rowMaker draws rows. It is shared by the workers and does not change.
type rowMaker interface {
	// length draws the number of entries of the next row.
	length(rng *rand.Rand) int
	// fill draws len(columns) ascending columns and their values, which are nil
	// where all are 1.
	fill(rng *rand.Rand, columns []uint32, values []float64)
}

// generateBlock is the number of rows that share a random stream. Changing it
// changes every generated data set.
const generateBlock = 1024

// The random streams of one seed: one a purpose, and within a purpose one a block.
const (
	streamColumns = iota << 48
	streamWeights
	streamLengths
	streamRows
	streamLabels
)

func stream(seed uint64, purpose uint64, block int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, purpose+uint64(block)))
}

// Generate draws the data set, shared by the workers of p: the same bits on every
// architecture and for any number of workers. It costs O(n d) for dense and
// O(entries log(entries of a row) + d) for the other shapes.
func (s Shape) Generate(p *matrix.Pool) (*Generated, error) {
	k, err := kindOf(s.Name)
	if err != nil {
		return nil, err
	}
	if err := s.check(k); err != nil {
		return nil, err
	}
	t := &generateTask{
		seed: s.Seed, maker: k.rows(k, s.D, s.Seed), ones: k.ones,
		lengths: make([]int, s.N), margins: make([]float64, s.N), weights: plantWeights(s.D, s.Seed),
	}
	blocks := (s.N + generateBlock - 1) / generateBlock
	matrix.Run(p, blocks, (*lengthTask)(t))
	entries := 0
	for _, length := range t.lengths {
		entries += length
	}
	store := matrix.NewStore(matrix.Storage{})
	store.Expect(s.N, entries)
	wave := max(generateWave/(entries/blocks+1), p.Workers())
	for t.first = 0; t.first < blocks; t.first += wave {
		count := min(wave, blocks-t.first)
		begin, end := t.layOut(count)
		matrix.Run(p, count, t)
		if err := store.Add(t.lengths[begin:end], t.columns, t.values, s.D); err != nil {
			return nil, fmt.Errorf("generated shape %s: %w", s.Name, err)
		}
	}
	g := &Generated{Weights: t.weights, X: store.Matrix(s.D), Y: make([]float64, s.N)}
	g.plant(t.margins, k.spread, k.positive, s.Seed)
	return g, nil
}

// generateWave is about the number of entries that are drawn before they go to the matrix. Memory
// is then little more than the matrix.
const generateWave = 1 << 21

type generateTask struct {
	seed    uint64
	maker   rowMaker
	ones    bool
	lengths []int
	weights []float64
	margins []float64

	// The wave in hand: its first block, and where the entries of its rows begin.
	first   int
	ptr     []int
	columns []uint32
	values  []float64 // nil for ones
}

// layOut lays out the rows of count blocks from the first on.
func (t *generateTask) layOut(count int) (begin, end int) {
	begin, end = t.first*generateBlock, min((t.first+count)*generateBlock, len(t.lengths))
	t.ptr = append(t.ptr[:0], 0)
	for _, length := range t.lengths[begin:end] {
		t.ptr = append(t.ptr, t.ptr[len(t.ptr)-1]+length)
	}
	size := t.ptr[end-begin]
	if t.columns = matrix.Grow(t.columns[:0], size, 0)[:size]; !t.ones {
		t.values = matrix.Grow(t.values[:0], size, 0)[:size]
	}
	return begin, end
}

type lengthTask generateTask

func (t *lengthTask) Block(b int) {
	rng := stream(t.seed, streamLengths, b)
	for i := b * generateBlock; i < min((b+1)*generateBlock, len(t.lengths)); i++ {
		t.lengths[i] = t.maker.length(rng)
	}
}

func (t *generateTask) Block(b int) {
	rng := stream(t.seed, streamRows, t.first+b)
	for k := b * generateBlock; k < min((b+1)*generateBlock, len(t.ptr)-1); k++ {
		columns := t.columns[t.ptr[k]:t.ptr[k+1]]
		z := 0.0
		if t.ones {
			t.maker.fill(rng, columns, nil)
			for _, j := range columns {
				z += t.weights[j]
			}
		} else {
			values := t.values[t.ptr[k]:t.ptr[k+1]]
			t.maker.fill(rng, columns, values)
			for e, j := range columns {
				z = math.FMA(values[e], t.weights[j], z)
			}
		}
		t.margins[t.first*generateBlock+k] = z
	}
}
