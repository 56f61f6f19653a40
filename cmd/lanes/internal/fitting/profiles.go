package fitting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
)

// mostProfiles is the largest number of weights whose profiles are kept.
const mostProfiles = 200

// Profile is a weight along a path.
type Profile struct {
	Name   string // of its column, and of its class where there are several
	Values []float64
}

// profiles returns the weights of a path that grow largest, the largest at its end first. more is
// the number of other weights that are not 0 somewhere on the path.
func (p *Prepared) profiles(fits []lanes.Fit, zeroBased bool) (list []Profile, more int) {
	type size struct {
		place int
		most  float64
	}
	var sizes []size
	_, columns, _, _ := p.Shape()
	for place := range fits[0].Result.Weights {
		if p.Intercept && place%columns == columns-1 {
			continue
		}
		most := 0.0
		for _, r := range fits {
			most = max(most, math.Abs(r.Result.Weights[place]))
		}
		if most > 0 {
			sizes = append(sizes, size{place, most})
		}
	}
	slices.SortStableFunc(sizes, func(a, b size) int { return cmp.Compare(b.most, a.most) })
	more = max(len(sizes)-mostProfiles, 0)
	for _, s := range sizes[:len(sizes)-more] {
		own := Profile{Name: p.columnName(s.place, zeroBased)}
		for _, r := range fits {
			own.Values = append(own.Values, r.Result.Weights[s.place])
		}
		list = append(list, own)
	}
	last := len(fits) - 1
	slices.SortStableFunc(list, func(a, b Profile) int { return cmp.Compare(math.Abs(b.Values[last]), math.Abs(a.Values[last])) })
	return list, more
}

// columnName is what the column of a weight is called: by its name, or its index in the
// data.
func (p *Prepared) columnName(place int, zeroBased bool) string {
	_, columns, _, _ := p.Shape()
	j := place % columns
	name := "column " + strconv.Itoa(j+input.FirstIndex(zeroBased))
	switch {
	case j >= p.Columns():
		name = "bias"
	case p.Options().FeatureNames != nil:
		name = p.Options().FeatureNames[j]
	}
	if classes := p.Classes(); classes != nil {
		name = fmt.Sprintf("%s of class %s", name, p.Data.Word(classes[place/columns]))
	}
	return name
}
