package vector

import (
	"math"

	"github.com/lanes-go/lanes/asm/vector"
)

// mostWords are the words whose bits can be counted in 32 bits.
const mostWords = math.MaxInt32 / 64

// Hamming returns the number of bits in which x and y differ.
//
// Error: x and y differ in length, or have more than 33,554,431 words. Cost: a count a word, 16n
// bytes read.
func Hamming(x, y []uint64) (int32, error) {
	switch {
	case len(x) != len(y):
		return 0, unequal[ofHamming]{len(x), len(y)}
	case len(x) > mostWords:
		return 0, tooLong("Hamming", len(x), mostWords)
	}
	return vector.Hamming(x, y), nil
}

// Jaccard returns the similarity of two sets of bits, from 0 to 1: the number of bits that both
// have, over the number that one of them has at least. It is 0 where both are empty. The quotient
// is rounded to float64 and then to float32.
//
// Error: x and y differ in length, or have more than 33,554,431 words. Cost: two counts a word, 16n
// bytes read.
func Jaccard(x, y []uint64) (float32, error) {
	switch {
	case len(x) != len(y):
		return 0, unequal[ofJaccard]{len(x), len(y)}
	case len(x) > mostWords:
		return 0, tooLong("Jaccard", len(x), mostWords)
	}
	return vector.Jaccard(x, y), nil
}

// HammingRows writes to dst[k] the number of bits in which the query and a row differ. Rows, list
// and stride are as in DotRows, in words.
//
// Error: as in DotRows, or the query has more than 33,554,431 words. Cost: a count and 8 bytes read
// a word of a row.
func HammingRows(dst []int32, query, rows []uint64, stride int, list []uint32) error {
	if done, err := checkRows("HammingRows", mostWords, dst, query, rows, stride, list); done {
		return err
	}
	vector.HammingRows(dst, query, rows, stride, list)
	return nil
}

// JaccardRows writes to dst[k] the similarity of the query and a row, as Jaccard does. Rows, list
// and stride are as in DotRows, in words.
//
// Error: as in DotRows, or the query has more than 33,554,431 words. Cost: two counts and 8 bytes
// read a word of a row.
func JaccardRows(dst []float32, query, rows []uint64, stride int, list []uint32) error {
	if done, err := checkRows("JaccardRows", mostWords, dst, query, rows, stride, list); done {
		return err
	}
	vector.JaccardRows(dst, query, rows, stride, list)
	return nil
}
