package matrix

import (
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
)

const (
	// mostPlace is the last place in a row where a value may be, and mostPlanned bounds the halves of
	// all plans: 300 KB.
	mostPlace, mostPlanned = 1<<8 - 2, 1 << 12
)

// plan gives every row its plan: where in the row the entries are that have values. Tables have few
// plans, as a row differs from another one only by missing cells. It returns the number of rows
// without a plan.
func plan(r *rows.Matrix, x *rows.Mix) (without int) {
	p := &planner{x: x, plans: map[string]uint16{}, key: make([]byte, len(x.Columns))}
	x.Of = make([]uint16, len(r.Begin))
	if r.Idx16 != nil {
		planRows(p, r, r.Idx16)
	} else {
		planRows(p, r, r.Idx32)
	}
	last := byte(0)
	for _, key := range p.keys {
		for _, place := range key {
			if place != absent {
				last = max(last, place)
			}
		}
	}
	x.Halves = int(last)/4 + 1
	if len(p.keys)*x.Halves > mostPlanned {
		most := mostPlanned / x.Halves
		for i, k := range x.Of {
			if int(k) >= most {
				x.Of[i] = rows.NoPlan
			}
		}
		p.keys = p.keys[:most]
	}
	for _, key := range p.keys {
		x.Plans = append(x.Plans, halvesOf(key, x.Halves, x.Val64 != nil)...)
	}
	for _, k := range x.Of {
		if k == rows.NoPlan {
			without++
		}
	}
	if without == 0 && len(p.keys) == 1 {
		x.Of = nil
	}
	return without
}

// absent is the place of an entry that a row lacks.
const absent = 1<<8 - 1

// planner collects plans by the places of all columns with values.
type planner struct {
	x     *rows.Mix
	plans map[string]uint16
	keys  [][]byte
	key   []byte
}

func planRows[I uint16 | uint32](p *planner, r *rows.Matrix, idx []I) {
	columns := p.x.Columns
	plan := uint16(rows.NoPlan)
	for i, begin := range r.Begin {
		row := idx[begin:r.End[i]]
		if plan != rows.NoPlan && fitsPlan(p.keys[plan], columns, row) {
			p.x.Of[i] = plan
			continue
		}
		plan = p.look(columnsIn(p.key, columns, row))
		p.x.Of[i] = plan
	}
}

// fitsPlan tells whether the columns have these places in a row.
func fitsPlan[I uint16 | uint32](key []byte, columns []uint32, row []I) bool {
	for s, place := range key {
		if int(place) >= len(row) || uint32(row[place]) != columns[s] {
			return false
		}
	}
	return true
}

// columnsIn writes the places of the columns in a row to key. It returns nil if one is too far.
func columnsIn[I uint16 | uint32](key []byte, columns []uint32, row []I) []byte {
	at := 0
	for s, j := range columns {
		n, found := slices.BinarySearch(row[at:], I(j))
		at += n
		switch {
		case !found:
			key[s] = absent
		case at > mostPlace:
			return nil
		default:
			key[s] = byte(at)
		}
	}
	return key
}

// look returns the number of a plan.
func (p *planner) look(key []byte) uint16 {
	if key == nil {
		return rows.NoPlan
	}
	k, found := p.plans[string(key)]
	switch {
	case found:
		return k
	case len(p.keys) == mostPlanned:
		return rows.NoPlan
	case !near(key):
		p.plans[string(key)] = rows.NoPlan
		return rows.NoPlan
	}
	k = uint16(len(p.keys))
	key = slices.Clone(key)
	p.plans[string(key)], p.keys = k, append(p.keys, key)
	return k
}

// near tells whether the values of each half are within four numbers: a row may lack some.
func near(key []byte) bool {
	half, first := -1, 0
	for s, place := range key {
		switch {
		case place == absent:
		case int(place)/4 != half:
			half, first = int(place)/4, s
		case s > first+3:
			return false
		}
	}
	return true
}

// halvesOf returns a plan.
func halvesOf(key []byte, count int, double bool) []rows.MixHalf {
	halves := make([]rows.MixHalf, 0, count)
	for h := range count {
		values := [4]int{-1, -1, -1, -1}
		for s, place := range key {
			if place != absent && int(place)/4 == h {
				values[place%4] = s
			}
		}
		halves = append(halves, rows.NewMixHalf(values, double))
	}
	return halves
}
