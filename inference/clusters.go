package inference

import (
	"errors"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/shards"
)

// clusters says where groups of rows end. A group is open from its first row on to its last: a sum over its rows is
// held no longer.
type clusters struct {
	of   []int64       // the group of each row
	last map[int64]int // the last row of each group
	open int           // the most groups that are open at a time
}

// bytesCluster is what a group takes in the map, which may be half empty, and bytesOpen in the maps of open groups.
const bytesCluster, bytesOpen = 64, 128

// clustersOf counts groups. It leaves off at the first one for which bytes are not enough, where these are above 0.
func clustersOf(of []int64, bytes int64) *clusters {
	c := &clusters{of: of, last: make(map[int64]int)}
	for i, group := range of {
		c.last[group] = i
		if bytes > 0 && c.bytes(0) > bytes {
			return c
		}
	}
	open := make(map[int64]bool)
	for i, group := range of {
		open[group] = true
		c.open = max(c.open, len(open))
		if c.last[group] == i {
			delete(open, group)
		}
	}
	return c
}

// bytes is the memory that groups of d columns take.
func (c *clusters) bytes(d int) int64 {
	return bytesCluster*int64(len(c.last)) + (8*int64(d)+bytesOpen)*int64(c.open)
}

// clustered is the sum of u u' over groups, as a lower triangle, where u is the sum of c_i x_i over the
// rows of a group. One goroutine takes the rows in their order.
func (e *estimate) clustered() ([]float64, error) {
	k, row := len(e.kept), 0
	meat, picked := make([]float64, k*k), make([]float64, k)
	open, free := make(map[int64][]float64), [][]float64(nil)
	how := e.how
	how.Workers, e.group = 1, nil
	err := shards.NewGroup(e.from, how).Sum(make([]float64, 1), func(_ int, b *shards.Block, _ []float64) error {
		for from, to := range b.Pieces {
			_, c, _, _ := e.slopes(&e.work[0], b, from, to)
			s := b.Weights(from, to)
			for i := range c {
				row = b.Row + from + i
				group := e.clusters.of[row]
				u := open[group]
				if direct.Weight(s, i) > 0 {
					if u == nil {
						if len(free) == 0 {
							free = append(free, make([]float64, e.d))
						}
						u, free = free[len(free)-1], free[:len(free)-1]
						open[group] = u
					}
					direct.Must(b.X.AddRun(u, b.First+from+i, c[i:i+1]))
				}
				if e.clusters.last[group] != row || u == nil {
					continue
				}
				for p, j := range e.kept {
					picked[p] = u[j]
				}
				for p, v := range picked {
					if v != 0 {
						direct.Axpy(v, picked[:p+1], meat[p*k:p*k+p+1])
					}
				}
				clear(u)
				free = append(free, u)
				delete(open, group)
				e.groups++
			}
		}
		return nil
	})
	if err == nil && e.groups < 2 {
		err = errors.New("inference: all rows are of one group: errors by groups need two or more")
	}
	return meat, err
}
