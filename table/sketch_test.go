package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A sketch has the values with the least hashes and all of their counts, however they are split among
// workers.
func TestSketch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, distinct := range []int{100, 1024, 1025, 20_000} {
		want := map[uint64]int64{}
		parts := make([]sketch, 3)
		for range 40_000 {
			k := int(random.ExpFloat64()*float64(distinct)) % distinct
			value, s := (&learner{}).pad(fmt.Append(nil, k)), &parts[random.IntN(len(parts))]
			want[uint64(murmur3(value, 0))<<32|uint64(murmur3(value, 1))] += 2
			if hash, takes := s.takes(value[:len(value)+pad], len(value)); takes {
				s.add(hash, 2, fits(hash&3))
			}
		}
		for k := range parts[1:] {
			parts[0].merge(&parts[1+k])
		}
		s := &parts[0]
		s.sort()
		hashes := make([]uint64, 0, len(want))
		for hash := range want {
			hashes = append(hashes, hash)
		}
		slices.Sort(hashes)
		hashes = hashes[:min(len(hashes), sketchSize)]
		if len(s.values) != len(hashes) {
			t.Fatalf("%d values of %d, want %d", len(s.values), distinct, len(hashes))
		}
		for k, hash := range hashes {
			if v := s.values[k]; v != (sketched{hash, want[hash], fits(hash & 3)}) {
				t.Fatalf("value %d of %d is %v, want the hash %d %d times", k, distinct, v, hash, want[hash])
			}
		}
	}
}
