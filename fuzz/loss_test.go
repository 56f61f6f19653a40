package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// FuzzLoss gives the public functions of losses vectors that are cut from one array, of any
// lengths and with any overlap. Places and lengths alone decide what is refused, which leaves the
// array unchanged. Accepted calls have, on every path, the bits of the portable kernel.
func FuzzLoss(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		const most = 160
		which, loss := in.below(3), kernels.Loss(in.below(5))
		n := in.below(24)
		delta := in.float()
		var at, length [5]int
		for i := range at {
			at[i], length[i] = in.below(most-24), n
			if in.below(8) == 0 {
				length[i] = in.below(24)
			}
		}
		weighted := in.below(2) == 0
		room := in.floats(most)
		run := func(room []float64) (sum float64, err error) {
			var v [5][]float64
			for i := range v {
				v[i] = room[at[i] : at[i]+length[i]]
			}
			if !weighted {
				v[4] = nil
			}
			switch which {
			case 0:
				return kernels.LossGradient(loss, v[1], v[2], v[3], v[4], delta)
			case 1:
				return kernels.LossSum(loss, v[2], v[3], v[4], delta)
			default:
				return 0, kernels.LossCurvature(loss, v[0], v[1], v[2], v[3], v[4], delta)
			}
		}

		// The call writes the first written vectors.
		used, written := []int{1, 2, 3}, 1
		switch which {
		case 1:
			used, written = used[1:], 0
		case 2:
			used, written = append([]int{0}, used...), 2
		}
		if weighted {
			used = append(used, 4)
		}
		refused := loss > kernels.Huber || loss == kernels.Huber && !(delta > 0 && delta-delta == 0)
		for k, i := range used {
			refused = refused || length[i] != length[used[0]]
			for _, j := range used[:min(k, written)] {
				meet := at[i] < at[j]+length[j] && at[j] < at[i]+length[i]
				same := which == 0 && at[i] == at[j]
				refused = refused || meet && !same
			}
		}

		defer asm.Use(asm.Active())
		asm.Use(asm.Generic)
		want := slices.Clone(room)
		sum, err := run(want)
		if (err != nil) != refused {
			t.Fatalf("refused: %v, wanted %v (function %d, at %v, %v long)", err, refused, which, at, length)
		}
		if refused {
			requireEqual(t, "refused, but written", want, room)
		}
		eachTable(func(k *asm.Table) {
			asm.Use(k)
			got := slices.Clone(room)
			gotSum, gotErr := run(got)
			if (gotErr != nil) != refused || refused && gotErr.Error() != err.Error() {
				t.Fatalf("%s: %v, the portable path says %v", k.Path, gotErr, err)
			}
			requireEqual(t, k.Path, append(got, gotSum), append(want, sum))
		})
	})
}
