package shards

import (
	"fmt"
	"sync/atomic"

	"github.com/lanes-go/lanes/sparse"
)

// File is Rows that stay in a file. What there is room for is kept in memory from its
// first loading on; the rest is read in every sweep.
type File struct {
	stream  *sparse.Stream
	label   func(row int, y, weight []float64) error
	weigh   bool
	shards  int
	first   int // shard that this rank owns
	workers int

	cuts   []int // first row of every block of this rank, and the end of the last
	blocks []int // number of the first block of each shard of this rank, and of all
	stay   []bool
	kept   []float64 // a number a row, from row cuts[0] on, or nil
	parts  []*filePart

	progress func(rows, bytes int64)
	used     atomic.Int64 // rows
}

// filePart is a block in memory.
type filePart struct {
	sparse.StreamPart
	weight []float64
}

// FileOptions of a File.
type FileOptions struct {
	Shards, Rank, Ranks int
	// Workers is the most that will load at a time.
	Workers int
	// Room is how many bytes all rows in memory may take.
	Room int64
	// Label makes y of the labels of the file from a row on, and, with Weigh, weights.
	Label func(row int, y, weight []float64) error
	Weigh bool
	// Progress is told after every block how many rows were loaded so far, and how many
	// bytes were read; nil for nobody.
	Progress func(rows, bytes int64)
}

// Sizes of blocks: of the usual ones, which reading and computing share well, and of those
// for which fewer workers are taken rather than smaller ones.
const (
	usualBlock = 4 << 20
	leastBlock = 1 << 19
)

// RoomError says that there is less room than the rows of a File need.
type RoomError struct{ Room, Need int64 }

func (e *RoomError) Error() string {
	return fmt.Sprintf("shards: rows need %d bytes, and there is room for %d", e.Need, e.Room)
}

// NewFile plans how to read the rows of a stream.
func NewFile(s *sparse.Stream, o FileOptions) (*File, error) {
	f := &File{stream: s, label: o.Label, weigh: o.Weigh, shards: o.Shards, progress: o.Progress}
	first, end := Owned(o.Shards, o.Rank, o.Ranks)
	f.first = first
	need := f.need(first, end)
	f.workers = max(o.Workers, 1)
	for f.workers > 1 && o.Room/int64(2*f.workers) < max(need, leastBlock) {
		f.workers--
	}
	if o.Room/2 < need {
		return nil, &RoomError{o.Room, 2 * need}
	}
	size := max(min(o.Room/int64(2*f.workers), usualBlock), need)
	f.cut(first, end, size)
	f.keep(o.Room - 2*int64(f.workers)*size)
	return f, nil
}

// need is what the largest piece takes.
func (f *File) need(first, end int) (largest int64) {
	for v := first; v < end; v++ {
		last := Cut(f.Rows(), f.shards, v+1)
		for row := Cut(f.Rows(), f.shards, v); row < last; row += Piece {
			largest = max(largest, f.room(row, min(row+Piece, last)))
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
			next := f.stream.Fit(row, last, size)
			for {
				if next < last {
					next = min(row+max((next-row)/Piece, 1)*Piece, last)
				}
				if f.room(row, next) <= size || next-row <= Piece {
					break
				}
				next = row + (next-row)*3/4
			}
			row = next
			f.cuts = append(f.cuts, row)
		}
		f.blocks = append(f.blocks, len(f.cuts)-1)
	}
}

// room is what rows take in memory.
func (f *File) room(first, end int) int64 {
	room := f.stream.Room(first, end)
	if f.weigh {
		room += 8 * int64(end-first)
	}
	return room
}

// keep decides what is kept with the rest of the room: first a number a row, which saves
// computing, and then blocks, evenly among those that are read.
func (f *File) keep(rest int64) {
	count := len(f.cuts) - 1
	if rows := f.cuts[count] - f.cuts[0]; rest >= 8*int64(rows) {
		f.kept = make([]float64, rows)
		rest -= 8 * int64(rows)
	}
	f.stay, f.parts = make([]bool, count), make([]*filePart, count)
	total := int64(0)
	for k := range count {
		total += f.room(f.cuts[k], f.cuts[k+1])
	}
	share, due := 0.0, 0.0
	if total > 0 {
		share = float64(rest) / float64(total)
	}
	for k := range count {
		room := f.room(f.cuts[k], f.cuts[k+1])
		if due += share * float64(room); due >= float64(room)*(1-1e-9) && rest >= room {
			due, rest = due-float64(room), rest-room
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

// Slow is true.
func (f *File) Slow() bool { return true }

// Load reads a block, unless it is in memory.
func (f *File) Load(b *Block, shard, block int) error {
	k := f.blocks[shard-f.first] + block
	first, end := f.cuts[k], f.cuts[k+1]
	part := f.parts[k]
	if part == nil {
		if f.stay[k] {
			part = new(filePart)
		} else if part, _ = b.Own.(*filePart); part == nil {
			part = new(filePart)
			b.Own = part
		}
		if err := f.read(part, first, end); err != nil {
			return err
		}
		if f.stay[k] {
			part.Trim()
			f.parts[k] = part
		}
	}
	b.X, b.First, b.Row = part.X, first-part.First, first
	b.Y, b.Weight, b.Kept = part.Y[b.First:b.First+end-first], nil, nil
	if f.weigh {
		b.Weight = part.weight[:end-first]
	}
	if f.kept != nil {
		b.Kept = f.kept[first-f.cuts[0] : end-f.cuts[0]]
	}
	if used := f.used.Add(int64(end - first)); f.progress != nil {
		_, bytes := f.stream.Progress()
		f.progress(used, bytes)
	}
	return nil
}

func (f *File) read(part *filePart, first, end int) error {
	if err := f.stream.Read(&part.StreamPart, first, end); err != nil {
		return err
	}
	var weight []float64
	if f.weigh {
		if cap(part.weight) < end-first {
			part.weight = make([]float64, end-first)
		}
		weight = part.weight[:end-first]
	}
	y := part.Y[first-part.First : end-part.First]
	if f.label == nil {
		return nil
	}
	return f.label(first, y, weight)
}
