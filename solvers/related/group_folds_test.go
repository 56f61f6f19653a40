package related

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/sparse"
)

// TestGroupsStayTogether: the rows of a group are in one fold, every fold has every class, and
// with small groups the shares of classes are nearly even.
func TestGroupsStayTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		folds, rows := 2+random.IntN(5), 400+random.IntN(400)
		group, class := make([]int64, rows), make([]uint32, rows)
		for i := range group {
			group[i] = random.Int64N(60) << 40
			class[i] = uint32(random.IntN(3)) * math.MaxUint32 / 2
		}
		fold, err := GroupFolds(group, class, folds, random.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		of := map[int64]uint32{}
		count := map[[2]uint32]float64{}
		total := map[uint32]float64{}
		for i, f := range fold {
			if before, known := of[group[i]]; known && before != f {
				t.Fatalf("group %d is in folds %d and %d", group[i], before, f)
			}
			of[group[i]] = f
			count[[2]uint32{f, class[i]}]++
			total[class[i]]++
		}
		for k, n := range total {
			for f := range uint32(folds) {
				if share := count[[2]uint32{f, k}] / n * float64(folds); share < 0.6 || share > 1.5 {
					t.Errorf("fold %d of %d has %.2f of its share of a class", f, folds, share)
				}
			}
		}
	}
}

// TestGroupsOfOneRow: groups of a row each give folds as even as rows without groups.
func TestGroupsOfOneRow(t *testing.T) {
	group, class := make([]int64, 103), make([]uint32, 103)
	for i := range group {
		group[i], class[i] = int64(-i), uint32(i%10/4)
	}
	fold, err := GroupFolds(group, class, 5, 7)
	if err != nil {
		t.Fatal(err)
	}
	count := [5][4]int{}
	for i, f := range fold {
		count[f][class[i]]++
		count[f][3]++
	}
	for f := range count {
		for k := range count[f] {
			if d := count[f][k] - count[0][k]; d < -1 || d > 1 {
				t.Errorf("folds 0 and %d have %d and %d rows of class %d", f, count[0][k], count[f][k], k)
			}
		}
	}
	for i := range group {
		group[i] = int64(i)*3 + 100 // other names of the same groups
	}
	again, _ := GroupFolds(group, class, 5, 7)
	other, _ := GroupFolds(group, class, 5, 8)
	if !slices.Equal(fold, again) || slices.Equal(fold, other) {
		t.Error("the folds follow the names of groups, or not the seed")
	}
}

// TestGroupsAreDealtByRows: of folds without rows of a group's classes, the one with the fewest rows
// gets it.
func TestGroupsAreDealtByRows(t *testing.T) {
	group := []int64{0, 0, 0, 0, 1, 1, 1, 2, 2}
	d := newDealing(group, []uint32{0, 0, 0, 0, 1, 1, 1, 2, 2}, 2)
	for g := range d.sizes {
		d.deal(g)
	}
	if !slices.Equal(d.fold, []uint32{0, 1, 1}) || !slices.Equal(d.filled, []int{4, 5}) {
		t.Errorf("groups of 4, 3 and 2 rows are in the folds %v", d.fold)
	}
}

// TestFewGroups are groups that cannot be dealt.
func TestFewGroups(t *testing.T) {
	// A group has half of the classes 1 to 8, two others a quarter each, and all of class 0.
	apart, mixed := []int64{2, 3}, []uint32{0, 0}
	for k := range 32 {
		apart, mixed = append(apart, int64([]int{1, 1, 2, 3}[k%4])), append(mixed, uint32(1+k/4))
	}
	for want, c := range map[string]struct {
		group []int64
		class []uint32
		folds int
	}{
		"2 groups, fewer than the 3 folds":                 {[]int64{1, 1, 2, 2}, nil, 3},
		"a class has rows in 2 groups, fewer than the 3":   {[]int64{1, 2, 3, 3, 4, 4, 4}, []uint32{0, 0, 1, 0, 1, 0, 0}, 3},
		"fold 1 has no row of a class":                     {apart, mixed, 2},
		"folds; there must be two at least":                {[]int64{1, 2}, nil, 1},
		"classes of 1 rows, and 2 rows":                    {[]int64{1, 2}, []uint32{1}, 2},
		"a class has 3 rows, fewer than the 1000000 folds": {[]int64{1, 2, 3}, nil, 1000000},
	} {
		_, err := GroupFolds(c.group, c.class, c.folds, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s: %v", want, err)
		}
		if strings.Contains(want, "class has") && !errors.Is(err, ErrFewRows) {
			t.Errorf("%v is not ErrFewRows", err)
		}
	}
}

// TestCrossValidateGroups: a cross-validation measures on whole groups.
func TestCrossValidateGroups(t *testing.T) {
	one := binary(t, "text:n=300,d=100")
	group := make([]int64, len(one.Y))
	for i := range group {
		group[i] = int64(i % 25)
	}
	seen := make(chan [2]int, 3)
	v := Validation{Folds: 3, Seed: 4, Group: group, Prepare: func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
		seen <- [2]int{train.Rows(), test.Rows()}
		return train, test, nil
	}}
	v.Metric, _ = metrics.Find("logloss")
	if _, err := CrossValidate(context.Background(), one, []float64{0.1}, v, Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 100}}); err != nil {
		t.Fatal(err)
	}
	fold, err := GroupFolds(group, classesOf(one), 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []int
	for f := range uint32(3) {
		test, _ := risk.Split(fold, f)
		want, got = append(want, len(test)), append(got, (<-seen)[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || slices.ContainsFunc(got, func(n int) bool { return n%12 > 0 }) {
		t.Errorf("folds of %v rows, want %v", got, want)
	}
	v.Group = group[1:]
	if _, err := CrossValidate(context.Background(), one, []float64{0.1}, v, Run{Solve: auto.Solve}); err == nil || !strings.Contains(err.Error(), "groups of 299 rows") {
		t.Error(err)
	}
}
