package table

import (
	"encoding/binary"
	"math/bits"
)

// murmur3 returns the 32-bit MurmurHash3 (x86) of text, the hash of Vowpal Wabbit. The hash of a
// column's name is the seed for the values of the column.
func murmur3(text []byte, seed uint32) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h, n := seed, len(text)
	for len(text) >= 4 {
		h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(text)*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
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
		h ^= bits.RotateLeft32(tail*c1, 15) * c2
	}
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// crossed returns the hash of a pair of values from their hashes, as Vowpal Wabbit does for
// quadratic features.
func crossed(a, b uint32) uint32 { return a*16777619 ^ b }
