package bench

import "github.com/lanes-go/lanes/asm/rows"

// lengths returns the lengths of --lengths, or the default lengths.
func (o *Options) lengths(quick, full []int) []int {
	switch {
	case len(o.Lengths) > 0:
		return o.Lengths
	case o.Quick:
		return quick
	}
	return full
}

// manyOperations is the number of operations that take longer than the element's way from memory.
const manyOperations = 20

// The shortest lengths show what a call costs, 1,024 what the first cache gives, and the
// longest what memory gives.
func vectorSizes(o *Options, w work, most int) (sizes []Size) {
	lengths := o.lengths([]int{8, 1024, 1 << 17, most}, []int{1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096, 1 << 14, 1 << 16, 1 << 18, 1 << 20, most})
	for _, n := range lengths {
		if n <= most && (w.longest == 0 || n <= w.longest) && !(o.Quick && n == most && w.operations >= manyOperations) {
			sizes = append(sizes, Size{Length: n})
		}
	}
	return sizes
}

// The kernels take positives by eights, and what is between pairs grows by the square.
func pairSizes(o *Options, _ work, _ int) (sizes []Size) {
	for _, n := range o.lengths([]int{16, 104}, []int{8, 16, 32, 104, 256}) {
		if n%8 == 0 && n <= 1024 {
			sizes = append(sizes, Size{Length: n})
		}
	}
	return sizes
}

// few are the columns whose weights lie in the first cache, more those in the second,
// many those beyond.
const few, more, many = 1 << 11, 1 << 16, 1 << 20

// The rows lie in the second cache, or, where there are more of them, as far as the last
// size says.
func rowSizes(o *Options, _ work, most int) (sizes []Size) {
	for _, n := range o.lengths([]int{4, 64}, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
		if n <= few {
			sizes = append(sizes, Size{n, few, 1 << 14})
		}
	}
	switch {
	case len(o.Lengths) > 0:
		return sizes
	case o.Quick:
		return append(sizes, Size{64, more, more})
	}
	return append(sizes, Size{16, more, more}, Size{64, more, more}, Size{256, more, more},
		Size{64, many, many}, Size{512, many, many}, Size{16, few, most})
}

func sparseSizes(o *Options, _ work, _ int) (sizes []Size) {
	for _, n := range o.lengths([]int{4, 76}, []int{1, 2, 4, 8, 14, 32, 76, 256, 512}) {
		if n <= few {
			sizes = append(sizes, Size{n, few, n})
		}
	}
	return sizes
}

// wideSizes are of 64 rows. The columns of the dense matrix are as the classes that there may be.
func wideSizes(o *Options, _ work, _ int) (sizes []Size) {
	for _, n := range o.lengths([]int{4, 20, 105}, []int{2, 4, 8, 20, 105, 256}) {
		if n <= few {
			sizes = append(sizes, Size{n, 256, 64 * wideRow})
		}
	}
	return sizes
}

// entryBytes returns the bytes of a non-zero in a layout: its index and its value.
func entryBytes(layout string) float64 {
	return map[string]float64{
		layoutNames[rows.I32F64]: 12, layoutNames[rows.I32F32]: 8, layoutNames[rows.I32Ones]: 4,
		layoutNames[rows.I16F64]: 10, layoutNames[rows.I16F32]: 6, layoutNames[rows.I16Ones]: 2,
		layoutNames[rows.I32Decimals]: 8, layoutNames[rows.I32Codes]: 6, layoutNames[rows.I16Decimals]: 6, layoutNames[rows.I16Codes]: 4,
	}[layout]
}

// ones tells whether a layout stores no values.
func ones(layout string) bool {
	return layout == layoutNames[rows.I32Ones] || layout == layoutNames[rows.I16Ones]
}

func rowDemand(kernel, layout string, w work, s Size) demand {
	n := float64(s.NonZeros)
	if w == (work{}) {
		return demand{elements: n}
	}
	count := n / float64(s.Length)
	d := demand{
		elements: n,
		// A row has a number of its own, and where it begins.
		read: n*entryBytes(layout) + 8*count*(1+w.reads), write: 8 * count * w.writes,
		loads: n * w.loads, stores: n * w.stores, scattered: 8 * float64(s.Columns),
		operations: n * w.operations,
	}
	if kernel != "rows.Dot" && kernel != "rows.Dot2" && kernel != "rows.Add" { // records, and a list
		d.scattered = 32 * float64(s.Columns)
		d.read += 4 * count
	}
	switch layout {
	case layoutNames[rows.I32Ones], layoutNames[rows.I16Ones]:
		d.operations /= 2
	case layoutNames[rows.I32Decimals], layoutNames[rows.I16Decimals]:
		d.operations += 4 * n // a conversion, a product, and a fused product
	case layoutNames[rows.I32Codes], layoutNames[rows.I16Codes]:
		d.loads += n
	}
	d.streamed = d.read + d.write
	return d
}

func sparseDemand(_, layout string, w work, s Size) demand {
	d := vectorDemand(w, float64(s.NonZeros))
	d.read = d.elements * entryBytes(layout)
	d.streamed = d.read
	d.loads, d.stores, d.scattered = d.elements*w.loads, d.elements*w.stores, 8*float64(s.Columns)
	if ones(layout) {
		d.operations /= 2
		d.additions, d.multiplyAdds = d.additions+d.multiplyAdds, 0
	}
	return d
}

// wideDemand counts what goes through the dense matrix: the sparse rows, and the dense one
// of each, are read once for all of its columns.
func wideDemand(_, _ string, w work, s Size) demand {
	d := vectorDemand(w, float64(s.NonZeros*s.Length))
	d.streamed = 8 * float64(min(s.NonZeros, s.Columns)*s.Length)
	return d
}

// pairDemand returns the work for equal numbers of positives and of elements of the sample.
func pairDemand(_, _ string, w work, s Size) demand {
	return vectorDemand(w, float64(s.Length*s.Length))
}
