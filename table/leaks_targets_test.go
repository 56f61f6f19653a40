package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	ranking "github.com/lanes-go/lanes/internal/base/order"
)

// TestSharesOfTargets: what columns explain of a target agrees with its definition, also beside crosses,
// which are not measured, and if numbers are read several times.
func TestSharesOfTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	header, text := "y,a,few,many,when,b\n", strings.Builder{}
	text.WriteString(header)
	var y []float64
	cells := map[string][]string{}
	for range 300 {
		k := random.IntN(4)
		y = append(y, math.Round(8*(float64(k)+2*random.NormFloat64()))/8+random.Float64())
		row := []string{fmt.Sprint(y[len(y)-1]), fmt.Sprint(random.IntN(9) + 3*k), "f" + fmt.Sprint(k), "m" + fmt.Sprint(random.IntN(150)), fmt.Sprintf("2020-01-03 %02d:00", 2*random.IntN(3)+k), fmt.Sprint(random.IntN(50))}
		if random.IntN(3) == 0 {
			row[4] = ""
		}
		for j, name := range strings.Split(strings.TrimSpace(header), ",") {
			cells[name] = append(cells[name], row[j])
		}
		text.WriteString(strings.Join(row, ",") + "\n")
	}
	mean := 0.0
	for _, v := range y {
		mean += v / 300
	}
	all := 0.0
	for _, v := range y {
		all += (v - mean) * (v - mean)
	}
	// means is what the means of the rows with an equal value in the other half explain. One more
	// row there has the mean of that half.
	means := func(values []string) float64 {
		left := 0.0
		for i := range y {
			sum, count, base, rows := 0.0, 1.0, 0.0, 0.0
			for j := range y {
				if halfOf(i) == halfOf(j) {
					continue
				}
				base, rows = base+y[j]-mean, rows+1
				if values[i] == values[j] {
					sum, count = sum+y[j]-mean, count+1
				}
			}
			e := y[i] - mean - (sum+base/rows)/count
			left += e * e
		}
		return 1 - left/all
	}
	// ranked is the squared correlation of ranks.
	ranked := func(values []string) float64 {
		numbers := make([]float64, len(values))
		for i, v := range values {
			fmt.Sscan(v, &numbers[i])
		}
		own, theirs := ranksOf(new(ranking.Sorter), numbers), ranksOf(new(ranking.Sorter), y)
		ab, aa, bb := 0.0, 0.0, 0.0
		for i := range own {
			ab, aa, bb = ab+own[i]*theirs[i], aa+own[i]*own[i], bb+theirs[i]*theirs[i]
		}
		return ab * ab / (aa * bb)
	}
	hours := make([]string, len(y))
	for i, cell := range cells["when"] {
		hours[i] = cell[min(len(cell), 11):]
	}
	want := map[string]float64{
		"a its value": ranked(cells["a"]), "b its value": ranked(cells["b"]),
		"few its value": means(cells["few"]), "many its value": means(cells["many"]), "when its hour": means(hours),
	}
	e, data := madeOf(t, sourceOf(text.String(), 2, 100), Wanted{Target: "y", Categories: []string{"few", "many"}, Times: []string{"when"}, Numbers: []string{"a", "b"}, Crosses: [][2]string{{"few", "many"}}})
	for _, numbers := range []int{leakNumbers, 2 * len(y), len(y)} {
		search := newTargetSearch(e, data.X, data.Y, leakRows, numbers)
		got := map[string]float64{}
		for k := range e.columns {
			search.column(&e.columns[k], func(by string, share float64) { got[e.columns[k].Name+" "+by] = share })
		}
		for what, share := range want {
			if !(math.Abs(got[what]-share) <= 1e-12) {
				t.Errorf("%s explains %v, not %v", what, got[what], share)
			}
		}
	}
}
