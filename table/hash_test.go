package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The hashes agree with MurmurHash3's own verification value and with hashes of known texts.
func TestMurmur3(t *testing.T) {
	// Appleby's test: the hashes of 0, 0 1, 0 1 2 ... with seeds 256, 255, ..., hashed together.
	var key, hashes []byte
	for k := range 256 {
		h := murmur3(key, uint32(256-k))
		hashes = append(hashes, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
		key = append(key, byte(k))
	}
	if h := murmur3(hashes, 0); h != 0xB0F57EE3 {
		t.Errorf("verification value %#x, want 0xB0F57EE3", h)
	}
	if h := murmur3([]byte("The quick brown fox jumps over the lazy dog"), 0); h != 0x2e4ff723 {
		t.Errorf("%#x", h)
	}
}

func TestAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bits := range []int{1, 3, 5, 6, 20, 30} {
		m := &rowMaker{e: &Encoder{recipe: Recipe{Hash: bits}}}
		for n := range 150 {
			var keys []uint64
			for k := range n {
				keys = append(keys, uint64(r.Uint32()>>(32-bits))<<32|uint64(k))
			}
			want := slices.Sorted(slices.Values(keys))
			if m.ascend(keys); !slices.Equal(keys, want) {
				t.Fatalf("%d bits, %d keys: %x, want %x", bits, n, keys, want)
			}
		}
	}
}
