package fuzz

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// forged returns a cache whose checksums fit whatever its content became: what
// damage cannot do, malice can. The sizes follow sparse/cache.go.
func forged(cache []byte) []byte {
	const header, block = 44, 1 << 20
	if len(cache) < header {
		return cache
	}
	b := bytes.Clone(cache)
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.LittleEndian.PutUint32(b[header-4:], crc32.Checksum(b[:header-4], table))
	n, entries := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[32:])
	index, value := uint64(4), []uint64{8, 4, 0}[b[12]%3]
	if b[12] >= 3 {
		index = 2
	}
	sizes := []uint64{4 * n, 8 * n, 8 * n * uint64(b[13]&1), 8 * n * uint64(b[13]>>1&1), index * entries, value * entries}
	at, number := uint64(header), uint64(0)
	for _, size := range sizes {
		if size == 0 {
			continue
		}
		if size > block || at+size+4 > uint64(len(b)) {
			return b
		}
		sum := crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint64(nil, number), table), table, b[at:at+size])
		binary.LittleEndian.PutUint32(b[at+size:], sum)
		at += size + 4
		number++
	}
	return b
}
