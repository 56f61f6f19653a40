package table

// pad is the number of bytes that can be read behind any cell.
const pad = 16

// block is a run of rows of a table: the text of the wanted cells, in any order.
type block struct {
	rows int
	// width is the number of columns that are wanted, in the order in which they were asked for.
	width int
	// text holds the cells and pad bytes more. Cell k of row i is text[from:end] with from and end
	// at place 2*(i*width+k) of at.
	text []byte
	at   []uint32
	// places are the lines of the rows, counted from 0 in this block; in a file without lines, the
	// numbers of the rows.
	places []uint32
	// plain, where it is set, says of cells that they are values and no text: a number is written with
	// a point then, whatever the marks of its column. Cell k of row i is at i*step+k: step is 0 where
	// all cells of a column are alike.
	plain []bool
	step  int
	// bad are the rows that are malformed, in ascending places.
	bad []badRow
	// hashes are lines that begin with # in a file with comments. nested are the arrays, and objects
	// that are too deep, in each wanted column; nil for none. They stand at lines, as in places.
	hashes [2]example
	nested []example

	// first is the number of the first row in the source, and place its line in the file, both
	// from 0. They are known in commit alone.
	first, place int64
}

// The kinds of lines that begin with #.
const (
	hashComment = iota
	hashRow
)

// nest counts an array or object in a column, whose cell is empty.
func (b *block) nest(k int, line uint32, text []byte) {
	if b.nested == nil {
		b.nested = make([]example, b.width)
	}
	b.nested[k].add(text[:min(len(text), 40)], 1, int64(line))
}

// badRow is a row that cannot be taken. As an error of take or cells it ends the pass, whatever
// Options.BadRows allows.
type badRow struct {
	place   uint32 // as in block.places
	at      int    // byte of the line, from 1; 0 where no byte is meant
	message string
}

func (b *badRow) Error() string { return b.message }

// cell returns the text of a cell; at least pad bytes can be read behind it.
func (b *block) cell(row, k int) []byte {
	p := 2 * (row*b.width + k)
	return b.text[b.at[p]:b.at[p+1]]
}

// isPlain says whether a cell is a value and no text, so that a number is written with a point.
func (b *block) isPlain(row, k int) bool { return len(b.plain) > 0 && b.plain[row*b.step+k] }

// marksOf returns the marks of a cell in a column with these marks.
func (b *block) marksOf(row, k int, marks *Marks) *Marks {
	if b.isPlain(row, k) {
		return nil
	}
	return marks
}

// clear empties the block and keeps its memory.
func (b *block) clear(width int) {
	b.rows, b.width, b.step = 0, width, width
	b.plain = b.plain[:0]
	b.at, b.places, b.bad = b.at[:0], b.places[:0], b.bad[:0]
	b.hashes, b.nested = [2]example{}, nil
}

// fail says that a row of the block cannot be taken. Rows fail in ascending order; who calls it
// leaves the row out.
func (b *block) fail(row int, message string) {
	b.bad = append(b.bad, badRow{place: b.places[row], message: message})
}
