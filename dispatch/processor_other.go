//go:build !amd64 || purego

package dispatch

import "github.com/klauspost/cpuid/v2"

func caches() Cache {
	c := &cpuid.CPU
	return Cache{Line: max(0, c.CacheLine), L1Data: max(0, c.Cache.L1D), L2: max(0, c.Cache.L2), L3: max(0, c.Cache.L3)}
}

func describe() processor {
	c := &cpuid.CPU
	return processor{vendor: c.VendorString, name: c.BrandName, family: c.Family, model: c.Model, cache: caches()}
}
