package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// BlockOptions say how rows are encoded. They may be shared.
type BlockOptions struct {
	// Rows is the least number of rows of a block; 0 means all in one.
	Rows int
	// Keep lists columns of the table whose cells are kept as they stand.
	Keep []string
	// Order names a column of the table whose numbers or times Rows.Order has, "" for none. The
	// recipe says how they are read. Of a column that it leaves out all cells decide; then it is an
	// error if they can be read in two ways, or if Rows is not 0.
	Order string
	// NoTarget encodes rows without the target: labels are 0. The table may lack the columns of
	// target, weight and group.
	NoTarget bool
	// NoOffset encodes rows without their offsets and exposures, which the table may lack.
	NoOffset bool
}

// Encode makes rows of all of a source. Columns that the recipe does not know are not read.
//
// Rows without a target are left out, and counted in a note of the source. Cells in columns of
// numbers that are no numbers, or infinite, are missing, with a note; so are cells that are no
// times. Some rows are bad: malformed rows, rows with a target, weight or offset that is no
// number, and rows whose label was not seen. Options.BadRows of them are left out; the next one is
// an error with its line. A table that lacks columns of the recipe is an error that names all of
// them, a table without rows another one.
//
// Once ctx is done, Encode ends with an error. It takes the memory of the rows, up to three
// times as much while they grow, and some blocks of text a worker.
func (e *Encoder) Encode(ctx context.Context, s *Source) (*sparse.Data, error) {
	var data *sparse.Data
	for rows, err := range e.Blocks(ctx, s, BlockOptions{}) {
		if err != nil {
			return nil, err
		}
		data = rows.Data
	}
	if data == nil || data.X.Rows() == 0 {
		return nil, errors.New("table: there are no rows in the table")
	}
	return data, nil
}

