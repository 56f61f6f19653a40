package lanes

import (
	"cmp"
	"context"
	"encoding/json"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
)

// usualTolerance is the tolerance of runs that name none, targetTolerance for targets: the loss of a
// good model may be a small share of the loss of a constant.
const usualTolerance, targetTolerance = 1e-6, 1e-9

// resolution is the share of the loss at a score of 0 that no tolerance goes below: residuals of
// 2^-40 of the targets count as 0.
const resolution = 0x1p-80

// tolerances turn Options.Tolerance into numbers: the gap of a run, and the gradient norm of a run
// without a penalty.
type tolerances struct{ gap, gradient float64 }

// lossSums are sums over rows for tolerances. Mass sums the weights, Targets the weighted targets
// less offsets. Of a linked loss it sums targets, and Offsets what the loss makes of offsets. Constant and Zero sum the
// losses of the best constant score and of a score of 0. Levels sums the levels of a steep loss.
type lossSums struct{ Mass, Targets, Offsets, Constant, Zero, Levels float64 }

// shardRows reads the shards of rows from first to end-1 that a process has, one by one.
type shardRows struct {
	first, end int
	// each calls use for the rows of a shard, in their order, with nil for weights of 1 and
	// offsets of 0.
	each func(shard int, use func(y, s, o []float64)) error
	// share brings the sums of all processes together; nil for one process.
	share func(error, []byte) ([][]byte, error)
}

// total adds what use adds of each row, in an order that depends on the shards alone. use adds row after
// row: shards come in pieces.
func (r *shardRows) total(use func(t *lossSums, y, s, o []float64)) (t lossSums, err error) {
	sums := make([]lossSums, 0, max(0, r.end-r.first))
	for shard := r.first; shard < r.end && err == nil; shard++ {
		var own lossSums
		err = r.each(shard, func(y, s, o []float64) {
			for first := 0; first < len(y); first += risk.Block {
				end := min(first+risk.Block, len(y))
				use(&own, y[first:end], direct.Weights(s, first, end), direct.Weights(o, first, end))
			}
		})
		sums = append(sums, own)
	}
	if r.share != nil {
		var texts [][]byte
		text, wrong := json.Marshal(sums)
		texts, err = r.share(cmp.Or(err, wrong), text)
		sums = nil
		for _, text := range texts {
			var more []lossSums
			err = cmp.Or(err, json.Unmarshal(text, &more))
			sums = append(sums, more...)
		}
	}
	for _, s := range sums {
		t.Mass += s.Mass
		t.Targets += s.Targets
		t.Offsets += s.Offsets
		t.Levels += s.Levels
		t.Constant += s.Constant
		t.Zero += s.Zero
	}
	return t, err
}

// addWeighted adds the products of values and weights, nil for ones, to sum, one row after the other. A
// row of weight 0 adds 0, even if its value is not finite.
func addWeighted(sum float64, values, s []float64) float64 {
	for i, v := range values {
		if weight := direct.Weight(s, i); weight != 0 {
			sum += float64(weight * v)
		}
	}
	return sum
}

