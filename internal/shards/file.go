package shards

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// File is Rows that stay in a file. Groups that fit are kept in memory from their first loading on;
// the rest is read in every sweep. Both goes by the groups of the stream, as the file has them.
type File struct {
	stream  *sparse.Stream
	label   func(row int, y, weight []float64) error
	weigh   bool
	shards  int
	first   int // shard that this rank owns
	workers int
	piece   int64 // bytes of the largest piece of this rank
	most    int64 // of the largest group

	cuts   []int     // first row of every block of this rank, and the end of the last
	blocks []int     // number of the first block of each shard of this rank, and of all
	kept   []float64 // a number a row, from row cuts[0] on, or nil

	begin int    // first group of this rank
	stay  []bool // groups of this rank that are kept
	held  []atomic.Pointer[fileGroup]

	rest int64 // bytes for groups that are kept, and for what else Reserve is asked for

	progress func(rows, bytes int64)
	used     atomic.Int64 // rows
}

// fileGroup is a group in memory.
type fileGroup struct {
	sparse.StreamGroup
	weight []float64 // weights of rows times class weights, nil for 1
	number int
	bytes  int64 // that it has
	users  int   // blocks that have it, and their worker where it may need it again
}

// fileBlock is what a Block has.
type fileBlock struct {
	rows   matrix.Joined
	groups []*fileGroup
	list   []*matrix.Matrix // theirs

	y, weight, offset []float64
}

// fileWorker is what the Blocks of a worker share: rows of a group may be of two blocks.
type fileWorker struct {
	last *fileGroup
	free []*fileGroup
}

// FileOptions of a File.
type FileOptions struct {
	Shards, Rank, Ranks int
	// Workers is the most that will load at a time.
	Workers int
	// MemoryBytes is how many bytes all rows in memory may take.
	MemoryBytes int64
	// Mixes says that Mix will be called, whose buffer counts.
	Mixes bool
	// Label makes y of the labels of the file from a row on. With Weigh it also makes weights,
	// which are multiplied by the weights of the rows in the file.
	Label func(row int, y, weight []float64) error
	Weigh bool
	// Progress, where set, is called after every block with the number of rows loaded and of
	// bytes read so far.
	Progress func(rows, bytes int64)
}

// Sizes of blocks. Blocks of usualBlock stay in or near the cache of a core from reading to the
// end of the products. Below leastBlock, fewer workers are taken instead of smaller blocks.
const (
	usualBlock = 1 << 20
	leastBlock = 1 << 19
)

// MemoryError says that the rows of a File need more memory than FileOptions.MemoryBytes.
type MemoryError struct{ Available, Need int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("shards: rows need %d bytes, and %d are available", e.Need, e.Available)
}

// NewFile plans how to read the rows of a stream.
func NewFile(s *sparse.Stream, o FileOptions) (*File, error) {
	f := &File{stream: s, label: o.Label, weigh: o.Weigh, shards: o.Shards, progress: o.Progress}
	first, end := Owned(o.Shards, o.Rank, o.Ranks)
	f.first = first
	if o.Mixes {
		o.MemoryBytes -= f.mixedBytes()
	}
	f.piece = f.need(first, end)
	for k := range s.Groups() {
		f.most = max(f.most, f.groupBytes(k))
	}
	f.workers = max(o.Workers, 1)
	for f.workers > 1 && o.MemoryBytes/int64(f.workers) < f.taken(max(f.piece, leastBlock)) {
		f.workers--
	}
	if least := f.taken(f.piece); o.MemoryBytes < least {
		return nil, &MemoryError{o.MemoryBytes, least}
	}
	size := max(min((o.MemoryBytes/int64(f.workers)-f.most)/2, usualBlock), f.piece)
	f.cut(first, end, size)
	f.rest = o.MemoryBytes - int64(f.workers)*f.taken(size)
	f.cacheRest(f.rest)
	return f, nil
}

// Reserve leaves bytes of the memory to others: it keeps fewer groups from the next sweep on, or more where it left more
// before. A *MemoryError says that there is not so much. It is not to be called during a sweep.
func (f *File) Reserve(bytes int64) error {
	if bytes > f.rest {
		return &MemoryError{f.rest, bytes}
	}
	held := f.held
	f.cacheRest(f.rest - bytes)
	for k, stays := range f.stay {
		if stays {
			f.held[k].Store(held[k].Load())
		}
	}
	return nil
}

// need is what the largest piece takes.
func (f *File) need(first, end int) (largest int64) {
	for v := first; v < end; v++ {
		last := Cut(f.Rows(), f.shards, v+1)
		for row := Cut(f.Rows(), f.shards, v); row < last; row += Piece {
			bytes := int64(0)
			for k, end := f.stream.GroupOf(row), f.stream.GroupOf(min(row+Piece, last)-1); k <= end; k++ {
				bytes += f.groupBytes(k)
			}
			largest = max(largest, bytes)
		}
	}
	return largest
}

