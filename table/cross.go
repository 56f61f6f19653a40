package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// own returns the columns of the table: a recipe has them in front of its crosses.
func (r *Recipe) own() []Column {
	n := len(r.Columns)
	for n > 0 && r.Columns[n-1].Kind == Cross {
		n--
	}
	return r.Columns[:n]
}

// cutSide cuts what a cross names: a column, or a part of a time as in at.hour. part is as momentKind has
// it, -1 for a whole column.
func cutSide(name string, known func(column string) bool) (column string, part int) {
	if !known(name) {
		for part, word := range []string{".hour", ".month", ".weekday"} {
			if column, is := strings.CutSuffix(name, word); is && known(column) {
				return column, part
			}
		}
	}
	return name, -1
}

// checkCrosses says what is wrong with the crosses of a recipe, whatever the kinds of their columns.
func (r *Recipe) checkCrosses(columns map[string]*Column) error {
	own := r.own()
	known := func(name string) bool { return columns[name] != nil && columns[name].Kind != Cross }
	for k := range own {
		if own[k].Kind == Cross {
			return fmt.Errorf("table: the cross %q stands in front of the column %q: crosses are the last columns of a recipe", own[k].Name, own[k+1].Name)
		}
	}
	for k, crosses := 0, r.Columns[len(own):]; k < len(crosses); k++ {
		c := &crosses[k]
		if c.Name != pairName(c.Of) {
			return fmt.Errorf("table: the cross of %q and %q is called %q: call it %q", c.Of[0], c.Of[1], c.Name, pairName(c.Of))
		}
		for _, name := range c.Of {
			if column, _ := cutSide(name, known); !known(column) {
				return fmt.Errorf("table: the cross %q needs the column %q", c.Name, name)
			}
		}
		if c.Of[0] == c.Of[1] {
			return fmt.Errorf("table: the cross %q names one column twice", c.Name)
		}
		if before := columns[pairName([2]string{c.Of[1], c.Of[0]})]; before != nil && before.Kind == Cross {
			return fmt.Errorf("table: the crosses %q and %q are the same", before.Name, c.Name)
		}
	}
	return nil
}

// fittable says why an encoder cannot be made of a recipe; nil if it can.
func (r *Recipe) fittable() error {
	if err := cmp.Or(r.Check(), r.closed()); err != nil {
		return err
	}
	return r.crossable()
}

// crossable refuses crosses of columns whose values have no columns of encoded rows of their own.
func (r *Recipe) crossable() error {
	own := r.own()
	at := func(name string) int { return slices.IndexFunc(own, func(c Column) bool { return c.Name == name }) }
	for _, cross := range r.Columns[len(own):] {
		for _, name := range cross.Of {
			column, part := cutSide(name, func(name string) bool { return at(name) >= 0 })
			if why := own[at(column)].uncrossed(part); why != "" {
				return fmt.Errorf("table: the cross %q: %s", cross.Name, why)
			}
		}
	}
	return nil
}

// uncrossed says why a column, or a part of it, cannot be a side of a cross; "" if it can.
func (c *Column) uncrossed(part int) string {
	switch {
	case part >= 0 && c.Kind != Time:
		return fmt.Sprintf("%q is a %s, and has no hour, month or weekday", c.Name, c.Kind)
	case c.Kind == Time && part < 0:
		return fmt.Sprintf("%q is a time: name a part of it, as %s.hour, %s.month or %s.weekday", c.Name, c.Name, c.Name, c.Name)
	case c.Kind == Category && c.Hashed:
		return fmt.Sprintf("the values of %q are hashed, and have no columns of their own: name it with --category (Wanted.Categories), or hash the cross with --hash 18 (Wanted.Hash)", c.Name)
	case c.Kind == Number && c.Bins == 0:
		return fmt.Sprintf("%q is a number without bins: name it with --category (Wanted.Categories), cut numbers with --bins 8 (Wanted.Bins), or hash the cross with --hash 18 (Wanted.Hash)", c.Name)
	case c.Kind != Category && c.Kind != Number && c.Kind != Time:
		why := string(c.Kind)
		if c.Why != "" {
			why += ": " + c.Why
		}
		return fmt.Sprintf("%q is no category (%s); --category (Wanted.Categories) makes it one", c.Name, why)
	}
	return ""
}

// side is one of the two values of a cross: a column of the table, with its columns of encoded rows from
// first on. A missing value may have another one.
type side struct {
	c          *column
	first, end int
}

// sides finds the sides of a cross among the columns in front of it.
func (e *Encoder) sides(of [2]string) (sides [2]side, err error) {
	at := func(name string) int {
		return slices.IndexFunc(e.columns, func(c column) bool { return c.Name == name && c.Kind != Cross })
	}
	for k, name := range of {
		column, part := cutSide(name, func(name string) bool { return at(name) >= 0 })
		c := &e.columns[at(column)]
		s := side{c, c.at, c.end}
		if part >= 0 {
			kind := func(name string) int {
				p, _ := momentPart(name)
				return momentKind(p)
			}
			values := c.Learned.Values
			s.first = c.at + sort.Search(len(values), func(k int) bool { return kind(values[k]) >= part })
			s.end = c.at + sort.Search(len(values), func(k int) bool { return kind(values[k]) > part })
			if s.first == s.end {
				return sides, fmt.Errorf("table: the cross %q: all rows have one %s", pairName(of), strings.TrimPrefix(name, column+"."))
			}
		}
		sides[k] = s
	}
	return sides, nil
}

