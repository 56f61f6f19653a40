package lanes

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/lanes-go/lanes/penalty"
)

// Interval has the bounds of a weight: Lower <= w <= Upper. -Inf and +Inf stand for none; equal ones fix the
// weight. JSON has a list of both, with null for none. The zero value is the weight 0.
type Interval struct{ Lower, Upper float64 }

// NotNegative are the bounds of weights of 0 or more.
func NotNegative() Interval { return Interval{0, math.Inf(1)} }

// MarshalJSON writes a list of both bounds.
func (i Interval) MarshalJSON() ([]byte, error) {
	var ends [2]*float64
	for k, end := range [2]*float64{&i.Lower, &i.Upper} {
		if !math.IsInf(*end, 2*k-1) {
			ends[k] = end
		}
	}
	return json.Marshal(ends)
}

// UnmarshalJSON reads a list of both bounds.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var ends []*float64
	if err := json.Unmarshal(text, &ends); err != nil {
		return err
	}
	if len(ends) != 2 {
		return fmt.Errorf("%d bounds of a weight; want a lower and an upper one, null for none", len(ends))
	}
	*i = Interval{math.Inf(-1), math.Inf(1)}
	if ends[0] != nil {
		i.Lower = *ends[0]
	}
	if ends[1] != nil {
		i.Upper = *ends[1]
	}
	return nil
}

// String returns both bounds, as in "[0, +Inf]".
func (i Interval) String() string { return fmt.Sprintf("[%v, %v]", i.Lower, i.Upper) }

// wrong says what is wrong with the bounds, "" for nothing.
func (i Interval) wrong() string {
	if i.Lower <= i.Upper && !math.IsInf(i.Lower, 1) && !math.IsInf(i.Upper, -1) {
		return ""
	}
	return fmt.Sprintf("are %v; no weight is between them", i)
}

// bound finds the bounds of each penalised weight.
func (p *Problem) bound() error {
	given := p.o.Bounds
	if len(given) == 0 {
		return p.direct()
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if wrong := given[name].wrong(); wrong != "" {
			return badOption("Bounds", p.o.boundText(), "the bounds of %q %s", name, wrong)
		}
	}
	values, found, err := byName(p, "Bounds", p.o.boundText(), "the bounds", given)
	if err != nil {
		return err
	}
	p.bounds = p.noBounds()
	for j := range p.columns {
		if found[j] {
			p.bounds[j] = values[j]
		}
	}
	if err := p.boundGroups(); err != nil {
		return err
	}
	return p.direct()
}

// noBounds are intervals of all penalised weights that bound none.
func (p *Problem) noBounds() []Interval {
	count := p.columns
	if p.o.Intercept == PenalisedIntercept {
		count++
	}
	return slices.Repeat([]Interval{{math.Inf(-1), math.Inf(1)}}, count)
}

// scaleBounds turns bounds of the weights of columns into bounds of the weights of the scaled columns.
func (p *Problem) scaleBounds() error {
	if p.bounds == nil {
		return nil
	}
	e, err := p.encoder()
	if err != nil {
		return err
	}
	for j := range p.columns {
		width := 1.0
		if e != nil {
			_, width, _ = e.Unit(j)
		}
		if s := p.scaler; s != nil && s.Width[j] != 0 {
			width *= s.Width[j]
		}
		if width > 0 {
			p.bounds[j].Lower *= width
			p.bounds[j].Upper *= width
		}
	}
	p.Penalty = p.posed(p.l1, p.ridge)
	return nil
}

// boundText writes bounds as in "age=[0, +Inf]".
func (o *Options) boundText() string { return byNameText(o.Bounds) }

// atBound lists the columns whose weights are at a bound.
func (p *Problem) atBound(w []float64) []int {
	_, columns, _, _ := p.Shape()
	return penalty.AtBounds(p.Penalty, w, columns, p.columns)
}

// heldText says that weights at a bound have no errors.
func heldText(name func(int) string, list []int) string {
	more := ""
	if len(list) > 1 {
		more = fmt.Sprintf(" and %d more", len(list)-1)
	}
	return fmt.Sprintf("a bound holds the weight of %s%s: errors of weights are for bounds that hold none", name(list[0]), more)
}

// Bounded returns the number of columns whose weights have bounds.
func (p *Problem) Bounded() (count int) {
	for _, b := range p.bounds {
		if !math.IsInf(b.Lower, 0) || !math.IsInf(b.Upper, 0) {
			count++
		}
	}
	return count
}
