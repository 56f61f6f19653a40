package sparse

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
)

// fingerprintHead names the encoding that Fingerprint hashes.
const fingerprintHead = "lanes data 1\n"

// Fingerprint returns the SHA-256, in hexadecimal digits, of the rows of d. It covers the numbers
// of rows and columns, labels with their words, groups, weights and offsets. It also covers the
// encoder of a table, and all entries with their values. Equal rows have equal fingerprints on
// every machine, in any layout, whether they were read from text or from a cache. A stored zero
// counts as an entry.
//
// The hash is over a line with the version of the encoding, and then numbers. All numbers are 64
// bits, little endian; floating-point numbers are their bits. First come rows, columns, number of
// words, and the length and bytes of each word. Then comes a sum: 1 if there are groups, 2 if
// there are weights, 4 if there are offsets and 8 if there is an Encoding. The Encoding's length
// and bytes follow. Then comes each row: its label, its group, weight and offset as far as there
// are any, and the number of its entries. The row ends with the column (from 0) and value of each
// entry in ascending columns.
//
// It takes one pass over the entries, about a second for 50 million, and the memory of the
// longest row.
func (d *Data) Fingerprint() (string, error) {
	if d == nil || d.X == nil {
		return "", errors.New("sparse: Fingerprint: there are no data")
	}
	n := d.X.Rows()
	if len(d.Y) != n || d.Query != nil && len(d.Query) != n {
		return "", fmt.Errorf("sparse: Fingerprint: %d labels and %d groups for %d rows", len(d.Y), len(d.Query), n)
	}
	if d.Weight != nil && len(d.Weight) != n || d.Offset != nil && len(d.Offset) != n {
		return "", fmt.Errorf("sparse: Fingerprint: %d weights and %d offsets for %d rows", len(d.Weight), len(d.Offset), n)
	}
	flags, _ := flagsOf(d)
	f := newRowHash(n, d.X.Cols(), d.LabelNames, flags, d.Encoding)
	f.add(d, 0, n)
	return f.text(), nil
}

// Fingerprint returns the Fingerprint of the data in the file, whatever the view. It reads the
// file once. Once ctx is done, it returns an error that wraps ctx.Err().
func (s *Stream) Fingerprint(ctx context.Context) (string, error) {
	f := newRowHash(s.Rows(), int(s.shape.d), s.names, s.shape.flags, s.Encoding())
	var query []int64
	err := s.sweep(ctx, 0, s.Rows(), func(g *StreamGroup, first, end int) {
		query = g.read.queries(query[:0])
		f.add(&Data{X: g.Rows(), Y: g.Y, Query: query, Weight: g.Weight, Offset: g.Offset}, first, end)
	})
	if err != nil {
		return "", err
	}
	return f.text(), nil
}

// rowHash hashes rows as they come.
type rowHash struct {
	sum  hash.Hash
	line []byte
}

func newRowHash(n, d int, words []string, flags uint8, encoding []byte) *rowHash {
	number := binary.LittleEndian.AppendUint64
	head := number(number([]byte(fingerprintHead), uint64(n)), uint64(d))
	head = number(head, uint64(len(words)))
	for _, word := range words {
		head = append(number(head, uint64(len(word))), word...)
	}
	has := uint64(0)
	for k, flag := range []uint8{cacheQueries, cacheWeights, cacheOffsets} {
		if flags&flag != 0 {
			has |= 1 << k
		}
	}
	if encoding != nil {
		has |= 8
	}
	head = number(head, has)
	if encoding != nil {
		head = append(number(head, uint64(len(encoding))), encoding...)
	}
	f := &rowHash{sum: sha256.New()}
	f.sum.Write(head)
	return f
}

// add hashes rows first to end-1.
func (f *rowHash) add(data *Data, first, end int) {
	number, m := binary.LittleEndian.AppendUint64, data.X
	for i := first; i < end; i++ {
		line := number(f.line[:0], math.Float64bits(data.Y[i]))
		if len(data.Query) > 0 {
			line = number(line, uint64(data.Query[i]))
		}
		for _, v := range [][]float64{data.Weight, data.Offset} {
			if len(v) > 0 {
				line = number(line, math.Float64bits(v[i]))
			}
		}
		at, entries := len(line), uint64(0)
		line = number(line, 0)
		for j, v := range m.Row(i) {
			line = number(number(line, uint64(j)), math.Float64bits(v))
			entries++
		}
		binary.LittleEndian.PutUint64(line[at:], entries)
		f.sum.Write(line)
		f.line = line
	}
}

func (f *rowHash) text() string { return hex.EncodeToString(f.sum.Sum(nil)) }
