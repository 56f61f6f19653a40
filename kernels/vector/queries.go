package vector

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// blockBytes is how much of the rows is compared with all queries before the next rows: it stays in
// the first cache beside a query.
const blockBytes = 16 << 10

// Queries computes what a function on rows, such as DotRows, does for several queries: dst holds
// the results of the first query, then the results of the second, and so on. Query q is queries[q*n:][:n].
// Rows, stride and list are as in DotRows. A few rows at a time are compared with all queries, so
// that rows are read from memory once: from two queries on this is faster than a call for each,
// where rows do not fit into the second cache. The results are the same.
//
// Error: n is below 1, queries holds no whole number of them, or dst no whole number of results for
// each; else as the function says for the same dst. Nothing is written then.
func Queries[D Score, T float32 | int8 | uint64](dst []D, queries []T, n int, rows []T, stride int, list []uint32, of func(dst []D, query, rows []T, stride int, list []uint32) error) error {
	switch {
	case n < 1:
		return fmt.Errorf("vector.Queries: n is %d; it must be at least 1", n)
	case len(queries)%n != 0:
		return fmt.Errorf("vector.Queries: queries has %d elements; they must be a multiple of n, which is %d", len(queries), n)
	case len(queries) == 0 && len(dst) > 0 || len(queries) > 0 && len(dst)%(len(queries)/n) != 0:
		return fmt.Errorf("vector.Queries: dst has %d elements for %d queries; they must be a multiple", len(dst), len(queries)/n)
	case len(dst) == 0:
		return nil
	case arguments.Overlap(dst, queries) || arguments.Overlap(dst, rows) || arguments.Overlap(dst, list):
		return fmt.Errorf("vector.Queries: dst overlaps what the function reads")
	}
	count := len(dst) / (len(queries) / n)
	if _, err := checkRows("Queries", math.MaxInt, dst[:count], queries[:n], rows, stride, list); err != nil {
		return err
	}
	block := max(1, blockBytes/(n*int(unsafe.Sizeof(rows[0]))))
	for from := 0; from < count; from += block {
		to := min(count, from+block)
		part, numbers := rows, list
		if list != nil {
			numbers = list[from:to]
		} else {
			part = rows[from*stride:]
		}
		for q := 0; q*n < len(queries); q++ {
			if err := of(dst[q*count+from:q*count+to], queries[q*n:][:n], part, stride, numbers); err != nil {
				return err
			}
		}
	}
	return nil
}
