package table

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
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
	text  []byte // of all keys; its capacity has pad bytes more
}

// The secrets of hashes, without which nobody can write keys that share slots.
var (
	dictionarySeed   = maphash.MakeSeed()
	dictionarySecret = [2]uint64{maphash.String(dictionarySeed, "first"), maphash.String(dictionarySeed, "second")}
)

// shortKey is the text of a key of up to 16 bytes, with zeros behind it.
type shortKey struct{ a, b uint64 }

// shortOf returns the first n bytes of text, up to 16, of which pad can be read.
func shortOf(text []byte, n int) shortKey {
	text = text[:pad]
	return shortKey{lowBytes(binary.LittleEndian.Uint64(text), n), lowBytes(binary.LittleEndian.Uint64(text[8:]), max(n-8, 0))}
}

// lowBytes keeps the lowest n bytes of w.
func lowBytes(w uint64, n int) uint64 { return w &^ (^uint64(0) << (8 * uint(n))) }

// copied returns a key of up to 16 bytes, behind which nothing need be readable.
func copied(key []byte) shortKey {
	var text [pad]byte
	copy(text[:], key)
	return shortKey{binary.LittleEndian.Uint64(text[:]), binary.LittleEndian.Uint64(text[8:])}
}

// hash returns the hash of a key of n bytes.
func (s shortKey) hash(n int) uint64 {
	high, low := bits.Mul64(s.a^dictionarySecret[0], s.b^dictionarySecret[1]^uint64(n)<<56)
	return high ^ low
}

// len is the number of keys.
func (d *dictionary) len() int { return len(d.ends) }

// key returns a key by its number, behind which pad bytes can be read. The slice is valid until the
// dictionary changes; nobody appends to it.
func (d *dictionary) key(k int) []byte {
	from := 0
	if k > 0 {
		from = d.ends[k-1]
	}
	return d.text[from:d.ends[k]]
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
	k := -1
	if len(key) <= pad {
		short := copied(key)
		_, k = d.shortSlot(short.hash(len(key)), short, len(key))
	} else {
		_, k = d.slot(maphash.Bytes(dictionarySeed, key), key)
	}
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

// shortSlot is slot of a key of n bytes, which are up to 16.
func (d *dictionary) shortSlot(hash uint64, key shortKey, n int) (slot, number int) {
	mask := len(d.slots) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		s := d.slots[i]
		if s == 0 {
			return i, -1
		}
		if (s^hash)>>32 == 0 {
			k := int(uint32(s)) - 1
			from := 0
			if k > 0 {
				from = d.ends[k-1]
			}
			if d.ends[k]-from == n && shortOf(d.text[from:], n) == key {
				return i, k
			}
		}
	}
}

// add returns the number of a key, which it copies if it is new. There may be 2^32-2 keys.
func (d *dictionary) add(key []byte) int {
	if len(key) <= pad {
		return d.addShort(copied(key), len(key))
	}
	if len(d.ends) == d.room() {
		d.grow()
	}
	hash := maphash.Bytes(dictionarySeed, key)
	slot, k := d.slot(hash, key)
	if k < 0 {
		d.reserve(len(key))
		k = len(d.ends)
		d.text = append(d.text, key...)
		d.ends = append(d.ends, len(d.text))
		d.slots[slot] = hash&^(1<<32-1) | uint64(k+1)
	}
	return k
}

// addCell is add of a key behind which pad bytes can be read.
func (d *dictionary) addCell(key []byte) int {
	if len(key) <= pad {
		return d.addShort(shortOf(key, len(key)), len(key))
	}
	return d.add(key)
}

// addShort is add of a key of n bytes, which are up to 16.
func (d *dictionary) addShort(key shortKey, n int) int {
	if len(d.ends) == d.room() {
		d.grow()
	}
	hash := key.hash(n)
	slot, k := d.shortSlot(hash, key, n)
	if k < 0 {
		d.reserve(n)
		k = len(d.ends)
		from := len(d.text)
		d.text = d.text[:from+n]
		behind := d.text[from : from+pad]
		binary.LittleEndian.PutUint64(behind, key.a)
		binary.LittleEndian.PutUint64(behind[8:], key.b)
		d.ends = append(d.ends, from+n)
		d.slots[slot] = hash&^(1<<32-1) | uint64(k+1)
	}
	return k
}

// reserve makes room for n bytes of a key and for pad bytes behind them.
func (d *dictionary) reserve(n int) {
	if need := len(d.text) + n + pad; need > cap(d.text) {
		d.text = withRoom(d.text, max(need, 2*len(d.text)))
	}
}

// room is the number of keys for which there are slots.
func (d *dictionary) room() int { return len(d.slots) / 4 * 3 }

// growth is how many times as many slots follow some: small tables grow faster, as every growth
// places all keys anew.
func growth(slots int) int {
	if slots < 1<<12 {
		return 4
	}
	return 2
}

func (d *dictionary) grow() {
	before := d.slots
	d.slots = make([]uint64, max(4, growth(len(before))*len(before)))
	d.ends = withRoom(d.ends, d.room())
	if n := len(before); n > 0 {
		// Room for as many keys as there are slots for, if they are as long as those before.
		if need := len(d.text)*(len(d.slots)/n) + pad; need > cap(d.text) {
			d.text = withRoom(d.text, need)
		}
	}
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

// withRoom returns a copy of s with room for n elements. Unlike slices.Grow it does not touch the
// memory behind them.
func withRoom[T any](s []T, n int) []T { return append(make([]T, 0, max(n, len(s))), s...) }

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
