package matrix

import (
	"math"
	"math/bits"
	"sync"

	"github.com/lanes-go/lanes/asm"
)

// DenseColumns holds columns of full rows, each in contiguous memory. Column j has the elements
//
//	sqrt(h_i) (x_ij - m_j),  m_j = sum_i h_i x_ij / sum_i h_i
//
// for a factor h_i of each row, or m_j = 0 where columns are not centred. Columns join at any time;
// the numbers of a column, and of a product of two, do not depend on when they joined.
type DenseColumns struct {
	m       *Matrix
	root    []float64
	total   float64 // sum of h, 0 for columns that are not centred
	stride  int     // elements from a column to the next one
	blocks  []columnBlock
	columns [][]float64
	means   []float64
	squares []float64
	gram    [][]float64 // rows of the lower triangle
}

// columnBlock has the columns that joined together.
type columnBlock struct {
	first  int // the place of the first column
	count  int
	values []float64
}

// IsFull tells whether every row has an entry in every column, of float64 or float32.
func IsFull(m *Matrix) bool { return m.isFull() }

// NewDenseColumns returns no columns of m, whose rows are full, for factors h of at least 0.
func NewDenseColumns(m *Matrix, h []float64, centred bool) *DenseColumns {
	c := &DenseColumns{m: m, root: make([]float64, m.n)}
	for i, v := range h {
		c.root[i] = math.Sqrt(v)
	}
	if centred {
		c.total = asm.Active().Dense.SquaredNorm(c.root)
	}
	// Columns do not begin at the same place of pages, where they would share lines of the caches.
	c.stride = (m.n+cacheLine-1)/cacheLine*cacheLine + cacheLine/2
	return c
}

// Len returns the number of columns.
func (c *DenseColumns) Len() int { return len(c.columns) }

// Column returns the elements of the column at a place. They are read, and never written.
func (c *DenseColumns) Column(k int) []float64 { return c.columns[k] }

// Mean returns m_j of the column at a place, Square the sum of the squares of its elements.
func (c *DenseColumns) Mean(k int) float64   { return c.means[k] }
func (c *DenseColumns) Square(k int) float64 { return c.squares[k] }

// Add appends the listed columns, in ascending order. It costs a pass over the rows, and memory for
// these columns, shared by the workers of p.
func (c *DenseColumns) Add(p *Pool, list []uint32) {
	if len(list) == 0 {
		return
	}
	b := columnBlock{first: len(c.columns), count: len(list), values: takeColumns(len(list) * c.stride)}
	c.blocks = append(c.blocks, b)
	for k := range list {
		c.columns = append(c.columns, b.values[k*c.stride:][:c.m.n:c.m.n])
	}
	c.means = append(c.means, make([]float64, len(list))...)
	c.squares = append(c.squares, make([]float64, len(list))...)
	t := &fillTask{c: c, to: b, list: list}
	Run(p, (c.m.n+fillRows-1)/fillRows, t)
	Run(p, len(list), (*centreTask)(t))
}

// spareColumns hold memory of columns that were released, by the bits of their lengths: what is new
// to a process costs more than what is written to it.
var spareColumns [64]sync.Pool

// takeColumns returns memory for n elements. They hold values of earlier columns.
func takeColumns(n int) []float64 {
	pool := &spareColumns[bits.Len(uint(n))]
	if v, _ := pool.Get().(*[]float64); v != nil {
		if len(*v) >= n {
			return *v
		}
		pool.Put(v)
	}
	return make([]float64, n)
}

// Release gives the memory of the columns to columns of other matrices. The list is empty afterwards.
func (c *DenseColumns) Release() {
	for k := range c.blocks {
		values := c.blocks[k].values
		spareColumns[bits.Len(uint(len(values)))].Put(&values)
	}
	*c = DenseColumns{}
}

// fillRows rows are copied at a time.
const fillRows = 32

// fillTask copies listed columns, times the roots.
type fillTask struct {
	c    *DenseColumns
	to   columnBlock
	list []uint32
}