// cut cuts the shards into blocks that take no more than size, but a piece at least.
func (f *File) cut(first, end int, size int64) {
	n := f.Rows()
	f.cuts, f.blocks = []int{Cut(n, f.shards, first)}, []int{0}
	for v := first; v < end; v++ {
		last := Cut(n, f.shards, v+1)
		for row := Cut(n, f.shards, v); row < last; {
			next, bytes := row, int64(0)
			for k := f.stream.GroupOf(row); next < last; k++ {
				if bytes += f.groupBytes(k); bytes > size {
					break
				}
				_, next = f.stream.GroupRows(k)
			}
			if next < last {
				next = row + max((next-row)/Piece, 1)*Piece
			}
			row = min(next, last)
			f.cuts = append(f.cuts, row)
		}
		f.blocks = append(f.blocks, len(f.cuts)-1)
	}
}

// groupBytes is what a group takes in memory, and its share of a block.
func (f *File) groupBytes(k int) int64 {
	first, end := f.stream.GroupRows(k)
	bytes := f.stream.GroupBytes(k) + 8*int64(end-first)
	if f.weighs() {
		bytes += 2 * 8 * int64(end-first)
	}
	if f.stream.HasOffsets() {
		bytes += 8 * int64(end-first)
	}
	return bytes
}

// groupsBytes is what groups take in memory.
func (f *File) groupsBytes(begin, count int) (total int64) {
	for k := range count {
		total += f.groupBytes(begin + k)
	}
	return total
}

// Whole returns how many bytes of FileOptions.MemoryBytes keep all groups of this rank in memory beside a number
// of workers, and how many are enough for one that keeps none.
func (f *File) Whole(workers int) (whole, least int64) {
	rest := 8*int64(f.cuts[len(f.cuts)-1]-f.cuts[0]) + f.groupsBytes(f.begin, len(f.stay))
	rest += rest/15 + 1
	return rest + int64(workers)*f.taken(max(f.piece, usualBlock)), f.taken(f.piece)
}

// taken is what a worker takes for blocks of a size: two of them, and the last group of the one before.
func (f *File) taken(size int64) int64 { return 2*size + f.most }

// weighs tells whether rows have weights, of their own or of their classes.
func (f *File) weighs() bool { return f.weigh || f.stream.HasWeights() }

// cacheRest decides what the remaining memory caches: first a number a row, which saves computing,
// and then groups, spread evenly over the groups that are read. A sixteenth stays free, because a
// garbage collector at its limit runs all the time.
func (f *File) cacheRest(rest int64) {
	rest -= rest / 16
	rows := f.cuts[len(f.cuts)-1] - f.cuts[0]
	if own := 8 * int64(rows); rest < own {
		f.kept = nil
	} else {
		f.kept = matrix.Sized(f.kept, rows)
		rest -= own
	}
	if rows == 0 {
		return
	}
	f.begin = f.stream.GroupOf(f.cuts[0])
	count := f.stream.GroupOf(f.cuts[len(f.cuts)-1]-1) + 1 - f.begin
	f.stay, f.held = make([]bool, count), make([]atomic.Pointer[fileGroup], count)
	total := f.groupsBytes(f.begin, count)
	share, due := float64(rest)/float64(total), 0.0
	for k := range count {
		bytes := f.groupBytes(f.begin + k)
		if due += float64(share * float64(bytes)); due >= float64(bytes)*(1-1e-9) && rest >= bytes {
			due, rest = due-float64(bytes), rest-bytes
			f.stay[k] = true
		}
	}
}

// Workers is how many may load at a time.
func (f *File) Workers() int { return f.workers }

// Rows returns the number of rows.
func (f *File) Rows() int { return f.stream.Rows() }

// Cols returns the number of columns.
func (f *File) Cols() int { return f.stream.Cols() }

// NNZ returns the number of stored entries in the file.
func (f *File) NNZ() int64 { return f.stream.NNZ() }

// Blocks is the number of blocks of a shard.
func (f *File) Blocks(shard int) int {
	return f.blocks[shard-f.first+1] - f.blocks[shard-f.first]
}

// Span returns the rows of a block.
func (f *File) Span(shard, block int) (first, end int) {
	k := f.blocks[shard-f.first] + block
	return f.cuts[k], f.cuts[k+1]
}

// Slow is true.
func (f *File) Slow() bool { return true }

