package sparse

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
)

// fingerprintHead names the encoding that Fingerprint hashes.
const fingerprintHead = "lanes data 1\n"

// Fingerprint returns the SHA-256, in hexadecimal digits, of all that d says of its rows:
// their number, the columns, the labels with their words, the groups and the entries with
// their values. Equal rows have equal fingerprints on every machine, whatever the layout
// they are stored in and whether they were read from text or from a cache; a stored zero
// counts as an entry.
//
// What is hashed is a line with the version of the encoding, and then, with all numbers as
// 64 bits, little endian, and floating-point numbers by their bits: rows, columns, number
// of words, the length and bytes of each word, 1 if there are groups or else 0; and for
// each row its label, its group if there are groups, the number of its entries, and the
// column (from 0) and value of each in ascending columns.
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
	sum := sha256.New()
	number := binary.LittleEndian.AppendUint64
	head := number(number([]byte(fingerprintHead), uint64(n)), uint64(d.X.Cols()))
	head = number(head, uint64(len(d.LabelNames)))
	for _, word := range d.LabelNames {
		head = append(number(head, uint64(len(word))), word...)
	}
	grouped := uint64(0)
	if d.Query != nil {
		grouped = 1
	}
	sum.Write(number(head, grouped))
	var line []byte
	for i, y := range d.Y {
		line = number(line[:0], math.Float64bits(y))
		if d.Query != nil {
			line = number(line, uint64(d.Query[i]))
		}
		at, entries := len(line), uint64(0)
		line = number(line, 0)
		for j, v := range d.X.Row(i) {
			line = number(number(line, uint64(j)), math.Float64bits(v))
			entries++
		}
		binary.LittleEndian.PutUint64(line[at:], entries)
		sum.Write(line)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