// Blocks makes rows of a source, block after block, as Encode does. All blocks have Width columns,
// and each has the smallest layout that is exact for its rows, as sparse.Blocks. The rows are the
// same for any number of workers and any size of blocks. The last block may have fewer rows than
// BlockOptions.Rows; it has none if all rows behind the block before are left out. A table
// without rows has no blocks.
//
// An error ends the blocks. While the caller has a block, the workers make the next one: two
// blocks are in memory at a time. No goroutine is left when the loop over the blocks ends.
func (e *Encoder) Blocks(ctx context.Context, s *Source, o BlockOptions) iter.Seq2[*Rows, error] {
	return func(yield func(*Rows, error) bool) {
		p, err := newBlockPass(e, s, &o)
		if err == nil {
			err = p.run(ctx, func(r *Rows) bool { return yield(r, nil) })
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// blockPass makes blocks of one pass over a source.
type blockPass struct {
	e        *Encoder
	s        *Source
	o        *BlockOptions
	wanted   []int   // columns of the source
	among    []int   // the place of each column of the source among them, from 1 on; 0 for none
	place    []int   // of each of e.columns among them, -1 for none
	keep     []int   // cells that are kept, among them
	order    int     // the place of the column of Order among them, -1 for none
	numbers  bool    // its cells may be numbers
	clocks   []clock // by which its cells may be times
	marks    *Marks  // of its numbers
	encoding []byte
	blocks   chan *Rows
	ctx      context.Context

	// odd are cells that were no values of their columns' kinds, and infinite numbers, of each column
	// of the recipe; told says which notes the source had before the pass.
	odd  [2][]example
	told map[toldNote]bool
	rows int64

	without example // rows without a target

	next  *Rows // the block that is growing
	store *matrix.Store
	// size is the number of bytes of all files, 0 where it is unknown; before were read before the
	// pass.
	size, before int64
}

// toldNote says what the note of a column was about.
type toldNote struct {
	kind   notes.Kind
	column string
}

var errStopped = errors.New("the caller wants no more blocks")

func newBlockPass(e *Encoder, s *Source, o *BlockOptions) (*blockPass, error) {
	if e == nil || s == nil || len(s.files) == 0 {
		return nil, errors.New("table: Blocks: there is no encoder or no open source")
	}
	if o.Rows < 0 {
		return nil, fmt.Errorf("table: Blocks: a block of %d rows", o.Rows)
	}
	p := &blockPass{e: e, s: s, o: o, before: s.read.Load(), told: map[toldNote]bool{}, among: make([]int, len(s.names)+1)}
	for _, n := range s.Notes() {
		p.told[toldNote{n.Kind, n.Column}] = true
	}
	for _, f := range s.files {
		p.size += f.was.Size
	}
	for k := range p.odd {
		p.odd[k] = make([]example, len(e.recipe.Columns))
	}
	var names []string
	for k := range e.columns {
		if c := &e.columns[k]; c.Kind != Cross { // crosses, which come last, are no columns of the table
			names = append(names, c.Name)
		}
	}
	found, _ := s.index(names)
	var lacks []string
	shares := len(found) == 0
	for k, from := range found {
		c := &e.columns[k]
		optional := o.NoTarget && (c.Kind == Target || c.Kind == Weight || c.Kind == Group) || o.NoOffset && c.Kind.offsets()
		shares = shares || from >= 0
		switch {
		case from >= 0 && (c.Kind != Target || !o.NoTarget) && (!c.Kind.offsets() || !o.NoOffset):
			p.place = append(p.place, p.want(from))
			continue
		case from < 0 && s.format == FormatJSON && !c.Kind.aside():
			// A key that no line has is missing in all.
			p.place = append(p.place, p.want(len(s.names)))
			continue
		case from < 0 && !optional:
			lacks = append(lacks, c.Name)
		}
		p.place = append(p.place, -1)
	}
	if !shares {
		return nil, fmt.Errorf("table: %s has none of the columns that the encoder reads: %s; it has %s", s.files[0].name, columnList(names), columnList(s.names))
	}
	for range len(e.columns) - len(names) {
		p.place = append(p.place, -1)
	}
	places, unknown := s.index(o.Keep)
	if lacks = append(lacks, unknown...); len(lacks) > 0 {
		message := fmt.Sprintf("table: %s lacks %s", s.files[0].name, columnList(lacks))
		if slices.ContainsFunc(e.columns, func(c column) bool { return c.Kind.offsets() && slices.Contains(lacks, c.Name) }) {
			message += "; the offset is added to the score: --offset none (BlockOptions.NoOffset) scores without it"
		}
		return nil, errors.New(message)
	}
	for _, from := range places {
		p.keep = append(p.keep, p.want(from))
	}
	if p.order = -1; o.Order != "" {
		from, _ := s.index([]string{o.Order})
		if from[0] < 0 {
			return nil, fmt.Errorf("table: %s lacks %s", s.files[0].name, columnList([]string{o.Order}))
		}
		p.order = p.want(from[0])
		for k := range e.columns {
			switch c := &e.columns[k]; {
			case c.Name != o.Order:
			case c.Kind == Time:
				p.clocks, p.marks = []clock{c.clock}, c.Marks
			case c.Kind == Number || c.Kind == Weight || c.Kind.offsets() || c.Kind == Target:
				p.numbers, p.marks = true, c.Marks
			}
		}
		if s.comma && (e.recipe.Version == 1 || p.clocks == nil && !p.numbers) {
			p.marks = commaMarks
		}
		if p.clocks == nil && !p.numbers {
			for kind := range clockKind(orders) {
				p.clocks = append(p.clocks, clock{kind: kind})
			}
			p.numbers = true
		}
		if ways := len(p.clocks); o.Rows > 0 && p.numbers && ways > 0 {
			return nil, fmt.Errorf("table: Blocks: the recipe does not say how the cells of %q are read, and no block has all of them", o.Order)
		}
	}
	var err error
	p.encoding, err = e.MarshalJSON()
	return p, err
}

// columnList names columns in an error.
func columnList(names []string) string {
	text := "the column "
	if len(names) > 1 {
		text = "the columns "
	}
	const most = 20
	for k, name := range names[:min(len(names), most)] {
		if k > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", name)
	}
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// want adds a column of the source, and returns its place among the wanted ones.
func (p *blockPass) want(from int) int {
	if p.among[from] == 0 {
		p.wanted = append(p.wanted, from)
		p.among[from] = len(p.wanted)
	}
	return p.among[from] - 1
}

// encodedPart is what a worker makes of a part.
type encodedPart struct {
	rowMaker
	kept    []byte
	ends    []int // of the cells in kept
	order   []float64
	without example // rows without a target
}

func (p *blockPass) run(ctx context.Context, take func(*Rows) bool) error {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p.blocks, p.ctx = make(chan *Rows), ctx
	var caught panics.Catcher
	var err error
	go func() {
		defer close(p.blocks)
		caught.Do(func() {
			_, err = scan(ctx, p.s, p.wanted, p.work, p.commit)
			if err == nil && p.next != nil {
				err = p.send()
			}
		})
	}()
	defer caught.Repeat()
	defer func() {
		cancel(errStopped)
		for range p.blocks {
		}
	}()
	for rows := range p.blocks {
		if !take(rows) {
			return nil
		}
	}
	return err
}

func (p *blockPass) work(t *encodedPart, b *block) error {
	if p.e.recipe.Version == 1 && p.s.comma {
		t.written = commaMarks
	}
	t.start(p.e, p.place, p.o.NoTarget)
	t.kept, t.ends, t.order, t.without = t.kept[:0], t.ends[:0], t.order[:0], example{}
	for row := range b.rows {
		switch wrong := t.add(b, row); wrong {
		case "":
		case noTarget:
			t.without.add(nil, 1, ^int64(row))
			continue
		default:
			b.fail(row, wrong)
			continue
		}
		for _, k := range p.keep {
			t.kept = append(t.kept, b.cell(row, k)...)
			t.ends = append(t.ends, len(t.kept))
		}
		if p.order >= 0 {
			t.order = p.appendPlaces(t.order, b.cell(row, p.order), b.marksOf(row, p.order, p.marks))
		}
	}
	return nil
}

func (p *blockPass) commit(t *encodedPart, b *block) error {
	if p.next == nil {
		columns := len(p.e.recipe.Columns)
		p.next = &Rows{Data: new(sparse.Data), Missing: make([]int64, columns), Unseen: make([]int64, columns), width: len(p.keep)}
		p.store = matrix.NewStore(matrix.Storage{})
	}
	r := p.next
	p.expect(t)
	err := p.store.Append(t.lengths, t.columns, t.values, t.sum)
	if err == nil {
		r.Y, err = memory.Grow("the labels", r.Y, len(t.labels), p.store.Wanted())
	}
	if err != nil {
		return err
	}
	r.Y = append(r.Y, t.labels...)
	offsets := false
	for k := range p.e.columns {
		switch c := &p.e.columns[k]; {
		case c.Kind == VW:
			r.Weight = append(r.Weight, t.weights...)
			offsets = !p.o.NoOffset
		case c.Kind == Weight && p.place[k] >= 0:
			r.Weight = append(r.Weight, t.weights...)
		case c.Kind.offsets() && p.place[k] >= 0:
			offsets = true
		case c.Kind == Group && p.place[k] >= 0:
			r.Query = append(r.Query, t.groups...)
		}
	}
	if offsets {
		r.Offset = append(r.Offset, t.offsets...)
	}
	for k := range r.Missing {
		r.Missing[k] += t.missing[k]
		r.Unseen[k] += t.unseen[k]
	}
	p.noteOdd(t, b)
	r.Skipped += len(b.bad)
	r.Order = append(r.Order, t.order...)
	text, from := string(t.kept), 0
	for _, end := range t.ends {
		r.kept = append(r.kept, text[from:end])
		from = end
	}
	if p.o.Rows > 0 && p.store.Rows() >= p.o.Rows {
		return p.send()
	}
	return nil
}

// noteOdd adds the cells of a block that are missing as they are no values of their columns' kinds
// to the notes of the source. What the source told before the pass stands.
func (p *blockPass) noteOdd(t *encodedPart, b *block) {
	place := func(row int64) int64 { return p.s.placeOf(b, int(row)) }
	if t.without.count > 0 {
		t.without.settle(place)
		p.without.merge(&t.without)
		p.s.noteWithout(&p.without)
	}
	p.rows += int64(len(t.lengths))
	for what, list := range t.odd {
		for k := range list {
			odd, c := &list[k], &p.e.recipe.Columns[k]
			odd.settle(place)
			all := &p.odd[what][k]
			if all.merge(odd); all.count == 0 {
				continue
			}
			kind := notes.NotNumber
			switch {
			case what == infinite:
				kind = notes.Infinite
			case c.Kind == Time:
				kind = notes.NotTime
			}
			if !p.told[toldNote{kind, c.Name}] {
				p.s.sayCell(kind, c.Name, all, p.rows, "")
			}
		}
	}
}

// appendPlaces appends the number or the time of a cell by every way to read it, NaN for none.
func (p *blockPass) appendPlaces(to []float64, cell []byte, marks *Marks) []float64 {
	absent := p.e.missing.has(cell)
	if p.numbers {
		v, what := p.e.missing.number(cell, marks)
		if what != aNumber || absent {
			v = math.NaN()
		}
		to = append(to, v)
	}
	for k := range p.clocks {
		t, ok := p.clocks[k].read(cell, marks.comma())
		if !ok || absent {
			t.seconds = math.NaN()
		}
		to = append(to, t.seconds)
	}
	return to
}

// chooseOrder keeps the way of reading the column of Order that most cells allow. It is an error if
// another way reads as many, to another order.
func (p *blockPass) chooseOrder(r *Rows) error {
	ways := len(p.clocks)
	if p.numbers {
		ways++
	}
	if ways < 2 {
		return nil
	}
	var best []float64
	var most int
	for way := range ways {
		read := 0
		own := make([]float64, 0, len(r.Order)/ways)
		for k := way; k < len(r.Order); k += ways {
			if own = append(own, r.Order[k]); r.Order[k] == r.Order[k] {
				read++
			}
		}
		switch same := func(a, b float64) bool { return a == b || a != a && b != b }; {
		case best == nil || read > most:
			best, most = own, read
		case read == most && read > 0 && !slices.EqualFunc(own, best, same):
			return fmt.Errorf("the cells of the column %q can be read in two ways, and it is left out of the features: name it among the times, with its format", p.o.Order)
		}
	}
	r.Order = best
	return nil
}

// expect reserves memory for the rest of the block, as far as it can be foreseen. Pages that stay
// untouched cost nothing, so it leans to the large side.
func (p *blockPass) expect(t *encodedPart) {
	rows, entries := float64(p.store.Rows()+len(t.lengths)), float64(int(p.store.Entries())+len(t.columns))
	factor := 1.0
	if p.o.Rows > 0 {
		factor = float64(p.o.Rows+len(t.lengths)) / max(rows, 1)
	} else if read := p.s.read.Load() - p.before; read > 0 && read < p.size {
		factor = 1.5 * float64(p.size) / float64(read)
	}
	factor = min(max(factor, 1), 64)
	p.store.Expect(int(rows*factor), int(entries*factor))
}

// send gives the block to the caller. It returns an error if the caller wants no more.
func (p *blockPass) send() error {
	r := p.next
	r.X, r.Encoding = p.store.Matrix(p.e.width), p.encoding
	r.LabelNames = p.labelNames()
	r.Notes = notes.Merge(p.e.notes, p.s.Notes())
	if err := p.chooseOrder(r); err != nil {
		return err
	}
	if vw := slices.ContainsFunc(p.e.columns, func(c column) bool { return c.Kind == VW }); vw && p.o.Rows == 0 {
		// Most files have no importance and no base.
		r.Weight, r.Offset = unlessAll(r.Weight, 1), unlessAll(r.Offset, 0)
	}
	p.next, p.store = nil, nil
	select {
	case p.blocks <- r:
		return nil
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
}

// unlessAll returns nil where all elements of x have the value that they have without x.
func unlessAll(x []float64, usual float64) []float64 {
	if slices.ContainsFunc(x, func(v float64) bool { return v != usual }) {
		return x
	}
	return nil
}

// labelNames returns the words of the target, nil for a target of numbers or none.
func (p *blockPass) labelNames() []string {
	for k := range p.e.columns {
		if c := &p.e.columns[k]; c.Kind == Target && p.place[k] >= 0 {
			return c.Learned.Values
		}
	}
	return nil
}
