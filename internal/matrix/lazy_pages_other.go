//go:build !linux

package matrix

func preferHugePages([]Record) {}