// tolerate finds the tolerances; rows is nil where all weights are 1, and for targets never.
func (p *Problem) tolerate(rows *shardRows) error {
	tolerance := usualTolerance
	if p.regression {
		tolerance = targetTolerance
	}
	tolerance = cmp.Or(p.o.Tolerance, tolerance)
	p.tolerances = tolerances{tolerance, tolerance}
	if rows == nil || p.ranking() {
		return nil
	}
	n := float64(p.rows())
	linked, isLinked := p.Loss.(loss.Linked)
	steep, isSteep := p.Loss.(loss.Steep)
	work := make([]float64, risk.Block)
	sums, err := rows.total(func(t *lossSums, y, s, o []float64) {
		means, levels := o, work[:len(y)]
		if isLinked {
			means = levels
			loss.MeansOf(linked, means, o)
		}
		for i, y := range y {
			weight, offset := direct.Weight(s, i), direct.Offset(means, i)
			if weight == 0 {
				continue // a mean may be +Inf
			}
			t.Mass += weight
			if isLinked {
				t.Offsets += float64(weight * offset)
			} else {
				y -= offset // of large ones, the difference of two means would keep few digits
			}
			t.Targets += float64(weight * y)
		}
		if isSteep {
			steep.Levels(levels, y, s)
			t.Levels = addWeighted(t.Levels, levels, s)
		}
	})
	if err != nil || !(sums.Mass > 0) || math.IsInf(sums.Mass, 0) {
		return err
	}
	unit := sums.Mass / n
	if !p.regression {
		if w := p.o.ClassWeight; p.several != nil && !w.Balanced && w != (ClassWeight{}) {
			count := float64(len(p.several.labels))
			unit *= (w.Positive + float64((count-1)*w.Negative)) / count
		}
		p.tolerances = tolerances{float64(tolerance * unit), float64(tolerance * unit)}
		return nil
	}
	center, height := 0.0, 1.0
	if p.Intercept {
		center = p.Loss.Start(sums.Targets/sums.Mass, sums.Offsets/sums.Mass, p.rows())
	}
	if isSteep && sums.Levels > 0 {
		height = sums.Levels / sums.Mass
	}
	recurring, recurs := p.Loss.(loss.Recurring)
	known := make([]float64, risk.Block)
	sums, err = rows.total(func(t *lossSums, y, s, o []float64) {
		var parts []float64
		if recurs {
			parts = known[:len(y)]
			recurring.Parts(parts, y)
		}
		lossesAt := func(sum *float64, score float64) {
			values := work[:len(y)]
			for i, y := range y {
				values[i] = direct.Offset(o, i) - p.Loss.Centre(y) + score
			}
			loss.Values(p.Loss, values, values, y, parts)
			*sum = addWeighted(*sum, values, s)
		}
		lossesAt(&t.Constant, center)
		lossesAt(&t.Zero, 0)
	})
	least := resolution
	if loss.KinkedOf(p.Loss) != nil {
		least = math.Sqrt(resolution) // of residuals, not of their squares
	}
	if gap := max(float64(tolerance*sums.Constant), float64(least*sums.Zero)) / n; gap > 0 && gap-gap == 0 {
		// The slope is at most (2 phi h)^(1/2), where h is the largest second derivative between
		// the margin and the minimum. Of steep losses the mean level stands for it.
		slope := func(sum float64) float64 { return math.Sqrt(2 * sum / n / unit * height) }
		p.tolerances = tolerances{gap, float64(unit * max(float64(tolerance*slope(sums.Constant)), float64(math.Sqrt(resolution)*slope(sums.Zero))))}
	}
	return err
}

// tolerateRows finds the tolerances for rows in memory.
func (p *Problem) tolerateRows() error {
	weight, count := p.SampleWeight, max(1, p.settings.Shards)
	if weight == nil && !p.regression && (p.several == nil || p.o.ClassWeight == ClassWeight{}) {
		return p.tolerate(nil)
	}
	return p.tolerate(&shardRows{end: count, each: func(shard int, use func(y, s, o []float64)) error {
		first, end := shards.Cut(p.rows(), count, shard), shards.Cut(p.rows(), count, shard+1)
		use(p.Y[first:end], direct.Weights(weight, first, end), direct.Weights(p.Offset, first, end))
		return nil
	}})
}

// tolerateStream finds the tolerances for rows in a file. Every process reads the labels, weights
// and offsets of its shards.
func (p *Problem) tolerateStream(ctx context.Context, ours *shared) error {
	stream, count := p.stream.Stream, p.settings.Shards
	classes := p.stream.ClassWeights
	if !p.regression && !stream.HasWeights() && classes == nil && (p.several == nil || p.o.ClassWeight == ClassWeight{}) {
		return p.tolerate(nil)
	}
	rows := &shardRows{end: count}
	if r := p.settings.Ranks; r != nil {
		rows.first, rows.end = shards.Owned(count, r.Rank(), r.Size())
		rows.share = ours.share
	}
	var weighted []float64
	rows.each = func(shard int, use func(y, s, o []float64)) error {
		first, end := shards.Cut(p.rows(), count, shard), shards.Cut(p.rows(), count, shard+1)
		var bad error
		err := badData(stream.Numbers(ctx, first, end, func(y, s, o []float64) {
			if p.regression && bad == nil {
				bad = p.checkTargets(y, first)
			}
			first += len(y)
			if classes != nil {
				weighted = append(weighted[:0], y...)
				for i, label := range y {
					weighted[i] = classes[0]
					if label == p.stream.Labels.Positive {
						weighted[i] = classes[1]
					}
					weighted[i] *= weightOf(s, i)
				}
				s = weighted
			}
			use(y, s, o)
		}))
		return cmp.Or(err, bad)
	}
	return p.tolerate(rows)
}
