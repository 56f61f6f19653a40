//go:build !purego

package dispatch

import (
	"encoding/binary"
	"strings"
)

// ask is the instruction CPUID: leaf goes in EAX, sub in ECX. A virtual machine asks its host
// at every one, which takes microseconds: package cpuid, which asks for everything there is
// when a program starts, would be a good part of a small program's time.
func ask(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

const (
	firstExtended = 0x80000000
	nameLeaves    = 0x80000002 // to 0x80000004
	cacheIntel    = 4
	featuresAMD   = 0x80000001
	topology      = 1 << 22    // of featuresAMD, ECX: whether there is cacheAMD
	cacheAMD      = 0x8000001d // the same form as cacheIntel
	oldL1AMD      = 0x80000005
	oldL2AMD      = 0x80000006
)

// vendor is how the CPU spells it, and the last of the leaves.
func vendor() (name string, last uint32) {
	last, b, c, d := ask(0, 0)
	return text(b, d, c), last
}

func text(registers ...uint32) string {
	var all []byte
	for _, r := range registers {
		all = binary.LittleEndian.AppendUint32(all, r)
	}
	return strings.Trim(string(all), " \x00")
}

// caches asks the CPU for the sizes of its caches.
func caches() (c Cache) {
	name, last := vendor()
	leaf := uint32(cacheIntel)
	switch name {
	case "AuthenticAMD", "HygonGenuine":
		leaf = cacheAMD
		last, _, _, _ = ask(firstExtended, 0)
		if last >= cacheAMD {
			if _, _, features, _ := ask(featuresAMD, 0); features&topology == 0 {
				last = cacheAMD - 1
			}
		}
	case "GenuineIntel":
	default:
		return c
	}
	const most = 16 // of one that gives the same cache for ever
	for k := uint32(0); leaf <= last && k < most; k++ {
		a, b, sets, _ := ask(leaf, k)
		kind, level := a&31, a>>5&7
		if kind == 0 {
			break
		}
		size := int(b&0xfff+1) * int(b>>12&0x3ff+1) * int(b>>22+1) * int(sets+1)
		switch {
		case level == 1 && kind != 2: // 2 is for instructions
			c.L1Data = size
		case level == 2:
			c.L2 = size
		case level == 3:
			c.L3 = size
		}
	}
	if c.L2 == 0 && leaf == cacheAMD && last >= oldL2AMD {
		_, _, l1, _ := ask(oldL1AMD, 0)
		_, _, l2, _ := ask(oldL2AMD, 0)
		c.L1Data, c.L2 = int(l1>>24)<<10, int(l2>>16)<<10
	}
	return c
}

// describe asks the CPU what it is.
func describe() (p processor) {
	var last uint32
	p.vendor, last = vendor()
	p.cache = caches()
	if last >= 1 {
		a, b, _, _ := ask(1, 0)
		p.cache.Line = int(b >> 8 & 0xff * 8)
		p.family, p.model = int(a>>8&0xf), int(a>>4&0xf)
		if p.family == 6 || p.family == 15 {
			p.model += int(a >> 12 & 0xf0)
		}
		if p.family == 15 {
			p.family += int(a >> 20 & 0xff)
		}
	}
	if extended, _, _, _ := ask(firstExtended, 0); extended >= nameLeaves+2 {
		var all []uint32
		for leaf := uint32(nameLeaves); leaf <= nameLeaves+2; leaf++ {
			a, b, c, d := ask(leaf, 0)
			all = append(all, a, b, c, d)
		}
		p.name = text(all...)
	}
	return p
}
