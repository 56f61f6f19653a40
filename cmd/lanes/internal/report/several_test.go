package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// TestExcerpt: a long table keeps its ends and the neighbourhood of each marked row, in order, and
// counts what it leaves out; a short table stays whole.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	for count := 1; count <= 120; count++ {
		for _, marked := range [][]int{{0}, {count - 1}, {count / 2}, {count / 4, count / 2}, {}} {
			rows := [][]string{{"head", ""}}
			for k := range count {
				rows = append(rows, []string{fmt.Sprint(k), "cell"})
			}
			var want []string
			for k := range count {
				near := count <= mostRows || k == 0 || k == count-1
				for _, m := range marked {
					near = near || k-m <= 5 && m-k <= 5
				}
				if near {
					want = append(want, fmt.Sprint(k))
				} else if want[len(want)-1] != "..." {
					want = append(want, "...")
				}
			}
			short, left := excerpt(rows, marked)
			var got []string
			shown := 0
			for _, row := range short[1:] {
				if got = append(got, row[0]); row[0] != "..." {
					shown++
				}
				if len(row) != 2 {
					t.Fatalf("%d rows: the row %v", count, row)
				}
			}
			if !slices.Equal(got, want) || shown+left != count || short[0][0] != "head" {
				t.Fatalf("%d rows, %v: %v, %d left; want %v", count, marked, got, left, want)
			}
		}
	}
}

func TestWorstClasses(t *testing.T) {
	t.Parallel()
	var classes []fitting.FitReport
	for k := range 50 {
		f1 := float64(k * 13 % 50)
		classes = append(classes, fitting.FitReport{F1: &f1})
	}
	classes[3].F1 = nil
	worst := worstClasses(classes)
	if len(worst) != 10 {
		t.Fatal(worst)
	}
	for place, k := range worst {
		if *classes[k].F1 != float64(place) {
			t.Errorf("place %d has the F1 %v", place, *classes[k].F1)
		}
	}
}
