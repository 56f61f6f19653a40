package table

import (
	"encoding/binary"
	"math/bits"
)

// murmur3 returns the 32-bit MurmurHash3 (x86) of text, the hash of Vowpal Wabbit. The hash of a
// column's name is the seed for the values of the column.
func murmur3(text []byte, seed uint32) uint32 {
	h, n := seed, len(text)
	for len(text) >= 4 {
		h = murmurBlock(h, binary.LittleEndian.Uint32(text))
		text = text[4:]
	}
	tail := uint32(0)
	switch len(text) {
	case 3:
		tail = uint32(text[2]) << 16
		fallthrough
	case 2:
		tail |= uint32(text[1]) << 8
		fallthrough
	case 1:
		tail |= uint32(text[0])
		h ^= bits.RotateLeft32(tail*murmurFirst, 15) * murmurSecond
	}
	return murmurEnd(h, n)
}

func murmurBlock(h, block uint32) uint32 {
	h ^= bits.RotateLeft32(block*murmurFirst, 15) * murmurSecond
	return bits.RotateLeft32(h, 13)*5 + 0xe6546b64
}

func murmurEnd(h uint32, n int) uint32 {
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

const murmurFirst, murmurSecond = 0xcc9e2d51, 0x1b873593

// murmurCell is murmur3 of the first n bytes of text, behind which pad bytes can be read, with the seed 0.
func murmurCell(text []byte, n int) uint32 {
	h, k := uint32(0), n
	for ; k >= 8; k -= 8 {
		w := binary.LittleEndian.Uint64(text)
		h = murmurBlock(murmurBlock(h, uint32(w)), uint32(w>>32))
		text = text[8:]
	}
	w := binary.LittleEndian.Uint64(text)
	if k >= 4 {
		h = murmurBlock(h, uint32(w))
		w, k = w>>32, k-4
	}
	// No bytes leave h as it is.
	h ^= bits.RotateLeft32(uint32(lowBytes(w, k))*murmurFirst, 15) * murmurSecond
	return murmurEnd(h, n)
}

// crossed returns the hash of a pair of values from their hashes, as Vowpal Wabbit does for
// quadratic features.
func crossed(a, b uint32) uint32 { return a*16777619 ^ b }
