package lanes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// usualHoldout is the share of the rows that HoldoutBy holds out where Holdout is 0.
const usualHoldout = 0.2

// HeldOut are the rows that Options.Holdout kept from a training, and how good the model is on them.
type HeldOut struct {
	// Rows are the places of the rows in the data, ascending; Data has these rows.
	Rows []int
	Data *sparse.Data
	// Report measures the model on them: nil before there is a model.
	Report *Report
}

// holdOut takes the rows that are held out from the data and the options.
func (p *Problem) holdOut() error {
	o := &p.o
	if o.Holdout == 0 && o.HoldoutBy == nil {
		return nil
	}
	data := p.data
	rows := data.X.Rows()
	share := cmp.Or(o.Holdout, usualHoldout)
	if o.HoldoutBy != nil && len(o.HoldoutBy) != rows {
		return badOption("HoldoutBy", fmt.Sprintf("%d numbers", len(o.HoldoutBy)), "there are %d rows", rows)
	}
	if wrong := checkNumbers(o.RowWeights, o.RowOffsets, rows); wrong != nil {
		return badOption(wrong.option, wrong.value, "%s", wrong.reason())
	}
	labels, class := labelsOf(data), make([]uint32, rows)
	if list := labels.list(); len(list) > 0 && rows >= rowsOfClass*len(list) { // as in ByLabels: other labels are targets
		class = labels.places()
		if labels.targets(o) { // of a value of few rows there is no share: they are dealt together
			for i, k := range class {
				if list[k].Count < rowsOfClass {
					class[i] = uint32(len(list))
				}
			}
		}
	}
	var out []bool
	if o.HoldoutBy != nil {
		out = lastShare(o.HoldoutBy, data.Query, share)
	} else {
		out = randomShare(class, data.Query, share, o.Settings.Seed)
	}
	test, train := risk.Split(out, true)
	if len(test) == 0 || len(train) == 0 {
		return badOption("Holdout", share, "it leaves %d of %d rows for the training and holds out %d: equal numbers and groups stay together", len(train), rows, len(test))
	}
	known := map[uint32]bool{}
	for _, i := range train {
		known[class[i]] = true
	}
	held := &HeldOut{}
	for _, i := range test {
		if !known[class[i]] {
			return &DataError{Row: int(i) + 1, Err: fmt.Errorf("all rows with its label are held out: the training would not know it")}
		}
		held.Rows = append(held.Rows, int(i))
	}
	var err error
	if held.Data, err = pickData(data, test); err == nil {
		p.data, err = pickData(data, train)
	}
	if err != nil {
		return badData(plain(err))
	}
	if o.RowWeights != nil {
		held.Data.Weight, o.RowWeights = direct.Listed(o.RowWeights, test), direct.Listed(o.RowWeights, train)
	}
	if o.RowOffsets != nil {
		held.Data.Offset, o.RowOffsets = direct.Listed(o.RowOffsets, test), direct.Listed(o.RowOffsets, train)
	}
	p.heldOut = held
	return nil
}

// pickData returns the listed rows of data.
func pickData(data *sparse.Data, list []uint32) (*sparse.Data, error) {
	own := *data
	own.Y, own.Query, own.Weight, own.Offset = direct.Listed(data.Y, list), direct.Listed(data.Query, list), direct.Listed(data.Weight, list), direct.Listed(data.Offset, list)
	var err error
	own.X, err = data.X.PickRows(nil, list)
	return &own, err
}

// lastShare marks the rows whose numbers are the largest: at least a share of the rows that have a
// number. Rows with the same number stay together, and so do rows of a group, which counts by its
// largest number. Rows without a number (NaN) are not marked.
func lastShare(by []float64, group []int64, share float64) []bool {
	own := slices.Clone(by)
	if group != nil {
		largest := map[int64]float64{}
		for i, g := range group {
			if v, known := largest[g]; !known || v != v || by[i] > v {
				largest[g] = by[i]
			}
		}
		for i, g := range group {
			own[i] = largest[g]
		}
	}
	sorted := slices.Clone(own)
	slices.Sort(sorted) // NaN first
	for len(sorted) > 0 && sorted[0] != sorted[0] {
		sorted = sorted[1:]
	}
	out := make([]bool, len(by))
	if count := shareOf(len(sorted), share); count > 0 {
		least := sorted[len(sorted)-count]
		for i, v := range own {
			out[i] = v >= least
		}
	}
	return out
}

// shareOf is a share of a number of rows: one at least, and not all, of two rows or more.
func shareOf(rows int, share float64) int {
	return min(max(int(math.Round(share*float64(rows))), 1), rows-1)
}

// randomShare marks a share of the rows of each class, by a seed. The rows of a group stay together:
// a group is marked where that brings the shares of its classes nearer.
func randomShare(class []uint32, group []int64, share float64, seed uint64) []bool {
	members := make([][]int, 0, len(class)) // rows of each group, in the order of their first rows
	if places := map[int64]int{}; group != nil {
		for i, g := range group {
			k, known := places[g]
			if !known {
				k = len(members)
				places[g] = k
				members = append(members, nil)
			}
			members[k] = append(members[k], i)
		}
	} else {
		for i := range class {
			members = append(members, []int{i})
		}
	}
	total, held := map[uint32]int{}, map[uint32]int{}
	for _, k := range class {
		total[k]++
	}
	random.Shuffle(random.New(seed), members)
	out := make([]bool, len(class))
	for _, rows := range members {
		own := map[uint32]int{}
		for _, i := range rows {
			own[class[i]]++
		}
		gain := 0.0 // in squared distances from the wanted shares
		for _, i := range rows {
			k := class[i]
			if own[k] == 0 {
				continue // its class is counted
			}
			want, n := float64(shareOf(total[k], share)), float64(total[k])
			before, after := (float64(held[k])-want)/n, (float64(held[k]+own[k])-want)/n
			gain += float64(before*before) - float64(after*after)
			own[k] = 0
		}
		if gain <= 0 {
			continue
		}
		for _, i := range rows {
			held[class[i]]++
			out[i] = true
		}
	}
	return out
}

// measureHeldOut measures the model of a fit on the rows that are held out.
func (p *Problem) measureHeldOut(ctx context.Context, f *Fitted) error {
	if p.heldOut == nil {
		return nil
	}
	held := *p.heldOut
	f.HeldOut = &held
	r, err := Evaluate(context.WithoutCancel(ctx), f.Model, held.Data, EvaluateOptions{Workers: p.settings.Workers})
	if err != nil {
		return fmt.Errorf("lanes: the rows that are held out cannot be measured: %w", plain(err))
	}
	held.Report = r
	for _, m := range r.measures() {
		if m.value-m.value == 0 {
			f.Metrics["holdout_"+metrics.Name(m.key)] = m.value
		}
	}
	by := "chosen at random, with equal shares of the labels"
	if p.o.HoldoutBy != nil {
		by = "the last ones by their order"
	}
	without := 0
	for _, v := range p.o.HoldoutBy {
		if v != v {
			without++
		}
	}
	if without > 0 {
		by += fmt.Sprintf("; rows without a place in the order are trained on: %d", without)
	}
	count := int64(len(held.Rows))
	f.Notes = notes.Merge(f.Notes, []notes.Note{{Kind: notes.HeldOut, Count: count, Of: count + int64(p.X.Rows()), Then: by}})
	return nil
}