// Load makes b a block, whose groups it reads unless they are in memory.
func (f *File) Load(b *Block, shard, block int) error {
	first, end := f.Span(shard, block)
	worker, _ := (*b.Worker).(*fileWorker)
	if worker == nil {
		worker = new(fileWorker)
		*b.Worker = worker
	}
	own, _ := b.Own.(*fileBlock)
	if own == nil {
		own = new(fileBlock)
		b.Own = own
	}
	for _, g := range own.groups {
		worker.release(g)
	}
	own.groups, own.list = own.groups[:0], own.list[:0]
	for number := f.stream.GroupOf(first); ; number++ {
		if from, _ := f.stream.GroupRows(number); from >= end || number == f.stream.Groups() {
			break
		}
		g, err := f.group(worker, number)
		if err != nil {
			return err
		}
		own.groups, own.list = append(own.groups, g), append(own.list, g.Rows())
	}
	own.rows.Join(f.stream.Bias(), own.list)
	b.X, b.First, b.Row = &own.rows, first-own.groups[0].First, first
	own.y, own.weight, own.offset = own.y[:0], own.weight[:0], own.offset[:0]
	for _, g := range own.groups {
		from, to := max(first-g.First, 0), min(end-g.First, len(g.Y))
		own.y = append(own.y, g.Y[from:to]...)
		if f.weighs() {
			own.weight = append(own.weight, g.weight[from:to]...)
		}
		if g.Offset != nil {
			own.offset = append(own.offset, g.Offset[from:to]...)
		}
	}
	b.Y, b.Weight, b.Offset, b.Kept = own.y, nil, nil, nil
	if f.weighs() {
		b.Weight = own.weight
	}
	if f.stream.HasOffsets() {
		b.Offset = own.offset
	}
	if f.kept != nil {
		b.Kept = f.kept[first-f.cuts[0] : end-f.cuts[0]]
	}
	f.report(end - first)
	return nil
}

// report tells of rows that were loaded.
func (f *File) report(rows int) {
	if used := f.used.Add(int64(rows)); f.progress != nil {
		_, bytes := f.stream.Progress()
		f.progress(used, bytes)
	}
}

// group returns a group: one that is kept, that the worker has, or that is read.
func (f *File) group(worker *fileWorker, number int) (*fileGroup, error) {
	if g := worker.last; g != nil && g.number == number {
		g.users++
		return g, nil
	}
	bytes := f.groupBytes(number)
	g, err := f.obtain(number, func() *fileGroup { return worker.take(bytes) })
	if err != nil || f.stay[number-f.begin] {
		return g, err
	}
	g.bytes = max(g.bytes, bytes)
	worker.release(worker.last)
	worker.last, g.users = g, 2
	return g, nil
}

// obtain returns a group: one that is kept, or one that is read, to where spare says unless it is to be kept.
func (f *File) obtain(number int, spare func() *fileGroup) (*fileGroup, error) {
	if !f.stay[number-f.begin] {
		g := spare()
		return g, f.read(g, number)
	}
	held := &f.held[number-f.begin]
	if g := held.Load(); g != nil {
		return g, nil
	}
	g := new(fileGroup)
	if err := f.read(g, number); err != nil {
		return nil, err
	}
	if !held.CompareAndSwap(nil, g) { // two workers may have read it, where shards meet
		return held.Load(), nil
	}
	return g, nil
}

// take returns a group of about the given size to read into. It drops free groups of other sizes:
// together they could take more memory than the blocks may.
func (w *fileWorker) take(bytes int64) *fileGroup {
	for k, g := range w.free {
		if g.bytes >= bytes-bytes/8 && g.bytes <= bytes+bytes/2 {
			w.free = slices.Delete(w.free, k, k+1)
			return g
		}
	}
	w.free = nil
	return new(fileGroup)
}

// release gives back a group that a block, or the worker, no longer needs.
func (w *fileWorker) release(g *fileGroup) {
	if g == nil || g.users == 0 { // it is kept
		return
	}
	if g.users--; g.users == 0 {
		w.free = append(w.free, g)
	}
}

func (f *File) read(g *fileGroup, number int) error {
	if err := f.stream.Load(&g.StreamGroup, number); err != nil {
		return err
	}
	g.number, g.users = number, 0
	if f.weighs() {
		g.weight = matrix.Sized(g.weight, len(g.Y))
	}
	if f.label != nil {
		var weight []float64
		if f.weigh {
			weight = g.weight
		}
		if err := f.label(g.First, g.Y, weight); err != nil {
			return err
		}
	}
	switch {
	case !f.weigh:
		copy(g.weight, g.Weight)
	case g.Weight != nil:
		direct.Mul(g.weight, g.weight, g.Weight)
	}
	return nil
}