// in returns the place among the columns of its column of the value that a row has, -1 for none.
func (s *side) in(row []uint32) int {
	if k, _ := slices.BinarySearch(row, uint32(s.first)); k < len(row) && row[k] < uint32(s.end) {
		return int(row[k]) - s.c.at
	}
	if s.c.absent >= 0 && has(row, uint32(s.c.absent)) {
		return s.c.absent - s.c.at
	}
	return -1
}

// learnCrosses learns the pairs of values of all crosses in one pass, which reads their columns alone. The
// vocabularies of other columns took used of most bytes.
func (r *Recipe) learnCrosses(ctx context.Context, s *Source, used, most int64) error {
	own := r.own()
	crosses := r.Columns[len(own):]
	if len(crosses) == 0 {
		return nil
	}
	plain := r.clone()
	plain.Columns, plain.Crosses, plain.Pairs, plain.Hash = plain.Columns[:len(own)], nil, nil, 0
	crossed := map[string]bool{}
	for _, c := range crosses {
		for _, name := range c.Of {
			column, _ := cutSide(name, func(name string) bool { return slices.ContainsFunc(own, func(c Column) bool { return c.Name == name }) })
			crossed[column] = true
		}
	}
	for k := range plain.Columns {
		if c := &plain.Columns[k]; !c.Kind.aside() && !crossed[c.Name] {
			*c = Column{Name: c.Name, Kind: Ignore}
		}
	}
	e, err := newEncoder(plain)
	if err != nil {
		return err
	}
	p, err := newBlockPass(e, s, &BlockOptions{})
	if err != nil {
		return err
	}
	sides, pairs := make([][2]side, len(crosses)), make([]*vocabulary, len(crosses))
	sum := &budget{most: most}
	sum.used.Store(used)
	for k := range crosses {
		if sides[k], err = e.sides(crosses[k].Of); err != nil {
			return err
		}
		pairs[k] = &vocabulary{column: crosses[k].Name, noun: "pairs", budget: sum}
	}
	type counting struct {
		encodedPart
		counters []*keyCounter
		rows     int64
	}
	parts, err := scan(ctx, s, p.wanted, func(t *counting, b *block) error {
		if err := p.work(&t.encodedPart, b); err != nil {
			return err
		}
		for k := len(t.counters); k < len(pairs); k++ {
			t.counters = append(t.counters, newCounter(pairs[k], s.workers()))
		}
		t.rows += int64(len(t.lengths))
		rest := t.columns
		for _, n := range t.lengths {
			row := rest[:n]
			rest = rest[n:]
			for k := range sides {
				var key [8]byte
				binary.BigEndian.PutUint32(key[:], uint32(sides[k][0].in(row)))
				binary.BigEndian.PutUint32(key[4:], uint32(sides[k][1].in(row)))
				t.counters[k].add(key[:], 1)
				t.counters[k].next()
			}
		}
		return full(pairs)
	}, nil)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	rows := int64(0)
	for _, t := range parts {
		rows += t.rows
		for _, c := range t.counters {
			c.flush()
		}
	}
	if err := full(pairs); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	for k := range crosses {
		l := &Learned{Rows: rows, Rare: rows}
		var keys []string
		keys, l.Counts = sortedKeys(&pairs[k].keys, pairs[k].counts, int64(crosses[k].MinCount))
		for i, key := range keys {
			l.Pairs = append(l.Pairs, [2]uint32{binary.BigEndian.Uint32([]byte(key)), binary.BigEndian.Uint32([]byte(key[4:]))})
			l.Rare -= l.Counts[i]
		}
		crosses[k].Learned = l
	}
	return nil
}

// full returns the error of a vocabulary that took too much memory.
func full(list []*vocabulary) error {
	for _, v := range list {
		if v.given.Load() {
			return v.err
		}
	}
	return nil
}

// join finds the sides of a cross, and checks what was learned of it.
func (c *column) join(e *Encoder) (err error) {
	if c.sides, err = e.sides(c.Of); err != nil {
		return err
	}
	a, b := c.sides[0].c, c.sides[1].c
	c.starts = make([]int, a.end-a.at+1)
	for k, p := range c.Learned.Pairs {
		before := [2]uint32{}
		if k > 0 {
			before = c.Learned.Pairs[k-1]
		}
		if int64(p[0]) >= int64(a.end-a.at) || int64(p[1]) >= int64(b.end-b.at) || k > 0 && slices.Compare(before[:], p[:]) >= 0 {
			return fmt.Errorf("table: column %q: the pair %v behind %v was learned, of %d and %d values in ascending order", c.Name, p, before, a.end-a.at, b.end-b.at)
		}
		c.starts[p[0]+1] = k + 1
	}
	for k := 1; k < len(c.starts); k++ {
		c.starts[k] = max(c.starts[k], c.starts[k-1])
	}
	return nil
}

// cross encodes the pair of values of a row, as a category encodes its value.
func (m *rowMaker) cross(c *column, row []uint32) {
	a, b := c.sides[0].in(row), c.sides[1].in(row)
	if a >= 0 && b >= 0 {
		first, end := c.starts[a], c.starts[a+1]
		k := first + sort.Search(end-first, func(k int) bool { return c.Learned.Pairs[first+k][1] >= uint32(b) })
		if k < end && c.Learned.Pairs[k][1] == uint32(b) {
			m.one(c.at + k)
			return
		}
	}
	if c.rare >= 0 {
		m.one(c.rare)
	} else {
		m.unknown(c)
	}
}

// nameOfPair names a pair of a cross by the names of its values.
func (c *column) nameOfPair(k int) string {
	a, b, p := c.sides[0].c, c.sides[1].c, c.Learned.Pairs[k]
	return pairName([2]string{a.nameOf(a.at + int(p[0])), b.nameOf(b.at + int(p[1]))})
}
