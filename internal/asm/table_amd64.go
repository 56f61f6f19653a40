//go:build !purego

package asm

// Tables lists the implementations compiled into this binary, in ascending
// order of preference. Whether the CPU can run one is dispatch's business.
var Tables = []*Table{&Generic, &avx2, &avx512}

var avx2 = Table{
	Path:      "avx2",
	Rows:      rowsAVX2,
	Vector:    vectorAVX2,
	Lazy:      lazyAVX2,
	Element:   elementAVX2,
	Dense:     denseAVX2,
	Pairs:     pairsAVX2,
	Wide:      wideAVX2,
	PairBlock: pairBlockAVX2,
	Threshold: thresholdAVX2,
}

// avx512 takes the AVX2 kernel wherever AVX-512 was not measured to win.
var avx512 = Table{
	Path:      "avx512",
	Rows:      rowsAVX2,
	Vector:    vectorAVX2,
	Lazy:      lazyAVX2,
	Element:   elementAVX512,
	Dense:     denseAVX512,
	Pairs:     pairsAVX2,
	Wide:      wideAVX2,
	PairBlock: pairBlockAVX512,
	Threshold: thresholdAVX512,
}