func (t *fillTask) Block(b int) {
	first := b * fillRows
	root := t.c.root[first:min(first+fillRows, t.c.m.n)]
	spare := fillRooms.Get().(*[]float64)
	defer fillRooms.Put(spare)
	if len(*spare) < fillRows*len(t.list) {
		*spare = make([]float64, fillRows*len(t.list))
	}
	room := *spare
	if x := &t.c.m.rows; x.Val64 != nil {
		gather(room, x.Val64[first*t.c.m.d:], t.c.m.d, t.list, root)
	} else {
		gather(room, x.Val32[first*t.c.m.d:], t.c.m.d, t.list, root)
	}
	n := len(t.list)
	for k := range t.list {
		to, from := t.to.values[k*t.c.stride+first:][:len(root)], room[k:]
		if len(root) == fillRows {
			to := (*[fillRows]float64)(to)
			for i := 0; i < fillRows; i += 4 {
				to[i] = from[i*n]
				to[i+1] = from[(i+1)*n]
				to[i+2] = from[(i+2)*n]
				to[i+3] = from[(i+3)*n]
			}
			continue
		}
		for i := range to {
			to[i] = from[i*n]
		}
	}
}

// fillRooms hold listed elements of rows.
var fillRooms = sync.Pool{New: func() any { return new([]float64) }}

// gather writes listed elements of rows of d columns, times the roots.
func gather[V float32 | float64](to []float64, x []V, d int, list []uint32, root []float64) {
	for _, r := range root {
		row := x[:d]
		out := to[:len(list)]
		for k, j := range list {
			out[k] = r * float64(row[j])
		}
		if to = to[len(list):]; len(x) > d {
			x = x[d:]
		}
	}
}

// centreTask takes the mean out of a column that was copied, and takes its squares.
type centreTask fillTask

func (t *centreTask) Block(k int) {
	c, place := t.c, t.to.first+k
	column := c.columns[place]
	if c.total > 0 {
		c.means[place] = asm.Active().Dense.Dot(c.root, column) / c.total
		asm.Active().Dense.Axpy(-c.means[place], c.root, column)
	}
	c.squares[place] = asm.Active().Dense.SquaredNorm(column)
}

// Product returns the product of two columns, which Multiply has computed.
func (c *DenseColumns) Product(a, b int) float64 { return c.gram[max(a, b)][min(a, b)] }

const (
	// productTerms elements of productPanel columns are multiplied at once by all columns.
	productTerms, productPanel = 128, 24
)

// Multiply computes the products of all columns that it has not computed yet. Each adds its terms in
// the order of the rows. It costs n multiplications a product, in vectors, shared by the workers of p.
func (c *DenseColumns) Multiply(p *Pool) {
	done, size := len(c.gram), len(c.columns)
	t := &productTask{c: c}
	for first := done; first < size; first += productPanel {
		count := min(productPanel, size-first)
		t.panels = append(t.panels, productPanelOf{first, count, make([]float64, (first+count)*count)})
	}
	t.workers = min(p.Workers(), len(t.panels))
	Run(p, t.workers, t)
	for _, panel := range t.panels {
		for b := range panel.count {
			row := make([]float64, panel.first+b+1)
			for a := range row {
				row[a] = panel.sums[a*panel.count+b]
			}
			c.gram = append(c.gram, row)
		}
	}
}

// productPanelOf has the products of count columns with these and all before, row by row.
type productPanelOf struct {
	first, count int
	sums         []float64
}

type productTask struct {
	c       *DenseColumns
	panels  []productPanelOf
	workers int
}

// Block computes every workers-th panel.
func (t *productTask) Block(b int) {
	c, multiply := t.c, asm.Active().Rows.Wide.MatMul
	right := make([]float64, productTerms*productPanel)
	for first := 0; first < c.m.n; first += productTerms {
		terms := min(productTerms, c.m.n-first)
		for k := b; k < len(t.panels); k += t.workers {
			panel := &t.panels[k]
			pack(right, c.columns[panel.first:][:panel.count], first, terms)
			sums := panel.sums
			for _, block := range c.blocks {
				rows := min(block.count, panel.first+panel.count-block.first)
				if rows <= 0 {
					break
				}
				multiply(sums[block.first*panel.count:][:rows*panel.count], block.values[first:], right[:terms*panel.count], rows, terms, panel.count, c.stride, 1)
			}
		}
	}
}

// pack writes elements of columns as rows.
func pack(to []float64, columns [][]float64, first, terms int) {
	width := len(columns)
	for b, column := range columns {
		at := b
		for _, v := range column[first:][:terms] {
			to[at] = v
			at += width
		}
	}
}
