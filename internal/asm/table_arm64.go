//go:build !purego

package asm

// Tables lists the implementations compiled into this binary, in ascending
// order of preference.
var Tables = []*Table{&Generic, &neon}

var neon = Table{
	Path:      "neon",
	Rows:      rowsNEON,
	Vector:    vectorNEON,
	Lazy:      lazyNEON,
	Element:   elementNEON,
	Dense:     denseNEON,
	Pairs:     pairsNEON,
	Wide:      wideNEON,
	PairBlock: pairBlockNEON,
	Threshold: thresholdNEON,
}
