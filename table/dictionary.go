package table

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// dictionary numbers distinct keys from 0 in the order in which they are added. The zero
// dictionary is empty. Goroutines may look keys up at once while none of them adds.
type dictionary struct {
	// slots is a hash table with linear probing: the upper half of a key's hash, whose last bits are
	// its place, and its number plus one; 0 for a free slot. Its length is 0 or a power of two, and a
	// fourth of it or more is free.
	slots []uint64
	ends  []int  // of the keys in text
	text  []byte // of all keys
}

var dictionarySeed = maphash.MakeSeed()

// len is the number of keys.
func (d *dictionary) len() int { return len(d.ends) }

// key returns a key by its number. The slice is valid until the dictionary is cleared.
func (d *dictionary) key(k int) []byte {
	from := 0
	if k > 0 {
		from = d.ends[k-1]
	}
	return d.text[from:d.ends[k]:d.ends[k]]
}

// size is the number of bytes that the keys and their numbers take, apart from what slices hold
// in reserve. It depends on the set of keys alone.
func (d *dictionary) size() int64 { return int64(len(d.text)) + dictionaryKey*int64(len(d.ends)) }

// dictionaryKey is the number of bytes of a key beside its text: two slots, an end and a count.
const dictionaryKey = 32

// find returns the number of a key, or -1.
func (d *dictionary) find(key []byte) int {
	if len(d.slots) == 0 {
		return -1
	}
	_, k := d.slot(maphash.Bytes(dictionarySeed, key), key)
	return k
}

// slot returns the slot of a key and its number; or the free slot for it and -1.
func (d *dictionary) slot(hash uint64, key []byte) (slot, number int) {
	mask := len(d.slots) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		s := d.slots[i]
		if s == 0 {
			return i, -1
		}
		if (s^hash)>>32 == 0 {
			if k := int(uint32(s)) - 1; bytes.Equal(d.key(k), key) {
				return i, k
			}
		}
	}
}

// add returns the number of a key, which it copies if it is new. There may be 2^32-2 keys.
func (d *dictionary) add(key []byte) int {
	if len(d.ends) == d.room() {
		d.grow()
	}
	hash := maphash.Bytes(dictionarySeed, key)
	slot, k := d.slot(hash, key)
	if k < 0 {
		k = len(d.ends)
		d.text = append(d.text, key...)
		d.ends = append(d.ends, len(d.text))
		d.slots[slot] = hash&^(1<<32-1) | uint64(k+1)
	}
	return k
}

// room is the number of keys for which there are slots.
func (d *dictionary) room() int { return len(d.slots) / 4 * 3 }

func (d *dictionary) grow() {
	if d.slots == nil {
		d.text = make([]byte, 0, 16)
	}
	before := d.slots
	d.slots = make([]uint64, max(4, 2*len(before)))
	d.ends = slices.Grow(d.ends, d.room()-len(d.ends))
	mask := len(d.slots) - 1
	for _, s := range before {
		if s == 0 {
			continue
		}
		i := int(s>>32) & mask
		for d.slots[i] != 0 {
			i = (i + 1) & mask
		}
		d.slots[i] = s
	}
}

// clear takes all keys out and keeps the memory.
func (d *dictionary) clear() {
	clear(d.slots)
	d.ends, d.text = d.ends[:0], d.text[:0]
}

// sorted returns the numbers of all keys in the order of the keys' bytes.
func (d *dictionary) sorted() []int {
	order := make([]int, d.len())
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(d.key(a), d.key(b)) })
	return order
}
