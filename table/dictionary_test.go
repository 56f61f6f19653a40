package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDictionaryNumbersKeysInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var d dictionary
	if d.find(nil) != -1 || d.find([]byte("a")) != -1 {
		t.Fatal("an empty dictionary finds keys")
	}
	for range 2 {
		numbers := map[string]int{}
		var keys []string
		for range 50_000 {
			key := fmt.Sprint(random.IntN(9_000))
			if key == "7" {
				key = ""
			}
			want, known := numbers[key]
			if !known {
				want = len(keys)
				if d.find([]byte(key)) != -1 {
					t.Fatalf("%q is found before it is added", key)
				}
				numbers[key], keys = want, append(keys, key)
			}
			if got := d.add([]byte(key)); got != want || d.find([]byte(key)) != want {
				t.Fatalf("%q has number %d and %d, want %d", key, got, d.find([]byte(key)), want)
			}
		}
		size := int64(0)
		for k, key := range keys {
			if string(d.key(k)) != key {
				t.Fatalf("key %d is %q, want %q", k, d.key(k), key)
			}
			size += int64(len(key)) + dictionaryKey
		}
		if d.len() != len(keys) || d.size() != size {
			t.Fatalf("%d keys of %d bytes, want %d of %d", d.len(), d.size(), len(keys), size)
		}
		if order := d.sorted(); !slices.IsSortedFunc(order, func(a, b int) int { return bytes.Compare(d.key(a), d.key(b)) }) {
			t.Fatal("not sorted")
		}
		d.clear()
		if d.len() != 0 || d.find([]byte("1")) != -1 {
			t.Fatal("clear leaves keys")
		}
	}
}

func TestDictionaryLooksUpWithoutAllocation(t *testing.T) {
	var d dictionary
	key := []byte("category")
	d.add(key)
	if n := testing.AllocsPerRun(100, func() { d.add(key); d.find(key) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkDictionary(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := make([][]byte, 1<<16)
	for k := range keys {
		keys[k] = fmt.Appendf(nil, "%08x", uint32(random.ExpFloat64()*1000))
	}
	var d dictionary
	for b.Loop() {
		for _, key := range keys {
			d.add(key)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
}
