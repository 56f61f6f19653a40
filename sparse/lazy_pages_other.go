//go:build !linux

package sparse

func preferHugePages([]Record) {}
